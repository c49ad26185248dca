"""How uncertain units are, by any attribute of units: box plots of entropy (Boleda et al. 2009, 5.2)."""

import numpy as np

from assent.diagnosis.entropy import Entropies, EntropyTest
from assent.errors import InputError, nearest
from assent.plots.distribution import ROW, draw_boxes
from assent.plots.labels import counted, headline
from assent.plots.picture import Picture, single, styled

MOST_GROUPS = 60


def entropy(found: Entropies | None, attribute: str | None = None, title: str = "Entropy of units") -> Picture:
    """A box for each value of the attribute, or one for all units."""
    if found is None:
        raise InputError("entropy needs categories, and the scale is continuous", hint="draw distribution or scores")
    if not found.units:
        raise InputError("no unit has two judgements, so there is no entropy to draw")
    tested = None if attribute is None else _test_of(found, attribute)
    names = ["all units"] if tested is None else [group.value for group in tested.groups][:MOST_GROUPS]
    groups = [_all(found)] if tested is None else [np.array(group.entropies) for group in tested.groups][:MOST_GROUPS]
    whole = title if attribute is None else f"{title} by {attribute}"
    with styled():
        figure, axes = single(1.5 + 1.2 * ROW * len(groups))
        draw_boxes(axes, groups, names)
        axes.set_xlim(
            -0.03 * found.highest_possible, 1.03 * max(found.highest_possible, float(max(g.max() for g in groups)), 0.1)
        )
        axes.set_xlabel(f"entropy of a unit's judgements, base {found.base:g} (0: all raters agree; diamond: mean)")
        headline(figure, whole, *_remarks(tested))
    return Picture(kind="entropy", title=whole, alternative=_said(whole, names, groups, tested), figure=figure)


def _test_of(found: Entropies, attribute: str) -> EntropyTest:
    """The groups of an attribute; one without groups is an error."""
    tests = {test.attribute: test for test in found.tests}
    if attribute not in tests:
        raise InputError(f"entropy by {attribute!r} is not known", hint=nearest(attribute, list(tests)))
    return tests[attribute]


def _all(found: Entropies) -> "np.ndarray[tuple[int], np.dtype[np.float64]]":
    return np.array([unit.entropy for unit in found.units])


def _remarks(tested: EntropyTest | None) -> tuple[str, ...]:
    """The test, or why there is none, and how many groups are drawn."""
    if tested is None:
        return ("units with two judgements or more; their number in brackets",)
    test = f"{tested.test.method}: {tested.test.text}" if tested.test is not None else f"no test: {tested.reason}"
    few = f"the first {MOST_GROUPS} of {len(tested.groups)} groups" if len(tested.groups) > MOST_GROUPS else ""
    return "number of units in brackets", test, few


def _said(
    title: str,
    names: list[str],
    groups: list["np.ndarray[tuple[int], np.dtype[np.float64]]"],
    tested: EntropyTest | None,
) -> str:
    """Mean entropies, and what the test says."""
    means = [float(group.mean()) for group in groups]
    said = f"Box plots: {title}, for {counted(sum(map(len, groups)), 'unit')}. "
    if len(groups) <= 8:
        said += "Means: " + ", ".join(f"{name} {mean:.3f}" for name, mean in zip(names, means, strict=True)) + "."
    else:
        low, high = int(np.argmin(means)), int(np.argmax(means))
        said += f"Means run from {means[low]:.3f} ({names[low]}) to {means[high]:.3f} ({names[high]})."
    return said if tested is None or tested.test is None else f"{said} {tested.test.method}: {tested.test.text}."
