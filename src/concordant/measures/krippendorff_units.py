"""Alpha for units (alpha_U): agreement on where a continuum is cut and what the parts are called.

For every category c each rater cuts the continuum of length L into units of c and gaps. Two units of different raters
that overlap differ by (begin - begin)^2 + (end - end)^2; a unit that falls entirely into the other's gap differs by
its squared length; everything else by 0. With m raters, N_c units of c of lengths l and gaps of lengths h,

    D_o = sum of the differences over ordered pairs of raters / (m (m - 1) L^2)

in any case. What chance gives depends on where a unit can lie: at whole steps (characters, tokens), as Krippendorff
(1995; 2004) has it, or anywhere (seconds), which is the limit of ever finer steps:

    steps D_e = 2/L sum_u [(N_c - 1)/3 l (l - 1)(2l - 1) + l^2 sum_{h >= l} (h - l + 1)] / [mL (mL - 1) - sum l (l - 1)]
    time  D_e = 2/L sum_u [(N_c - 1) 2/3 l^3             + l^2 sum_{h >= l} (h - l)    ] / [m^2 L^2     - sum l^2      ]

    alpha_U = 1 - sum over c of D_o / sum over c of D_e

Two units slid past one another differ by 2/3 (l^3 + l'^3) in sum over all offsets at which they overlap. The second
form is the same in seconds, minutes and milliseconds, and no D_e is negative: sum l^2 <= m L^2, and whole steps have
l >= 1. The first form on fractions is neither, so it is refused there. Units of one rater and
category must not overlap.
"""

from typing import Literal, NamedTuple

import numpy as np

from concordant.arrays import Floats
from concordant.choices import choice
from concordant.errors import InputError
from concordant.measures.benchmarks import KRIPPENDORFF
from concordant.measures.spec import Asked, Parts, Setting, measure
from concordant.measures.unitizing.units import SPANS, Marked, SpanOptions, marked, too_few_raters, zero_length
from concordant.model.continuum import Continuum

FROM_SPANS = "length taken from the spans: from the first begin to the last end (--length gives the text's)"
ROUNDING = 1e-12


class AlphaUOptions(SpanOptions):
    """Where a unit can lie."""

    positions: Literal["steps", "time"] | None = choice(
        None, "alpha_U: whether units begin and end at whole steps or at any time; otherwise as the format says."
    )


class Cut(NamedTuple):
    """One rater's continuum cut for one category: units and gaps, each with begin and end."""

    units: Floats
    gaps: Floats


def cut_up(data: Continuum, asked: Asked) -> Marked:
    """The spans that were asked for; whole steps are refused where positions are not whole."""
    found = marked(data, asked)
    if not is_continuous(found) and (odd := found.continuum.between_steps) is not None:
        raise InputError(f"positions are not whole steps: {odd:.15g}", hint="say --positions time")
    return found


def is_continuous(data: Marked) -> bool:
    """Whether units can lie anywhere: as asked for, else as whoever read them says, else if positions are not whole."""
    form = data.options.positions or data.continuum.positions
    return form == "time" if form else data.continuum.between_steps is not None


@measure(
    key="alpha_u",
    name="Krippendorff's alpha_U",
    cite=("krippendorff-1995", "krippendorff-2004"),
    needs=SPANS,
    of=("spans",),
    ready=cut_up,
    options=AlphaUOptions,
    ci=("none",),
    name_of=lambda data, _: f"Krippendorff's alpha_U{' (continuous)' * is_continuous(data)}",
    reads_on=(KRIPPENDORFF,),
)
def alpha_u(data: Marked, setting: Setting) -> Parts:
    """How far raters cut a text into the same units, category by category.

    alpha_U = 1 - sum over categories of D_o / sum over categories of D_e

    Overlapping units of two raters differ by the squares of their begins' and ends' distances, a unit in the other's
    gap by its squared length. Chance puts units and gaps anywhere in the text: at whole steps where positions are
    characters or tokens, as published, and at any time where they are seconds, which is the limit of ever finer steps
    (the name then says "continuous"; the value is the same in minutes and milliseconds). TextGrid, ELAN and RTTM have
    times; a table has steps if all its positions are whole; `--positions steps` or `time` says it. The text's length
    counts: it is the text's own, or `--length`, or else taken from the spans, with a note.

    When not to use it: If units of one category overlap or nest (it is then undefined), or if units are short in a long
    text (gaps dominate). It jumps where units begin to touch: rounding times to milliseconds can move it by .04.

    In other tools: DKPro Statistics `KrippendorffAlphaUnitizingAgreement` has the form in steps, whatever the positions
    are. Newer members of the family (Krippendorff et al. 2016) are other coefficients.

    Example: Alpha_U was .86 (two raters, 9 units, two categories, a text of 300 characters).
    """
    continuum, nothing = data.continuum, np.array(np.nan)
    if continuum.across is not None:
        return Parts(value=nothing, why="it is not defined across groups of raters")
    if reason := why_undefined(continuum):
        return Parts(value=nothing, why=reason)
    present, continuous = np.unique(continuum.category), is_continuous(data)
    observed, expected = np.array([_disagreement(continuum, int(one), continuous=continuous) for one in present]).T
    each = {
        continuum.categories[category]: {"observed": float(o), "expected": float(e)}
        for category, o, e in zip(present, observed, expected, strict=True)
    }
    total, chance = observed.sum(), expected.sum()
    return Parts(
        value=at_most_one(1 - total / chance) if chance else nothing,
        observed=total,
        expected=chance,
        why="chance gives no disagreement, so there is nothing to divide by",
        notes=(FROM_SPANS,) if continuum.length is None else (),
        details={
            "categories": each,
            "positions": "time" if continuous else "steps",
            "length": float(np.subtract(*continuum.bounds[::-1])),
        },
    )


def at_most_one(value: Floats) -> Floats:
    """The value, which cannot exceed 1: one that does is a mistake of this program and must not be printed."""
    if value > 1 + ROUNDING:
        raise ArithmeticError(f"alpha_U = {value} is above 1: this is a mistake of the program, please report it")
    return value


def why_undefined(continuum: Continuum) -> str | None:
    """Why alpha_U has no value on this continuum, if so."""
    if reason := too_few_raters(continuum) or zero_length(continuum):
        return reason
    if continuum.n_units == 0:
        return "nobody marked a unit in this text"
    order = np.lexsort((continuum.begin, continuum.category, continuum.rater))
    rater, category = continuum.rater[order], continuum.category[order]
    same = (rater[1:] == rater[:-1]) & (category[1:] == category[:-1])
    overlapping = np.flatnonzero(same & (continuum.begin[order][1:] < continuum.end[order][:-1]))
    if len(overlapping):
        who, what = continuum.raters[rater[overlapping[0]]], continuum.categories[category[overlapping[0]]]
        return f"units of the category {what!r} by rater {who!r} overlap; alpha_U needs a partition"
    return None


def _disagreement(continuum: Continuum, category: int, *, continuous: bool) -> tuple[float, float]:
    """Observed and expected disagreement of one category."""
    low, high = continuum.bounds
    cuts = [_cut(continuum, rater, category) for rater in range(continuum.n_raters)]
    m, length = len(cuts), high - low
    different = sum(_difference(one, other) for one in cuts for other in cuts if one is not other)
    units = np.concatenate([np.diff(cut.units, axis=1).ravel() for cut in cuts])
    gaps = np.concatenate([np.diff(cut.gaps, axis=1).ravel() for cut in cuts])
    room, fits = gaps[None, :] - units[:, None], gaps[None, :] >= units[:, None]
    if continuous:
        slide, pairs = 2 / 3 * units**3, m**2 * length**2 - float((units**2).sum())
    else:
        room, slide = room + 1, units * (units - 1) * (2 * units - 1) / 3
        pairs = m * length * (m * length - 1) - float((units * (units - 1)).sum())
    places = np.where(fits, room, 0.0).sum(axis=1)
    chance = 2 / length * float(((len(units) - 1) * slide + units**2 * places).sum())
    return different / (m * (m - 1) * length**2), chance / pairs


def _cut(continuum: Continuum, rater: int, category: int) -> Cut:
    """The units of one rater and category, and the gaps between them."""
    own = (continuum.rater == rater) & (continuum.category == category)
    begin, end = continuum.begin[own], continuum.end[own]
    low, high = continuum.bounds
    gaps = np.stack([np.append(low, end), np.append(begin, high)], axis=1)  # one of no length holds no unit
    return Cut(np.stack([begin, end], axis=1), gaps)


def _difference(one: Cut, other: Cut) -> float:
    """The squared differences of overlapping units, and the squared lengths of `one`'s units inside `other`'s gaps.

    Over both orders of two raters every unit in a gap counts twice, as the formula's sum over ordered pairs has it.
    """
    begin, end = one.units[:, :1], one.units[:, 1:]
    overlap = (begin < other.units[:, 1]) & (end > other.units[:, 0])
    apart = (begin - other.units[:, 0]) ** 2 + (end - other.units[:, 1]) ** 2
    inside = ((begin >= other.gaps[:, 0]) & (end <= other.gaps[:, 1])).any(axis=1)
    lengths = (end - begin).ravel()
    return float(apart[overlap].sum() + 2 * (lengths[inside] ** 2).sum())


MEASURES = (alpha_u,)
