"""Small studies for the tests of design and collection."""

from pathlib import Path
from typing import Any

from concordant.design.description import Description, Rater
from concordant.tasks.kind import YES_OR_NO
from concordant.tasks.pairwise import KIND as PAIRWISE
from concordant.tasks.question import Option, Pattern, Question, Unit
from concordant.treebank.analyses import Analysis
from concordant.treebank.disambiguation import Parses

ABC = tuple(Option(value=value, label=value.upper()) for value in "abc")
PATTERNS = (
    Pattern(id="basic", text="similar to ___", category="B", part_of_speech="adjective"),
    Pattern(id="active", text="that ___", category="E", part_of_speech="verb"),
    Pattern(id="result", text="that was ___", category="E", part_of_speech="verb"),
)
QUESTIONS = {
    "binary": Question(id="binary", task="binary", ask="?", options=YES_OR_NO, not_sure=True),
    "categorical": Question(id="categorical", task="categorical", ask="?", options=ABC, shuffle=True),
    "multilabel": Question(id="multilabel", task="multilabel", ask="?", options=ABC, maximum=2),
    "ordinal": Question(id="ordinal", task="ordinal", ask="?", options=ABC),
    "slider": Question(id="slider", task="slider", ask="?", low=-1, high=1),
    "number": Question(id="number", task="number", ask="?", low=0),
    "pairwise": Question(id="pairwise", task="pairwise", ask="?", options=PAIRWISE.options),
    "ranking": Question(id="ranking", task="ranking", ask="?", options=ABC),
    "text": Question(id="text", task="text", ask="?", max_length=10),
    "patterns": Question(id="patterns", task="patterns", ask="?", patterns=PATTERNS, maximum=2, shuffle=True),
    "spans": Question(id="spans", task="spans", ask="?", options=ABC, maximum=2),
    "parses": Question(id="parses", task="parses", ask="?", options=YES_OR_NO),
}


def parses(*rules: str) -> Parses:
    """The parses of a sentence of one word, each with a rule of its own over it."""
    return Parses([Analysis(n, f'(1 {rule} 0 0 1 (2 word 0 0 1 ("w")))') for n, rule in enumerate(rules)], {})


def units(n: int, **more: Any) -> tuple[Unit, ...]:
    """Units u1, u2 ... with texts of their own, and two parses each."""
    values = {"parses": parses("up", "down"), **more}
    return tuple(Unit(id=f"u{i}", item=f"u{i}", text=f"text {i}", copies=(f"u{i}",), **values) for i in range(1, n + 1))


def study(n_units: int = 4, tasks: tuple[str, ...] = ("binary",), **changes: Any) -> Description:
    """A study with some units, one question for each task, and two invited raters."""
    made = changes.pop("units", units(n_units))
    return Description(
        **{
            "name": "sample",
            "title": "A sample",
            "folder": Path(),
            "questions": tuple(QUESTIONS[task] for task in tasks),
            "units": made,
            "rows": made,
            "raters": (Rater(id="A1"), Rater(id="A2")),
            **changes,
        }
    )
