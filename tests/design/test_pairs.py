"""Preference pairs: the vector-covering rule, for any data."""

from collections import Counter, defaultdict

from hypothesis import given, settings
from hypothesis import strategies as st

from assent.design.description import Pairing, Unit
from assent.design.pairs import make_pairs, vector
from assent.randomness import generator

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
