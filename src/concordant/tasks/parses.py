"""A parse of a sentence, chosen by yes and no to discriminants.

Stored as `{"verdict": "accepted", "result": 3, …}` (see `treebank.disambiguation.Choosing.as_value`). Data files write
`accepted 3` or `rejected`. One answer is many judgements: each discriminant is a unit of its own with the answer
yes or no, and whether the sentence was accepted or rejected is a question of its own: who rejects a sentence at once
has decided no discriminant, and that must not look like agreement.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from concordant.errors import InputError
from concordant.model.scale import Level
from concordant.tasks.kind import YES_OR_NO, Around, Fault, Form, Kind, is_list_of_text, kind_of, texts_in
from concordant.tasks.question import Option, Question, Unit
from concordant.treebank.disambiguation import Choosing, State
from concordant.treebank.discriminants import TYPE_NAMES, Discriminant

STATES = frozenset(map(str, State))
NO_PARSE = "No parse is right"
VERDICTS = (Option(value="accepted", label="Accepted"), Option(value="rejected", label="Rejected"))
PARTS = frozenset({"verdict", "result", "n_left", "moves", "states"})


class ParsesKind(Kind):
    """The right one among the parses of a sentence, or none."""

    key = "parses"
    options = YES_OR_NO
    level = Level.NOMINAL
    redraws = True
    chooses_parses = True
    becomes_many = "choices among parses"

    def faults(self, question: Question, around: Around) -> list[Fault]:
        """Parses to choose among, and nothing beside them that would be lost when the page is drawn anew."""
        kinds = [kind_of(other) for other in around.others]
        faults = []
        if any(kind.chooses_parses for kind in kinds):
            faults.append(("it can be asked once in a study", "ask the other one in a study of its own"))
        if any(unit.parses is None for unit in around.units):
            faults.append(("there are no parses", "name a profile under [units]"))
        if not around.in_passes and not all(kind.is_free_text for kind in kinds):
            faults.append(("only text questions may share a page with it", "ask in passes"))
        return faults

    def problem(self, question: Question, unit: Unit, value: Any) -> str | None:
        """The shape only: what follows from what is the work of `settled`, when an answer comes in."""
        if not isinstance(value, Mapping) or set(value) != PARTS or not isinstance(value["states"], Mapping):
            return f"expected {', '.join(sorted(PARTS))}"
        if value["verdict"] not in {"accepted", "rejected", "undecided"} or not is_list_of_text(value["moves"]):
            return "expected a verdict and the moves that led to it"
        is_known = all(state in STATES for state in value["states"].values())
        return None if is_known else "a discriminant is in no known state"

    def is_enough(self, question: Question, value: Any) -> bool:
        """A verdict."""
        return bool(value["verdict"] != "undecided")

    def least(self, question: Question) -> int:
        """A lone parse needs no decision."""
        return 0

    def settled(self, question: Question, unit: Unit, value: Any) -> Any:
        """The moves are enough: the states of all discriminants follow from them."""
        if not isinstance(value, Mapping) or unit.parses is None:
            return value
        moves: Any = value.get("moves")
        if not is_list_of_text(moves):
            raise InputError("expected the moves that were made", hint='send {"moves": ["yes …", "reject"]}')
        found = Choosing(unit.parses).after(moves).as_value()
        if any(found.get(key) != given for key, given in value.items() if key != "moves"):
            raise InputError("that does not follow from the moves", hint="send the moves alone")
        return found

    def same(self, question: Question, expected: Any, value: Any) -> bool:
        """By the parse that was chosen, whichever way."""
        return value is not None and self.write(question, value) == self.write(question, expected)

    def parse(self, question: Question, written: str) -> dict[str, list[str]]:
        """`accepted 3`, `3` or `rejected`."""
        chosen = written.strip().removeprefix("accepted").strip()
        return {"moves": ["reject" if chosen == "rejected" else f"select {chosen}"]}

    def write(self, question: Question, value: Any) -> str:
        """The verdict, and the parse where one was chosen."""
        return f"{value['verdict']} {value['result']}" if value["result"] is not None else str(value["verdict"])

    def judgements(self, unit: Unit, question: Question, value: Any) -> Iterator[tuple[Unit, Question, Any]]:
        """Yes or no to every discriminant that is decided, then the verdict on the sentence."""
        decision, verdict = self.measured(question)
        for name, state in value["states"].items():
            if answer := State(state).answer:
                yield discriminant_unit(unit, name), decision, answer
        if value["verdict"] != "undecided":
            yield unit, verdict, value["verdict"]

    def measured(self, question: Question) -> tuple[Question, ...]:
        """One question about discriminants, one about sentences."""
        verdict = replace(
            question,
            id=f"{question.id}-verdict",
            task="categorical",
            title=f"{question.title or question.id}: accepted or rejected",
            ask="Was a parse accepted, or were all rejected?",
            options=VERDICTS,
        )
        return replace(question, task="binary"), verdict

    def from_form(self, form: Form, name: str, question: Question, unit: Unit) -> dict[str, Any] | None:
        """What was decided so far (hidden fields), then the button pressed; a lone parse is accepted by going on."""
        if unit.parses is None:
            return None
        choosing = Choosing(unit.parses).after(texts_in(form, name))
        is_begun = choosing.moves or unit.parses.earlier  # who drops what was carried over has decided so
        return choosing.as_value() if is_begun or choosing.verdict == "accepted" else None

    def shown_to_programs(self, question: Question, unit: Unit, value: Any) -> dict[str, Any]:
        """The parses that are left, and the discriminants that tell them apart, the most telling first."""
        assert unit.parses is not None  # a check of the study sees to it
        now = Choosing(unit.parses).after(value["moves"] if value else ())
        found = {"left": list(now.results), "open": [one.name for one in now.open], "verdict": now.verdict}
        return {"parses": found}

    def label_of(self, question: Question, unit: Unit, text: str) -> str:
        """The parse by its number, as the trees are headed."""
        verdict, _, number = text.partition(" ")
        return f"Parse {number}" if number else NO_PARSE if verdict == "rejected" else text

    def in_words(self, question: Question, unit: Unit, value: Any, labels: Mapping[str, str]) -> str:
        """The verdict."""
        return self.write(question, value)

    def parse_chosen(self, value: Any) -> int | None:
        """The number of the parse."""
        result: int | None = value["result"]
        return result

    def invent(self, question: Question, unit: Unit, truth: int, care: float, random: np.random.Generator) -> Any:
        """The right parse by way of the discriminants, mostly; now and then another one, or none."""
        assert unit.parses is not None  # a check of the study sees to it
        drawn = random.random()
        if drawn > 0.97:
            return Choosing(unit.parses).after(["reject"]).as_value()
        seen = truth if drawn < care else int(random.integers(len(unit.parses)))
        wanted, now = seen % len(unit.parses), Choosing(unit.parses)
        while now.verdict == "undecided":
            asked = now.open[0].name
            now = now.after([f"{'yes' if unit.parses.table.holds[unit.parses.rows[asked], wanted] else 'no'} {asked}"])
        return now.as_value()


def discriminant_unit(sentence: Unit, name: str) -> Unit:
    """A discriminant of a sentence as a unit."""
    about = {**sentence.attributes, "sentence": sentence.id, "type": TYPE_NAMES[Discriminant.named(name).type]}
    return replace(sentence, id=f"{sentence.id} {name}", attributes=about, copies=(), parses=None)


KIND = ParsesKind()
