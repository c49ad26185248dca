"""The catalogues are complete, ask for the same values, and are used."""

import re
from pathlib import Path

import pytest

from assent.web import texts as module
from assent.web.texts import accepted, languages, preferred, texts

WEB = Path(module.__file__).parent
NAMES = re.compile(r"{(\w+)}")


def test_there_is_english_and_another_language() -> None:
    assert next(iter(languages())) == "en"
    assert len(languages()) > 1


@pytest.mark.parametrize("language", list(languages()))
def test_a_catalogue_has_every_text_with_the_same_names_to_fill_in(language: str) -> None:
    english, other = module._read("en"), module._read(language)
    assert set(other) == set(english)
    assert {key for key in english if set(NAMES.findall(english[key])) != set(NAMES.findall(other[key]))} == set()


def test_every_text_is_used_and_every_text_used_exists() -> None:
    sources = [path.read_text(encoding="utf-8") for path in (*WEB.rglob("*.html"), *WEB.rglob("*.py"))]
    asked = set(re.findall(r"""\bt\(["'](\w+)["']""", "\n".join(sources)))
    english = set(module._read("en"))
    assert {key for key in asked - english if not key.endswith("_")} == set()
    everything = "\n".join(sources)
    composed = re.compile(r"_(title|text)$|^state_|^language_name$")
    assert {key for key in english - asked if f'"{key}"' not in everything and not composed.search(key)} == set()


def test_the_language_wanted_is_found() -> None:
    assert preferred([None, "", "de-AT", "en"]) == "de"
    assert preferred(["xx"]) == "en"
    assert preferred(accepted("fr;q=0.9, de;q=0.5, en;q=0.7")) == "en"
    assert accepted("de;q=nonsense, en") == ["en", "de"]


def test_an_unknown_language_falls_back_to_english() -> None:
    assert texts("xx").language == "en"
    assert texts("de")("quit") != texts("en")("quit")
