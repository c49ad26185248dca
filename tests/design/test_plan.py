"""Plans: frozen, hashed, reproducible; sets that are balanced."""

import json
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.design import plan as plans
from assent.design.description import Pairing, Sampling, Sets, Task
from assent.design.planning import load_plan, make_plan
from assent.design.sets import least_filled, split
from assent.design.summary import summary
from assent.errors import InputError
from assent.randomness import generator
from tests.design.samples import study, units


def test_the_same_seed_gives_the_same_plan_to_the_last_byte(tmp_path: Path) -> None:
    described = study(30, sets=Sets(count=3), seed=7)
    for name in ("a.json", "b.json"):
        plans.write(make_plan(described), tmp_path / name)
    assert (tmp_path / "a.json").read_bytes() == (tmp_path / "b.json").read_bytes()
    assert make_plan(study(30, sets=Sets(count=3), seed=8)).sets != make_plan(described).sets


def test_a_plan_is_read_back(tmp_path: Path) -> None:
    pairing = Pairing(vector=("x",), per_group=2, within=("item",))
    made = tuple(
        unit.__class__(**{**unit.__dict__, "item": "i", "attributes": {"x": str(i % 3)}})
        for i, unit in enumerate(units(9))
    )
    plan = make_plan(study(units=made, tasks=(Task.PAIRWISE,), pairing=pairing))
    plans.write(plan, tmp_path / "plan.json")
    assert plans.read(tmp_path / "plan.json") == plan
    assert len(plan.pairs) == 2


def test_a_changed_plan_is_refused(tmp_path: Path) -> None:
    plans.write(make_plan(study(4)), tmp_path / "plan.json")
    content = json.loads((tmp_path / "plan.json").read_text())
    content["sets"][0].reverse()
    (tmp_path / "plan.json").write_text(json.dumps(content))
    with pytest.raises(InputError, match="changed after it was made"):
        plans.read(tmp_path / "plan.json")
    (tmp_path / "plan.json").write_text("[]")
    with pytest.raises(InputError, match="not a plan"):
        plans.read(tmp_path / "plan.json")


def test_a_plan_is_frozen_when_first_needed_and_refused_when_the_study_changed(tmp_path: Path) -> None:
    plan = load_plan(study(4, folder=tmp_path))
    assert (tmp_path / "plan.json").exists()
    assert load_plan(study(4, folder=tmp_path, title="Another title")) == plan
    with pytest.raises(InputError, match="the study was changed after this plan was made"):
        load_plan(study(5, folder=tmp_path))


@given(n=st.integers(1, 50), count=st.integers(1, 9), seed=st.integers(0, 99))
def test_sets_are_a_partition_and_differ_by_one_at_most(n: int, count: int, seed: int) -> None:
    ids = [str(i) for i in range(n)]
    sets = split(ids, count, generator(seed))
    assert sorted(id for members in sets for id in members) == sorted(ids)
    sizes = [len(members) for members in sets]
    assert max(sizes) - min(sizes) <= 1


def test_participants_go_where_the_fewest_have_completed() -> None:
    plan = make_plan(study(6, sets=Sets(count=3)))
    assert least_filled(plan, "x", {0: 2, 1: 1, 2: 2}, {0: 2, 1: 9, 2: 2}) == 1
    assert least_filled(plan, "x", {0: 1, 1: 1, 2: 1}, {0: 3, 1: 1, 2: 2}) == 1
    chosen = Counter(least_filled(plan, f"r{i}", {}, {}) for i in range(600))
    assert min(chosen.values()) > 150  # ties are broken at random: 200 each, standard deviation about 12


def test_the_summary_shows_strata_and_totals() -> None:
    made = tuple(
        unit.__class__(**{**unit.__dict__, "attributes": {"type": "ab"[i % 2], "f": str(10 ** (i % 3 + 1))}})
        for i, unit in enumerate(units(36))
    )
    sampling = Sampling(method="stratified", size=12, by="type", frequency="f")
    described = study(units=made, sampling=sampling, sets=Sets(count=2))
    strata, sets = summary(described, make_plan(described))
    assert strata.columns == ("type", "kinds", "low", "medium", "high", "total")
    assert strata.rows == (("a", None, 2, 2, 2, 6), ("b", None, 2, 2, 2, 6), ("total", None, 4, 4, 4, 12))
    assert sets.rows == ((1, 6), (2, 6))
