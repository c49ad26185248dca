"""Coefficients as a report states them: with name, n, level, independence, reading, interval and signature.

The list is the reporting standard of Amidei, Piwek & Willis (2019, section 3): papers often leave out the
name of the coefficient, the number of items, whether raters worked independently and the scale used to read the
value, and more than a third use a coefficient that does not suit the level of measurement.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from assent.engines.tally import Tally
from assent.measures.catalogue import find_measure
from assent.measures.result import Agreement
from assent.model.scale import Level
from assent.report.document import Block, Cell, Grid, Notice, Paragraph, Points, Section, grid

Independence = Literal["independently", "not independently", "not declared"]
NO_SCALE = "no published scale reads this coefficient"


@dataclass(frozen=True, kw_only=True)
class Statement:
    """One coefficient with all that must be said about it."""

    result: Agreement
    level: Level
    independence: Independence
    cautions: tuple[str, ...]

    def __post_init__(self) -> None:
        """A coefficient whose computation cannot be traced is not reported."""
        if not self.result.signature:
            raise ValueError(f"{self.result.name} has no signature")

    @property
    def reading(self) -> str:
        """What the value is called and by whom, or that no scale reads it."""
        found = self.result.interpret()
        return NO_SCALE if found is None else f"{found.label} ({found.benchmark})"

    @property
    def interval_method(self) -> str:
        """How the interval was made, or that there is none."""
        return "no interval" if self.result.interval is None else self.result.interval.method


def state(result: Agreement, data: Tally, independence: Independence) -> Statement:
    """Add to a result what it does not know itself."""
    cautions = tuple(find_measure(result.measure).needs.cautions(data))
    return Statement(result=result, level=data.scale.level, independence=independence, cautions=cautions)


def coefficients_section(statements: Sequence[Statement]) -> Section:
    """Values and readings first, then what each rests on, then the signatures."""
    blocks: list[Block] = [*_warnings(statements), _values(statements), _basis(statements), *_cautions(statements)]
    blocks += [
        Paragraph(
            text="Signatures: each says what was computed on which data; check one with assent verify SIGNATURE DATA."
        ),
        Points(items=tuple(one.result.signature for one in statements), is_code=True),
    ]
    return Section(key="coefficients", title="Coefficients", blocks=tuple(blocks))


def _warnings(statements: Sequence[Statement]) -> list[Notice]:
    """One warning for each measure that does not suit the level, naming the questions."""
    found: dict[str, list[str]] = {}
    for one in statements:
        for caution in one.cautions:
            found.setdefault(f"{one.result.name} {caution}", []).append(one.result.question or "")
    return [Notice(tone="warning", text=text, more=_questions(names)) for text, names in found.items()]


def _questions(names: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """The questions that a warning is about."""
    named = [name for name in dict.fromkeys(names) if name]
    return (("Questions", ", ".join(named)),) if named else ()


def _values(statements: Sequence[Statement]) -> Grid:
    """Value, interval, parts and reading."""
    results = [one.result for one in statements]
    intervals = [result.interval for result in results]
    level = confidence_text(results)
    columns: dict[str, Sequence[Cell]] = {
        "Question": [result.question for result in results],
        "Coefficient": [result.name for result in results],
        "Value": [result.value if result.value is not None else "undefined" for result in results],
        f"{level} low": [None if ends is None else ends.low for ends in intervals],
        f"{level} high": [None if ends is None else ends.high for ends in intervals],
        "Observed": [result.observed for result in results],
        "Expected": [result.expected for result in results],
        "Reading": [one.reading for one in statements],
    }
    undefined = dict.fromkeys(f"{r.name} is undefined: {r.reason}" for r in results if r.reason)
    return grid("Values", columns, notes=[*undefined, *disagreement_note(results)])


def disagreement_note(results: Sequence[Agreement]) -> list[str]:
    """Alpha and its kin compare disagreement, not agreement, with chance: say for which results that is so."""
    names = dict.fromkeys(r.name for r in results if _is_from_disagreement(r))
    return (
        [f"{', '.join(names)}: observed and expected are disagreement, value = 1 - observed / expected"]
        if names
        else []
    )


def _is_from_disagreement(result: Agreement) -> bool:
    """Whether the value is 1 - observed / expected."""
    if result.value is None or result.observed is None or not result.expected:
        return False
    return abs(result.value - (1 - result.observed / result.expected)) < 1e-9


def _basis(statements: Sequence[Statement]) -> Grid:
    """What each value rests on."""
    results = [one.result for one in statements]
    columns: dict[str, Sequence[Cell]] = {
        "Question": [result.question for result in results],
        "Coefficient": [result.name for result in results],
        "Level": [one.level.value for one in statements],
        "Units": [result.n_units for result in results],
        "Units left out": [result.n_dropped for result in results],
        "Raters": [result.n_raters for result in results],
        "Judgements": [result.n_judgements for result in results],
        "Raters worked": [one.independence for one in statements],
        "Interval": [one.interval_method for one in statements],
    }
    return grid("What each coefficient rests on", columns, notes=_notes(results))


def _notes(results: Sequence[Agreement]) -> list[str]:
    """What the computations remarked, each remark once, with the results it is about unless it is about all."""
    said: dict[str, list[Agreement]] = {}
    for result in results:
        for note in result.notes:
            said.setdefault(note, []).append(result)
    return [note if len(about) == len(results) else f"{_about(about, results)}: {note}" for note, about in said.items()]


def _about(some: Sequence[Agreement], results: Sequence[Agreement]) -> str:
    """The names of some results; the question is said where not all results of a name are meant."""
    names = []
    for name in dict.fromkeys(result.name for result in some):
        meant = [result.question for result in some if result.name == name]
        whole = len(meant) == sum(result.name == name for result in results)
        names.append(name if whole else f"{name} ({', '.join(str(question) for question in meant)})")
    return ", ".join(names)


def _cautions(statements: Sequence[Statement]) -> list[Block]:
    """Each scale of reading with its caution, once."""
    readings = {found.benchmark: found for one in statements if (found := one.result.interpret()) is not None}
    if not readings:
        return []
    return [
        Paragraph(text="Scales used to read the values:"),
        Points(items=tuple(f"{name}: {found.caution}" for name, found in readings.items())),
    ]


def confidence_text(results: Sequence[Agreement]) -> str:
    """The confidence level of the intervals, for a header.

    >>> confidence_text([])
    'interval'
    """
    levels = {result.interval.level for result in results if result.interval is not None}
    return f"{100 * levels.pop():g} %" if len(levels) == 1 else "interval"
