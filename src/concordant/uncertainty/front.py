"""The front door to measuring: data in any form, options by name, and results that show themselves.

What the command line reads and prints, `measure`, `verify`, `suitable` and `plan` take and return. Options are told
apart by who has them: a request, the measures that are asked for, and the reader of the data get theirs; what nobody
has is refused.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import unquote

from concordant.choices import split
from concordant.engines.tally import Tally, tally
from concordant.errors import InputError, nearest
from concordant.measures.catalogue import CATALOGUE, find_measure
from concordant.measures.result import Results
from concordant.model.clusters import NO_CLUSTERS
from concordant.model.continuum import Continuum, by_groups, continua
from concordant.model.judgements import Judgements
from concordant.model.several_questions import as_one as as_one_answer
from concordant.model.several_questions import crossed as crossed_columns
from concordant.model.spans import SpanTable
from concordant.model.study import Given, Study, rater_groups
from concordant.progress import Progress, silent
from concordant.randomness import draw_seed
from concordant.readers import find_wanted, formats, read_as, taken_kinds
from concordant.readers.contingency import read_matrix, read_matrix_table
from concordant.readers.continua import Chosen
from concordant.readers.data import as_data, as_paths, as_study
from concordant.readers.frames import in_python
from concordant.readers.joined import Join, joins_of
from concordant.readers.span_table import USUAL
from concordant.uncertainty import decision, estimate, planning, suitability
from concordant.uncertainty.decision import USUAL_GOAL, DecisionStudy
from concordant.uncertainty.planning import Recommendation
from concordant.uncertainty.request import Ci, Signature, Verification, read_signature
from concordant.uncertainty.sharing import session_for
from concordant.uncertainty.studies import measure_study
from concordant.uncertainty.suitability import Suitabilities, Suitability

if TYPE_CHECKING:
    from concordant.engines.remote import RemoteTable

ASKED = ("over", "confidence", "resamples", "permutations")
ARRANGED = ("as_one", "crossed", "read_on")  # how questions are put together, and on which scales values are read
SIGNED = ("bind_units",)
ALSO_ASKED = ("level", "raters")  # of data that were read before
TAKEN = ("where", "raters", "attributes", "on", "engine")  # by every reader, and signed in their own way
LISTS = ("categories", "missing")
CHOSEN = (
    "where",
    "only",
    "pool",
    "as_one",
    "crossed",
    "cluster",
    "groups",
    "features",
    "positions",
    "texts",
)  # of a selection, not for the reader


def measure(
    data: Any,
    key: str | Sequence[str] | None = None,
    *,
    by: str | Sequence[str] = (),
    pool: bool = False,
    pairs: bool = False,
    group: Given = None,
    cluster: str | None = None,
    ci: Ci | None = None,
    seed: int | None = None,
    progress: Progress = silent,
    **options: Any,
) -> Any:
    """Coefficients of agreement with intervals and signatures.

    `data` is a path, a data frame, an array or rows (units × raters), a `Study`, `Judgements`, spans or trees. One key
    on data with one part gives an `Agreement`; several keys, none (those that suit), several questions or texts, slices
    (`by`), `pairs` of raters or a `group` of them give `Results`.

    With `pool` a unit with a question is a unit; with `as_one=True` the answers to all questions of a unit are one
    (iota); with `crossed=True` units × raters × questions are one design of variance components (dependability).

    Units that belong together (copies of a text, responses to an item) are drawn together in intervals: those with one
    value of the column `cluster`, or that the source of the data says do; `cluster="none"` draws every unit alone.

    `options` are the scales on which values are read (`read_on=`: landis-koch, fleiss, krippendorff, koo-li, rosenthal;
    one name or several) and those of the measures (`weights=`, `distance=`; of gamma `variant=`, `samples=` …), of the
    interval (`over=`, `confidence=`, `resamples=`, `permutations=`), of the signature (`bind_units=`) and of whoever
    reads the data (`unit=`, `rater=`, `value=`, `question=`, `level=`, `categories=`, `where=` …). One that nobody has
    is refused. Without a seed one is drawn and signed.

    What was understood of the data, and what is doubtful in them, stands in the notes of the result.

    >>> measure([[1, 1], [2, 1], [2, 2], [1, 1]], "kappa", seed=1).value
    0.5
    >>> len(measure([[1, 1], [2, 1], [2, 2], [1, 1]], ["kappa", "alpha"], ci="none"))
    2
    """
    keys = [key] if isinstance(key, str) else [] if key is None else list(key)
    if not all(isinstance(one, str) for one in keys):
        hint = "labels of several raters are columns: measure({'A': first, 'B': second}, 'kappa', raters=['A', 'B'])"
        raise InputError("the second argument names measures", hint=hint)
    columns = [by] if isinstance(by, str) else list(by)
    known = {choice.name for one in keys or CATALOGUE for choice in find_measure(one).options.described()}
    is_read = isinstance(data, Judgements | Tally | Continuum)
    ours = {*ASKED, *ARRANGED, *SIGNED, *known, *(ALSO_ASKED if is_read else ())}
    how = {name: options.pop(name) for name in list(options) if name in ours}
    if isinstance(scale := how.get("read_on"), str):
        how["read_on"] = (scale,)
    _refuse_homeless(options, keys, is_read=is_read)
    read = as_data(data, stays=True, **options)
    is_column, notes = isinstance(group, str) and isinstance(read, SpanTable), getattr(read, "notes", ())
    if group is not None and not isinstance(read, Study) and not isinstance(group, Mapping) and not is_column:
        raise InputError("only a study has columns of raters", hint="name the groups: {'own': ['A', 'B'], …}")
    named = {name: tuple(raters) for name, raters in group.items()} if isinstance(group, Mapping) else None
    groups = rater_groups(read, group) if isinstance(read, Study) else named
    chosen = selection(read, {} if read is data else options, pool=pool)
    if groups and not isinstance(read, Study):
        chosen["groups"] = ",".join(f"{name}={','.join(raters)}" for name, raters in groups.items())
    if isinstance(group, str) and isinstance(read, SpanTable):
        chosen["groups"], read, columns = group, by_groups(continua(read, by=columns), group), []
    results = measure_study(
        read, keys, by=columns, pool=pool, pairs=pairs, groups=groups, cluster=cluster, ci=ci, seed=seed,
        session=session_for(data, options.get("engine")), selection=chosen, progress=progress, **how,
    )  # fmt: skip
    results = [result.with_(notes=tuple(map(in_python, result.notes))) for result in results]
    notes = tuple(map(in_python, notes))
    if isinstance(key, str) and len(results) == 1 and not (columns or pairs or group):
        return results[0].with_(notes=tuple(dict.fromkeys((*notes, *results[0].notes))))
    return Results(results, notes)


def _refuse_homeless(options: Mapping[str, Any], keys: Sequence[str], *, is_read: bool) -> None:
    """Refuse what belongs to another measure, or is nearly an option of every request; readers refuse the rest."""
    readers = {choice.name for one in formats().values() for choice in one.options.described()}
    measures = {choice.name for one in CATALOGUE.values() for choice in one.options.described()}
    for name in options:
        if keys and (is_read or name in measures - readers):
            find_measure(keys[0]).options.of(keys[0], {name: options[name]})
        if name not in {*readers, *TAKEN} and (close := nearest(name, (*ASKED, *ARRANGED))).startswith("did"):
            raise InputError(f"there is no option {name!r}", hint=close)


def selection(read: Any, options: Mapping[str, Any], *, pool: bool = False) -> dict[str, str]:
    """How data were chosen from their source, for signatures; `verify` chooses them again."""
    chosen: dict[str, str] = {}
    for name, value in options.items():
        if value is None or name in TAKEN:
            continue
        label = f"column_{name}" if isinstance(read, SpanTable) and name in USUAL else name
        chosen[label] = ",".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
    if where := options.get("where"):
        rows = where.items() if isinstance(where, Mapping) else where
        chosen["where"] = ";".join(f"{name}={','.join(values)}" for name, values in rows)
    if options.get("raters"):
        chosen["only"] = ",".join(options["raters"])
    return chosen | ({"pool": "yes"} if pool else {})


def verify(
    text: str,
    data: Any,
    *,
    matrices: Mapping[str, Any] | None = None,
    lexicon: str | Path | None = None,
    attributes: Any = None,
    on: Any = None,
    engine: str = "memory",
) -> Verification:
    """Compute again what a signature says and compare; `data`, `attributes`, `on` and `engine` as `measure` takes them.

    How the data were read and which part of them was measured stands in the signature. `matrices` are what it names
    only by a hash (weights, distance, a table of categories) or files that hold them, `lexicon` that of profiles.

    >>> rows = [[1, 1], [2, 1], [2, 2], [1, 1]]
    >>> verify(measure(rows, "kappa", seed=1).signature, rows).matches
    True
    """
    claimed = read_signature(text)
    if isinstance(data, Judgements | Tally | Continuum):
        return estimate.verify(text, data, matrices=matrices)
    of, chosen, given = find_measure(claimed.key).of, claimed.selection, dict(matrices or {})
    conditions = (condition.partition("=") for condition in chosen.get("where", "").split(";") if condition)
    where = [(name.strip(), split(values)) for name, _, values in conditions]
    raters = split(chosen["only"]) if "only" in chosen else None
    read = _reader(claimed, data, of, lexicon, () if on is None else joins_of(attributes, on), engine)
    if "spans" in of:
        part = _claimed_text(claimed, read(), where, raters)
        named = unquote(claimed.fields.get("matrix", "identity"))
        if named not in ("identity", "ordinal") and "table" not in given:
            given["table"] = read_matrix_table(named)
        return estimate.verify(text, part, matrices=given)
    part = read(where=where, raters=raters)
    if isinstance(part, Study):
        part = part.clustered(chosen["cluster"]) if "cluster" in chosen else part
        part = as_one_answer(part) if chosen.get("as_one") else part
        part = crossed_columns(part) if chosen.get("crossed") else part
    if isinstance(part, Study) or hasattr(part, "frame"):
        place = {name: value for name, value in (claimed.slice or {}).items() if name != "raters"}
        until_0_1 = claimed.fields["v"].startswith("0.1.")  # then every slice had a scale of its own
        part = tally_at(part, place, claimed.question, pool=bool(chosen.get("pool")), whole=not until_0_1)
    for name, file in given.items():
        given[name] = read_matrix(file, part.scale.categories) if isinstance(file, str | Path) else file
    return estimate.verify(text, part, matrices=given)


def tally_at(
    study: "Study | RemoteTable", place: Mapping[str, str], question: str | None, *, pool: bool, whole: bool
) -> Tally:
    """The tally of a question, of the only one, or of all together in a slice, on the scale of the whole or its own."""
    if isinstance(study, Study):
        study = study.merged() if pool else study
        study = study.on_whole_scales() if place and whole else study
        for name, value in place.items():
            study = study.where(name, [value])
        return tally(study.judgements(question))
    from concordant.engines.out_of_core import tally_parts, tally_table

    if not place or not whole:
        for name, value in {**place, **({} if question is None else {"question": question})}.items():
            study = study.where(name, [value])
        return tally_table(study, pool=pool)
    for where, asked, found in tally_parts(study, list(place), pool=pool):
        if where == dict(place) and question in (None, asked):
            return found
    raise InputError(f"there is no judgement in {' · '.join(place.values())}", file=study.file)


def _reader(
    claimed: Signature,
    data: Any,
    of: tuple[str, ...],
    lexicon: str | Path | None,
    joins: Sequence[Join],
    engine: str,
) -> Callable[..., Any]:
    """What reads the data again as a signature says, except for rows and raters."""
    texts = {n.removeprefix("column_"): text for n, text in claimed.selection.items() if n not in CHOSEN}
    paths, kinds = as_paths(data), taken_kinds(texts)
    if not paths or engine != "memory":
        options: dict[str, Any] = kinds | {name: split(text) if name in LISTS else text for name, text in texts.items()}
        options |= {"joins": joins, "engine": engine, "stays": not joins}
        return partial(as_data, data, holds="spans" if "spans" in of else "judgements", **options)
    found = find_wanted(paths, of, texts.pop("format", None), **texts).format
    options = found.options.written(f"the format {found.name}", texts) | kinds
    if found.holds == "judgements":  # a named group of raters is in the signature by its members
        clusters = {claimed.selection.get("cluster", NO_CLUSTERS)} - {NO_CLUSTERS}
        options["attributes"] = [*(name for name in claimed.slice or {} if name != "raters"), *clusters]
    elif found.holds != "spans":
        known = {one.name for one in found.options.described()}
        signed = {name: unquote(text) for name, text in claimed.fields.items() if name in known}
        options |= {**found.options.written(f"the format {found.name}", signed), "lexicon": lexicon}
    return partial(read_as, found, *paths, joins=joins, **options)


def _claimed_text(claimed: Signature, table: SpanTable, where: Any, raters: tuple[str, ...] | None) -> Any:
    """The text with spans that a signature is about, chosen again from the data."""
    chosen, place = claimed.selection, claimed.slice or {}
    by = [name for name in place if name not in ("text", "raters", "category")]
    wanted = {name: value for name, value in place.items() if name != "category"}
    if until_0_1 := " vs " in place.get("raters", ""):  # then two groups together, with the pairs inside each
        wanted["raters"] = place["raters"].replace(" vs ", " × ")
    groups = (chosen["groups"],) if "groups" in chosen else ()
    tokens, features = chosen.get("positions") == "tokens", split(chosen.get("features", ""))
    found = Chosen(where, raters, features, chosen.get("texts"), groups, tokens).of(table, by)
    part = next((text for text in found if dict(text.slice) == wanted), None)
    if part is None:
        raise InputError(f"there is no {' · '.join(wanted.values())} in these data", file=table.name)
    return replace(part, across=None, slice={**part.slice, "raters": place["raters"]}) if until_0_1 else part


def suitable(data: Any = None, **reading: Any) -> Suitabilities:
    """All measures for these data, the recommended ones first, those that cannot be computed last, each with the why.

    Without data the whole catalogue.

    Of a study with several questions every question has its own list, one after the other.

    >>> suitable([["yes", "yes"], ["no", "yes"]])[:2]
    (<percent: recommended>, <kappa: recommended>)
    """
    if data is None:
        whole = CATALOGUE.values()
        return Suitabilities(Suitability(measure=m, is_recommended=False, problems=(), cautions=()) for m in whole)
    read = as_data(data, **reading)
    if not isinstance(read, Study):
        return Suitabilities(suitability.suitable(continua(read)[0] if isinstance(read, SpanTable) else read))
    found = []
    for question in read.questions or (None,):
        asked = suitability.suitable(tally(read.judgements(question)))
        found += [replace(one, question=question) for one in asked]
    return Suitabilities(found)


def decide(
    data: Any,
    measure: str | None = None,
    *,
    goal: float = USUAL_GOAL,
    raters: Sequence[int] = (),
    units: Sequence[int] = (),
    cost_unit: float = 0.0,
    cost_rater: float = 1.0,
    cluster: str | None = None,
    crossed: bool = False,
    confidence: float = 0.95,
    seed: int | None = None,
    **reading: Any,
) -> DecisionStudy:
    """A decision study: the reliability of the mean of k raters for so many units, its interval, and what it costs.

    `measure` is dependability, generalizability or alpha; without one, what suits the data. A row costs units ·
    (cost_unit + raters · cost_rater). `crossed`, several questions are one design and raters answer all of them.

    >>> pilot = [[1, 2, 1], [4, 3, 4], [2, 2, 3], [5, 4, 5], [3, 3, 2], [1, 1, 2]]
    >>> decide(pilot, "dependability", goal=0.9, seed=1, level="interval").needed
    2
    """
    study = _one_question(data, cluster, reading, crossed=crossed)
    chosen: dict[str, Any] = {"raters": raters, "units": units, "cost_unit": cost_unit, "cost_rater": cost_rater}
    return decision.decide(study, measure, goal=goal, confidence=confidence, seed=seed, **chosen)


def _one_question(data: Any, cluster: str | None, reading: Mapping[str, Any], *, crossed: bool = False) -> Tally:
    """The judgements of data with one question, or with several that are crossed."""
    study = as_study(data, **reading)
    study = study if cluster is None else study.clustered(cluster)
    study = crossed_columns(study) if crossed else study
    if len(study.questions) > 1:
        hint = f"plan for one of them: where question is {study.questions[0]}"
        raise InputError(f"the data have {len(study.questions)} questions", hint=hint)
    return tally(study.judgements())


def plan(
    data: Any,
    key: str,
    *,
    width: float,
    of: Literal["units", "raters"] = "units",
    ci: Ci = "auto",
    cluster: str | None = None,
    confidence: float = 0.95,
    resamples: int = 2000,
    seed: int | None = None,
    progress: Progress = silent,
    **reading: Any,
) -> Recommendation:
    """How many units (or raters) an interval of that width takes; the data, a pilot study, stand for the population.

    Of units it is the interval `ci` that `measure` shows, of raters the bootstrap over raters; `width_range` says what
    most other pilots of this size would have predicted. Where units belong together (see `measure`) the answer counts
    clusters.

    >>> pilot = [[1, 1], [2, 1], [2, 2], [1, 1], [1, 2], [2, 2], [1, 1], [2, 2]]
    >>> plan(pilot, "alpha", width=0.5, resamples=200, seed=1).of
    'units'
    """
    data = _one_question(data, cluster, reading)
    drawn = draw_seed() if seed is None else seed
    how: dict[str, Any] = {"confidence": confidence, "resamples": resamples, "seed": drawn, "progress": progress}
    return planning.plan(data, key, width=width, of=of, ci=ci, **how)
