"""Ctrl-C while the solver runs, and progress inside one alignment."""

import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import product
from threading import Thread, Timer

import numpy as np
import pytest

from concordant.measures.unitizing import alignment as module
from concordant.measures.unitizing.alignment import Unfinished, best_alignment
from concordant.measures.unitizing.cliques import Cliques, Draft
from concordant.measures.unitizing.relaxation import Program, solve_whole
from concordant.measures.unitizing.units import Dissimilarity, Units
from tests.measures.unitizing.oracles import Impatient, random_continuum

SOON = 30
"""Seconds, on a busy machine; left alone the solver takes many minutes."""


def hard_packing(n_units: int, n_cliques: int) -> Cliques:
    """Random cliques of three units with equal gains: a program that keeps the solver busy for long."""
    draw = np.random.default_rng(1)
    members = np.sort([draw.choice(n_units, 3, replace=False) for _ in range(n_cliques)], axis=1)
    return Cliques(members.astype(np.int32), draw.integers(50, 60, n_cliques) / 10)


@contextmanager
def pressed_after(seconds: float) -> Iterator[list[float]]:
    """Press Ctrl-C after a while; the list then holds the time."""
    times: list[float] = []

    def press() -> None:
        times.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    timer = Timer(seconds, press)
    timer.start()
    try:
        yield times
    finally:
        timer.cancel()
        timer.join()


def test_an_interrupt_stops_branch_and_bound_soon() -> None:
    cliques = hard_packing(160, 1500)
    with pressed_after(0.5) as times, pytest.raises(KeyboardInterrupt):
        solve_whole(cliques, 160)
    assert time.monotonic() - times[0] < SOON
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_an_interrupt_stops_the_simplex_soon() -> None:
    program = Program(hard_packing(3000, 60_000), 3000)
    with pressed_after(0.3) as times, pytest.raises(KeyboardInterrupt):
        program.solve()
    assert time.monotonic() - times[0] < SOON


def test_in_another_thread_the_solver_just_runs() -> None:
    units = Units.of(random_continuum(1, 3, 20, least=20, width=50))
    found: list[list[list[int]]] = []
    thread = Thread(target=lambda: found.append(best_alignment(units, Dissimilarity()).rows().tolist()))
    thread.start()
    thread.join()
    assert found == [best_alignment(units, Dissimilarity()).rows().tolist()]


def test_whole_numbers_are_found_in_another_thread_too() -> None:
    cliques, found = hard_packing(30, 60), []
    thread = Thread(target=lambda: found.append(solve_whole(cliques, 30).tolist()))
    thread.start()
    thread.join()
    assert found == [solve_whole(cliques, 30).tolist()]


def test_one_alignment_reports_its_rounds_and_components() -> None:
    seen: list[tuple[int, int]] = []
    for seed in range(8):
        units = Units.of(random_continuum(seed, 3, 30, least=30, width=40))
        best_alignment(units, Dissimilarity(), lambda done, total: seen.append((done, total)))
    shares = [done / total for done, total in seen]
    assert shares[0] == 0
    assert any(0.5 <= share < 1 for share in shares)
    assert all(0 <= share <= 1 for share in shares)


@pytest.mark.parametrize("most_cliques", [0, 500_000])
def test_what_an_interrupt_leaves_is_an_alignment_between_proven_bounds(
    most_cliques: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MOST_CLIQUES", most_cliques)
    chosen, ended, tight = Dissimilarity(), 0, 0
    for seed, times in product(range(6), (1, 2, 3, 5, 8)):
        units = Units.of(random_continuum(seed, 4, 16, least=16, width=40))
        best = best_alignment(units, chosen).disorders(chosen)[0]
        try:
            best_alignment(units, chosen, Impatient(times))
        except Unfinished as unfinished:
            found = unfinished.alignment()
            ended += 1
            disorder = found.disorders(chosen)[0]
            assert found.least is not None
            assert found.least <= best + 1e-12
            assert best <= disorder + 1e-12
            assert sorted(found.rows()[found.rows() >= 0].tolist()) == list(range(len(units)))
            tight += disorder < 1.05 * best
    assert ended > 10
    assert tight > 0


def test_an_interrupt_before_anything_is_found_leaves_all_units_alone() -> None:
    units = Units.of(random_continuum(1, 3, 6, least=6))
    left = Unfinished(units, Dissimilarity(), Draft(3)).alignment()
    assert left.disorders(Dissimilarity())[0] == pytest.approx(3.0)
    assert left.least is not None
    assert 0 < left.least < 3
