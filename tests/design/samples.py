"""Small studies for the tests of design and collection."""

from pathlib import Path
from typing import Any

from assent.design.description import Description, Option, Pattern, Question, Rater, Task, Unit
from assent.design.parts import A_B_SAME, YES_NO
from assent.treebank.analyses import Analysis
from assent.treebank.parses import Parses

ABC = tuple(Option(value=value, label=value.upper()) for value in "abc")
PATTERNS = (
    Pattern(id="basic", text="similar to ___", category="B", part_of_speech="adjective"),
    Pattern(id="active", text="that ___", category="E", part_of_speech="verb"),
    Pattern(id="result", text="that was ___", category="E", part_of_speech="verb"),
)
QUESTIONS = {
    Task.BINARY: Question(id="binary", task=Task.BINARY, ask="?", options=YES_NO, not_sure=True),
    Task.CATEGORICAL: Question(id="categorical", task=Task.CATEGORICAL, ask="?", options=ABC, shuffle=True),
    Task.MULTILABEL: Question(id="multilabel", task=Task.MULTILABEL, ask="?", options=ABC, maximum=2),
    Task.ORDINAL: Question(id="ordinal", task=Task.ORDINAL, ask="?", options=ABC),
    Task.SLIDER: Question(id="slider", task=Task.SLIDER, ask="?", low=-1, high=1),
    Task.PAIRWISE: Question(id="pairwise", task=Task.PAIRWISE, ask="?", options=A_B_SAME),
    Task.RANKING: Question(id="ranking", task=Task.RANKING, ask="?", options=ABC),
    Task.TEXT: Question(id="text", task=Task.TEXT, ask="?", max_length=10),
    Task.PATTERNS: Question(id="patterns", task=Task.PATTERNS, ask="?", patterns=PATTERNS, maximum=2, shuffle=True),
    Task.SPANS: Question(id="spans", task=Task.SPANS, ask="?", options=ABC, maximum=2),
    Task.PARSES: Question(id="parses", task=Task.PARSES, ask="?", options=YES_NO),
}


def parses(*rules: str) -> Parses:
    """The parses of a sentence of one word, each with a rule of its own over it."""
    return Parses([Analysis(n, f'(1 {rule} 0 0 1 (2 word 0 0 1 ("w")))') for n, rule in enumerate(rules)], {})


def units(n: int, **more: Any) -> tuple[Unit, ...]:
    """Units u1, u2 ... with texts of their own, and two parses each."""
    values = {"parses": parses("up", "down"), **more}
    return tuple(Unit(id=f"u{i}", item=f"u{i}", text=f"text {i}", copies=(f"u{i}",), **values) for i in range(1, n + 1))


def study(n_units: int = 4, tasks: tuple[Task, ...] = (Task.BINARY,), **changes: Any) -> Description:
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
