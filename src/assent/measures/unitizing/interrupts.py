"""Run HiGHS so that Ctrl-C acts at once.

Python sees an interrupt only between two of its own instructions, and one call of the solver can take minutes. So
while the solver runs, Ctrl-C only leaves a note; the solver asks for it at each of its steps, stops if there is one,
and the interrupt is raised when it has. Asking does not change what the solver does, so results stay the same.
"""

import signal
from threading import current_thread, main_thread
from typing import Any

SHORT = 5_000
"""A linear program with no more columns than this is solved in a moment: asking would take longer than waiting."""


def run(solver: Any, *, whole: bool = False) -> None:
    """Solve to the end, or until Ctrl-C. A program for `whole` numbers can take long however small it is.

    Nothing is changed where an interrupt would not arrive as KeyboardInterrupt: in another thread, or when the
    program has a handler of its own.
    """
    if not whole and solver.getNumCol() <= SHORT:
        solver.run()
        return
    if current_thread() is not main_thread() or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        solver.run()
        return
    pressed: list[int] = []
    _ask_at_each_step(solver, pressed)
    signal.signal(signal.SIGINT, lambda number, _: pressed.append(number))
    try:
        solver.run()
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if pressed:
        raise KeyboardInterrupt


def _ask_at_each_step(solver: Any, pressed: list[int]) -> None:
    """Let the solver stop once something is in `pressed`."""
    import highspy

    def answer(kind: Any, message: str, seen: Any, given: Any, data: Any) -> None:
        given.user_interrupt = bool(pressed)

    solver.setCallback(answer, None)
    kinds = highspy.cb.HighsCallbackType
    for kind in (kinds.kCallbackSimplexInterrupt, kinds.kCallbackMipInterrupt):
        solver.startCallback(kind)
