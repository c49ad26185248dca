"""The plan: which units are used, in which sets, as which pairs. Frozen, hashed, made again from the seed.

A plan is a JSON file. Its hash covers everything in it, so a changed plan is noticed; it names the fingerprint of the
study file and data it was made from, so a changed study is noticed too. What is drawn for each participant (order of
units, options and slots) comes from the same seed but is not in the plan: it is made in `design.steps` when
they join, and logged.

Units are drawn simply, or stratified so that rare kinds are not lost (Boleda, Schulte im Walde & Badia 2009, 3.1):
strata are bands (equal parts of the *range* of log frequencies) x types x kinds, those with few units put together. The
sample is spread evenly over types, in them over bands, in those over kinds; one without enough passes its share on.

Preference pairs follow the vector-covering rule and teach the most: within a group no annotation vector is used again
until every distinct vector has been used once, and no pair has two equal vectors: nothing is learned from comparing two
responses with the same features. Which response stands for its vector is drawn, those used least first; the same two
responses are never paired twice.
"""

import hashlib
import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from itertools import combinations
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from concordant.about import NAME
from concordant.design import study_file
from concordant.design.assignment import ROUND, PlanError, assigned_sets, in_rounds, rounds_of, split
from concordant.design.description import Checks, Description, Pairing, Sampling
from concordant.design.made_from import fingerprint, is_made_from
from concordant.errors import InputError
from concordant.files import written_whole
from concordant.randomness import generator
from concordant.tasks.question import Unit

FORMAT = 1
FILE = "plan.json"
SETS_HINT = "look at [assignment] and at sets of [[raters]]"
SAMPLE, PAIRS, SETS, ROUNDS = range(4)  # the streams of the seed

Stratum = tuple[str, str, str]  # type, kind, band
Vector = tuple[str, ...]
POOLED = "(pooled)"
LATER = ("n_offered", "earlier", "rounds")  # left out where they say nothing, so that older plans keep their hash


@dataclass(frozen=True, kw_only=True)
class Pair:
    """Two units of one item to be compared. A and B are fixed here; the slots they are shown in are drawn per rater."""

    id: str
    item: str
    a: str
    b: str


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What was drawn once for the whole study. `sets` hold ids of units, or of pairs when there are pairs."""

    study: str
    fingerprint: str
    seed: int
    sets: tuple[tuple[str, ...], ...]
    pairs: tuple[Pair, ...] = ()
    strata: Mapping[str, Stratum] = field(default_factory=dict)
    hash: str = ""
    n_offered: int = 0  # sets for whoever comes, if not all are: those after them were made for single raters
    earlier: tuple[str, ...] = ()  # hashes of plans with the same draws, made before categories were added or moved
    rounds: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # what is in each; sets are in their order

    def __repr__(self) -> str:
        """One line, however many units there are."""
        what, sets = "pairs" if self.pairs else "units", "set" if len(self.sets) == 1 else "sets"
        drawn = f"{sum(map(len, self.sets))} {what} in {len(self.sets)} {sets}"
        return f"<Plan of {self.study}: {drawn}, seed {self.seed}, hash {self.hash}>"

    @cached_property
    def round_of(self) -> Mapping[str, str]:
        """The round of every unit or pair by its id; empty where there are no rounds."""
        return MappingProxyType({id: name for name, ids in self.rounds.items() for id in ids})

    def round_sizes(self, set_number: int) -> tuple[int, ...]:
        """How much of a set comes in each round, in their order; the whole set where there are no rounds."""
        of_set = self.sets[set_number]
        found = Counter(map(self.round_of.get, of_set if self.rounds else ()))
        return tuple(found[name] for name in self.rounds) or (len(of_set),)

    @cached_property
    def pair_by_id(self) -> Mapping[str, Pair]:
        """The pairs by their id."""
        return MappingProxyType({pair.id: pair for pair in self.pairs})

    def to_dict(self) -> dict[str, Any]:
        """The plan as JSON shows it."""
        return {"format": FORMAT, **{key: value for key, value in asdict(self).items() if value or key not in LATER}}


def hashed(plan: Plan) -> Plan:
    """The same plan with its hash: the first 16 hexadecimal digits of SHA-256 over the canonical JSON."""
    content = {key: value for key, value in plan.to_dict().items() if key != "hash"}
    canonical = json.dumps(content, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return replace(plan, hash=hashlib.sha256(canonical.encode()).hexdigest()[:16])


def write(plan: Plan, path: Path) -> None:
    """Write the plan; an interrupted write leaves the old file."""
    with written_whole(path) as beside:
        beside.write_text(json.dumps(plan.to_dict(), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def read(path: Path) -> Plan:
    """Read a plan and refuse it when it was changed by hand."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        strata = {unit: (type_, kind, band) for unit, (type_, kind, band) in content["strata"].items()}
        plan = Plan(
            **{name: content[name] for name in ("study", "fingerprint", "seed", "hash")},
            sets=tuple(tuple(members) for members in content["sets"]),
            pairs=tuple(Pair(**pair) for pair in content["pairs"]),
            strata=strata,
            n_offered=content.get("n_offered", 0),
            earlier=tuple(content.get("earlier", ())),
            rounds={name: tuple(ids) for name, ids in content.get("rounds", {}).items()},
        )
    except (OSError, ValueError, KeyError, TypeError) as error:
        hint = f"make it with `{NAME} design STUDY -o plan.json`"
        raise InputError(f"not a plan ({error})", file=path, hint=hint) from error
    if hashed(plan).hash != plan.hash:
        raise InputError("the plan was changed after it was made", file=path, hint=f"make it again: `{NAME} design`")
    return plan


def make_plan(description: Description) -> Plan:
    """Draw the plan; the same description and seed give the same plan, to the last byte."""
    units = draw(description.units, description.sampling, generator(description.seed, SAMPLE))
    pairing = description.pairing
    pairs = make_pairs(units, pairing, generator(description.seed, PAIRS)) if pairing else ()
    ids = [pair.id for pair in pairs] if pairing else [unit.id for unit in units]
    drawn, random, made = {unit.id for unit in units}, generator(description.seed, SETS), description.assignment
    strata = strata_of(description.units, description.sampling) if description.sampling.size else {}
    plan = Plan(
        study=description.name,
        fingerprint=fingerprint(description),
        seed=description.seed,
        sets=split(ids, description.n_sets, random) if made is None else (),
        pairs=pairs,
        strata={id: stratum for id, stratum in strata.items() if id in drawn},
    )
    if made is not None:
        shown = {id: unit_shown(description, plan, id) for id in ids}
        sets = assigned_sets(made, shown, random)
        named = (*made.names, *(" and ".join(one) for one in made.joined))
        if empty := next((name for name, members in zip(named, sets, strict=True) if not members), None):
            raise PlanError("assignment", f"nothing is in the set {empty!r}", SETS_HINT)
        if made.has_rounds:
            rounds = rounds_of(made, shown, sets, generator(description.seed, ROUNDS))
            plan, sets = replace(plan, rounds=rounds), in_rounds(sets, rounds)
        plan = replace(plan, sets=sets, n_offered=len(made.names) if made.joined else 0)
        refuse_crowded_repeats(plan, description.checks)
    return hashed(plan)


def refuse_crowded_repeats(plan: Plan, checks: Checks) -> None:
    """Items that come again need a place far enough behind, in every set and round: they are shared out to rounds."""
    for number in range(len(plan.sets)) if checks.repeats else ():
        used = [size for size in plan.round_sizes(number) if size]
        for i, size in enumerate(used):
            repeats = checks.repeats * (i + 1) // len(used) - checks.repeats * i // len(used)
            if repeats and repeats + checks.gap > size:
                where = f"the {size} units of set {number + 1}" + (f" in its round {i + 1}" if len(used) > 1 else "")
                what = f"{repeats} repeats with a gap of {checks.gap} do not fit into {where}"
                raise PlanError("repeats", what, "take fewer repeats or a smaller gap")


def design(study: str | Path, output: str | Path | None = None, *, force: bool = False) -> Plan:
    """Draw the plan of a study and write it into its folder (or to `output`); the same seed gives the same plan.

    Another plan that is there already is kept, and refused to be replaced, unless `force` says so.
    """
    description = study_file.read(Path(study))
    path = Path(output) if output else description.folder / FILE
    plan = make_plan(description)
    if path.exists() and not force:
        with suppress(InputError):  # what is no plan at all is another
            force = read(path).hash == plan.hash
        if not force:
            raise InputError("another plan is already there", file=path, hint="keep it, or replace it with --force")
    write(plan, path)
    return plan


def load_plan(description: Description, path: Path | None = None) -> Plan:
    """The plan in the study's folder (or at `path`), made and frozen there when there is none yet."""
    path = path or description.folder / FILE
    if not path.exists():
        plan = make_plan(description)
        write(plan, path)
        return plan
    plan = read(path)
    if not is_made_from(plan, description):
        mended = "restore it (columns of attributes may be added to the units), or change it in the studio"
        hint = f"{mended}, which keeps what was collected; if nobody has come yet: `{NAME} design STUDY --force`"
        raise InputError("the study was changed after this plan was made", file=path, hint=hint)
    return plan


def unit_shown(description: Description, plan: Plan, id: str) -> Unit:
    """The unit with this id; for a pair of the plan, one unit whose alternatives A and B are the two texts."""
    pair = plan.pair_by_id.get(id)
    if pair is None:
        return description.unit_by_id[id]
    a, b = description.unit_by_id[pair.a], description.unit_by_id[pair.b]
    return Unit(
        id=id,
        item=pair.item,
        prompt=a.prompt,
        image=a.image,
        audio=a.audio,
        alternatives={"A": a.text, "B": b.text},
        attributes={key: value for key, value in a.attributes.items() if b.attributes.get(key) == value},
    )


def with_round(unit: Unit, plan: Plan, shown: str) -> Unit:
    """A unit that knows its round, that of what was `shown`; the same unit where there are no rounds."""
    found = plan.round_of.get(shown)
    return unit if found is None else replace(unit, attributes={**unit.attributes, ROUND: found})


def draw(units: Sequence[Unit], sampling: Sampling, rng: np.random.Generator) -> list[Unit]:
    """The sampled units, in the order of the data file."""
    if sampling.method == "all" or sampling.size is None:
        return list(units)
    if sampling.method == "simple":
        chosen = {units[i].id for i in rng.permutation(len(units))[: sampling.size]}
    else:  # spread over types first, inside them over bands, inside those over kinds
        pool, chosen = strata_of(units, sampling), set()
        for of_type, n_type in _shares(list(pool), sampling.size, lambda id: pool[id][0], rng):
            for of_band, n_band in _shares(of_type, n_type, lambda id: pool[id][2], rng):
                for of_kind, n in _shares(of_band, n_band, lambda id: pool[id][1], rng):
                    chosen |= {of_kind[i] for i in rng.permutation(len(of_kind))[:n]}
    return [unit for unit in units if unit.id in chosen]


def strata_of(units: Sequence[Unit], sampling: Sampling) -> dict[str, Stratum]:
    """The stratum of every unit of the pool."""
    types = [unit.attributes.get(sampling.by, "") for unit in units]
    kinds = [unit.attributes.get(sampling.within, "") for unit in units]
    sizes = Counter(zip(types, kinds, strict=True))
    pooled = [
        kind if sizes[type_, kind] >= sampling.pool_below or not sampling.within else POOLED
        for type_, kind in zip(types, kinds, strict=True)
    ]
    bands = [""] * len(units)
    if sampling.frequency:  # equal parts of the range of log frequencies, from low to high
        logs = np.log([float(unit.attributes[sampling.frequency]) for unit in units])
        width = (logs.max() - logs.min()) / sampling.bands
        numbers = np.minimum((logs - logs.min()) // width, sampling.bands - 1) if width > 0 else np.zeros(len(units))
        bands = [band_names(sampling.bands)[int(number)] for number in numbers]
    keys = zip(types, pooled, bands, strict=True)
    return dict(zip((unit.id for unit in units), keys, strict=True))


def band_names(n: int) -> list[str]:
    """What bands are called, from the lowest to the highest."""
    return ["low", "medium", "high"] if n == 3 else [f"band {i}" for i in range(1, n + 1)]


def _shares(
    ids: list[str], total: int, key: Callable[[str], str], rng: np.random.Generator
) -> list[tuple[list[str], int]]:
    """The ids grouped by a key, each group with its share of the total."""
    groups: dict[str, list[str]] = defaultdict(list)
    for id in ids:
        groups[key(id)].append(id)
    shares = spread(total, {name: len(members) for name, members in groups.items()}, rng)
    return [(members, shares[name]) for name, members in groups.items()]


def spread(total: int, room: Mapping[str, int], rng: np.random.Generator) -> dict[str, int]:
    """Share `total` out as evenly as the room in each place allows; what is left over after even shares goes to
    random places.
    """
    shares = dict.fromkeys(room, 0)
    left = min(total, sum(room.values()))
    while left:
        open_ = [place for place in room if shares[place] < room[place]]
        even = max(left // len(open_), 1)
        for i in rng.permutation(len(open_)):
            more = min(even, room[open_[i]] - shares[open_[i]], left)
            shares[open_[i]] += more
            left -= more
    return shares


def make_pairs(units: Sequence[Unit], pairing: Pairing, rng: np.random.Generator) -> tuple[Pair, ...]:
    """All pairs of a study, group by group; a group with too few different responses gives as many as there are."""
    groups: dict[Vector, list[Unit]] = defaultdict(list)
    for unit in units:
        groups[tuple(unit.item if name == "item" else unit.attributes[name] for name in pairing.within)].append(unit)
    pairs: list[Pair] = []
    for key, members in groups.items():
        by_vector: dict[Vector, list[Unit]] = defaultdict(list)
        for unit in members:
            by_vector[vector(unit, pairing)].append(unit)
        for a, b in Pairer(by_vector, rng).pairs(pairing.per_group):
            pairs.append(Pair(id=f"{'-'.join(key)}-{len(pairs) + 1}", item=a.item, a=a.id, b=b.id))
    return tuple(pairs)


def vector(unit: Unit, pairing: Pairing) -> Vector:
    """The annotation vector of a unit."""
    return tuple(unit.attributes[name] for name in pairing.vector)


class Pairer:
    """Draws the pairs of one group, and remembers which were taken and how often each response was."""

    def __init__(self, by_vector: dict[Vector, list[Unit]], rng: np.random.Generator) -> None:
        """Nothing is taken yet."""
        self._by_vector, self._rng = by_vector, rng
        self._taken: set[frozenset[str]] = set()
        self._uses: Counter[str] = Counter()

    def pairs(self, wanted: int) -> Iterator[tuple[Unit, Unit]]:
        """As many pairs as are wanted, or as there can be."""
        possible = sum(len(one) * len(other) for one, other in combinations(self._by_vector.values(), 2))
        due: list[Vector] = []  # what is left of the round, and of the next where one is left alone
        last = None
        for _ in range(min(wanted, possible)):
            pair = None
            while pair is None:
                if len(set(due)) < 2:
                    due += self._round(last)
                    last = due[-1]
                first = due.pop(0)
                for place, other in enumerate(due):  # nearest in the round that has a new response for it
                    if other != first and (pair := self._free(first, other)):
                        del due[place]
                        break
            self._taken.add(frozenset(unit.id for unit in pair))
            self._uses.update(unit.id for unit in pair)
            yield pair

    def _round(self, last: Vector | None) -> list[Vector]:
        """Every vector once in random order, the last one of the round before not first."""
        distinct = list(self._by_vector)
        order = [distinct[i] for i in self._rng.permutation(len(distinct))]
        return [*order[1:], order[0]] if order[0] == last else order

    def _free(self, one: Vector, other: Vector) -> tuple[Unit, Unit] | None:
        """Two responses not paired before, those used least first and drawn among equals."""
        pairs = [(a, b) for a in self._by_vector[one] for b in self._by_vector[other]]
        free = [(a, b) for a, b in pairs if frozenset((a.id, b.id)) not in self._taken]
        if not free:
            return None
        burden = [self._uses[a.id] + self._uses[b.id] for a, b in free]
        lightest = [pair for pair, n in zip(free, burden, strict=True) if n == min(burden)]
        return lightest[int(self._rng.integers(len(lightest)))]
