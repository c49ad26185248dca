"""How often Python looks for garbage, and values that are made in great numbers."""

import gc
from dataclasses import FrozenInstanceError, replace

import pytest

from concordant.collection.conflicts import Version
from concordant.memory import one_of_many, rare_collection


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


def test_one_of_many_is_the_value_that_a_call_makes() -> None:
    called, made = (
        Version(id="1", at="now", value=["a"]),
        one_of_many(Version, {"id": "1", "at": "now", "value": ["a"]}),
    )
    assert (made, repr(made), replace(made, id="2")) == (called, repr(called), replace(called, id="2"))
    with pytest.raises(FrozenInstanceError):
        made.id = "3"  # type: ignore[misc]


def test_threads_that_end_in_any_order_leave_it_as_before() -> None:
    before = gc.get_threshold()
    first, second = rare_collection(), rare_collection()
    for one in (first, second):
        one.__enter__()
    first.__exit__(None, None, None)
    assert gc.get_threshold()[0] >= 50_000
    second.__exit__(None, None, None)
    assert gc.get_threshold() == before
