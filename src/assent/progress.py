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
