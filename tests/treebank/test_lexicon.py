"""Lexical types from a grammar or from a table."""

from pathlib import Path

import pytest

from assent.errors import InputError
from assent.treebank.lexicon import read_lexicon
from tests.treebank.made import EXAMPLE


def test_a_table_with_a_header() -> None:
    lexicon = read_lexicon(EXAMPLE / "lexicon.tsv")
    assert lexicon["saw_see"] == "v_see_le"
    assert "lexical_entry" not in lexicon


def test_a_grammar_s_lexicon(tmp_path: Path) -> None:
    (tmp_path / "lexicon.tdl").write_text(
        'dog_n1 := n_-_c_le &\n [ ORTH < "dog" >,\n   SYNSEM [ LKEYS.KEYREL.PRED "_dog_n_1_rel" ] ].\n\n'
        'bark_v1 := v_-_le & [ ORTH < "bark" > ].\n',
        encoding="utf-8",
    )
    assert read_lexicon(tmp_path / "lexicon.tdl") == {"dog_n1": "n_-_c_le", "bark_v1": "v_-_le"}


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("x.tsv", "dog_n1 n_-_c_le\n", "row 1: 1 columns instead of 2"),
        ("x.tsv", "", "no lexical entry"),
        ("x.tdl", "dog_n1 := [ ", "not TDL"),
    ],
)
def test_what_is_no_lexicon(tmp_path: Path, name: str, text: str, message: str) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=message):
        read_lexicon(tmp_path / name)


def test_a_lexicon_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such lexicon"):
        read_lexicon(tmp_path / "x.tsv")
