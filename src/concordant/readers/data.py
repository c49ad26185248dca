"""Whatever people have as data: a path, a data frame, an array, rows, or what this package made of them before."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from concordant.about import NAME
from concordant.choices import Choices, choice
from concordant.digits import brief
from concordant.errors import InputError
from concordant.model.columns import Column, blank_out, encode
from concordant.model.judgements import Judgements
from concordant.model.orders import guess_notes
from concordant.model.scale import level_named
from concordant.model.spans import SpanTable
from concordant.model.study import Study
from concordant.readers import (
    Where,
    as_given,
    chosen_rows,
    judgement_table,
    read,
    selected,
    span_table,
    taken_joins,
    taken_kinds,
)
from concordant.readers.format import Holds
from concordant.readers.frames import (
    ACCEPTED,
    as_table,
    in_python,
    is_records,
    refuse_rows_of_judgements,
    said_in_python,
    unit_of_index,
)
from concordant.readers.joined import Join, with_attributes
from concordant.readers.judgement_table import spelled
from concordant.readers.layout import TableOptions
from concordant.readers.numerals import with_points
from concordant.readers.rater_kinds import RaterKinds
from concordant.readers.spelling import CODES, refuse_words_among_numbers
from concordant.readers.study_folder import is_study
from concordant.readers.table import LEVEL, Table, read_table

if TYPE_CHECKING:
    from concordant.engines.remote import RemoteTable


class DeclaredOptions(Choices):
    """What may be said of data whose columns are known: of a study, and of an array."""

    level: str | None = choice(None, LEVEL)
    categories: tuple[Any, ...] | None = choice(None, "All categories in order, unused ones too.")
    missing: tuple[Any, ...] = choice((), "Values that mean missing.")
    raters: tuple[str, ...] | None = choice(None, "Of a study only these raters; of an array the names of its columns.")


def as_data(
    thing: Any,
    *,
    holds: Holds | None = None,
    where: Where = (),
    joins: Sequence[Join] = (),
    engine: str = "memory",
    stays: bool = False,
    **options: Any,
) -> Any:
    """The data in anything that holds some, as the kind that they are: judgements, spans, trees or profiles.

    A path is read (several, one for each rater, stand in a list); a data frame, or a mapping of columns, is taken as a
    table in a file is, with the same options (`unit=`, `rater=`, `value=`, `question=`, `raters=`, `level=` …); an
    array or a list of rows has units in rows and raters in columns. Data of this package stay what they are. An
    `engine` reads files instead of memory; with `stays` its table, and lazy frames, are not brought here.

    >>> as_data([["yes", "yes"], ["no", "yes"]]).n_judgements
    4
    """
    if joins := [*joins, *([] if as_paths(thing) else taken_joins(options))]:
        read_alone = as_data(thing, holds=holds, engine=engine, **options)
        alone = as_study(read_alone) if isinstance(read_alone, Judgements) else read_alone
        return selected(with_attributes(alone, joins), where, None)
    given, paths = as_given(options), as_paths(thing)
    if (table := _elsewhere(thing, paths, engine, stays=stays)) is not None:
        from concordant.engines.remote import failures

        with failures(table.engine, table.file):
            return _of_engine(table, where, given, holds, stays=stays)
    is_array = isinstance(thing, np.ndarray | list | tuple) and not paths and not is_records(thing)
    if not is_array:
        for name in {"categories", "missing"} & set(given):  # a table names its values by their texts
            given[name] = tuple(brief(v) if isinstance(v, float) else str(v) for v in given[name])
    if paths:
        return read(*paths, where=where, **given)
    kinds = RaterKinds.of("a rater", taken_kinds(given))
    if isinstance(thing, Study):
        return _said_again(thing, DeclaredOptions.of("a study", given), where, kinds)
    if not is_array:
        with said_in_python():
            return _from_own_or_table(thing, holds, where, given, kinds)
    if kinds.is_said:
        raise InputError("an array does not say who its raters are", hint="give a table, or leave out models and kind")
    if isinstance(thing, list | tuple) and thing and type(thing[0]).__module__.startswith(f"{NAME}."):
        _refuse_options(thing[0], where, given)
        return thing
    if where:
        raise InputError("an array has no columns to choose rows by", hint="leave out `where`")
    with said_in_python():
        return of_array(thing, DeclaredOptions.of("an array", given))


def _said_again(study: Study, said: DeclaredOptions, where: Where, kinds: RaterKinds) -> Study:
    """A study of which something is said that was not when it was read, or otherwise."""
    study = study if said.level is None else replace(study, level=level_named(said.level), scales={})
    study = study if said.categories is None else replace(study, categories=said.categories, scales={})
    if said.missing:
        study = replace(study, value=blank_out(study.value.as_labels(), set(map(str, said.missing))))
    # A study was read with its kinds of raters chosen: it is changed only where something is said again.
    again = chosen_rows(study, where, said.raters, kinds, {}) if kinds.is_said else selected(study, where, said.raters)
    return cast(Study, again)


def of_array(thing: Any, said: DeclaredOptions) -> Judgements:
    """Judgements in an array of units × raters; an array whose rows are judgements is refused.

    >>> of_array([[1, 1, 2], [2, 2, 2]], DeclaredOptions()).notes[-1]
    'rows were taken for units and columns for raters: 2 units × 3 raters'
    """
    data = Judgements.from_matrix(
        thing, raters=said.raters, level=said.level, categories=said.categories, missing=said.missing
    )
    if said.raters is None:
        refuse_rows_of_judgements(thing)
    if not data.scale.is_continuous:
        data = _as_in_a_table(data, said, is_text=np.asarray(thing).dtype.kind not in "iufb")
    if said.raters is not None:
        return data
    turned = f"rows were taken for units and columns for raters: {data.n_units} units × {len(data.raters)} raters"
    return data if data.n_units >= len(data.raters) else replace(data, notes=(*data.notes, turned))


def _as_in_a_table(data: Judgements, said: DeclaredOptions, *, is_text: bool) -> Judgements:
    """Judgements whose values were looked at as those of a table are: what is doubtful is said, blanked or refused."""
    if not is_text and not {*CODES, "-1"}.intersection(data.scale.categories):
        return replace(data, notes=(*data.notes, *guess_notes(data.scale))) if data.scale.is_guessed else data
    level = None if said.level is None else level_named(said.level)
    study = replace(as_study(data), level=level, categories=None if said.categories is None else data.scale.categories)
    columns, notes = with_points({"value": study.value}, ",")
    study = spelled(replace(study, value=columns["value"]), TableOptions(), notes)
    refuse_words_among_numbers(study)
    looked_at = study.judgements()
    return replace(looked_at, notes=(*data.notes, *notes, *looked_at.notes))


def _elsewhere(thing: Any, paths: Sequence[str | Path], engine: str, *, stays: bool) -> "RemoteTable | None":
    """Files that another engine is to read, or a lazy frame that is to stay where it is."""
    if engine == "memory" and (paths or not stays or isinstance(thing, np.ndarray | list | tuple | Mapping)):
        return None
    if type(thing).__module__.startswith(f"{NAME}."):
        return None
    from concordant.engines.remote import adopted, open_table
    from concordant.readers.elsewhere import decided

    if not paths:
        return adopted(thing)
    chosen, why = decided(engine, [str(path) for path in paths])
    return None if chosen == "memory" else replace(open_table(chosen, *map(str, paths)), notes=why)


def _of_engine(table: "RemoteTable", where: Where, given: dict[str, Any], holds: Holds | None, *, stays: bool) -> Any:
    """Judgements of an engine's table: the table as it was understood, or they themselves where they are needed.

    Of spans they themselves: who is measured, text by text, is the work.
    """
    from concordant.engines.remote import NeedsRows
    from concordant.readers.elsewhere import holds_spans, in_memory, judgements_there, spans_there

    kinds = RaterKinds.of("a rater", taken_kinds(given))
    if holds_spans(table, [holds] if holds else (), given.get("format")):
        raters = given.pop("raters", None)
        own = {name: value for name, value in given.items() if name != "format"}
        spans = spans_there(table, span_table.SpanTableOptions.of("a table of spans", own))
        return chosen_rows(spans, where, raters, kinds, own)
    options = TableOptions.of("a table of judgements", {name: v for name, v in given.items() if name != "format"})
    if stays:
        with suppress(NeedsRows):
            return judgements_there(table, options, where=where, raters=options.raters, kinds=kinds)
    return chosen_rows(in_memory(table, options, where), where, options.raters, kinds, given)


def as_paths(thing: Any) -> list[str | Path]:
    """The paths that somebody gave, one or several; none if it is something else."""
    paths = [thing] if isinstance(thing, str | Path) else thing
    are_paths = isinstance(paths, list | tuple) and all(isinstance(one, str | Path) for one in paths)
    return list(paths) if are_paths else []


def _from_own_or_table(
    thing: Any, holds: Holds | None, where: Where, given: Mapping[str, Any], kinds: RaterKinds
) -> Any:
    """Data of this package as they are (of spans, those asked for); anything else must be a table of columns."""
    if isinstance(thing, SpanTable) and set(given) <= {"raters"}:
        return chosen_rows(thing, where, given.get("raters"), kinds, {})
    if isinstance(thing, Judgements) and set(given) == {"raters"} and not where:
        return thing.with_raters(given["raters"])
    if type(thing).__module__.startswith(f"{NAME}."):
        _refuse_options(thing, where, {**given, **({"kind": kinds.kind} if kinds.is_said else {})})
        return thing
    table = as_table(thing)
    names = {name.casefold() for name in table.names}
    claims = {"judgements": judgement_table.confidence(names), "spans": span_table.confidence(names)}
    formats = {"table": "judgements", "long": "spans"}
    kind = holds or formats.get(given.get("format", "")) or max(claims, key=lambda kind: claims[kind])
    if holds is None and "format" not in given and claims["judgements"] == claims["spans"]:
        raise InputError(
            "the data frame can be one of judgements or of spans", hint='say format="table" or format="long"'
        )
    own = {name: value for name, value in given.items() if name != "format"}
    if kind == "judgements" and (unit := unit_of_index(thing, table.names)):
        own = {"unit": unit, **own}
    if kind == "spans":
        raters = own.pop("raters", None)
        chosen = span_table.SpanTableOptions.of("a table of spans", own)
        return chosen_rows(span_table.spans_of(table, chosen, only_text=""), where, raters, kinds, own)
    options = TableOptions.of("a table of judgements", own)
    study = judgement_table.judgements_of(table, options)
    study = replace(study, notes=tuple(map(in_python, study.notes)))
    return chosen_rows(study, where, options.raters, kinds, own)


def _refuse_options(thing: Any, where: Where, given: Mapping[str, Any]) -> None:
    """What is read already cannot be read otherwise."""
    if given or where:
        name = next(iter(given), "where")
        raise InputError(
            f"{type(thing).__name__} has no option {name!r} any more", hint="say it when the data are read"
        )


def as_study(thing: Any, **options: Any) -> Study:
    """Judgements in anything that holds some (see `as_data`) as a study; without questions it has one."""
    data = as_data(thing, holds="judgements", **options)
    if isinstance(data, Study):
        return data
    if not isinstance(data, Judgements):
        raise InputError(f"judgements are needed, not {type(data).__name__}", hint=ACCEPTED)
    rows = data.rows()
    units = data.unit_names if data.unit_names is not None else [str(i + 1) for i in range(data.n_units)]
    value = (
        Column(codes=np.zeros(0, dtype=np.int8), labels=[], numbers=rows.value)
        if data.scale.is_continuous
        else Column(codes=rows.value, labels=data.scale.categories)
    )
    clusters = {} if data.clusters is None else {data.clusters.name: data.clusters.of[rows.unit]}
    return Study(
        name="judgements",
        unit=Column(codes=rows.unit, labels=units),
        rater=Column(codes=rows.rater, labels=data.raters),
        value=value,
        level=None if data.scale.is_guessed else data.scale.level,
        categories=data.scale.categories or None,
        clusters={name: encode(codes) for name, codes in clusters.items()},
        is_clustered=bool(clusters),
        notes=data.notes,
    )


def data_for_labels(data: Any, options: Mapping[str, Any]) -> Any:
    """The data; of a study also the judgements of allocated units, which would bias agreement but are for labels."""
    is_running = isinstance(data, str | Path) and is_study(data)
    return as_data(data, **{**({"allocated": True} if is_running else {}), **options})


def any_table(thing: Any) -> Table:
    """A table in a file, or in a data frame or mapping."""
    return read_table(thing) if isinstance(thing, str | Path) else as_table(thing)
