"""Text that was decoded wrongly before it came here is told with what it probably says."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from concordant.readers import read
from concordant.readers.decoding import rightly
from tests.readers.exported import study_of, write


@given(st.text(st.characters(min_codepoint=0xC0, max_codepoint=0x17F), min_size=1).filter(str.isalpha))
def test_every_letter_comes_back(text: str) -> None:
    wrong = "".join(
        chr(byte) if byte in (0x81, 0x8D, 0x8F, 0x90, 0x9D) else bytes([byte]).decode("cp1252")
        for byte in text.encode()
    )
    assert rightly(wrong) == text


@pytest.mark.parametrize("text", ["Jörg", "Ångström", "año", "Ä", "naïve", "Ã", "señor Ñandú", "日本", "â la carte"])
def test_what_is_right_stays(text: str) -> None:
    assert rightly(text) is None


def test_one_line_says_it(tmp_path: Path) -> None:
    table = "unit,rater,value\n" + "".join(f"{u},{r},Ã¼ber\n" for u in "abc" for r in ("JÃ¶rg", "Anna"))
    study = study_of(write(tmp_path / "t.csv", table))
    said = "'JÃ¶rg' was decoded wrongly before it came here: probably 'Jörg', and 1 name more alike"
    assert [said in note for note in study.notes].count(True) == 1
    assert "JÃ¶rg" in study.raters
    spans = read(write(tmp_path / "s.csv", "text,rater,begin,end,category\na,JÃ¶rg,0,3,x\na,Anna,0,3,x\n"))
    assert any("probably 'Jörg'" in note for note in spans.notes)
