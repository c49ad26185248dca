"""The gold standard of a table that another engine holds: by votes, or by Dawid & Skene.

The engine sorts judgements by unit, once. What comes is kept on disk, a number for each judgement and the name of each
unit. A model learns in passes over that, or over the kinds of units where these are few; values are made of it block by
block when somebody looks at them. So neither units nor judgements have to fit into memory.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from typing import TYPE_CHECKING, Any
from weakref import finalize

import numpy as np
from numpy.typing import NDArray

from concordant.about import NAME
from concordant.diagnosis.material import UnitShares
from concordant.engines.grouped import distinct_cells, judged_rows, places_of
from concordant.engines.ordered import Units, ordered_units
from concordant.engines.remote import RemoteTable, failures, spelled
from concordant.engines.repeats import PICKED, once
from concordant.errors import InputError
from concordant.gold.by_models import (
    MODELS,
    Method,
    ModelOptions,
    Standard,
    dawid_skene_trusted,
    probable,
    standard_of,
    truths_of,
)
from concordant.gold.rater_models import Answers, Kinds, Votes, kinds_of, posterior
from concordant.gold.standard import majority
from concordant.gold.values import GoldValues, Values, joined
from concordant.model.scale import make_scale
from concordant.progress import Progress, part, silent

if TYPE_CHECKING:
    import pyarrow as pa

MOST_TOGETHER = 10_000_000  # judgements of distinct kinds that are kept in memory while a model learns


class Folder:
    """A folder that is removed when nobody knows of it any more."""

    def __init__(self) -> None:
        """Make it, and see to its end."""
        self.path = Path(mkdtemp(prefix=f"{NAME}-"))
        finalize(self, rmtree, self.path, ignore_errors=True)


@dataclass(frozen=True, kw_only=True, eq=False)
class Kept(Answers):
    """The judgements of one question on disk, unit after unit: each is a rater's place × categories + a category's."""

    raters: tuple[str, ...]
    categories: tuple[str, ...]
    file: Path
    folder: Folder
    n_repeats: int = 0

    def _batches(self) -> "Iterator[pa.RecordBatch]":
        import pyarrow as pa

        with pa.memory_map(str(self.file)) as source:
            reader = pa.ipc.open_file(source)
            yield from map(reader.get_batch, range(reader.num_record_batches))

    @cached_property
    def n_units(self) -> int:
        """How many units there are."""
        return sum(batch.num_rows for batch in self._batches())

    def blocks(self) -> Iterator[Votes]:
        """The units with their judgements, some at a time."""
        size = len(self.categories)
        for batch in self._batches():
            start, entry = _lists(batch)
            yield Votes(
                units=tuple(batch.column("unit").to_pylist()),
                raters=self.raters,
                categories=self.categories,
                unit=np.repeat(np.arange(len(start) - 1), np.diff(start)),
                rater=(entry // size).astype(np.int64),
                value=(entry % size).astype(np.int64),
            )

    def pieces(self) -> Iterator[Kinds]:
        """The kinds of units if they are few, else all units, some at a time."""
        if self._together is not None:
            yield self._together
        else:
            yield from self._apart()

    @cached_property
    def _together(self) -> Kinds | None:
        """All kinds, if they fit."""
        known: Kinds | None = None
        for kinds in self._apart():
            known = _merged([kinds] if known is None else [known, kinds], len(self.raters))
            if known.said.nnz > MOST_TOGETHER:
                return None
        return known

    def _apart(self) -> Iterator[Kinds]:
        """Every unit by itself."""
        from scipy.sparse import csr_matrix

        for batch in self._batches():
            start, entry = _lists(batch)
            shape = (len(start) - 1, len(self.raters) * len(self.categories))
            said = csr_matrix((np.ones(len(entry)), entry, start), shape)
            yield Kinds(said=said, times=np.ones(shape[0]), n_categories=len(self.categories))


def _lists(batch: "pa.RecordBatch") -> "tuple[NDArray[np.int32], NDArray[np.int32]]":
    """Where the judgements of each unit begin (and the last end), and all of them."""
    said = batch.column("said")
    return np.asarray(said.offsets), np.asarray(said.values)


def _merged(several: Sequence[Kinds], n_raters: int) -> Kinds:
    """Kinds of which everybody said the same as one."""
    before = np.cumsum([0, *(len(one.times) for one in several)])
    unit = np.concatenate([one.row + start for one, start in zip(several, before[:-1], strict=True)])
    said, n = (np.concatenate([getattr(one.said, name) for one in several]) for name in ("indices", "data"))
    times = np.concatenate([one.times for one in several])
    return kinds_of(unit, said, n, times, (n_raters, several[0].n_categories))[0]


@dataclass(frozen=True, kw_only=True, eq=False)
class KeptValues(Values):
    """The values of units on disk, made of their judgements when somebody looks."""

    kept: Kept
    make: Callable[[Votes], GoldValues]
    names: Sequence[str]

    def __len__(self) -> int:
        """How many units."""
        return self.kept.n_units

    def parts(self) -> Iterator[GoldValues]:
        """All units, block by block."""
        return map(self.make, self.kept.blocks())

    def chosen(self, places: NDArray[np.intp]) -> GoldValues:
        """Only the units at these places, in that order."""
        order = np.argsort(places, kind="stable")
        found: list[GoldValues] = []
        begin, wanted = 0, places[order]
        for votes in self.kept.blocks():
            end = begin + len(votes.units)
            low, high = np.searchsorted(wanted, [begin, end])
            if high > low or not found:
                found.append(self.make(votes).chosen(wanted[low:high] - begin))
            begin = end
        return joined(found).chosen(np.argsort(order))


def gold_there(
    table: RemoteTable, method: Method, options: ModelOptions, progress: Progress = silent
) -> dict[str | None, Standard]:
    """The gold standard of every question of a table of another engine."""
    with failures(table.engine, table.file):
        return _gold_there(table, method, options, progress)


def _gold_there(
    table: RemoteTable, method: Method, options: ModelOptions, progress: Progress
) -> dict[str | None, Standard]:
    """The same, with errors of the engine as they are."""
    is_model = method in MODELS
    _ = options.pseudo  # a prior that is none is refused now
    if is_model and table.duplicates == "refuse":
        table = replace(table, duplicates="all")
    found: dict[str | None, Standard] = {}
    questions = kept_units(table, options if is_model else None, progress)
    for i, (question, kept) in enumerate(questions.items(), 1):
        if is_model:
            found[question] = _modelled(kept, options, question, part(progress, i, len(questions) + 1))
        else:
            values = KeptValues(kept=kept, make=_by_votes, names=kept.categories)
            found[question] = Standard(method=method, categories=kept.categories, values=values, competences={})
    return found


def _by_votes(votes: Votes) -> GoldValues:
    """What most raters said of each unit."""
    shares = UnitShares(
        units=votes.units, places=np.arange(len(votes.units)), categories=votes.categories, counts=votes.counts
    )
    return majority(shares)


def _modelled(kept: Kept, options: ModelOptions, question: str | None, progress: Progress) -> Standard:
    """Dawid & Skene of one question."""
    told = dawid_skene_trusted(kept, options, question, progress)
    values = KeptValues(
        kept=kept, make=lambda votes: probable(votes, posterior(votes, told.model), told.names), names=told.names
    )
    return standard_of(told, Method.DAWID_SKENE, values, kept.raters, kept.n_repeats)


def kept_units(
    table: RemoteTable, options: ModelOptions | None = None, progress: Progress = silent
) -> dict[str | None, Kept]:
    """The units of every question, sorted by the engine and kept on disk; `options` of a model are looked at before."""
    columns = [] if table.question is None else [table.question]
    judged, raters, values = judged_rows(table, columns)
    given = distinct_cells(table, judged, [*columns, table.rater, table.value])
    asked = _asked(table, given, raters, values)
    if options is not None:
        for one in asked.values():
            truths_of(one, options)
    if table.duplicates in PICKED:
        judged = once(table, judged, [*columns, table.unit], raters)
        given = distinct_cells(table, judged, [*columns, table.rater, table.value])
    names, labels = (list(dict.fromkeys(cells.values())) for cells in (raters, values))
    left = [{row[i]: cells[row[i]] for row in given} for i, cells in ((-2, raters), (-1, values))]
    here = places_of(left[0], names), places_of(left[1], labels)
    share = part(progress, 0, len(asked) + 1)
    units = ordered_units(table, judged, [table.unit], columns, *here)
    try:
        found: dict[str | None, Kept] = table.done(lambda: _keep(units, asked, names, labels), share)
    except OSError as error:
        what = f"the units cannot be kept beside ({error.strerror or error})"
        raise InputError(what, file=table.file, hint="set TMPDIR to a folder with room for them") from None
    return found


def _asked(
    table: RemoteTable, given: Sequence[tuple[Any, ...]], raters: Mapping[Any, str], values: Mapping[Any, str]
) -> dict[str, Kept]:
    """For each question who answered what at all; files are named, and not yet there."""
    folder = Folder()
    who: dict[str, dict[str, None]] = {}
    what: dict[str, dict[str, None]] = {}
    for *question, rater, value in sorted(given, key=lambda row: tuple(map(str, row))):
        name = spelled(question[0]) if question else ""
        if name or not question:
            who.setdefault(name, {})[raters[rater]] = None
            what.setdefault(name, {})[values[value]] = None
    if not who:
        raise InputError("there is no judgement", file=table.file)
    how: dict[str, Any] = {"level": table.level, "categories": table.categories}
    return {
        name: Kept(
            raters=tuple(sorted(who[name])),
            categories=make_scale(list(what[name]), **how).categories,
            file=folder.path / f"{i}.arrow",
            folder=folder,
        )
        for i, name in enumerate(who)
    }


def _keep(
    units: Iterator[Units], asked: Mapping[str, Kept], names: Sequence[str], labels: Sequence[str]
) -> dict[str | None, Kept]:
    """Write the units of each question to its file as they come."""
    import pyarrow as pa

    n_repeats = dict.fromkeys(asked, 0)
    to = {name: tuple(map(_renumbered, (names, labels), (one.raters, one.categories))) for name, one in asked.items()}
    with ExitStack() as stack:
        sinks: dict[str, Any] = {}
        for block in units:
            for name, low, high in _questions(block):
                if name not in asked:
                    continue
                start, size = block.start[low : high + 1], len(asked[name].categories)
                entry = block.entry[start[0] : start[-1]]
                rater, code = to[name][0][entry // block.n_values], to[name][1][entry % block.n_values]
                unit = np.repeat(np.arange(high - low), np.diff(start))
                n_repeats[name] += int(((np.diff(rater) == 0) & (np.diff(unit) == 0)).sum())
                said = (rater * size + code).astype(np.min_scalar_type(-len(asked[name].raters) * size))
                lists = pa.ListArray.from_arrays((start - start[0]).astype(np.int32), said)
                batch = pa.record_batch({"unit": block.name[low:high], "said": lists})
                if name not in sinks:
                    sinks[name] = stack.enter_context(pa.ipc.new_file(str(asked[name].file), batch.schema))
                sinks[name].write_batch(batch)
    alone = len(asked) < 2
    return {None if alone else name: replace(one, n_repeats=n_repeats[name]) for name, one in asked.items()}


def _renumbered(every: Sequence[str], own: Sequence[str]) -> NDArray[np.int64]:
    """The place among a question's own of each label of all; -1 of those it lacks."""
    place = {label: i for i, label in enumerate(own)}
    return np.array([place.get(label, -1) for label in every], dtype=np.int64)


def _questions(block: Units) -> Iterator[tuple[str, int, int]]:
    """The questions in a block, and from where to where their units go."""
    if not block.places:
        yield "", 0, len(block)
        return
    coded = block.places[0].combine_chunks().dictionary_encode()
    code = np.asarray(coded.indices.fill_null(-1))
    begins = [0, *(np.flatnonzero(np.diff(code)) + 1).tolist(), len(code)]
    for low, high in pairwise(begins):
        yield "" if code[low] < 0 else spelled(coded.dictionary[int(code[low])].as_py()), low, high
