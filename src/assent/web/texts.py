"""The words of the interface, one TOML catalogue per language.

A catalogue is flat: a key, then the text, with `{names}` to fill in. English is complete; a key missing from another
language falls back to English. To add a language, copy `texts/en.toml`, translate it and name the file by its code.
"""

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

DEFAULT = "en"


@dataclass(frozen=True, slots=True)
class Texts:
    """The texts of one language; called with a key it gives the text with its names filled in."""

    language: str
    entries: dict[str, str]

    def __call__(self, key: str, **values: object) -> str:
        """The text for `key`."""
        return self.entries[key].format(**values)


@cache
def languages() -> dict[str, str]:
    """The languages there are: code -> the language's own name, English first."""
    codes = sorted((entry.name.removesuffix(".toml") for entry in _folder().iterdir()), key=lambda c: (c != DEFAULT, c))
    return {code: _read(code)["language_name"] for code in codes}


@cache
def texts(language: str) -> Texts:
    """The catalogue of `language` over the English one; English alone when there is none."""
    code = language if language in languages() else DEFAULT
    return Texts(code, _read(DEFAULT) | _read(code))


def preferred(wanted: Iterable[str | None]) -> str:
    """The first wanted language that there is: `de-AT` finds `de`."""
    for code in wanted:
        short = (code or "").split("-")[0].lower()
        if short in languages():
            return short
    return DEFAULT


def accepted(header: str) -> list[str]:
    """The languages of an Accept-Language header, best first.

    >>> accepted("fr;q=0.4, de-AT, en;q=0.8")
    ['de-AT', 'en', 'fr']
    """
    weighted = [part.strip().partition(";q=") for part in header.split(",") if part.strip()]
    return [code for code, _, weight in sorted(weighted, key=lambda part: -_weight(part[2]))]


def _weight(text: str) -> float:
    try:
        return float(text or 1)
    except ValueError:
        return 0.0


def _read(code: str) -> dict[str, str]:
    entries: dict[str, str] = tomllib.loads((_folder() / f"{code}.toml").read_text(encoding="utf-8"))
    return entries


def _folder() -> Traversable:
    return files("assent.web") / "texts"
