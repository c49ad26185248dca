"""Samples: bands of log frequency, balance over types and kinds, pooling of small kinds."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from assent.design.description import Sampling, Unit
from assent.design.sampling import POOLED, draw, spread, strata
from assent.randomness import generator


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


STRATIFIED = Sampling(method="stratified", size=210, frequency="frequency", bands=3, by="type", within="suffix")


def test_bands_are_equal_parts_of_the_range_of_logarithms() -> None:
    made = [Unit(id=f, item=f, text=f, attributes={"frequency": f}) for f in ("1", "9", "11", "99", "101", "1000")]
    sampling = Sampling(method="stratified", size=3, frequency="frequency")
    bands = [band for _, _, band in strata(made, sampling).values()]
    assert bands == ["low", "low", "medium", "medium", "high", "high"]


def test_types_and_bands_are_balanced() -> None:
    chosen = draw(pool(), STRATIFIED, generator(1))
    drawn = {unit.id for unit in chosen}
    cells = Counter((type_, band) for id, (type_, _, band) in strata(pool(), STRATIFIED).items() if id in drawn)
    assert Counter(type_ for type_, _ in cells.elements()) == {"plain": 70, "denominal": 70, "deverbal": 70}
    assert max(cells.values()) - min(cells.values()) <= 1


def test_small_kinds_are_pooled() -> None:
    kinds = Counter(kind for _, kind, _ in strata(pool(), STRATIFIED).values())
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
