"""The way from data to a number: data made ready -> what cannot be given is refused -> value -> interval -> signature.

`estimate` answers a request on data of any kind; `measure` makes the request from keywords.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any, cast

from concordant.engines.tally import Tally, tally, with_raters
from concordant.errors import InputError
from concordant.measures.catalogue import find_measure, measures_of
from concordant.measures.evaluation import evaluate, prepared
from concordant.measures.result import Agreement
from concordant.measures.spec import Asked, Measure, Options, Usual
from concordant.model.continuum import Continuum
from concordant.model.judgements import Judgements
from concordant.model.measurable import KINDS, Measurable
from concordant.model.scale import Level, Scale, level_named, make_scale
from concordant.progress import Progress, silent
from concordant.uncertainty.intervals import Uncertainty, analytic, bootstrap, hull, jackknife, no_interval, pivotal
from concordant.uncertainty.posterior import posterior
from concordant.uncertainty.random_pairs import random_pairs
from concordant.uncertainty.request import Ci, Request, Verification, ask, compare, read_signature, sign
from concordant.uncertainty.resampling import Sampling
from concordant.uncertainty.significance import above_chance


def measure(data: object, key: str, **asked: Any) -> Agreement:
    """One coefficient of the catalogue on judgements, spans or trees, with an interval and a signature.

    `asked` are fields of a request and options of the measure (`measure(text, "gamma", variant="pygamma", alpha=3.0)`);
    any other is refused. Without `ci` the interval is the usual one of the measure. Without a `seed` one is drawn and
    written into the signature. `raters` keeps only those raters. With `permutations` the details hold a permutation
    test against chance (`details["chance_test"]["p"]`), which is signed too.

    >>> from concordant.model.judgements import Judgements
    >>> data = Judgements.from_matrix([[1, 1], [2, 1], [2, 2], [1, 1]])
    >>> measure(data, "kappa", seed=1).value
    0.5
    """
    return estimate(data, ask(key, **asked))


def estimate(data: object, request: Request, progress: Progress = silent) -> Agreement:
    """The answer to one request."""
    found = estimates(data, [request], progress)
    if len(found) != 1:
        raise InputError(f"{request.key} has a value for each category", hint="name one: category=…")
    return found[0]


def estimates(data: object, requests: Sequence[Request], progress: Progress = silent) -> list[Agreement]:
    """The answers to several requests on the same data; measures that look at the same share the work."""
    results: list[Agreement] = []
    shared: dict[Any, Measurable] = {}
    keys = frozenset(request.key for request in requests)
    for request in requests:
        chosen = find_measure(request.key)
        given, request = _accepted(chosen, data, request)
        asked = Asked(
            options=request.options,
            confidence=request.confidence,
            seed=request.seed,
            keys=keys,
            progress=progress,
        )
        look = (chosen.ready or chosen.key, request.raters, request.level, *request.options.signed().items())
        if look not in shared:
            shared[look] = prepared(chosen, given, asked)
        ready = shared[look]
        for options, place in chosen.each(ready, request.options) if chosen.each else [(request.options, {})]:
            here = {**(request.slice or {}), **place} or None
            results.append(_estimate(chosen, ready, replace(request, options=options, slice=here), progress))
    return results


def _accepted(chosen: Measure[Any], data: Any, request: Request) -> tuple[Any, Request]:
    """The data with the raters and at the level that were asked for; what cannot be given is refused."""
    if isinstance(data, Judgements):
        data = tally(data)
    if not hasattr(data, "kind"):
        raise InputError(f"{type(data).__name__} cannot be measured", hint="give Judgements, a Tally or a Continuum")
    raters, level = request.raters, request.level
    if raters is not None and isinstance(data, Tally | Continuum):
        data = with_raters(data, raters) if isinstance(data, Tally) else data.only(raters)
    if isinstance(data, Tally) and level is not None:
        data = replace(data, scale=at_level(data.scale, level_named(level)))
    if isinstance(data, Continuum) and request.slice is None:  # spans know where in a study they are
        request = replace(request, slice=data.slice)
    if data.kind not in chosen.of:
        hint = f"measures of these: {', '.join(measures_of(data.kind))}"
        raise InputError(f"{chosen.key} {chosen.problems(data)[0]}", hint=hint)
    if request.ci == "pairs" and isinstance(data, Tally) and data.scale.asked:
        raise InputError("random pairs are of raters, and these are raters with questions", hint="leave out ci")
    if request.ci not in ("auto", *chosen.ci):
        raise InputError(f"no {request.ci} interval for {chosen.key}", hint=f"it has {', '.join(chosen.ci)}")
    only: dict[str, Any] = {"level": level, "permutations": request.permutations, "over": request.over != "units"}
    if data.kind != "spans":
        only["raters"] = raters
    for name, given in only.items():
        if given and data.kind != "judgements":
            raise InputError(f"{name} is for judgements, and these are {KINDS[data.kind]}", hint=f"leave out {name}")
    return data, request


def at_level(scale: Scale, level: Level) -> Scale:
    """The same categories at another level of measurement, if that makes sense."""
    if level is scale.level:
        return replace(scale, is_guessed=False)
    if scale.is_continuous:
        if level not in (Level.INTERVAL, Level.RATIO):
            raise InputError(
                f"numbers with very many values cannot be made {level.value} afterwards",
                hint=f"read the data with level={level.value}",
            )
        return replace(scale, level=level, is_guessed=False)
    in_order = scale.has_numbers or scale.level.is_ordered or list(scale.categories) != sorted(scale.categories)
    made = make_scale(scale.categories, level=level, categories=scale.categories if in_order else None)
    return replace(made, asked=scale.asked)


def _estimate(chosen: Measure[Any], data: Measurable, request: Request, progress: Progress) -> Agreement:
    """The value with its interval, its place in the study and its signature."""
    options: Any = Options(**vars(request.options)) if isinstance(data, Tally) else request.options
    if isinstance(data, Tally) and request.ci == "pairs":
        how: dict[str, Any] = {"seed": request.seed, "confidence": request.confidence, "options": options}
        found = random_pairs(data, request.key, **how)  # its value is not that of all raters together
    else:
        found = evaluate(chosen, data, options, confidence=request.confidence)
        if isinstance(data, Tally) and found.value is not None and request.permutations:
            tested: dict[str, Any] = {"permutations": request.permutations, "seed": request.seed, "options": options}
            try:
                test = above_chance(data, request.key, progress=progress, **tested)
                found = found.with_(details={**found.details, "chance_test": asdict(test)})
            except InputError as error:
                found = found.with_(notes=(*found.notes, f"no p-value: {error}"))
        sampling = Sampling(measure=chosen, data=data, options=options)
        sure, ci = interval_of(sampling, found, request, progress)
        notes = (*found.notes, *sure.notes, *no_width(sure, request.ci))
        request = replace(request, ci=ci)
        found = found.with_(interval=found.interval or sure.interval, notes=notes)
    placed = found.with_(question=request.question, slice=request.slice)
    return placed.with_(signature=sign(placed, request, data))


NO_WIDTH = 1e-9  # resamples that are all alike are no certainty
UNSURE = "that is not certainty"


def no_width(sure: Uncertainty, asked: Ci) -> tuple[str, ...]:
    """What is to be said of an interval that has none and does not say it, whatever made it."""
    if sure.interval is None or sure.interval.width > NO_WIDTH or any(UNSURE in note for note in sure.notes):
        return ()
    usual = "" if asked == "auto" else " (the usual one, ci=auto, allows for what was not seen)"
    return (f"the interval has no width; {UNSURE}{usual}",)


def interval_of(
    sampling: Sampling, found: Agreement, request: Request, progress: Progress = silent
) -> tuple[Uncertainty, Ci]:
    """The interval that was asked for, and which it is: `auto` is what suits the measure and the data.

    Only the posterior says something where the value is undefined.
    """
    if sampling.measure.problems(sampling.data):
        return Uncertainty(interval=None), "none" if request.ci == "auto" else request.ci
    if request.ci != "auto":
        return _interval(sampling, found, request, progress), request.ci
    usual = sampling.measure.automatic(sampling.data, sampling.options)
    if request.over != "units" and "bootstrap" in sampling.measure.ci:
        usual = Usual("bootstrap", "only it draws raters")
    chosen = cast(Ci, usual.ci)
    sure = _interval(sampling, found, replace(request, ci=chosen), progress)
    other: Ci = "posterior" if "posterior" in sampling.measure.ci else "bootstrap"
    if sure.interval is None and chosen in ("analytic", "jackknife", "pivots"):  # what they rest on is not defined here
        again = _interval(sampling, found, replace(request, ci=other), progress)
        if again.interval is not None and again.interval.width > NO_WIDTH:
            chosen, sure, usual = other, again, Usual(other, "the usual one is undefined on these data")
    interval = sure.interval and replace(sure.interval, why=usual.why or None)
    beware = (usual.caution,) if interval and usual.caution else ()
    return replace(sure, interval=interval, notes=(*sure.notes, *beware)), chosen


def _interval(sampling: Sampling, found: Agreement, request: Request, progress: Progress) -> Uncertainty:
    """The interval of one method."""
    how: dict[str, Any] = {"confidence": request.confidence}
    if isinstance(sampling.data, Tally) and sampling.data.scale.asked and request.ci not in ("none", "pivots"):
        return no_interval("units × raters × questions have an interval from pivots only")
    again: dict[str, Any] = {"resamples": request.resamples, "seed": request.seed, "progress": progress}
    if request.ci == "posterior":
        return posterior(sampling, found.value, **how, **again)
    if found.value is None or request.ci in ("none", "chance"):
        return Uncertainty(interval=None)
    if request.ci in ("analytic", "linearised"):
        return analytic(sampling, found, is_linear=request.ci == "linearised", **how)
    if request.ci == "pivots":
        return pivotal(sampling, found, seed=request.seed, **how)
    if request.ci == "hull":
        return hull(sampling, found.value, **how)
    if request.ci == "jackknife":
        return jackknife(sampling, found.value, over=request.over, **how)
    return bootstrap(sampling, found.value, corrected=request.ci == "bca", over=request.over, **how, **again)


def verify(text: str, data: object, *, matrices: Mapping[str, Any] | None = None) -> Verification:
    """Compute again what a signature says and compare; `matrices` are what it names only (weights, a table …).

    A signature that names no clusters is one of units that stand alone.
    """
    claimed = read_signature(text)
    if isinstance(data, Judgements):
        data = tally(data)
    if isinstance(data, Tally) and "clusters" not in claimed.fields:
        data = replace(data, bundles=None)
    return compare(claimed, estimate(data, claimed.request(matrices or {}), silent))
