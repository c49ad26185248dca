"""Collecting garbage less often, and as before afterwards."""

import gc

import pytest

from assent.treebank.garbage import rare_collection


def fail_inside() -> None:
    with rare_collection():
        assert gc.get_threshold()[0] >= 50_000
        raise RuntimeError


def test_the_threshold_is_high_inside_and_as_before_afterwards() -> None:
    before = gc.get_threshold()
    with pytest.raises(RuntimeError):
        fail_inside()
    assert gc.get_threshold() == before


def test_a_collector_that_is_switched_off_stays_off() -> None:
    before = gc.get_threshold()
    gc.set_threshold(0)
    try:
        with rare_collection():
            assert gc.get_threshold()[0] == 0
    finally:
        gc.set_threshold(*before)
