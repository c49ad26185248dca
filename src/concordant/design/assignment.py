"""Assignment: which sets there are, what is in each, who judges which, and how many units any two have in common.

Agreement can only be measured on what two raters judged both. So sets are a matter of design: dealt, so that every unit
is judged a given number of times and a share of the units by everybody, or named by a column or a file; and a rater may
be given several of them, all units, or only those that all share (in SAILS one annotator judged 1,200 pairs, another
300 of them).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any

import numpy as np

from concordant.design.description import Assignment, Description
from concordant.design.schema import Problem, Source
from concordant.design.toml_lines import Place
from concordant.design.unit_pool import DataFile
from concordant.errors import InputError, nearest
from concordant.tasks.kind import kind_of
from concordant.tasks.question import Unit

ALL, SHARED = "all", "shared"
ROUND = "round"
"""What the round of a unit is called in data."""
Sets = tuple[tuple[str, ...], ...]


class PlanError(InputError):
    """No plan can be drawn of this study; `section` is the part of the study file that asks for it."""

    def __init__(self, section: str, what: str, hint: str) -> None:
        """Keep what is wrong and what to do apart, so that `check` can name the line."""
        super().__init__(what, hint=hint)
        self.section, self.what, self.hint = section, what, hint


def assignment_of(
    table: Mapping[str, Any] | None,
    members: Mapping[str, tuple[str, ...]],
    given: Sequence[tuple[str, ...]],
    rows: Sequence[Unit],
    count: int,
) -> Assignment | None:
    """The sets, and the unions of them that raters are given; None where the study file says nothing of either."""
    if table is None and not given:
        return None
    table = table or {}
    names = tuple(members) or tuple(str(number) for number in range(1, count + 1))
    if by := table.get("by"):
        values = (unit.item if by == "item" else unit.attributes.get(by, "") for unit in rows)
        names = tuple(dict.fromkeys(value for value in values if value)) or names
    joined = tuple(dict.fromkeys(one for one in given if one not in [(name,) for name in names]))
    own = {key: value for key, value in table.items() if key not in ("file", "open_rounds")}
    return Assignment(names=names, members=members, joined=joined, **own)


def members_in(data: DataFile, rows: Sequence[Unit], problems: list[Problem]) -> dict[str, tuple[str, ...]]:
    """What a file says is in each set; what is wrong with it is added to the problems."""
    for column in (name for name in ("set", "unit") if name not in data.columns):
        problems.append(Problem(data.path, 1, f"there is no column {column!r}"))
        return {}
    known, found = {unit.id for unit in rows}, dict[str, dict[str, None]]()
    for row in data.rows:
        name, unit = row.cells["set"], row.cells["unit"]
        if unit not in known:
            problems.append(Problem(data.path, row.line, f"there is no unit {unit!r}", nearest(unit, sorted(known))))
        found.setdefault(name, {})[unit] = None
    return {name: tuple(units) for name, units in found.items()}


def check_sets(source: Source, study: Description, number: int, table: Mapping[str, Any]) -> None:
    """The sets of a rater exist."""
    place, named = ("raters", number, "sets"), table["sets"]
    known = (*(study.assignment.names if study.assignment else ()), ALL, SHARED)
    if "set" in table:
        source.report(place, "set and sets say the same", "keep one of them")
    if not named:
        source.report(place, "no set is named", f"there are {', '.join(known)}")
    for name in named:
        if name not in known:
            source.report(place, f"there is no set {name!r}", nearest(name, known))


def check_assignment(source: Source, study: Description, document: Mapping[str, Any]) -> None:
    """Dealt, by a column or by a file; as many judgements as there are sets."""
    made, table = study.assignment, document.get("assignment", {})
    if made is None:
        return
    ways = [key for key in ("by", "file") if key in table]
    if len(ways) == 2 or (ways and ("sets" in document or {"judgements", "overlap"} & set(table))):
        what = "sets are dealt, or named by a column, or by a file"
        source.report(("assignment", ways[0]), what, "keep one way")
    check_rounds(source, study)
    columns = {name for unit in study.rows for name in unit.attributes} | {"item"}
    if made.by and made.by not in columns:
        source.report(("assignment", "by"), f"the units have no column {made.by!r}", nearest(made.by, sorted(columns)))
    elif made.by and made.by != "item" and (bare := [one.id for one in study.rows if not one.attributes.get(made.by)]):
        what = f"the unit {bare[0]!r} has nothing in the column {made.by!r}"
        source.report(("assignment", "by"), what, f"name a set for each of {len(bare)} such units")
    if made.members and study.pairing is not None:
        source.report(("assignment", "file"), "pairs are drawn, so no file can name them", "use by or overlap")
    if made.judgements > len(made.names):
        what = f"{made.judgements} judgements need as many sets, and there are {len(made.names)}"
        source.report(("assignment", "judgements"), what, "raise count of [sets]")
    if made.overlap > 1:
        source.report(("assignment", "overlap"), "the overlap is a share of all units", "write 0.25 for a quarter")


def check_rounds(source: Source, study: Description) -> None:
    """Rounds are dealt, or named by a column for each unit; no second thing is called round."""
    made, names = study.assignment or Assignment(), {name for unit in study.rows for name in unit.attributes}
    if made.rounds_by and (made.rounds > 1 or made.first_round is not None):
        source.report(("assignment", "rounds_by"), "rounds are dealt, or named by a column", "keep one way")
    if made.first_round is not None and not (made.rounds > 1 and 0 < made.first_round < 1):
        hint = "write 0.25 for a quarter, and rounds = 2 or more"
        source.report(("assignment", "first_round"), "the first round is a share of the units of several rounds", hint)
    if made.rounds_by not in ("", "item"):
        check_column(source, study, ("assignment", "rounds_by"), made.rounds_by)
    if made.rounds_by in names and (bare := [one.id for one in study.rows if not one.attributes.get(made.rounds_by)]):
        what = f"the unit {bare[0]!r} has nothing in the column {made.rounds_by!r}"
        source.report(("assignment", "rounds_by"), what, f"name a round for each of {len(bare)} such units")
    if made.has_rounds and ROUND in names and made.rounds_by != ROUND:
        what, hint = f"the units have a column {ROUND!r} already", f"rename it, or write rounds_by = {ROUND!r}"
        source.report(("assignment", "rounds_by" if made.rounds_by else "rounds"), what, hint)
    if study.open_rounds and not made.has_rounds:
        source.report(("assignment", "open_rounds"), "there are no rounds to open", "say rounds or rounds_by")


def check_division(source: Source, study: Description, document: Mapping[str, Any]) -> None:
    """Sets, pairs and repeats that can be made of the units."""
    n_units, checks = study.sampling.size or len(study.units), study.checks
    if study.pairing is not None:
        for column in study.pairing.vector:
            check_column(source, study, ("pairs", "vector"), column)
        for column in study.pairing.within:
            if column != "item":
                check_column(source, study, ("pairs", "within"), column)
        return
    if study.n_sets > max(n_units, 1):
        source.report(("sets", "count"), f"{study.n_sets} sets cannot be made of {n_units} units")
    in_set = n_units // study.n_sets
    if checks.repeats and checks.repeats + checks.gap > in_set and study.assignment is None:  # else see `make_plan`
        what = f"{checks.repeats} repeats with a gap of {checks.gap} do not fit into {in_set} units"
        source.report(("repeats",), what, "take fewer or a smaller gap")


def check_column(source: Source, study: Description, place: Place, column: str) -> None:
    """A column of the units file that is neither shown nor asked about."""
    known = {name for unit in study.rows for name in unit.attributes}
    if column not in known:
        source.report(place, f"the units have no column {column!r}", nearest(column, sorted(known)))


def assigned_sets(made: Assignment, units: Mapping[str, Unit], rng: np.random.Generator) -> Sets:
    """The ids of every set, those offered to whoever comes first, then the unions made for single raters.

    `units` are what is shown by id: the units that were drawn, or the pairs.
    """
    common: set[str] = set()
    if made.members:
        shown = {copy: id for id, unit in units.items() for copy in (id, *unit.copies)}
        told = (dict.fromkeys(shown[id] for id in members if id in shown) for members in made.members.values())
        sets = [tuple(ids) for ids in told]
    elif made.by:
        of = {id: unit.item if made.by == "item" else unit.attributes.get(made.by, "") for id, unit in units.items()}
        sets = [tuple(id for id in units if of[id] == name) for name in made.names]
    else:
        order = [list(units)[i] for i in rng.permutation(len(units))]
        n_common = round(made.overlap * len(order))
        common, sets = set(order[:n_common]), dealt(order, n_common, len(made.names), made.judgements)
    shared = common or set.intersection(*map(set, sets))
    named = {**dict(zip(made.names, sets, strict=True)), ALL: tuple(units), SHARED: tuple(shared)}
    for names in made.joined:
        wanted = {id for name in names for id in named[name]}
        sets.append(tuple(id for id in units if id in wanted))
    return tuple(sets)


def designed(made: Assignment) -> dict[str, Any]:
    """The assignment as plans depend on it; what came later is left out where it says nothing, so older plans hold."""
    told = asdict(made)
    return told if made.has_rounds else {key: told[key] for key in told if "round" not in key}


def rounds_of(
    made: Assignment, units: Mapping[str, Unit], sets: Sets, rng: np.random.Generator
) -> dict[str, tuple[str, ...]]:
    """The ids of each round by its name: by the values of a column, or dealt alike in all sets and overlaps.

    Units that are in the same sets stand together in random order; each goes to the round that lacks most.
    """
    if made.rounds_by:
        of = {id: unit.item if made.rounds_by == "item" else unit.attributes.get(made.rounds_by, "")
              for id, unit in units.items()}  # fmt: skip
        if bare := next((id for id, name in of.items() if not name), None):
            hint = f"its two units differ in {made.rounds_by!r}; make pairs within it"
            raise PlanError("assignment", f"the pair {bare!r} is in no round", hint)
        names = dict.fromkeys(of.values())
        ordered = sorted(names, key=int) if all(name.isdecimal() for name in names) else list(names)
        return {name: tuple(id for id in units if of[id] == name) for name in ordered}
    where: dict[str, list[int]] = {id: [] for id in units}
    for number, members in enumerate(sets):
        for id in members:
            where[id].append(number)
    drawn = [list(units)[i] for i in rng.permutation(len(units))]
    found: list[list[str]] = [[] for _ in range(made.rounds)]
    first = 1 / made.rounds if made.first_round is None else made.first_round
    shares = (first, *((1 - first) / (made.rounds - 1) for _ in found[1:]))
    for n, id in enumerate(sorted(drawn, key=where.__getitem__), 1):
        lacks = [share * n - len(ids) for share, ids in zip(shares, found, strict=True)]
        found[lacks.index(max(lacks))].append(id)
    return {str(number): tuple(ids) for number, ids in enumerate(found, 1)}


def in_rounds(sets: Sets, rounds: Mapping[str, Sequence[str]]) -> Sets:
    """The sets with their units in the order of their rounds."""
    place = {id: number for number, ids in enumerate(rounds.values()) for id in ids}
    return tuple(tuple(sorted(members, key=place.__getitem__)) for members in sets)


def split(ids: Sequence[str], count: int, rng: np.random.Generator) -> tuple[tuple[str, ...], ...]:
    """Deal shuffled ids into `count` sets whose sizes differ by one at most."""
    shuffled = [ids[i] for i in rng.permutation(len(ids))]
    return tuple(tuple(shuffled[i::count]) for i in range(count))


def dealt(order: Sequence[str], n_common: int, n_sets: int, judgements: int) -> list[tuple[str, ...]]:
    """The first ids to every set, each of the others to some: to the emptiest, and where few units are shared yet.

    >>> dealt(["a", "b", "c", "d"], 1, 3, 1)
    [('a', 'b'), ('a', 'c'), ('a', 'd')]
    """
    sets: list[list[str]] = [list(order[:n_common]) for _ in range(n_sets)]
    together = np.zeros((n_sets, n_sets), dtype=np.int64)
    for id in order[n_common:]:
        chosen: list[int] = []
        while len(chosen) < judgements:
            left = [number for number in range(n_sets) if number not in chosen]
            chosen.append(min(left, key=lambda one: (len(sets[one]), int(together[one, chosen].sum()), one)))
        for one, two in combinations(chosen, 2):
            together[one, two] += 1
            together[two, one] += 1
        for number in chosen:
            sets[number].append(id)
    return [tuple(ids) for ids in sets]


def overlaps(description: Description, sets: Sets) -> dict[tuple[str, str], int]:
    """How many units any two have in common: raters whose set is known, else sets; of themselves how many there are."""
    known = [(rater.id, rater.set) for rater in description.raters if rater.set is not None]
    names = known if len(known) > 1 else [(f"set {number + 1}", number) for number in range(len(sets))]
    ids = {name: set(sets[number]) for name, number in names}
    return {(one, two): len(ids[one] & ids[two]) for one in ids for two in ids}


ASSUMED = 0.6


def expected_width(n_units: int, n_categories: int) -> float | None:
    """The width of the 95 % interval of the kappa of two raters on so many units, if it is .6; None without units.

    The large-sample error √(p_o (1 - p_o) / n) / (1 - p_e) of kappa with categories that are equally frequent.

    >>> round(expected_width(300, 2), 2)
    0.18
    """
    if not n_units:
        return None
    expected = 1 / n_categories
    observed = ASSUMED * (1 - expected) + expected
    return float(2 * 1.96 * np.sqrt(observed * (1 - observed) / n_units) / (1 - expected))


def fewest_categories(description: Description) -> int:
    """The number of categories of the question that has fewest, 2 at least: its interval is the widest."""
    sizes = (len(kind_of(one).categories(one)) for one in description.measured)
    return min((size for size in sizes if size > 1), default=2)


@dataclass(frozen=True)
class SummaryTable:
    """A table ready to print: a heading, the columns' names, the rows."""

    heading: str
    columns: tuple[str, ...]
    rows: tuple[tuple[object, ...], ...]


MOST_SHOWN = 12


def rounds_table(description: Description, sets: Sets, rounds: Mapping[str, Sequence[str]], what: str) -> SummaryTable:
    """How much each round has, in each set and of what any two have in common."""
    rows = []
    for number, (name, ids) in enumerate(rounds.items(), 1):
        inside = [len(set(ids) & set(members)) for members in sets]
        common = set(ids).intersection(*map(set, sets)) if len(sets) > 1 else set(ids)
        is_open = description.open_rounds is None or number <= description.open_rounds
        per_set = f"{min(inside)}" if min(inside) == max(inside) else f"{min(inside)} to {max(inside)}"
        rows.append((name, len(ids), per_set, len(common), "open" if is_open else "closed"))
    return SummaryTable("Rounds", (ROUND, what, "in a set", "in all sets", "now"), tuple(rows))


def overlap_tables(
    description: Description, sets: Sets, rounds: Mapping[str, Sequence[str]], what: str
) -> Iterator[SummaryTable]:
    """What any two raters (or sets) have in common, and how exactly their agreement will be known; if assigned."""
    if description.assignment is None:
        return
    if rounds:
        yield rounds_table(description, sets, rounds, what)
    common, categories = overlaps(description, sets), fewest_categories(description)
    names = list(dict.fromkeys(one for one, _ in common))[:MOST_SHOWN]
    rows = tuple((one, *(common[one, two] for two in names)) for one in names)
    yield SummaryTable(f"{what.capitalize()} in common", ("", *names), rows)
    widths = [
        (f"{one} & {two}", common[one, two], None if (width := expected_width(common[one, two], categories)) is None
         else round(width, 2))
        for one, two in combinations(names, 2)
    ]  # fmt: skip
    assumed = f"if kappa is {ASSUMED:g} and {categories} categories are equally frequent"
    yield SummaryTable(f"Expected width of 95 % intervals, {assumed}", ("two", what, "width"), tuple(widths))
