"""What a measure returns: a value or the reason why there is none, with everything needed to defend it; and several.

Measuring several coefficients, questions, slices or texts gives `Results`. Those of spans over many texts make a matrix
in the shape of the SANTA slides: a row per text, a column per guideline (or whatever the slices are), and below it Min,
Mean, Max and Stddev of every column; a cell is blank, with a reason, where the value is undefined.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from importlib import import_module
from typing import Any, Self, overload

from concordant.about import NAME
from concordant.digits import decimal, percent
from concordant.errors import Undefined
from concordant.measures.benchmarks import Reading, chosen_benchmark, read_value
from concordant.model.columns import to_frame

WHOLE = "sha256"  # the field of a signature that holds the whole digest of the data


@dataclass(frozen=True, kw_only=True)
class Interval:
    """Two ends, the confidence level (0.95) and the exact name of the method.

    `over` is what was drawn or left out; if clusters of units were, `n_clusters` says how many, and `design_effect` how
    many times the variance is what it would be if every unit stood alone. `why` says why it was chosen, if nobody
    asked for this method.
    """

    low: float
    high: float
    level: float
    method: str
    over: str | None = None
    n_clusters: int | None = None
    design_effect: float | None = None
    why: str | None = None

    @property
    def width(self) -> float:
        """High end minus low end."""
        return self.high - self.low

    def to_dict(self) -> dict[str, float | str | None]:
        """The interval as JSON shows it."""
        return dict(vars(self))


@dataclass(frozen=True, kw_only=True, repr=False)
class Agreement:
    """One coefficient, computed. `value` is None when it is undefined, and then `reason` says why.

    The order of the fields is that of the public contract.
    """

    measure: str
    name: str
    question: str | None = None
    slice: Mapping[str, str] | None = None
    raters: tuple[str, ...] = ()
    value: float | None
    reason: str | None = None
    observed: float | None = None
    expected: float | None = None
    interval: Interval | None = None
    n_units: int = 0
    n_raters: int = 0
    n_judgements: int = 0
    n_dropped: int = 0
    notes: tuple[str, ...] = ()
    details: Mapping[str, Any] = field(default_factory=dict)
    signature: str = ""
    read_on: tuple[str, ...] = ()  # scales that the user chose

    def __post_init__(self) -> None:
        """A value or a reason: never both, never neither, never a NaN."""
        if (self.value is None) == (self.reason is None):
            raise ValueError(f"{self.measure}: exactly one of value and reason must be given")
        if self.value is not None and self.value != self.value:
            raise ValueError(f"{self.measure}: NaN is not a value; give a reason")

    def __float__(self) -> float:
        """The value; raises with the reason when it is undefined."""
        if self.value is None:
            raise Undefined(f"{self.name} is undefined: {self.reason}")
        return self.value

    def interpret(self, benchmark: str | None = None) -> Reading | None:
        """What a value of this size is called, by whom; None if it is undefined or no published scale reads it.

        The scale is the one that the user chose, or that was made for this measure, unless `benchmark` names another; a
        scale made for other measures is refused. The low end of the interval is read as well as the value.
        """
        if benchmark is None and self.read_on:
            return next(iter(self.readings()), None)
        from concordant.measures.catalogue import find_measure  # which knows the measures, and they know results

        scale = chosen_benchmark(self.measure, find_measure(self.measure).reads_on, benchmark)
        if scale is None or self.value is None:
            return None
        ends = None if self.interval is None else (self.interval.low, self.interval.high)
        return read_value(self.value, ends, scale)

    def readings(self) -> list[Reading]:
        """The reading on each scale that the user chose and that was made for this measure; else the usual one."""
        if self.read_on:
            from concordant.measures.catalogue import find_measure

            fitting = {scale.key for scale in find_measure(self.measure).reads_on}
            found = [self.interpret(name) for name in self.read_on if name in fitting]
        else:
            found = [self.interpret()]
        return [one for one in found if one is not None]

    @property
    def lack(self) -> str | None:
        """Why there is no value, and what the data allow all the same."""
        if self.reason is None or self.interval is None:
            return self.reason
        return f"{self.reason}; the data allow {self.interval.low:.3f} … {self.interval.high:.3f}"

    @property
    def short_signature(self) -> str:
        """The signature for print, without the whole SHA-256 of the data; it verifies too, and can be forged."""
        return "|".join(field for field in self.signature.split("|") if not field.startswith(f"{WHOLE}:"))

    @property
    def observed_interval(self) -> Interval | None:
        """That of the observed agreement, where it has one of its own: means over random rater pairs do."""
        found = self.details.get("observed_interval")
        return None if found is None else Interval(**found)

    def with_(self, **changes: Any) -> Self:
        """A copy with some fields changed."""
        return replace(self, **changes)

    def to_dict(self) -> dict[str, Any]:
        """The result as JSON shows it: keys in the order of the fields, numbers unrounded."""
        shown = {
            "slice": None if self.slice is None else dict(self.slice),
            "raters": list(self.raters),
            "interval": None if self.interval is None else self.interval.to_dict(),
            "notes": list(self.notes),
            "details": dict(self.details),
        }
        read = (
            {"read_on": list(self.read_on), "readings": [vars(one) for one in self.readings()]} if self.read_on else {}
        )
        return {name: value for name, value in vars(self).items() if name != "read_on"} | shown | read

    def __repr__(self) -> str:
        """One line: where, what, value, interval, how much it rests on."""
        place = [*filter(None, [self.question]), *(f"{name}={level}" for name, level in (self.slice or {}).items())]
        value = f"undefined: {self.reason}" if self.value is None else f"{self.value:.3f}"
        ends = "" if self.interval is None else f" [{self.interval.low:.3f}, {self.interval.high:.3f}]"
        used = f"{self.n_units:,} units, {self.n_raters:,} raters"
        return f"<{', '.join([*place, self.name])}: {value}{ends}; {used}>"

    def _repr_html_(self) -> str:
        """A table of one row, with the interval drawn."""
        return as_html([self])

    def to_frame(self) -> Any:
        """One row, as a pandas or polars data frame, whichever is installed."""
        return Results([self]).to_frame()

    def plot(self, **options: Any) -> Any:
        """The value with its interval: matplotlib axes."""
        return Results([self]).plot(**options)


MOST_LINES = 20  # of a printed Results


class Results(Sequence[Agreement]):
    """Results in the order in which they were asked for, with what was noted about the data as a whole."""

    def __init__(self, results: Sequence[Agreement], notes: Sequence[str] = ()) -> None:
        """Keep them."""
        self._results, self.notes = tuple(results), tuple(notes)

    @overload
    def __getitem__(self, place: int) -> Agreement: ...
    @overload
    def __getitem__(self, place: slice) -> "Results": ...
    def __getitem__(self, place: int | slice) -> "Agreement | Results":
        """One result, or a part of them."""
        if isinstance(place, slice):
            return Results(self._results[place], self.notes)
        return self._results[place]

    def __len__(self) -> int:
        """How many there are."""
        return len(self._results)

    def __repr__(self) -> str:
        """A line each; a screen at most."""
        lines = [repr(result) for result in self._results[:MOST_LINES]]
        left = len(self) - len(lines)
        return "\n".join([f"{len(self)} results", *lines, *([f"… {left} more: see .to_frame()"] if left else [])])

    def _repr_html_(self) -> str:
        """A table with the intervals drawn on one axis."""
        return as_html(self._results, self.notes)

    def to_dict(self) -> dict[str, Any]:
        """What `--json` prints: results and notes, numbers unrounded."""
        return {"results": [result.to_dict() for result in self], "notes": list(self.notes)}

    def to_frame(self) -> Any:
        """A row for each result, as a pandas or polars data frame, whichever is installed."""
        return to_frame([as_row(result) for result in self])

    def plot(self, **options: Any) -> Any:
        """The coefficients with their intervals, one below the other: matplotlib axes."""
        return import_module(NAME).plot(self, **options)


def as_row(result: Agreement) -> dict[str, Any]:
    """A result as one row of a table: the parts of the slice and the interval in columns of their own."""
    whole = result.to_dict()
    interval = whole.pop("interval") or dict.fromkeys(one.name for one in fields(Interval))
    place = whole.pop("slice") or {}
    for name in ("details", "notes", "raters"):
        del whole[name]
    if "readings" in whole:
        del whole["read_on"]
        whole["readings"] = "; ".join(f"{one['label']} ({one['benchmark']})" for one in whole["readings"])
    signature = whole.pop("signature")
    return place | whole | {f"interval_{name}": end for name, end in interval.items()} | {"signature": signature}


def places(results: Sequence[Agreement]) -> dict[str, list[str | None]]:
    """The columns that say which part of the data each result is about: question, slice, pair of raters."""
    columns: dict[str, list[str | None]] = {}
    if any(result.question for result in results):
        columns["Question"] = [result.question for result in results]
    for name in dict.fromkeys(name for result in results for name in (result.slice or {})):
        columns[name] = [(result.slice or {}).get(name) for result in results]
    if len({result.raters for result in results}) > 1 and all(len(result.raters) == 2 for result in results):
        columns["Pair"] = [" & ".join(result.raters) for result in results]
    return columns


def as_html(results: Sequence[Agreement], notes: Sequence[str] = ()) -> str:
    """A table for a notebook: where, what, value, interval with a bar, counts, reading; then why a value is missing."""
    from concordant import notebook

    ends = [None if one is None else (one.low, one.high) for one in (result.interval for result in results)]
    values = [result.value for result in results if result.value is not None]
    axis = min([0.0, *values, *(max(end[0], -1.0) for end in ends if end)]), max([1.0, *values])
    readings = ["; ".join(f"{one.label} ({one.benchmark})" for one in result.readings()) for result in results]
    columns: dict[str, list[Any]] = {
        **places(results),
        "Measure": [result.name for result in results],
        "Value": ["undefined" if result.value is None else result.value for result in results],
        "Interval": [end and f"{end[0]:.3f} … {end[1]:.3f}" for end in ends],
        "": [
            None if result.value is None else notebook.interval_bar(result.value, end, axis)
            for result, end in zip(results, ends, strict=True)
        ],
        "Units": [result.n_units for result in results],
        "Raters": [result.n_raters for result in results],
        "Reading": [one or None for one in readings],
    }
    said = [f"{result.name}: {result.reason}" for result in results if result.reason]
    said += dict.fromkeys(note for result in results for note in result.notes)
    kept = {name: cells for name, cells in columns.items() if any(cell is not None for cell in cells)}
    return notebook.table(list(kept), zip(*kept.values(), strict=True), notes=dict.fromkeys([*notes, *said]))


@dataclass(frozen=True, kw_only=True)
class Column:
    """One column of a matrix: a cell per text, None where undefined, with the reasons; and what sums it up.

    `interval` is that of the mean, over texts; None with few of them. `group` names its raters where groups have
    several columns each.
    """

    title: str
    cells: tuple[float | None, ...]
    reasons: tuple[str | None, ...]
    summary: Mapping[str, float | None]
    interval: Interval | None = None
    group: str = ""

    @property
    def mean_in_words(self) -> str:
        """The mean with its interval: mean over 12 texts 0.53 [0.47, 0.59]; empty without one."""
        if self.interval is None:
            return ""
        mean, low, high = (decimal(x or 0.0) for x in (self.summary["Mean"], self.interval.low, self.interval.high))
        return f"mean over {self.interval.n_clusters} texts {mean} [{low}, {high}]"


@dataclass(frozen=True, kw_only=True)
class Matrix:
    """Texts x slices of one quantity: `value`, `observed` or `expected`."""

    quantity: str
    texts: tuple[str, ...]
    columns: tuple[Column, ...]


FEWEST_TEXTS = 10  # with fewer the mean over texts has no interval
USUAL_CONFIDENCE = 0.95


def over_texts(values: Sequence[float], confidence: float) -> Interval | None:
    """The interval of a mean over texts, each left out in turn: mean ± t · s / √n, cut at 1."""
    n = len(values)
    if n < FEWEST_TEXTS or max(values) - min(values) < 1e-12:  # texts that are all alike are no certainty
        return None
    from statistics import mean, stdev

    from scipy.special import stdtrit

    half = float(stdtrit(n - 1, (1 + confidence) / 2)) * stdev(values) / n**0.5
    how: dict[str, Any] = {"level": confidence, "method": f"jackknife over {n} texts", "over": "texts"}
    return Interval(low=mean(values) - half, high=min(1.0, mean(values) + half), n_clusters=n, **how)


def matrix(results: Sequence[Agreement], quantity: str = "value") -> Matrix:
    """Arrange one measure's results: a row per text, a column per combination of the other slice values."""
    from statistics import mean, stdev

    cells: dict[str, dict[str, Agreement]] = {}
    groups: dict[str, str] = {}
    for result in results:
        place = dict(result.slice or {})
        text, title = place.pop("text", ""), " · ".join(place.values())
        groups[title] = place.get("raters", "") if len(place) > 1 else ""
        cells.setdefault(title, {})[text] = result
    texts = tuple(dict.fromkeys((result.slice or {}).get("text", "") for result in results))
    columns = []
    for title, own in cells.items():
        values = tuple(getattr(own[text], quantity) if text in own else None for text in texts)
        reasons = tuple(own[text].reason if text in own else "not in the data" for text in texts)
        defined = [value for value in values if value is not None]
        summary = {
            "Min": min(defined, default=None),
            "Mean": mean(defined) if defined else None,
            "Max": max(defined, default=None),
            "Stddev": stdev(defined) if len(defined) > 1 else None,
        }
        levels = [result.interval.level for result in own.values() if result.interval is not None]
        interval = over_texts(defined, max(levels, default=USUAL_CONFIDENCE)) if quantity == "value" else None
        columns.append(
            Column(title=title, cells=values, reasons=reasons, summary=summary, interval=interval, group=groups[title])
        )
    return Matrix(quantity=quantity, texts=texts, columns=tuple(columns))


def apart(found: Matrix) -> list[tuple[str, Matrix]]:
    """A matrix for each group of raters, with its name, as such tables are published; else the whole."""
    groups = dict.fromkeys(column.group for column in found.columns)
    parts = []
    for group in groups:
        of_group = (column for column in found.columns if column.group == group)
        own = tuple(replace(one, title=one.title.removeprefix(f"{group} · ")) for one in of_group)
        parts.append((group, replace(found, columns=own)))
    return parts


def summary_rows(found: Matrix) -> list[tuple[str, list[float | None]]]:
    """What sums the columns of a matrix up, with the ends of the mean's interval where a column has one."""
    rows = [(name, [c.summary[name] for c in found.columns]) for name in ("Min", "Mean", "Max", "Stddev")]
    level = next((c.interval.level for c in found.columns if c.interval), None)
    if level is None:
        return rows
    ends = [(end, [getattr(c.interval, end, None) for c in found.columns]) for end in ("low", "high")]
    return [*rows[:2], *((f"Mean, {percent(level)} {end}", cells) for end, cells in ends), *rows[2:]]
