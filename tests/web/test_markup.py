"""Texts of a study become what cannot run; the catalogues of the interface are complete and used."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from concordant.diagnosis.consistency import Verdict
from concordant.studio.builder import PARTS
from concordant.studio.uploads import LABELS
from concordant.web import markup as module
from concordant.web.markup import accepted, inline, languages, preferred, prose, texts


def test_paragraphs_lists_and_emphasis() -> None:
    made = str(prose("One\ntwo.\n\nThree:\n- a *b*\n- c\n"))
    assert made == "<p>One two.</p>\n<p>Three:</p>\n<ul><li>a <em>b</em></li><li>c</li></ul>"


def test_stars_that_are_no_emphasis_stay() -> None:
    assert str(inline("2*3*4 and * this *")) == "2*3*4 and * this *"


@given(st.text(alphabet="<>&\"'*- \nab"))
def test_nothing_else_comes_out(text: str) -> None:
    tags = set(re.findall(r"<[^>]*>", str(prose(text))))
    assert tags <= {"<p>", "</p>", "<ul>", "</ul>", "<li>", "</li>", "<em>", "</em>"}
    assert str(prose(text)).count("<p>") == str(prose(text)).count("</p>")


WEB = Path(module.__file__).parent
NAMES = re.compile(r"{(\w+)}")
OF_THE_ENGINE = re.compile(r"[sh]_|tb_pair_|f_label_")
"""English has the words of the engine itself for these (of settings, verdicts on two raters, options of readers)."""


def test_there_is_english_and_another_language() -> None:
    assert next(iter(languages())) == "en"
    assert len(languages()) > 1


@pytest.mark.parametrize("language", list(languages()))
def test_a_catalogue_has_every_text_with_the_same_names_to_fill_in(language: str) -> None:
    english, other = module._read("en"), module._read(language)
    keys, known = ({key for key in texts if not OF_THE_ENGINE.match(key)} for texts in (other, english))
    assert keys == known
    assert {
        key for key in english if set(NAMES.findall(english[key])) != set(NAMES.findall(other.get(key, "")))
    } == set()


@pytest.mark.parametrize("language", [name for name in languages() if name != "en"])
def test_what_the_engine_says_is_translated_whole(language: str) -> None:
    other = module._read(language)
    verdicts = {f"tb_pair_{verdict.name.lower()}" for verdict in Verdict}
    assert {key for key in other if key.startswith("tb_pair_")} == verdicts | {"tb_pair_stricter", "tb_pair_same"}
    assert {key for key in other if key.startswith("f_label_")} == {f"f_label_{name}" for name in LABELS}


def test_every_text_is_used_and_every_text_used_exists() -> None:
    sources = [path.read_text(encoding="utf-8") for path in (*WEB.rglob("*.html"), *WEB.rglob("*.py"))]
    asked = set(re.findall(r"""\bt\(["'](\w+)["']""", "\n".join(sources)))
    english = set(module._read("en"))
    unknown = {key for key in asked - english if not key.endswith("_")}
    assert {key for key in unknown if not OF_THE_ENGINE.match(key)} == set()
    everything = "\n".join(sources)
    composed = re.compile(
        r"_(title|text)$|^(cause|state|tab|word|next|remark|[sh]|kind|b_role|home_state|b_change|rounds|b_means|b_level|b_known|p_state|p_role|c|gd_m|gd_about|gd_basis|ch|f|f_role)_|^language_name$"
    )
    composed = re.compile(f"{composed.pattern}|^b_({'|'.join(PARTS)})(_about)?$")
    assert {key for key in english - asked if f'"{key}"' not in everything and not composed.search(key)} == set()


def test_the_language_wanted_is_found() -> None:
    assert preferred([None, "", "de-AT", "en"]) == "de"
    assert preferred(["xx"]) == "en"
    assert preferred(accepted("fr;q=0.9, de;q=0.5, en;q=0.7")) == "en"
    assert accepted("de;q=nonsense, en") == ["en", "de"]


def test_an_unknown_language_falls_back_to_english() -> None:
    assert texts("xx").language == "en"
    assert texts("de")("quit") != texts("en")("quit")
