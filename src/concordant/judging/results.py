"""What `judges` finds: each judge with the sentence that may be said of it, requirements, and all of them together.

The sentences here are the only verdicts that the tool writes: about these units, these people, this prompt; never that
a model is right.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any, ClassVar

from concordant.diagnosis.findings import named
from concordant.diagnosis.requirements import Limit, Requirement, read_limit
from concordant.digits import brief, counted, decimal, interval_text, per_cent
from concordant.errors import InputError, nearest
from concordant.judging.alt_test import AltTest
from concordant.judging.bias import Compared, Difference, Position, Slice, Stability
from concordant.judging.ceiling import MEASURES, Ceiling
from concordant.judging.corrected import Estimate
from concordant.judging.refused import Refusals
from concordant.model.tabular import TabularResult, plain

NO_AGREEMENT = 0.2
MANY_REFUSALS = 0.05
NAMES = (
    *("win_rate", "advantage", "gap", "gap_low", "gap_high", "agreement", "human_agreement", "severity"),
    *("severity_abs", "refusals", "run_alpha", "flips", "n_units", "n_humans"),
)
ALSO = {"winrate": "win_rate"}
"""Other words for them; agreement is known by the key of its coefficient, too."""


@dataclass(frozen=True, kw_only=True)
class JudgeResult:
    """Everything about one judge on one question."""

    question: str | None
    model: str
    prompt: str | None
    n_units: int
    n_humans: int
    refusals: float
    refused: Refusals | None = None
    coverage: float
    alt_test: AltTest
    ceiling: Ceiling
    severity: Difference
    slices: tuple[Slice, ...]
    position: Position | None
    stability: Stability | None
    sentence: str
    signature: str = ""

    @property
    def name(self) -> str:
        """The model, with its prompt where it has several."""
        return self.model if self.prompt is None else f"{self.model} · {self.prompt}"

    def quantity(self, name: str) -> float | None:
        """What a requirement may ask for."""
        gap = self.ceiling.interval
        runs = self.stability
        found: dict[str, float | None] = {
            "win_rate": self.alt_test.win_rate,
            "advantage": self.alt_test.advantage,
            "gap": self.ceiling.gap,
            "gap_low": None if gap is None else gap.low,
            "gap_high": None if gap is None else gap.high,
            "agreement": self.ceiling.model,
            "human_agreement": self.ceiling.human,
            "severity": self.severity.severity,
            "severity_abs": None if self.severity.severity is None else abs(self.severity.severity),
            "refusals": self.refusals,
            "run_alpha": None if runs is None else runs.alpha,
            "flips": float(len(self.alt_test.deciding)) if self.alt_test.win_rate is not None else None,
            "n_units": float(self.n_units),
            "n_humans": float(self.n_humans),
        }
        return found[name]


@dataclass(frozen=True, kw_only=True, repr=False)
class Judging(TabularResult):
    """All judges, corrected figures and requirements."""

    COLUMNS: ClassVar = {
        key: key
        for key in ("question", "judge", "win_rate", "advantage", "agreement", "human_agreement", "gap", "verdict")
    }

    judges: tuple[JudgeResult, ...]
    compared: tuple[Compared, ...] = ()
    estimates: tuple[Estimate, ...] = ()
    requirements: tuple[Requirement, ...] = ()
    said: tuple[str, ...] = ()

    @property
    def notes(self) -> Sequence[str]:
        """What is to be known about all of them."""
        return self.said

    @property
    def signatures(self) -> tuple[str, ...]:
        """Those of judges, and of corrected figures that can be computed again."""
        lines = [*(one.signature for one in self.judges), *(one.signature for one in self.estimates)]
        return tuple(line for line in lines if line)

    def __repr__(self) -> str:
        """The sentence about each judge."""
        return "\n".join(f"<{one.name}: {one.sentence}>" for one in self.judges)

    def rows(self) -> list[dict[str, Any]]:
        """One for each judge."""
        return [
            {"question": one.question, "judge": one.name, "verdict": one.ceiling.verdict, "sentence": one.sentence}
            | {name: one.quantity(name) for name in NAMES}
            for one in self.judges
        ]

    def to_dict(self) -> dict[str, Any]:
        """Everything as JSON can hold it."""
        return {
            "judges": [plain(one) for one in self.judges],
            "compared": [plain(one) for one in self.compared],
            "estimates": [plain(one) for one in self.estimates],
            "requirements": [plain(one) for one in self.requirements],
            "notes": list(self.said),
        }

    def require(self, *texts: str) -> list[str]:
        """The requirements that do not hold, each with the reason; one that cannot be understood is an error.

        `win_rate >= 0.5` is asked of every judge, `gpt-4o: gap_low > -0.05` of one.
        """
        return [f"{one.text}: {one.reason}" for one in self.checked(*texts) if not one.holds]

    def checked(self, *texts: str) -> tuple[Requirement, ...]:
        """Every requirement, and whether it holds."""
        return tuple(self._requirement(text) for text in texts)

    def _requirement(self, text: str) -> Requirement:
        limit = read_limit(text, (*NAMES, *ALSO, *MEASURES), "win_rate>=.5, gpt-4o:gap_low>-.05")
        model = limit.of
        asked = [one for one in self.judges if model is None or fnmatchcase(one.name, model) or one.model == model]
        if not asked:
            raise InputError(
                f"there is no judge {model!r}", hint=nearest(str(model), [one.name for one in self.judges])
            )
        failed = [why for one in asked if (why := _failure(one, limit)) is not None]
        return Requirement(text=text, holds=not failed, reason="; ".join(failed) or None)


def _failure(judge: JudgeResult, limit: Limit) -> str | None:
    """Why a judge does not meet a limit; None if it does."""
    if limit.name in MEASURES and limit.name != judge.ceiling.measure:
        what = f"agreement was computed as {judge.ceiling.measure}, and not as {limit.name}"
        raise InputError(what, hint=f"say --measure {limit.name}")
    value = judge.quantity("agreement" if limit.name in MEASURES else ALSO.get(limit.name, limit.name))
    if value is None:
        why = judge.alt_test.reason or judge.ceiling.reason or "nothing to compute it from"
        return f"{judge.name} has no {limit.name}: {why}"
    return None if limit.is_kept(value) else f"{judge.name} has {limit.name} {brief(value, 4)}"


def hanging_on(suspects: list[str], test: AltTest, rate: str) -> str:
    """Without whom a judge fails who passes: people without signal first, and then whoever else decides it as well."""
    whose = f"{named(suspects)}, whose answers carry no signal"
    others = [f"{one.rater} (win rate {decimal(one.win_rate or 0.0, 2)})" for one in test.deciding if not one.suspect]
    if not others:
        return f"only because of {whose}; without {named(suspects)} it does not."
    rates = ", ".join(decimal(one.win_rate or 0.0, 2) for one in test.deciding if one.suspect)
    several = "either of " if len(others) == 2 else "any one of " if len(others) > 2 else ""
    return (
        f"(win rate {rate}), but not without {whose} (win rate {rates} without), nor without {several}{named(others)}."
    )


def sentence_on(one: JudgeResult) -> str:
    """What may be said about a judge, and nothing else; of how much it is said, where much was not answered."""
    told = verdict_of(one)
    if one.refusals <= MANY_REFUSALS:
        return told
    return f"{one.name} did not answer {per_cent(one.refusals)} of what it was asked; of the rest: {told}"


def verdict_of(one: JudgeResult) -> str:
    """What the test and the ceiling say together."""
    test, mark, who = one.alt_test, one.ceiling, one.name
    if mark.human is not None and mark.human < NO_AGREEMENT:
        return "There is no human agreement to compare with; neither verdict means anything."
    if test.win_rate is None:
        return f"Not tested: {test.reason}."
    rate, gap = decimal(test.win_rate, 2), "undefined" if mark.gap is None else decimal(mark.gap, 3)
    suspects = [each.rater for each in test.deciding if each.suspect]
    is_close = len(test.deciding) >= one.n_humans / 2  # then it hangs on nobody in particular
    if test.passes and suspects and not is_close:
        return f"{who} passes {hanging_on(suspects, test, rate)}"
    if test.passes and test.deciding:
        deciding = [f"{e.rater} (whose answers carry no signal)" if e.suspect else e.rater for e in test.deciding]
        close = f"{'any one of ' if len(deciding) > 1 else ''}{named(deciding)}"
        return f"{who} passes (win rate {rate}), but close to the line: not without {close}."
    if test.passes and mark.verdict == "worse":
        return f"{who} passes (win rate {rate}), but agrees less with people than they do among themselves (gap {gap})."
    if test.passes:
        people = f"{counted(one.n_units, 'unit')} and {one.n_humans:,} people"
        allowing = f"allowing epsilon = {brief(test.epsilon)}"
        told = f"On these {people}, {who} represents the other people at least as well as a person, {allowing}"
        if mark.verdict != "undecided" or mark.interval is None:
            return f"{told}."
        apart = interval_text(mark.interval)
        return f"{told}; how its agreement with people compares with theirs is undecided (gap {apart})."
    if suspects:
        without = f"without {named(suspects)}, whose answers carry no signal, it would be"
        return f"Not shown that {who} can replace a person (win rate {rate}); {without}."
    if mark.verdict == "worse":
        return f"{who} agrees less with people than they do among themselves (gap {gap}; win rate {rate})."
    if mark.verdict in ("better", "equivalent", "not worse"):
        below = f"its agreement with people is not below theirs (gap {gap})"
        return f"Not shown that {who} can replace a person (win rate {rate}); {below}."
    return f"Not shown that {who} can replace a person (win rate {rate}), nor that it agrees less (gap {gap})."
