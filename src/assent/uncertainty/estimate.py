"""The public way to measure: a coefficient with its interval and its signature.

`measure` builds a request and hands it to `estimate`, which chooses by the type of the data. Another kind of data
joins by registering its own function: `@estimate.register`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from functools import singledispatch
from typing import Any, Literal

from assent.engines.subset import with_raters
from assent.engines.tally import Tally, tally
from assent.errors import InputError
from assent.measures.catalogue import find_measure
from assent.measures.evaluation import evaluate
from assent.measures.result import Agreement
from assent.measures.spec import Options
from assent.model.continuum import Continuum
from assent.model.judgements import Judgements
from assent.model.scale import Level, Scale, level_named, make_scale
from assent.progress import Progress, silent
from assent.randomness import draw_seed
from assent.uncertainty import signature
from assent.uncertainty.bootstrap import bootstrap
from assent.uncertainty.intervals import Uncertainty
from assent.uncertainty.request import Ci, Request
from assent.uncertainty.resampling import Over, Sampling


def measure(
    data: object,
    key: str,
    *,
    level: str | None = None,
    ci: Ci = "bootstrap",
    over: Over = "units",
    confidence: float = 0.95,
    resamples: int = 2000,
    permutations: int = 0,
    seed: int | None = None,
    weights: Any = None,
    distance: Any = None,
    singletons: Literal["keep", "drop"] = "keep",
    weight: Literal["units", "judgements"] = "units",
    raters: Sequence[str] | None = None,
    question: str | None = None,
    slice: Mapping[str, str] | None = None,
    selection: Mapping[str, str] | None = None,
    gamma: Mapping[str, Any] | None = None,
    progress: Progress = silent,
) -> Agreement:
    """One coefficient of the catalogue on judgements (or their tally), with an interval and a signature.

    Without a seed one is drawn and written into the signature. `raters` keeps only those raters. With `permutations`
    the details hold a permutation test against chance (`details["chance_test"]["p"]`), which is signed too.
    On a continuum of spans the interval comes from the chance samples, and `gamma` gives the options of unitizing
    measures: `measure(continuum, "gamma", seed=1, gamma={"variant": "pygamma"})`.

    >>> from assent.model.judgements import Judgements
    >>> data = Judgements.from_matrix([[1, 1], [2, 1], [2, 2], [1, 1]])
    >>> measure(data, "kappa", seed=1).value
    0.5
    """
    request = Request(
        key=key,
        level=level,
        ci=ci,
        over=over,
        confidence=confidence,
        resamples=resamples,
        permutations=permutations,
        seed=draw_seed() if seed is None else seed,
        options=Options(weights=weights, distance=distance, singletons=singletons, weight=weight),
        raters=None if raters is None else tuple(raters),
        question=question,
        slice=slice,
        selection=selection or {},
        gamma=gamma or {},
    )
    return estimate(data, request, progress)


@singledispatch
def estimate(data: object, request: Request, progress: Progress = silent) -> Agreement:
    """Answer a request; each kind of data registers how, but treebanks, which are loaded only when they are met."""
    _refuse_permutations(request)
    from assent.treebank.bracketed import BracketedCorpus
    from assent.treebank.comparison import Comparison
    from assent.uncertainty.treebanks import measure_bracketed, measure_comparison

    if isinstance(data, Comparison):
        return measure_comparison(data, request, progress)
    if isinstance(data, BracketedCorpus):
        return measure_bracketed(data, request, progress)
    raise InputError(f"{type(data).__name__} cannot be measured", hint="give Judgements, a Tally or a Continuum")


@estimate.register
def _of_judgements(data: Judgements, request: Request, progress: Progress = silent) -> Agreement:
    """Tally, then measure."""
    return _of_tally(tally(data), request, progress)


@estimate.register
def _of_continuum(data: Continuum, request: Request, progress: Progress = silent) -> Agreement:
    """Spans have measures of their own."""
    _refuse_permutations(request)
    from assent.uncertainty.unitizing import measure_spans

    return measure_spans(data, request, progress)


@estimate.register
def _of_tally(data: Tally, request: Request, progress: Progress = silent) -> Agreement:
    """The coefficient, its interval, its signature."""
    data = _chosen(data, request)
    chosen = find_measure(request.key)
    if request.ci == "pairs":
        return _signed(_by_pairs(data, request), request, data)
    plain = evaluate(chosen, data, request.options)
    if plain.value is not None and request.permutations:
        plain = _tested(plain, data, request, progress)
    if plain.value is None or request.ci == "none":
        return _signed(plain, request, data)
    sampling = Sampling(measure=chosen, data=data, options=request.options)
    sure = _uncertainty(sampling, plain, request, progress)
    return _signed(plain.with_(interval=sure.interval, notes=(*plain.notes, *sure.notes)), request, data)


def _refuse_permutations(request: Request) -> None:
    """Only judgements can be shuffled over units."""
    if request.permutations:
        hint = "leave out the permutations"
        raise InputError(f"{request.key} is not of judgements, which alone have a permutation test", hint=hint)


def _tested(plain: Agreement, data: Tally, request: Request, progress: Progress) -> Agreement:
    """The result with its test against chance, or with a note why there is none."""
    from assent.uncertainty.permutation import above_chance

    how: dict[str, Any] = {"permutations": request.permutations, "seed": request.seed, "options": request.options}
    try:
        test = above_chance(data, request.key, progress=progress, **how)
    except InputError as error:
        return plain.with_(notes=(*plain.notes, f"no p-value: {error}"))
    return plain.with_(details={**plain.details, "chance_test": asdict(test)})


def _chosen(data: Tally, request: Request) -> Tally:
    """The raters and the level that were asked for."""
    if request.raters is not None:
        data = with_raters(data, request.raters)
    return data if request.level is None else replace(data, scale=at_level(data.scale, level_named(request.level)))


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
    return replace(make_scale(scale.categories, level=level, categories=scale.categories if in_order else None))


def _by_pairs(data: Tally, request: Request) -> Agreement:
    """The mean over random rater pairs: its value is not that of all raters together."""
    from assent.uncertainty.random_pairs import random_pairs

    return random_pairs(data, request.key, seed=request.seed, confidence=request.confidence, options=request.options)


def _uncertainty(sampling: Sampling, plain: Agreement, request: Request, progress: Progress) -> Uncertainty:
    """The interval by the method that was asked for."""
    if request.ci == "analytic":
        from assent.uncertainty.analytic import analytic

        return analytic(sampling, plain, confidence=request.confidence)
    if request.ci == "jackknife":
        from assent.uncertainty.jackknife import jackknife

        return jackknife(sampling, float(plain), over=request.over, confidence=request.confidence)
    return bootstrap(
        sampling,
        float(plain),
        over=request.over,
        confidence=request.confidence,
        resamples=request.resamples,
        seed=request.seed,
        corrected=request.ci == "bca",
        progress=progress,
    )


def _signed(result: Agreement, request: Request, data: Tally) -> Agreement:
    """The result with its place in the study and its signature."""
    placed = result.with_(question=request.question, slice=request.slice)
    return placed.with_(signature=signature.make(placed, request, data))


def verify(text: str, data: object, *, matrices: Mapping[str, Any] | None = None) -> signature.Verification:
    """Compute again what a signature says and compare; `matrices` are the weights or distances given as matrices."""
    claimed = signature.parse(text)
    return signature.compare(claimed, estimate(data, claimed.request(matrices or {}), silent))
