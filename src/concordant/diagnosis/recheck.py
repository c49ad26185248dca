"""Check a published table against itself: which printed cells cannot belong together?

Numbers in tables are rounded or cut off, so every printed number stands for a range. A cell is inconsistent if no
values in the ranges of the other cells give a value in its own range. What is checked, where the columns are there:

    kappa = (observed - chance) / (1 - chance)            any chance-corrected coefficient
    average = (yes 1 + yes 2) / 2
    chance = yes 1 · yes 2 + (1 - yes 1)(1 - yes 2)       two raters, two categories (Cohen)
    observed = agreed / total                             also for a cell like 0.883 (265/300)
    a rate of a total of N is a whole number out of N     Brown & Heathers (2017)
    net = preferred - dispreferred, weight = net / sum of nets
    gamma = 1 - observed disorder / expected disorder     Mathet et al. (2015)
    observed, chance and kappa from counts: yesyes, yesno, noyes, nono; n11, n12, … of any number of categories; or a
    square table with rows called observed, chance or kappa below it
    a row called Average, Mean, Total, Sum, Min, Max or Stddev      of rounded cells
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import product
from math import isqrt
from typing import Any, ClassVar

from concordant.diagnosis.printed_numbers import (
    Printed,
    Range,
    deviation_range,
    extreme_range,
    is_printed,
    parse,
    shown,
    sum_range,
)
from concordant.errors import InputError
from concordant.model.tabular import TabularResult
from concordant.readers.data import any_table
from concordant.readers.table import Table

MOST_LINES = 10  # of a printed Recheck
ROLES: dict[str, tuple[str, ...]] = {
    "total": ("total", "n", "units", "count"),
    "yes1": ("a1yes", "yes1", "firstyes", "rater1yes", "j1yes"),
    "yes2": ("a2yes", "yes2", "secondyes", "rater2yes", "j2yes"),
    "average": ("avgyes", "averageyes", "average", "avg", "meanyes"),
    "chance": ("chance", "expected", "chanceagree", "ae", "pe", "expectedagreement", "chanceagreement"),
    "observed": ("observed", "observedagree", "ao", "po", "agreement", "observedagreement"),
    "kappa": ("kappa", "coefficient", "k", "cohenskappa", "pi", "s", "alpha", "fleiss"),
    "agreed": ("agreed", "nagreed", "same", "agreements"),
    "preferred": ("preferred", "totpref", "pref"),
    "dispreferred": ("dispreferred", "totdispref", "dispref"),
    "net": ("net", "netpref"),
    "weight": ("weight", "weights"),
    "yesyes": ("yesyes", "n11"),
    "yesno": ("yesno", "n10"),
    "noyes": ("noyes", "n01"),
    "nono": ("nono", "n00"),
    "observed_disorder": ("observeddisorder", "disorder", "observeddisagreement", "deltao", "δo", "do"),
    "expected_disorder": ("expecteddisorder", "expecteddisagreement", "deltae", "δe", "de"),
    "gamma": ("gamma", "γ"),
}
SUMMARIES = {
    "mean": ("average", "mean", "avg"),
    "sum": ("total", "sum", "all"),
    "min": ("min", "minimum", "least", "lowest"),
    "max": ("max", "maximum", "largest", "highest"),
    "deviation": ("stddev", "sd", "std", "stdev", "standarddeviation"),
}
CELL = re.compile(r"^n(\d)(\d)$")
OF_TABLE = ("observed", "chance", "kappa")
Row = Mapping[str, Printed]


@dataclass(frozen=True, kw_only=True)
class Line:
    """One row of the table: its label, its line in the file, and the cells with a role."""

    label: str
    number: int
    cells: Row

    @property
    def summary(self) -> str | None:
        """Whether it is the mean, the sum, the least … of the other rows."""
        word = simple(self.label)
        return next((name for name, words in SUMMARIES.items() if word in words), None)


@dataclass(frozen=True, kw_only=True)
class Problem:
    """A printed cell that the others contradict, and what they allow."""

    row: str
    line: int
    column: str
    printed: str
    possible: str
    rule: str
    suggestion: str | None = None

    @property
    def text(self) -> str:
        """The problem in a sentence."""
        more = f"; {self.suggestion}" if self.suggestion else ""
        return f"{self.row}: {self.column} is printed {self.printed}, but {self.rule} gives {self.possible}{more}"


@dataclass(frozen=True, kw_only=True, repr=False)
class Recheck(TabularResult):
    """The inconsistent cells, those that are right only if numbers were cut off, and how much was checked."""

    COLUMNS: ClassVar = {"row": "Row", "column": "Column", "printed": "Printed", "possible": "Possible", "rule": "Rule"}

    file: str
    problems: tuple[Problem, ...]
    truncated: tuple[Problem, ...]
    n_checks: int
    n_rows: int
    columns: Mapping[str, str]

    def __repr__(self) -> str:
        """How much was checked, and the inconsistent cells in a line each."""
        size = f"{self.n_checks:,} checks in {self.n_rows:,} rows, {len(self.problems):,} inconsistent"
        cut = f", {len(self.truncated):,} only if cut off" if self.truncated else ""
        return "\n".join([f"<{self.file}: {size}{cut}>", *(problem.text for problem in self.problems[:MOST_LINES])])

    @property
    def notes(self) -> tuple[str, ...]:
        """How much was checked."""
        return (f"{self.n_checks:,} checks in {self.n_rows:,} rows",)

    def rows(self) -> list[dict[str, Any]]:
        """One for each cell that the others contradict, those that fit if numbers were cut off last."""
        both = (self.problems, False), (self.truncated, True)
        return [{**vars(one), "if_truncated": cut} for problems, cut in both for one in problems]


@dataclass(frozen=True)
class Rule:
    """How one cell follows from others."""

    target: str
    needs: tuple[str, ...]
    says: str
    value: Callable[..., Fraction | None]

    def reach(self, cells: Row, how: str) -> Range | None:
        """All values that the rule can give: every rule is monotone in each number, so the corners suffice."""
        ranges = [cells[role].ranges(how) for role in self.needs]
        values = [self.value(*corner) for corner in product(*({r.low, r.high} for r in ranges))]
        known = [value for value in values if value is not None]
        return Range(low=min(known), high=max(known)) if len(known) == len(values) else None


def _kappa(observed: Fraction | None, chance: Fraction | None) -> Fraction | None:
    return None if observed is None or chance is None or chance == 1 else (observed - chance) / (1 - chance)


def _share(part: Fraction, whole: Fraction) -> Fraction | None:
    return None if whole == 0 else part / whole


def _gamma(observed: Fraction, expected: Fraction) -> Fraction | None:
    return None if expected <= 0 else 1 - observed / expected


def _table_observed(*counts: Fraction) -> Fraction | None:
    """The share of the diagonal of a square table, row by row."""
    size = isqrt(len(counts))
    return _share(sum(counts[:: size + 1], Fraction(0)), sum(counts, Fraction(0)))


def _table_chance(*counts: Fraction) -> Fraction | None:
    """Cohen's chance agreement of a square table."""
    size, n = isqrt(len(counts)), sum(counts, Fraction(0))
    zero = Fraction(0)
    products = (sum(counts[i * size : (i + 1) * size], zero) * sum(counts[i::size], zero) for i in range(size))
    return _share(sum(products, zero), n * n)


def of_counts(cells: tuple[str, ...], what: str) -> "tuple[Rule, ...]":
    """What a table of counts says of agreement; the roles of its cells, row by row."""
    return (
        Rule("observed", cells, what, _table_observed),
        Rule("chance", cells, what, _table_chance),
        Rule("kappa", cells, what, lambda *n: _kappa(_table_observed(*n), _table_chance(*n))),
    )


RATES = (("yes1", 1), ("yes2", 1), ("average", 2), ("observed", 1))  # an average of two is out of twice as many
COUNTS = ("yesyes", "yesno", "noyes", "nono")
RULES = (
    Rule("average", ("yes1", "yes2"), "the mean of the two rates", lambda a, b: (a + b) / 2),
    Rule("chance", ("yes1", "yes2"), "chance from the two rates", lambda a, b: a * b + (1 - a) * (1 - b)),
    Rule("observed", ("agreed", "total"), "agreed / total", _share),
    Rule("kappa", ("observed", "chance"), "(observed - chance) / (1 - chance)", _kappa),
    Rule("net", ("preferred", "dispreferred"), "preferred - dispreferred", lambda a, b: a - b),
    Rule("gamma", ("observed_disorder", "expected_disorder"), "1 - observed / expected disorder", _gamma),
    Rule("gamma", ("observed", "chance"), "1 - observed / expected disorder", _gamma),
    Rule("gamma", ("observed_disorder", "chance"), "1 - observed / expected disorder", _gamma),
    *of_counts(COUNTS, "the table of four counts"),
)


def recheck(source: Any) -> Recheck:
    """Check the printed numbers of a table, in a file or a data frame, against each other.

    Columns without a role are checked in rows of means and sums.

    >>> recheck({"set": ["a"], "observed": ["0.75"], "chance": ["0.53"], "kappa": ["0.47"]}).problems
    ()
    """
    table = any_table(source)
    columns = _columns(table)
    label, *_ = table.names
    texts = {role: table.columns[name].text().tolist() for role, name in columns.items()}
    labels = table.columns[label].text().tolist()
    lines = []
    for i, number in enumerate(map(int, table.row_numbers)):
        found = {
            role: parse(cells[i], file=table.file, row=number, column=columns[role]) for role, cells in texts.items()
        }
        known = {role: printed for role, printed in found.items() if printed is not None}
        lines.append(Line(label=str(labels[i]), number=number, cells=known))
    lines, columns = in_a_square(lines, columns)
    checked = check_lines(lines, columns, file=table.file)
    if not checked.n_checks:
        raise InputError(
            "nothing in this table can be checked against anything else",
            file=table.file,
            hint="name columns observed, chance, kappa; or yes1, yes2, chance; or preferred, dispreferred, net, weight",
        )
    return checked


def simple(name: str) -> str:
    """A name without blanks, signs and capitals."""
    return "".join(c for c in name.casefold() if c.isalnum())


def in_a_square(lines: list[Line], columns: Mapping[str, str]) -> tuple[list[Line], dict[str, str]]:
    """A square table of counts whose rows and columns are the same categories becomes a line of its own.

    Rows called observed, chance or kappa hold what is printed about it in their first cell.
    """
    by_label = {line.label: line for line in lines}
    roles = {name: role for role, name in columns.items() if name in by_label and by_label[name].summary is None}
    if len(roles) < 2:
        return lines, dict(columns)
    cells: dict[str, Printed] = {}
    for label, column in product(roles, roles):
        if roles[column] not in by_label[label].cells:
            return lines, dict(columns)
        cells[f"count {label} {column}"] = by_label[label].cells[roles[column]]
    told = {
        role: line
        for line in lines
        for role in OF_TABLE
        if line.label not in roles and simple(line.label) in ROLES[role] and line.cells
    }
    whole = Line(
        label="table",
        number=min((line.number for line in told.values()), default=0),
        cells={**cells, **{role: next(iter(line.cells.values())) for role, line in told.items()}},
    )
    left = [line for line in lines if line not in told.values()]
    return [*left, whole], {**columns, **{role: line.label for role, line in told.items()}}


def _columns(table: Table) -> dict[str, str]:
    """Which column plays which role, by its name; other columns of numbers keep their names."""
    names = {simple(name): name for name in reversed(table.names[1:])}
    known = {role: next((names[word] for word in words if word in names), None) for role, words in ROLES.items()}
    found = {role: name for role, name in known.items() if name is not None}
    counts = {
        f"count {found_in[1]} {found_in[2]}": name for word, name in names.items() if (found_in := CELL.match(word))
    }
    if len(counts) == isqrt(len(counts)) ** 2 > 4:  # with four the usual roles know which are alike
        found |= dict(sorted(counts.items()))
    others = [
        name
        for name in table.names[1:]
        if name not in found.values() and all(is_printed(text) for text in table.columns[name].text().tolist())
    ]
    return found | {f"column {name}": name for name in others}


def check_lines(lines: Sequence[Line], columns: Mapping[str, str], *, file: str = "") -> Recheck:
    """Apply every rule to every row: a cell is consistent if rounded, consistent only if truncated, or not at all."""
    found: dict[bool, list[Problem]] = {True: [], False: []}
    n_checks = 0
    for line, role, possible, says in expectations(lines):
        printed, rounded = line.cells[role], possible("rounded")
        n_checks += rounded is not None
        if rounded is None or printed.ranges("rounded").meets(rounded):
            continue
        cut = possible("truncated")
        fits = cut is not None and printed.ranges("truncated").meets(cut)
        problem = Problem(
            row=line.label,
            line=line.number,
            column=columns[role],
            printed=printed.text,
            possible=shown(rounded, printed.unit),
            rule=says,
            suggestion=None if fits else _suggestion(printed, rounded),
        )
        found[fits].append(problem)
    return Recheck(
        file=file,
        problems=tuple(found[False]),
        truncated=tuple(found[True]),
        n_checks=n_checks,
        n_rows=len(lines),
        columns=dict(columns),
    )


Expected = tuple[Line, str, Callable[[str], Range | None], str]


def expectations(lines: Sequence[Line]) -> Iterator[Expected]:
    """The cells that follow from others: row and role, what it can be if numbers were rounded or cut off, and why."""
    body = [line for line in lines if line.summary is None]
    for line in body:
        counts = tuple(role for role in line.cells if role.startswith("count "))
        rules = (*RULES, *of_counts(counts, f"the table of {len(counts)} counts")) if counts else RULES
        for rule in rules:
            if {rule.target, *rule.needs} <= set(line.cells):
                yield line, rule.target, partial(rule.reach, line.cells), rule.says
    nets = [line.cells["net"].value for line in body if "net" in line.cells]
    if sum(nets) and len(nets) == len(body):
        for line in body:
            if "weight" in line.cells:
                yield line, "weight", _exactly(line.cells["net"].value / sum(nets)), f"net / {sum(nets)}"
    for line, (role, times) in product(body, RATES):
        total = line.cells.get("total")
        if role in line.cells and total is not None and total.is_whole and total.value > 0:
            n = int(total.value) * times
            yield line, role, partial(line.cells[role].nearest, n), f"a whole number out of {n}"
    for line in body:
        for role, printed in line.cells.items():
            if printed.counts is not None and printed.unit and printed.counts[1]:
                yield line, role, _exactly(Fraction(*printed.counts)), "{}/{}".format(*printed.counts)
    for line in lines:
        for role in line.cells if line.summary else ():
            cells = [one.cells[role] for one in body if role in one.cells and one.label != "table"]
            if len(cells) > 1 and (line.summary != "sum" or len(cells) == len(body)):
                yield (
                    line,
                    role,
                    partial(_summed_up, line.summary, cells),
                    f"the {line.summary} of {len(cells)} printed cells",
                )


def _summed_up(summary: str | None, cells: Sequence[Printed], how: str) -> Range:
    """What a row at the end of a table can say of the cells above."""
    if summary in ("mean", "sum"):
        return sum_range(cells, len(cells) if summary == "mean" else 1, how)
    return (
        deviation_range(cells, how)
        if summary == "deviation"
        else extreme_range(cells, min if summary == "min" else max, how)
    )


def _exactly(value: Fraction) -> Callable[[str], Range]:
    """One value, however numbers were printed."""
    return lambda how: Range(low=value, high=value)


def _suggestion(printed: Printed, possible: Range) -> str | None:
    """The likeliest slips: two neighbouring digits swapped, or one digit mistyped (not in a number with counts)."""
    text = printed.text
    swaps = [i for i in range(len(text) - 1) if text[i] != text[i + 1] and text[i : i + 2].isdecimal()]
    places = [i for i, old in enumerate(text) if old.isdecimal()] if "(" not in text else []
    slips = [(text[:i] + text[i + 1] + text[i] + text[i + 2 :], "has two digits swapped") for i in swaps]
    for i in reversed(places):
        slips += [(text[:i] + new + text[i + 1 :], "differs in one digit") for new in "0123456789" if new != text[i]]
    for slip, what in slips:
        other = parse(slip, file="", row=0, column="")
        if other is not None and other.ranges("rounded").meets(possible):
            return f"{slip} {what}"
    return None
