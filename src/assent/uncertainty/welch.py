"""Do means differ, when variances may too? Welch's t-test (1947) and Welch's analysis of variance (1951)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from assent.arrays import Floats
from assent.errors import InputError


@dataclass(frozen=True, kw_only=True)
class WelchTest:
    """A statistic with its degrees of freedom and two-sided p-value (an F is two-sided by nature).

    `text` is how a paper prints it: t(62.3) = 4.21, p < .001.
    """

    kind: Literal["t", "F"]
    statistic: float
    freedom: tuple[float, ...]
    p: float
    means: tuple[float, ...]
    sizes: tuple[int, ...]

    @property
    def method(self) -> str:
        """The exact name of the test."""
        return "Welch's t-test, two-sided" if self.kind == "t" else "Welch's analysis of variance"

    @property
    def text(self) -> str:
        """The test in a sentence: degrees of freedom in brackets, whole ones without a decimal."""
        freedom = ", ".join(f"{df:.0f}" if df == round(df) else f"{df:.1f}" for df in self.freedom)
        shown = "p < .001" if self.p < 0.001 else f"p = {self.p:.3f}".replace("0.", ".", 1)
        return f"{self.kind}({freedom}) = {self.statistic:.2f}, {shown}"


def welch_t(first: ArrayLike, second: ArrayLike) -> WelchTest:
    """Do two groups have the same mean? t = (m1 - m2) / √(s1²/n1 + s2²/n2), Welch-Satterthwaite degrees of freedom.

    >>> welch_t([1.0, 2.0, 4.0], [5.0, 6.0, 9.0]).text
    't(3.5) = -2.90, p = .052'
    """
    from scipy.special import stdtr

    groups = _groups([first, second])
    mean, error, size = _summary(groups)
    if error.sum() <= 0:
        raise InputError("neither group varies, so Welch's t is undefined", hint="compare groups whose values differ")
    t = float((mean[0] - mean[1]) / np.sqrt(error.sum()))
    freedom = float(error.sum() ** 2 / (error**2 / (size - 1)).sum())
    return _test("t", t, (freedom,), 2 * float(stdtr(freedom, -abs(t))), groups)


def welch_anova(groups: Sequence[ArrayLike]) -> WelchTest:
    """Do several groups have the same mean? Groups are weighted by w = n / s², so none may be constant.

    F = [sum w (m - m̄)² / (k - 1)] / [1 + 2 (k - 2) / (k² - 1) · Λ],  Λ = sum (1 - w / sum w)² / (n - 1),
    with k - 1 and (k² - 1) / (3 Λ) degrees of freedom.
    """
    from scipy.special import fdtrc

    checked = _groups(groups)
    mean, error, size = _summary(checked)
    k = len(checked)
    if k < 2 or (error <= 0).any():
        raise InputError("Welch's analysis of variance needs two groups or more, each with differing values")
    w = 1 / error
    centre = (w @ mean) / w.sum()
    lack = float((((1 - w / w.sum()) ** 2) / (size - 1)).sum())
    f = float(w @ (mean - centre) ** 2 / (k - 1)) / (1 + 2 * (k - 2) / (k**2 - 1) * lack)
    freedom = (float(k - 1), (k**2 - 1) / (3 * lack))
    return _test("F", f, freedom, float(fdtrc(*freedom, f)), checked)


def _groups(groups: Sequence[ArrayLike]) -> list[Floats]:
    """Each group as finite numbers, at least two of them."""
    checked = [np.asarray(group, dtype=np.float64).reshape(-1) for group in groups]
    for number, group in enumerate(checked, start=1):
        if len(group) < 2 or not np.isfinite(group).all():
            raise InputError(f"group {number} has fewer than two finite values", hint="every group needs two values")
    return checked


def _summary(groups: list[Floats]) -> tuple[Floats, Floats, Floats]:
    """Means, squared standard errors and sizes."""
    size = np.array([len(group) for group in groups], dtype=np.float64)
    mean = np.array([group.mean() for group in groups])
    return mean, np.array([group.var(ddof=1) for group in groups]) / size, size


def _test(
    kind: Literal["t", "F"], statistic: float, freedom: tuple[float, ...], p: float, groups: list[Floats]
) -> WelchTest:
    """Put a test together."""
    means, sizes = tuple(float(group.mean()) for group in groups), tuple(len(group) for group in groups)
    return WelchTest(kind=kind, statistic=statistic, freedom=freedom, p=p, means=means, sizes=sizes)
