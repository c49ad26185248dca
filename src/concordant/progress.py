"""Progress without a user interface: the work reports, whoever started it draws the bar.

Long computations take `progress: Progress = silent` and call it with (done, total) as they go.
The command line passes one that draws a bar on standard error when the work takes over a second.
"""

from typing import Protocol


class Progress(Protocol):
    """Called as `progress(done, total)` from time to time."""

    def __call__(self, done: int, total: int) -> None:
        """Take note that `done` of `total` steps are finished."""


def silent(done: int, total: int) -> None:
    """Report to nobody."""


def part(progress: Progress, number: int, n_parts: int) -> Progress:
    """Progress inside one of several equal parts of the work, counted from 0: a thousand steps a part.

    >>> part(lambda done, total: print(f"{done} of {total}"), 1, 4)(3, 6)
    1499 of 4000
    """

    def report(done: int, total: int) -> None:
        progress(1000 * number + 999 * done // max(1, total), 1000 * n_parts)

    return report
