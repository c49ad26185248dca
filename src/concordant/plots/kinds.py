"""The kinds of pictures by name: what `plot KIND DATA` can draw."""

from collections.abc import Callable, Sequence
from inspect import signature
from typing import Any, NamedTuple

from concordant.diagnosis.categories import unit_entropies
from concordant.diagnosis.consistency import consistency_of
from concordant.diagnosis.material import Material, materials, pooled_material
from concordant.digits import decimal
from concordant.errors import InputError, nearest
from concordant.judging.severity import rasch
from concordant.measures.result import Agreement
from concordant.model.study import Study
from concordant.plots.areas import coincidence, contingency, distribution, entropy, pairs
from concordant.plots.lines import coefficients, decision, differences, drawn_alignments, scores
from concordant.plots.picture import (
    ACCENT,
    FAINT,
    INK,
    MOST_RATERS,
    Picture,
    headline,
    left_out,
    new_figure,
    shorten,
    styled,
)
from concordant.readers.data import as_study
from concordant.uncertainty.aligned import AlignedText, align
from concordant.uncertainty.decision import DecisionStudy, decide
from concordant.uncertainty.studies import measure_study


def one_question(study: Study, pool: bool) -> Material:
    """The question to draw: the only one, or all pooled."""
    if pool:
        return pooled_material(study)
    found = list(materials(study))
    if len(found) > 1:
        raise InputError(
            f"this picture shows one question, and there are {len(found)}",
            hint=f"choose one with --where question={found[0].question}, or --pool them",
        )
    return found[0]


def draw_entropy(study: Study, by: tuple[str, ...] = (), pool: bool = False) -> Picture:
    """Entropy of units by an attribute, or of all."""
    if len(by) > 1:
        raise InputError("a picture of entropy is by one attribute", hint="name one with --by")
    return entropy(unit_entropies(one_question(study, pool), attributes=by), *by)


def draw_coefficients(
    study: Study,
    by: tuple[str, ...] = (),
    measure: tuple[str, ...] = (),
    pool: bool = False,
    resamples: int = 2000,
    seed: int = 1,
) -> Picture:
    """Coefficients of every question and slice."""
    return coefficients(measure_study(study, measure, by=by, pool=pool, resamples=resamples, seed=seed))


def draw_wright(study: Study) -> Picture:
    """Units as a histogram and raters as intervals on one line of logits; severe raters stand right."""
    [found, *others] = rasch(study).models
    if others:
        hint = f"choose one with --where question={found.question}"
        raise InputError(f"this picture shows one question, and there are {1 + len(others)}", hint=hint)
    title, raters = "Wright map: units, raters and thresholds", found.facets["rater"][:MOST_RATERS]
    with styled():
        figure = new_figure(2.6 + 0.2 * len(raters))
        above, axes = figure.subplots(2, 1, sharex=True, height_ratios=[1.6, 0.2 * len(raters) + 0.5])
        above.hist([one.measure for one in found.fair], bins=30, color=ACCENT)
        above.set(ylabel="units")
        axes.hlines(range(len(raters)), [one.low for one in raters], [one.high for one in raters], color=INK)
        axes.plot([one.measure for one in raters], range(len(raters)), "o", color=ACCENT)
        axes.set_yticks(range(len(raters)), shorten([one.name for one in raters]))
        steps = found.thresholds if len(found.categories) > 2 else ()
        for step in steps:
            axes.axvline(step, color=FAINT, linewidth=1, linestyle="--")
        axes.set(xlabel="logits")
        remark = left_out(len(raters), len(found.facets["rater"]), "raters").replace("busiest", "mildest")
        headline(figure, title, "dashed: thresholds between categories" if steps else "", remark)
    words = f"{found.sentence} Units spread by {decimal(found.sigma, 2)} logits around {decimal(found.mu, 2)}."
    return Picture(kind="wright", title=title, alternative=words, figure=figure)


class PictureKind(NamedTuple):
    """A kind of picture: what it shows, and how it is drawn of a study and the choices that mean something to it."""

    summary: str
    draw: Callable[..., Picture]

    @property
    def choices(self) -> list[str]:
        """What may be chosen."""
        return list(signature(self.draw).parameters)[1:]


KINDS = {
    "scores": PictureKind(
        "what each rater gave each unit, as lines shifted apart",
        lambda study, pool=False: scores(one_question(study, pool).judgements),
    ),
    "distribution": PictureKind(
        "how often each rater gave each category",
        lambda study, pool=False: distribution(one_question(study, pool).tally),
    ),
    "contingency": PictureKind(
        "two raters: one's categories against the other's",
        lambda study, pool=False: contingency(one_question(study, pool).tally),
    ),
    "coincidence": PictureKind(
        "all raters: which categories meet on one unit",
        lambda study, pool=False: coincidence(one_question(study, pool).judgements),
    ),
    "entropy": PictureKind("how uncertain units are, by an attribute (--by)", draw_entropy),
    "coefficients": PictureKind("coefficients with their intervals", draw_coefficients),
    "bland-altman": PictureKind(
        "two raters' differences against their means, with the limits of agreement",
        lambda study, pool=False: differences(one_question(study, pool).tally),
    ),
    "decision": PictureKind(
        "what more raters and units would bring, with the goal .8",
        lambda study, pool=False, seed=1: decision(decide(one_question(study, pool).tally, seed=seed)),
    ),
    "wright": PictureKind("severity of raters on the line of the units (Rasch)", draw_wright),
    "pairs": PictureKind(
        "agreement and correlation of every two raters",
        lambda study, pool=False, seed=1: pairs(consistency_of(one_question(study, pool), seed=seed)),
    ),
}


def find_kind(key: str) -> PictureKind:
    """The kind of that name; an unknown one is an error that suggests the nearest."""
    if key not in KINDS:
        raise InputError(f"unknown kind of picture {key!r}", hint=nearest(key, list(KINDS)))
    return KINDS[key]


def plot(data: Any, kind: str = "coefficients", **options: Any) -> Any:
    """Draw results, or data of any form as a picture of some kind: matplotlib axes, several in a list.

    `options` are those of `draw` and say how data are read (`unit=`, `rater=`, `level=` …). The axes show themselves
    in a notebook, and their `figure` can be saved.
    """
    if isinstance(data, Agreement):
        data = [data]
    if isinstance(data, AlignedText):
        if options or kind not in ("alignment", "coefficients"):
            raise InputError("an aligned text is drawn as its alignment", hint="leave out kind and options")
        picture = drawn_alignments([data])
    elif isinstance(data, DecisionStudy):
        if options or kind not in ("decision", "coefficients"):
            raise InputError("a decision study is drawn as its curves", hint="leave out kind and options")
        picture = decision(data)
    elif kind == "alignment":
        picture = drawn_alignments(align(data, **options))
    elif isinstance(data, Sequence) and data and all(isinstance(one, Agreement) for one in data):
        if options or kind != "coefficients":
            raise InputError("results are drawn as coefficients", hint="give the data to draw another kind of picture")
        picture = coefficients(data)
    else:
        picture = draw(kind, data, **options)
    for axes in picture.axes:
        vars(axes)["_repr_svg_"] = picture._repr_svg_
    return picture.axes[0] if len(picture.axes) == 1 else picture.axes


def draw(kind: str, data: Any, **options: Any) -> Picture:
    """A picture of judgements: `figure` and `axes` are matplotlib's, `alternative` says in words what it shows.

    `options` are the choices of the kind (by, measure, pool, resamples, seed); all others say how to read the data. A
    choice that means nothing to the kind is refused with those that it has.
    """
    found, known = find_kind(kind), {name for one in KINDS.values() for name in one.choices}
    chosen = {name: options.pop(name) for name in list(options) if name in known}
    for name in chosen:
        if name not in found.choices:
            raise InputError(f"a picture of {kind} has no option {name!r}", hint=f"it has {', '.join(found.choices)}")
    for name in {"by", "measure"} & chosen.keys():
        chosen[name] = (chosen[name],) if isinstance(chosen[name], str) else tuple(chosen[name])
    return found.draw(as_study(data, **options), **chosen)
