"""What the builder calls settings: in words for people, in every language, without the study file's own notation."""

import re
import tomllib
from importlib.resources import files

import pytest

from concordant.design.schema import SECTIONS

NOTATION = re.compile(r"\[\[|`|\[\w+_\w+\]")


def words(language: str) -> dict[str, str]:
    text = (files("concordant.web") / "texts" / "build" / f"{language}.toml").read_text(encoding="utf-8")
    return {key: said for key, said in tomllib.loads(text).items() if key[:2] in ("s_", "h_")}


@pytest.mark.parametrize("language", ["en", "de"])
def test_every_setting_has_words(language: str) -> None:
    told, wanting = words(language), list[str]()
    for section, settings in SECTIONS.items():
        path = section.replace(".", "_")
        for key in settings:
            names = (f"{path}_{key}", f"{path.rpartition('_')[2]}_{key}", key)
            wanting += [] if any(told.get(f"s_{name}") for name in names) else [f"{section}.{key}"]
    assert wanting == []


def test_no_notation_of_the_study_file_is_left() -> None:
    english, german = words("en"), words("de")
    assert english.keys() == german.keys()
    assert [key for told in (english, german) for key, text in told.items() if NOTATION.search(text)] == []
