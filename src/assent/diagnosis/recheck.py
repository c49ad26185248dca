"""Check a published table against itself: which printed cells cannot belong together?

Numbers in tables are rounded or cut off, so every printed number stands for a range. A cell is inconsistent if no
values in the ranges of the other cells give a value in its own range. What is checked, where the columns are there:

    kappa = (observed - chance) / (1 - chance)            any chance-corrected coefficient
    average = (yes 1 + yes 2) / 2
    chance = yes 1 · yes 2 + (1 - yes 1)(1 - yes 2)       two raters, two categories (Cohen)
    observed = agreed / total                             also for a cell like 0.883 (265/300)
    a rate of a total of N is a whole number out of N     Brown & Heathers (2017)
    net = preferred - dispreferred, weight = net / sum of nets
    observed, chance and kappa from the four counts of a 2 × 2 table
    a row called Average, Mean, Total or Sum              means and sums of rounded cells
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import product
from pathlib import Path

from assent.diagnosis.printed import Printed, Range, is_printed, parse, shown
from assent.errors import InputError
from assent.readers.table import Table
from assent.readers.tables import read_table

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
}
MEANS, SUMS = ("average", "mean", "avg"), ("total", "sum", "all")
Row = Mapping[str, Printed]


@dataclass(frozen=True, kw_only=True)
class Line:
    """One row of the table: its label, its line in the file, and the cells with a role."""

    label: str
    number: int
    cells: Row


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


@dataclass(frozen=True, kw_only=True)
class Recheck:
    """The inconsistent cells, those that are right only if numbers were cut off, and how much was checked."""

    file: str
    problems: tuple[Problem, ...]
    truncated: tuple[Problem, ...]
    n_checks: int
    n_rows: int
    columns: Mapping[str, str]


@dataclass(frozen=True, kw_only=True)
class Rule:
    """How one cell follows from others."""

    target: str
    needs: tuple[str, ...]
    says: str
    value: Callable[..., Fraction | None]


def _kappa(observed: Fraction, chance: Fraction) -> Fraction | None:
    return None if chance == 1 else (observed - chance) / (1 - chance)


def _chance(one: Fraction, two: Fraction) -> Fraction:
    return one * two + (1 - one) * (1 - two)


def _share(part: Fraction, whole: Fraction) -> Fraction | None:
    return None if whole == 0 else part / whole


def _table_observed(a: Fraction, b: Fraction, c: Fraction, d: Fraction) -> Fraction | None:
    return _share(a + d, a + b + c + d)


def _table_chance(a: Fraction, b: Fraction, c: Fraction, d: Fraction) -> Fraction | None:
    n = a + b + c + d
    return _share((a + b) * (a + c) + (c + d) * (b + d), n * n)


def _table_kappa(a: Fraction, b: Fraction, c: Fraction, d: Fraction) -> Fraction | None:
    observed, chance = _table_observed(a, b, c, d), _table_chance(a, b, c, d)
    return None if observed is None or chance is None else _kappa(observed, chance)


COUNTS = ("yesyes", "yesno", "noyes", "nono")
RULES = (
    Rule(target="average", needs=("yes1", "yes2"), says="the mean of the two rates", value=lambda a, b: (a + b) / 2),
    Rule(target="chance", needs=("yes1", "yes2"), says="chance from the two rates", value=_chance),
    Rule(target="observed", needs=("agreed", "total"), says="agreed / total", value=_share),
    Rule(target="kappa", needs=("observed", "chance"), says="(observed - chance) / (1 - chance)", value=_kappa),
    Rule(target="net", needs=("preferred", "dispreferred"), says="preferred - dispreferred", value=lambda a, b: a - b),
    Rule(target="observed", needs=COUNTS, says="the four counts", value=_table_observed),
    Rule(target="chance", needs=COUNTS, says="the four counts", value=_table_chance),
    Rule(target="kappa", needs=COUNTS, says="the four counts", value=_table_kappa),
)


def recheck(path: str | Path) -> Recheck:
    """Read a table and check it. Columns without a role are checked in rows of means and sums."""
    table = read_table(path)
    columns = _columns(table)
    label, *_ = table.names
    texts = {role: table.columns[name].text().tolist() for role, name in columns.items()}
    labels = table.columns[label].text().tolist()
    lines = [
        Line(label=str(labels[i]), number=int(table.row_numbers[i]), cells=_cells(table, columns, texts, i))
        for i in range(table.n_rows)
    ]
    found = check_lines(lines, columns, file=table.file)
    if not found.n_checks:
        raise InputError(
            "nothing in this table can be checked against anything else",
            file=table.file,
            hint="name columns observed, chance, kappa; or yes1, yes2, chance; or preferred, dispreferred, net, weight",
        )
    return found


def _cells(table: Table, columns: Mapping[str, str], texts: Mapping[str, list[str]], i: int) -> Row:
    """The printed numbers of one row."""
    number = int(table.row_numbers[i])
    found = {role: parse(cells[i], file=table.file, row=number, column=columns[role]) for role, cells in texts.items()}
    return {role: printed for role, printed in found.items() if printed is not None}


def _columns(table: Table) -> dict[str, str]:
    """Which column plays which role, by its name; other columns of numbers keep their names."""
    simple = {"".join(c for c in name.casefold() if c.isalnum()): name for name in reversed(table.names[1:])}
    known = {role: next((simple[word] for word in words if word in simple), None) for role, words in ROLES.items()}
    found = {role: name for role, name in known.items() if name is not None}
    others = [name for name in table.names[1:] if name not in found.values() and _is_numeric(table, name)]
    return found | {f"column {name}": name for name in others}


def _is_numeric(table: Table, name: str) -> bool:
    """Whether a column holds nothing but numbers and blanks."""
    return all(is_printed(text) for text in table.columns[name].text().tolist())


def check_lines(lines: Sequence[Line], columns: Mapping[str, str], *, file: str = "") -> Recheck:
    """Apply every rule to every row."""
    body = [line for line in lines if _summary(line) is None]
    checks = [*_by_rule(body, columns), *_weights(body, columns), *_rates(body, columns), *_beside(body, columns)]
    checks += [check for line in lines if _summary(line) for check in _summaries(line, body, columns)]
    return Recheck(
        file=file,
        problems=tuple(p for kind, p in checks if p is not None and kind == "inconsistent"),
        truncated=tuple(p for kind, p in checks if p is not None and kind == "truncated"),
        n_checks=len(checks),
        n_rows=len(lines),
        columns=dict(columns),
    )


Check = tuple[str, Problem | None]


def _compare(
    line: Line, role: str, columns: Mapping[str, str], possible: Callable[[str], Range | None], says: str
) -> Iterator[Check]:
    """Consistent if rounded, consistent only if truncated, or not at all."""
    printed = line.cells[role]
    rounded = possible("rounded")
    if rounded is None:
        return
    if printed.ranges("rounded").meets(rounded):
        yield "consistent", None
        return
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
    yield "truncated" if fits else "inconsistent", problem


def _suggestion(printed: Printed, possible: Range) -> str | None:
    """The likeliest slips: two neighbouring digits swapped, or one digit mistyped."""
    for what, texts in (
        ("has two digits swapped", _swapped(printed.text)),
        ("differs in one digit", _mistyped(printed.text)),
    ):
        for text in texts:
            other = parse(text, file="", row=0, column="")
            if other is not None and other.ranges("rounded").meets(possible):
                return f"{text} {what}"
    return None


def _swapped(text: str) -> Iterator[str]:
    """The text with two neighbouring digits swapped."""
    for i in range(len(text) - 1):
        if text[i] != text[i + 1] and text[i : i + 2].isdecimal():
            yield text[:i] + text[i + 1] + text[i] + text[i + 2 :]


def _mistyped(text: str) -> Iterator[str]:
    """The text with another digit in one place, the last place first; numbers with counts beside are left alone."""
    places = [i for i, old in enumerate(text) if old.isdecimal()] if "(" not in text else []
    for i in reversed(places):
        yield from (text[:i] + new + text[i + 1 :] for new in "0123456789" if new != text[i])


def _by_rule(lines: Sequence[Line], columns: Mapping[str, str]) -> Iterator[Check]:
    """The rules within one row."""
    for line, rule in product(lines, RULES):
        if {rule.target, *rule.needs} <= set(line.cells):
            yield from _compare(line, rule.target, columns, partial(_reach, line, rule), rule.says)


def _reach(line: Line, rule: Rule, how: str) -> Range | None:
    """All values that the rule can give: every rule is monotone in each number, so the corners suffice."""
    ranges = [line.cells[role].ranges(how) for role in rule.needs]
    values = [rule.value(*corner) for corner in product(*((r.low, r.high) for r in ranges))]
    known = [value for value in values if value is not None]
    return Range(low=min(known), high=max(known)) if len(known) == len(values) else None


def _weights(lines: Sequence[Line], columns: Mapping[str, str]) -> Iterator[Check]:
    """Each weight is its net's share of the sum of nets."""
    nets = [line.cells.get("net") for line in lines]
    if "weight" not in columns or not nets or any(net is None for net in nets):
        return
    total = sum((net.value for net in nets if net is not None), Fraction(0))
    for line in lines:
        if "weight" in line.cells and total:
            share = line.cells["net"].value / total
            yield from _compare(line, "weight", columns, partial(_exactly, share), f"net / {total}")


def _rates(lines: Sequence[Line], columns: Mapping[str, str]) -> Iterator[Check]:
    """A rate of N units is a whole number out of N (and an average of two, out of 2 N)."""
    for line, (role, times) in product(lines, (("yes1", 1), ("yes2", 1), ("average", 2), ("observed", 1))):
        total = line.cells.get("total")
        if role in line.cells and total is not None and total.is_whole and total.value > 0:
            n = int(total.value) * times
            nearest = partial(_nearest, line.cells[role], n)
            yield from _compare(line, role, columns, nearest, f"a whole number out of {n}")


def _exactly(value: Fraction, how: str) -> Range:
    """One value, however numbers were printed."""
    return Range(low=value, high=value)


def _nearest(printed: Printed, n: int, how: str) -> Range:
    """The share of n nearest to a printed number."""
    middle = printed.ranges(how)
    share = Fraction(round((middle.low + middle.high) / 2 * n), n)
    return Range(low=share, high=share)


def _beside(lines: Sequence[Line], columns: Mapping[str, str]) -> Iterator[Check]:
    """A number with its counts beside it: 0.883 (265/300)."""
    for line in lines:
        for role, printed in line.cells.items():
            if printed.counts is not None and printed.unit and printed.counts[1]:
                share = partial(_exactly, Fraction(*printed.counts))
                yield from _compare(line, role, columns, share, "{}/{}".format(*printed.counts))


def _summary(line: Line) -> str | None:
    """Whether a row is a mean or a sum of the others."""
    word = line.label.casefold().strip(" .:")
    return "mean" if word in MEANS else "sum" if word in SUMS else None


def _summaries(line: Line, body: Sequence[Line], columns: Mapping[str, str]) -> Iterator[Check]:
    """A row of means or sums against the rows above it."""
    for role in line.cells:
        cells = [one.cells.get(role) for one in body]
        known = [cell for cell in cells if cell is not None]
        if len(known) == len(body) and len(known) > 1:
            what = f"the {_summary(line)} of {len(known)} printed cells"
            yield from _compare(line, role, columns, partial(_sum, known, _summary(line) == "mean"), what)


def _sum(cells: Sequence[Printed], is_mean: bool, how: str) -> Range:
    """The range of a sum or mean."""
    ranges = [cell.ranges(how) for cell in cells]
    total = Range(low=sum((r.low for r in ranges), Fraction(0)), high=sum((r.high for r in ranges), Fraction(0)))
    return total.over(len(cells)) if is_mean else total
