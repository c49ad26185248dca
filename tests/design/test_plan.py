"""Plans: frozen, hashed, reproducible; balanced sets, stratified samples, pairs by the vector-covering rule."""

import hashlib
import json
from collections import Counter, defaultdict
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from concordant.design import plan as plans
from concordant.design.assignment import split
from concordant.design.description import Description, Pairing, Sampling
from concordant.design.made_from import fingerprint
from concordant.design.plan import (
    POOLED,
    band_names,
    draw,
    load_plan,
    make_pairs,
    make_plan,
    spread,
    strata_of,
    vector,
)
from concordant.design.steps import least_filled
from concordant.errors import InputError
from concordant.randomness import generator
from concordant.tasks.question import Media, Unit
from concordant.uncertainty.expectation import summary
from tests.design.samples import parses, study, units

PINNED_FINGERPRINT = "72244bb6f598cf08"
PINNED_SETS = (("u1", "u2", "u3"),)


def test_the_same_seed_gives_the_same_plan_to_the_last_byte(tmp_path: Path) -> None:
    described = study(30, n_sets=3, seed=7)
    for name in ("a.json", "b.json"):
        plans.write(make_plan(described), tmp_path / name)
    assert (tmp_path / "a.json").read_bytes() == (tmp_path / "b.json").read_bytes()
    assert make_plan(study(30, n_sets=3, seed=8)).sets != make_plan(described).sets


def test_a_plan_is_read_back(tmp_path: Path) -> None:
    pairing = Pairing(vector=("x",), per_group=2, within=("item",))
    made = tuple(
        unit.__class__(**{**unit.__dict__, "item": "i", "attributes": {"x": str(i % 3)}})
        for i, unit in enumerate(units(9))
    )
    plan = make_plan(study(units=made, tasks=("pairwise",), pairing=pairing))
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


def test_a_study_may_gain_attributes_anywhere(tmp_path: Path) -> None:
    def with_attributes(**about: str) -> Description:
        return study(folder=tmp_path, units=units(4, attributes=about))

    plan = load_plan(with_attributes(genre="news"))
    assert load_plan(with_attributes(genre="news", expert="a", source="b")) == plan
    assert load_plan(with_attributes(expert="a", source="b", genre="news")) == plan
    assert load_plan(with_attributes(expert="a", genre="news", source="b", place="c")) == plan
    for changed in (with_attributes(genre="talk", expert="a"), with_attributes(expert="a"), with_attributes()):
        with pytest.raises(InputError, match="columns of attributes may be added"):
            load_plan(changed)


@given(n=st.integers(1, 50), count=st.integers(1, 9), seed=st.integers(0, 99))
def test_sets_are_a_partition_and_differ_by_one_at_most(n: int, count: int, seed: int) -> None:
    ids = [str(i) for i in range(n)]
    sets = split(ids, count, generator(seed))
    assert sorted(id for members in sets for id in members) == sorted(ids)
    sizes = [len(members) for members in sets]
    assert max(sizes) - min(sizes) <= 1


def test_participants_go_where_the_fewest_are() -> None:
    plan = make_plan(study(6, n_sets=3))
    assert least_filled(plan, "x", {0: 2, 1: 1, 2: 2}) == 1
    assert least_filled(plan, "x", {0: 3, 2: 2}) == 1
    chosen = Counter(least_filled(plan, f"r{i}", {}) for i in range(600))
    assert min(chosen.values()) > 150  # ties are broken at random: 200 each, standard deviation about 12


def test_the_summary_shows_strata_and_totals() -> None:
    made = tuple(
        unit.__class__(**{**unit.__dict__, "attributes": {"type": "ab"[i % 2], "f": str(10 ** (i % 3 + 1))}})
        for i, unit in enumerate(units(36))
    )
    sampling = Sampling(method="stratified", size=12, by="type", frequency="f")
    described = study(units=made, sampling=sampling, n_sets=2)
    strata, sets = summary(described, make_plan(described))
    assert strata.columns == ("type", "kinds", "low", "medium", "high", "total")
    assert strata.rows == (("a", None, 2, 2, 2, 6), ("b", None, 2, 2, 2, 6), ("total", None, 4, 4, 4, 12))
    assert sets.rows == ((1, 6), (2, 6))


def test_hashes_and_fingerprints_are_the_same_in_every_version() -> None:
    """Plans and answers of a running study name them: they are the first 16 hexadecimal digits of SHA-256."""
    made = tuple(replace(unit, parses=None, text=f"Größe {unit.id}") for unit in units(3))
    plan = make_plan(study(units=made, seed=5, name="größe"))
    content = {key: value for key, value in plan.to_dict().items() if key != "hash"}
    assert content["format"] == 1
    canonical = json.dumps(content, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    assert plan.hash == hashlib.sha256(canonical.encode()).hexdigest()[:16]
    assert (plan.fingerprint, plan.sets) == (PINNED_FINGERPRINT, PINNED_SETS)


def test_a_plan_is_written_for_people_to_read(tmp_path: Path) -> None:
    plans.write(make_plan(study(2, name="größe")), tmp_path / "plan.json")
    text = (tmp_path / "plan.json").read_text(encoding="utf-8")
    assert text.startswith('{\n "format": 1,\n "study": "größe",\n')
    assert text.endswith("\n}\n")


@pytest.mark.parametrize(
    "change",
    [
        {"seed": 2},
        {"n_sets": 2},
        {"sampling": Sampling(method="simple", size=3)},
        {"pairing": Pairing(vector=("x",), per_group=1)},
        {"tasks": ("ordinal",)},
        {"units": tuple(replace(unit, attributes={"x": "1"}) for unit in units(4))},
        {"units": tuple(replace(unit, text=unit.text.upper()) for unit in units(4))},
        {"units": tuple(replace(unit, parses=parses("up", "side")) for unit in units(4))},
        {"units": tuple(replace(unit, parses=None) for unit in units(4))},
    ],
)
def test_the_fingerprint_depends_on_units_questions_and_design(change: dict[str, Any]) -> None:
    assert fingerprint(study(4, **change)) != fingerprint(study(4))


def test_the_fingerprint_does_not_depend_on_wording() -> None:
    assert fingerprint(study(4, title="Other", language="ca", is_open=True)) == fingerprint(study(4))


def test_sample_pairs_and_sets_are_drawn_from_streams_of_their_own() -> None:
    described = study(20, sampling=Sampling(method="simple", size=8), n_sets=2, seed=9)
    plan = make_plan(described)
    drawn = draw(described.units, described.sampling, generator(9, 0))
    assert plan.sets == split([unit.id for unit in drawn], 2, generator(9, 2))
    pairing = Pairing(vector=("x",), per_group=4)
    made = tuple(replace(unit, item="i", attributes={"x": str(i % 3)}) for i, unit in enumerate(units(9)))
    plan = make_plan(study(units=made, tasks=("pairwise",), pairing=pairing, seed=9))
    assert plan.pairs == make_pairs(made, pairing, generator(9, 1))
    assert sorted(plan.sets[0]) == sorted(pair.id for pair in plan.pairs)


def test_a_plan_remembers_the_strata_of_what_was_drawn_and_of_nothing_else() -> None:
    made = tuple(replace(unit, attributes={"type": "ab"[i % 2]}) for i, unit in enumerate(units(10)))
    plan = make_plan(study(units=made, sampling=Sampling(method="stratified", size=4, by="type")))
    assert set(plan.strata) == set(plan.sets[0])
    assert sorted(plan.strata.values()) == [("a", "", "")] * 2 + [("b", "", "")] * 2
    assert make_plan(study(units=made)).strata == {}


def test_a_plan_can_lie_elsewhere(tmp_path: Path) -> None:
    described = study(4, folder=tmp_path)
    plan = load_plan(described, tmp_path / "other.json")
    assert [path.name for path in tmp_path.iterdir()] == ["other.json"]
    assert load_plan(described, tmp_path / "other.json") == plan


def test_a_pair_is_shown_as_one_unit_with_what_both_have() -> None:
    pairing = Pairing(vector=("x",), per_group=1)
    media = Media(path="p.png")
    made = tuple(
        replace(
            unit, item="i", prompt="Which?", image=media, audio=media, attributes={"x": str(i), "y": "same", **more}
        )
        for i, (unit, more) in enumerate(zip(units(2), ({"z": "1"}, {}), strict=True))
    )
    described = study(units=made, tasks=("pairwise",), pairing=pairing)
    plan = make_plan(described)
    [pair] = plan.pairs
    shown = plans.unit_shown(described, plan, pair.id)
    texts = {unit.id: unit.text for unit in made}
    assert (shown.id, shown.item, shown.prompt, shown.image, shown.audio) == (pair.id, "i", "Which?", media, media)
    assert shown.alternatives == {"A": texts[pair.a], "B": texts[pair.b]}
    assert shown.attributes == {"y": "same"}
    assert plans.unit_shown(described, plan, "u1") is made[0]


def test_the_summary_of_pairs_counts_vectors_and_units() -> None:
    made = tuple(replace(unit, item=f"i{i % 2}", attributes={"x": str(i % 3)}) for i, unit in enumerate(units(8)))
    described = study(units=made, tasks=("pairwise",), pairing=Pairing(vector=("x",), per_group=2))
    plan = make_plan(described)
    n_used = len({id for pair in plan.pairs for id in (pair.a, pair.b)})
    pairs, sets = summary(described, plan)
    assert pairs.heading == f"Preference pairs ({n_used} of 8 units used)"
    assert pairs.columns == ("item", "distinct vectors", "pairs")
    assert pairs.rows == (("i0", 3, 2), ("i1", 3, 2), ("total", None, 4))
    assert (sets.columns, sets.rows) == (("set", "pairs"), ((1, 4),))


def test_the_summary_counts_kinds_inside_types_and_says_only_what_there_is() -> None:
    made = tuple(
        replace(unit, attributes={"type": "ab"[i % 2], "kind": f"k{i % 4}"}) for i, unit in enumerate(units(16))
    )
    sampling = Sampling(method="stratified", size=8, by="type", within="kind", pool_below=1)
    described = study(units=made, sampling=sampling)
    strata, sets = summary(described, make_plan(described))
    assert strata.heading == "Stratification of the sample"
    assert strata.columns == ("type", "kinds (kind)", "total")
    assert strata.rows == (("a", 2, 4), ("b", 2, 4), ("total", 4, 8))
    plan = make_plan(described)
    assert (sets.heading, sets.columns) == (f"Sets (plan {plan.hash}, seed 1)", ("set", "units"))
    simple = study(units=made, sampling=Sampling(method="simple", size=8))
    assert [table.columns for table in summary(simple, make_plan(simple))] == [("set", "units")]
    by_frequency = tuple(replace(unit, attributes={"f": str(i + 1)}) for i, unit in enumerate(units(6)))
    described = study(units=by_frequency, sampling=Sampling(method="stratified", size=4, frequency="f", bands=2))
    [strata, _] = summary(described, make_plan(described))
    assert strata.columns == ("type", "kinds", "band 1", "band 2", "total")
    assert strata.rows == (("all", None, 2, 2, 4), ("total", None, 2, 2, 4))


def pool() -> list[Unit]:
    """900 words of three types; frequencies spread over four powers of ten; one kind is rare."""
    rng = generator(5)
    made = []
    for i in range(900):
        kind = "rare" if i % 90 == 0 else ("-al", "-ic", "-able")[i % 3]
        attributes = {
            "type": ("plain", "denominal", "deverbal")[i % 3],
            "suffix": kind,
            "frequency": str(int(50 * 10 ** (rng.random() * 4))),
        }
        made.append(Unit(id=f"w{i}", item=f"w{i}", text=f"word {i}", attributes=attributes))
    return made


PINNED_SIMPLE = ["w0", "w4", "w6", "w10"]
PINNED_STRATIFIED = ["w2", "w21", "w28", "w31", "w35", "w36", "w37"]
PINNED_SHARES = {"a": 1, "b": 3, "c": 3, "d": 3}
STRATIFIED = Sampling(method="stratified", size=210, frequency="frequency", bands=3, by="type", within="suffix")


def test_bands_are_equal_parts_of_the_range_of_logarithms() -> None:
    made = [Unit(id=f, item=f, text=f, attributes={"frequency": f}) for f in ("1", "9", "11", "99", "101", "1000")]
    sampling = Sampling(method="stratified", size=3, frequency="frequency")
    bands = [band for _, _, band in strata_of(made, sampling).values()]
    assert bands == ["low", "low", "medium", "medium", "high", "high"]


def test_types_and_bands_are_balanced() -> None:
    chosen = draw(pool(), STRATIFIED, generator(1))
    drawn = {unit.id for unit in chosen}
    cells = Counter((type_, band) for id, (type_, _, band) in strata_of(pool(), STRATIFIED).items() if id in drawn)
    assert Counter(type_ for type_, _ in cells.elements()) == {"plain": 70, "denominal": 70, "deverbal": 70}
    assert max(cells.values()) - min(cells.values()) <= 1


def test_small_kinds_are_pooled() -> None:
    kinds = Counter(kind for _, kind, _ in strata_of(pool(), STRATIFIED).values())
    assert kinds[POOLED] == 10
    assert "rare" not in kinds


def test_a_stratum_that_is_too_small_passes_its_share_on() -> None:
    made = [
        Unit(id=f"{t}{i}", item="", text="x", attributes={"type": t})
        for t, n in (("a", 2), ("b", 50))
        for i in range(n)
    ]
    chosen = draw(made, Sampling(method="stratified", size=20, by="type"), generator(2))
    assert Counter(unit.attributes["type"] for unit in chosen) == {"a": 2, "b": 18}


def test_a_simple_sample_takes_every_unit_equally_often() -> None:
    made = pool()[:10]
    sampling = Sampling(method="simple", size=3)
    counts = Counter(unit.id for seed in range(2000) for unit in draw(made, sampling, generator(seed)))
    assert sum(counts.values()) == 6000
    assert max(counts.values()) - min(counts.values()) < 140  # 600 each, standard deviation about 20


def test_all_means_all_whatever_the_size() -> None:
    assert draw(pool(), Sampling(method="all", size=3), generator(1)) == pool()


def test_without_sampling_all_units_are_used() -> None:
    assert draw(pool(), Sampling(), generator(1)) == pool()


@given(
    total=st.integers(0, 60),
    room=st.dictionaries(st.text(min_size=1, max_size=2), st.integers(0, 15), min_size=1, max_size=6),
    seed=st.integers(0, 1000),
)
def test_shares_add_up_fit_and_are_as_even_as_room_allows(total: int, room: dict[str, int], seed: int) -> None:
    shares = spread(total, room, generator(seed))
    assert sum(shares.values()) == min(total, sum(room.values()))
    assert all(shares[place] <= room[place] for place in room)
    unfilled = [shares[place] for place in room if shares[place] < room[place]]
    highest = max(shares.values())
    assert not unfilled or highest - min(unfilled) <= 1


def test_a_sample_is_reproducible() -> None:
    first, second = (draw(pool(), STRATIFIED, generator(9)) for _ in range(2))
    assert first == second
    assert first != draw(pool(), STRATIFIED, generator(10))


def test_bands_have_names() -> None:
    assert band_names(3) == ["low", "medium", "high"]
    assert band_names(1) == ["band 1"]
    assert band_names(4) == ["band 1", "band 2", "band 3", "band 4"]


def of_frequency(*frequencies: str) -> list[Unit]:
    return [Unit(id=f"{i}", item="", text="", attributes={"f": f}) for i, f in enumerate(frequencies)]


def bands_of(n: int, *frequencies: str) -> list[str]:
    sampling = Sampling(method="stratified", size=1, frequency="f", bands=n)
    return [band for _, _, band in strata_of(of_frequency(*frequencies), sampling).values()]


def test_bands_begin_at_their_limits_and_the_highest_frequency_is_in_the_last() -> None:
    assert bands_of(2, "10", "99", "101", "1000") == ["band 1", "band 1", "band 2", "band 2"]
    assert bands_of(2, "1", "16", "256") == ["band 1", "band 2", "band 2"]  # the middle of the logarithms
    assert bands_of(3, "1", "1.2", "1.4", "1.9") == ["low", "low", "medium", "high"]  # narrow bands are bands too
    assert bands_of(3, "5", "5") == ["low", "low"]
    assert bands_of(1, "1", "5") == ["band 1", "band 1"]


def test_a_kind_is_pooled_when_it_has_fewer_units_than_the_limit() -> None:
    kinds = ["few"] * 2 + ["enough"] * 3 + [""]
    units = [Unit(id=f"{i}", item="", text="", attributes={"t": "x", "k": k}) for i, k in enumerate(kinds)]
    within = Sampling(method="stratified", size=1, by="t", within="k", pool_below=3)
    assert [kind for _, kind, _ in strata_of(units, within).values()] == [POOLED] * 2 + ["enough"] * 3 + [POOLED]
    alone = Sampling(method="stratified", size=1, by="t", pool_below=30)
    assert set(strata_of(units, alone).values()) == {("x", "", "")}


def test_kinds_are_balanced_inside_types_and_bands() -> None:
    drawn = {unit.id for unit in draw(pool(), STRATIFIED, generator(1))}
    strata = [stratum for id, stratum in strata_of(pool(), STRATIFIED).items() if id in drawn]
    pooled = Counter(band for _, kind, band in strata if kind == POOLED)
    all_pooled = Counter(band for _, kind, band in strata_of(pool(), STRATIFIED).values() if kind == POOLED)
    assert pooled == all_pooled  # few enough that their even share takes every one


def test_the_same_seed_draws_the_same_units_in_every_version() -> None:
    assert [unit.id for unit in draw(pool()[:12], Sampling(method="simple", size=4), generator(7))] == PINNED_SIMPLE
    small = Sampling(
        method="stratified", size=7, frequency="frequency", bands=2, by="type", within="suffix", pool_below=2
    )
    assert [unit.id for unit in draw(pool()[:40], small, generator(7))] == PINNED_STRATIFIED
    assert spread(10, {"a": 1, "b": 9, "c": 4, "d": 9}, generator(3)) == PINNED_SHARES


@given(total=st.integers(0, 40), room=st.integers(0, 12), n=st.integers(1, 6), seed=st.integers(0, 99))
def test_equal_rooms_differ_by_one_at_most(total: int, room: int, n: int, seed: int) -> None:
    shares = spread(total, {str(i): room for i in range(n)}, generator(seed))
    assert max(shares.values()) - min(shares.values()) <= 1


def test_what_is_left_over_goes_to_random_places() -> None:
    counts = Counter(
        place
        for seed in range(600)
        for place, n in spread(4, {"a": 9, "b": 9, "c": 9}, generator(seed)).items()
        if n == 2
    )
    assert sum(counts.values()) == 600
    assert min(counts.values()) > 150


PINNED = "a-1:r7/r5 a-2:r2/r4 a-3:r1/r0 a-4:r6/r3 a-5:r0/r7 a-6:r6/r1 b-7:r9/r8 b-8:r10/r8 b-9:r9/r10"
PINNED_USED_UP = "r5/r1 r4/r0 r1/r3 r5/r0 r5/r2 r0/r1 r0/r2 r5/r3 r1/r4 r5/r4 r1/r2"
PAIRING = Pairing(vector=("x", "y"), per_group=7, within=("item", "targeting"))


def responses(values: list[tuple[str, str, str, str]]) -> list[Unit]:
    return [
        Unit(id=f"r{i}", item=item, text=f"r{i}", attributes={"targeting": targeting, "x": x, "y": y})
        for i, (item, targeting, x, y) in enumerate(values)
    ]


BITS = st.sampled_from(["0", "1"])
RESPONSES = st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from("tu"), BITS, BITS), max_size=40).map(responses)


@given(units=RESPONSES, seed=st.integers(0, 10_000))
@settings(max_examples=150)
def test_the_rule_holds_for_any_data(units: list[Unit], seed: int) -> None:
    by_id = {unit.id: unit for unit in units}
    groups: dict[tuple[str, str], list[tuple[Unit, Unit]]] = defaultdict(list)
    for pair in make_pairs(units, PAIRING, generator(seed)):
        a, b = by_id[pair.a], by_id[pair.b]
        assert (a.item, a.attributes["targeting"]) == (b.item, b.attributes["targeting"])
        assert vector(a, PAIRING) != vector(b, PAIRING)
        groups[a.item, a.attributes["targeting"]].append((a, b))
    for key, pairs in groups.items():
        members = [unit for unit in units if (unit.item, unit.attributes["targeting"]) == key]
        distinct = {vector(unit, PAIRING) for unit in members}
        assert len({frozenset((a.id, b.id)) for a, b in pairs}) == len(pairs)
        _check_covering([vector(unit, PAIRING) for pair in pairs for unit in pair], distinct)


def _check_covering(used: list[tuple[str, ...]], distinct: set[tuple[str, ...]]) -> None:
    """No vector comes again before every distinct vector has come once."""
    seen: set[tuple[str, ...]] = set()
    for one in used:
        if one in seen:
            assert seen == distinct
            return
        seen.add(one)


@given(units=RESPONSES, seed=st.integers(0, 10_000))
@settings(max_examples=100)
def test_as_many_pairs_are_made_as_can_be(units: list[Unit], seed: int) -> None:
    groups: dict[tuple[str, str], Counter[tuple[str, ...]]] = defaultdict(Counter)
    for unit in units:
        groups[unit.item, unit.attributes["targeting"]][vector(unit, PAIRING)] += 1
    possible = [(sum(c.values()) ** 2 - sum(n * n for n in c.values())) // 2 for c in groups.values()]
    assert len(make_pairs(units, PAIRING, generator(seed))) == sum(min(7, n) for n in possible)


def test_rare_vectors_are_used_as_often_as_frequent_ones() -> None:
    units = responses([("a", "t", "1", "1")] * 30 + [("a", "t", "0", "1")] * 5 + [("a", "t", "0", "0")])
    pairing = Pairing(vector=("x", "y"), per_group=12, within=("item",))
    by_id = {unit.id: unit for unit in units}
    used = Counter(vector(by_id[id], pairing) for p in make_pairs(units, pairing, generator(3)) for id in (p.a, p.b))
    assert set(used.values()) == {8}


def test_pairs_are_reproducible() -> None:
    units = responses([("a", "t", x, y) for x in "01" for y in "01"] * 5)
    assert make_pairs(units, PAIRING, generator(1)) == make_pairs(units, PAIRING, generator(1))
    assert make_pairs(units, PAIRING, generator(1)) != make_pairs(units, PAIRING, generator(2))


def test_pairs_are_named_after_their_group_and_counted_over_the_study() -> None:
    units = responses([("i1", "g", "a", "x"), ("i1", "g", "b", "y"), ("i2", "g", "a", "x"), ("i2", "g", "b", "y")])
    pairing = Pairing(vector=("x", "y"), per_group=1)
    assert [pair.id for pair in make_pairs(units, pairing, generator(1))] == ["i1-1", "i2-2"]


def test_the_same_seed_makes_the_same_pairs_in_every_version() -> None:
    units = responses([("a", "t", x, y) for x in "01" for y in "01"] * 2 + [("b", "t", "0", y) for y in "012"])
    made = make_pairs(units, Pairing(vector=("x", "y"), per_group=6), generator(5))
    assert " ".join(f"{pair.id}:{pair.a}/{pair.b}" for pair in made) == PINNED
    few = responses([("a", "t", "0", "0"), ("a", "t", "1", "1"), *[("a", "t", "2", "2")] * 3, ("a", "t", "3", "3")])
    made = make_pairs(few, Pairing(vector=("x", "y"), per_group=11), generator(5))
    assert " ".join(f"{pair.a}/{pair.b}" for pair in made) == PINNED_USED_UP


@given(units=RESPONSES, seed=st.integers(0, 10_000))
@settings(max_examples=100)
def test_every_round_uses_every_vector_once_while_there_are_free_responses(units: list[Unit], seed: int) -> None:
    """With a response of its own for every use, the vectors come round after round, never the same twice in a row."""
    spare = [unit.__class__(**{**unit.__dict__, "id": f"{unit.id}-{n}"}) for unit in units for n in range(20)]
    pairing = Pairing(vector=("x", "y"), per_group=12, within=("item", "targeting"))
    by_id = {unit.id: unit for unit in spare}
    groups: dict[str, list[tuple[str, ...]]] = defaultdict(list)
    for pair in make_pairs(spare, pairing, generator(seed)):
        groups[pair.id.rsplit("-", 1)[0]] += [vector(by_id[id], pairing) for id in (pair.a, pair.b)]
    for used in groups.values():
        n = len(set(used))
        assert all(len(set(used[i : i + n])) == n for i in range(0, len(used) - n + 1, n))
        assert all(one != other for one, other in pairwise(used))


def test_the_responses_used_least_are_paired_next() -> None:
    units = responses([("a", "t", x, "0") for x in "01" for _ in range(3)])
    every = {frozenset((f"r{i}", f"r{j}")) for i in range(3) for j in range(3, 6)}
    for seed in range(30):
        made = make_pairs(units, Pairing(vector=("x", "y"), per_group=9), generator(seed))
        taken, uses = set[frozenset[str]](), Counter[str]()
        for pair in made:
            least = min(sum(uses[id] for id in free) for free in every - taken)
            assert uses[pair.a] + uses[pair.b] == least
            taken.add(frozenset((pair.a, pair.b)))
            uses.update((pair.a, pair.b))
        assert taken == every


def test_when_two_vectors_are_used_up_the_least_used_others_are_paired() -> None:
    units = responses([("a", "t", "0", "0"), ("a", "t", "1", "1"), *[("a", "t", "2", "2")] * 4])
    pairing = Pairing(vector=("x", "y"), per_group=9)
    for seed in range(40):
        made = make_pairs(units, pairing, generator(seed))
        used = Counter(id for pair in made for id in (pair.a, pair.b))
        assert len(made) == 9
        assert [used[f"r{i}"] for i in range(6)] == [5, 5, 2, 2, 2, 2]
        half = Counter(id for pair in made[:5] for id in (pair.a, pair.b))
        assert max(half[f"r{i}"] for i in range(2, 6)) - min(half[f"r{i}"] for i in range(2, 6)) <= 1
