"""The sentences of an [incr tsdb()] profile as units: the text, and the parses that the grammar gave it.

Decisions that the profile may hold already are not read: raters begin from nothing.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from assent.design.description import Unit
from assent.design.problems import Problem
from assent.errors import InputError
from assent.treebank.lexicon import read_lexicon
from assent.treebank.parses import Parses
from assent.treebank.profile import Annotation, read_profile
from assent.treebank.tables import Tables, unescape


class SentenceReader:
    """Makes units of one profile and collects what is wrong with it."""

    def __init__(self, folder: Path, settings: Mapping[str, Any]) -> None:
        """`settings` is the [units] table of the study file."""
        self.problems: list[Problem] = []
        self.path = folder / settings["profile"]
        self._folder = folder
        self._settings = settings

    def units(self) -> tuple[Unit, ...]:
        """All sentences in the order of the profile; those without parses are left out or are mistakes."""
        try:
            return self._units(self._lexicon())
        except InputError as error:
            self.problems.append(Problem(self.path, 0, str(error).removeprefix(f"{self.path}: ")))
            return ()

    def _units(self, lexicon: Mapping[str, str]) -> tuple[Unit, ...]:
        profile = read_profile(self.path)
        self.problems += [Problem(self.path, 0, line) for line in profile.broken]
        if not (texts := self._texts()):
            self.problems.append(Problem(self.path, 0, "there are no sentences", "fill its table 'item'"))
        known = {id: profile.annotations.get(id) for id in texts}
        parsed = {id: found for id, found in known.items() if found is not None and found.analyses}
        if not self._settings.get("parsed_only"):
            self.problems += [self._unparsed(id) for id in texts if id not in parsed]
        return tuple(_unit(id, texts[id], found, lexicon) for id, found in parsed.items())

    def _texts(self) -> dict[str, str]:
        return {id: unescape(text).strip() for _, (id, text) in Tables(self.path).rows("item", ("i-id", "i-input"))}

    def _unparsed(self, id: str) -> Problem:
        hint = "take it out of the profile, or write parsed_only = true under [units]"
        return Problem(self.path, 0, f"sentence {id} has no parses", hint)

    def _lexicon(self) -> Mapping[str, str]:
        file = self._settings.get("lexicon")
        return read_lexicon(self._folder / file) if file else {}


def _unit(id: str, text: str, found: Annotation, lexicon: Mapping[str, str]) -> Unit:
    parses = Parses(found.analyses, lexicon)
    return Unit(id=id, item=id, text=text, copies=(id,), attributes={"parses": str(len(parses))}, parses=parses)


def unreadable(unit: Unit) -> list[str]:
    """What is wrong with the parses of a unit. All are decoded for that, so only `assent check` asks."""
    if unit.parses is None:
        return []
    broken = [str(result) for result in unit.parses.results if unit.parses.tree(result) is None]
    return [f"sentence {unit.id}: parse {', '.join(broken)} has no derivation that can be read"] if broken else []
