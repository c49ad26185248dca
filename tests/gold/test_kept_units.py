"""Gold where the data lie: the values of memory, whoever sorts the units, however many of them fit."""

import csv
import json
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import polars as pl
import pytest

import concordant as cc
from concordant.engines import ordered
from concordant.engines.remote import MOST_ROWS, open_table
from concordant.errors import InputError
from concordant.gold import by_models, kept_units
from concordant.gold.by_models import Method, ModelOptions, Standard
from concordant.gold.kept_units import gold_there
from tests.cli.test_gold_commands import run
from tests.engines.designs import many_designs

AT_REST = 1e-6  # EM stops where tables move by 1e-7 at most, and sums are added up in another order


def relation(rows: pl.DataFrame) -> Any:
    return duckdb.connect().from_arrow(rows.to_arrow())


def lazy(rows: pl.DataFrame) -> Any:
    return rows.lazy()


def same(ours: Standard, theirs: Standard) -> None:
    """Every unit has one value in both, every rater one competence, and the same is said against both."""
    mine, other = ({one.unit: one for one in found.values} for found in (ours, theirs))
    assert mine.keys() == other.keys()
    for unit, one in mine.items():
        two = other[unit]
        assert (one.basis, one.n_votes) == (two.basis, two.n_votes)
        assert one.certainty == pytest.approx(two.certainty, abs=AT_REST)
        assert one.shares == pytest.approx(two.shares, abs=AT_REST)
        best = sorted(two.shares.values())
        if one.basis != "posterior" or len(best) < 2 or best[-1] - best[-2] > AT_REST:  # else it may be either
            assert one.value == two.value
    assert ours.competences == pytest.approx(theirs.competences, abs=AT_REST)
    assert [one.kind for one in ours.findings] == [one.kind for one in theirs.findings]
    assert ours.notes == theirs.notes
    assert ours.categories == theirs.categories
    assert len(ours.values) == len(theirs.values)


@pytest.mark.parametrize("make", [relation, lazy])
@pytest.mark.parametrize("are_small", [True, False])
def test_votes_on_any_design_are_those_of_memory(make: Any, are_small: bool) -> None:
    """A hundred designs, each a question: crowds, sets, repeats, ties; up to 5,000 raters and 300 categories."""
    rows = many_designs(100, are_small=are_small, seed=11)
    how: dict[str, Any] = {"question": "design", "duplicates": "last"}
    here, there = cc.gold(rows, **how), cc.gold(make(rows), **how)
    assert {*here} == {*there} == {f"d{i:03}" for i in range(100)}
    for question, one in there.items():
        same(one, here[question])


@pytest.mark.parametrize("make", [relation, lazy])
@pytest.mark.parametrize("together", [kept_units.MOST_TOGETHER, 0])
def test_dawid_and_skene_on_any_design_are_those_of_memory(
    make: Any, together: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sets, repeats (all of them count), missing judgements and ties; learned from kinds, or from all units in pieces."""
    monkeypatch.setattr(kept_units, "MOST_TOGETHER", together)
    monkeypatch.setattr(ordered, "ROWS", 37)
    rows = many_designs(12, are_small=True, seed=5)
    how: dict[str, Any] = {"question": "design", "method": "dawid_skene", "accept_classes": True}
    here, there = cc.gold(rows, **how), cc.gold(make(rows), **how)
    assert len(there) == 12
    assert any(len(one.notes) > 1 for one in there.values())  # some have repeats
    for question, one in there.items():
        same(one, here[question])


def crowd(n_units: int = 600, seed: int = 2) -> pl.DataFrame:
    """Thirty raters of unequal skill, four of whom judge a unit; rows shuffled; invented."""
    random = np.random.default_rng(seed)
    truth, skill = random.integers(0, 3, n_units), random.uniform(0.5, 0.95, 30)
    rater = np.concatenate([random.choice(30, 4, replace=False) for _ in range(n_units)])
    unit = np.repeat(np.arange(n_units), 4)
    right = random.random(len(unit)) < skill[rater]
    value = np.where(right, truth[unit], random.integers(0, 3, len(unit)))
    made = {"unit": unit, "rater": [f"r{r}" for r in rater], "value": [f"{'xyz'[v]}" for v in value]}
    return pl.DataFrame(made).sample(fraction=1.0, shuffle=True, seed=seed)


@pytest.mark.parametrize("method", ["votes", "dawid_skene"])
def test_the_command_writes_the_same_file_by_units(
    method: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept_units, "MOST_TOGETHER", 100)
    data, goal = tmp_path / "crowd.parquet", tmp_path / "gold.csv"
    crowd().write_parquet(data)
    files = []
    for engine in ("memory", "duckdb"):
        shown = run("gold", str(data), "--method", method, "--engine", engine, "-o", str(goal)).output
        assert "600 units, " in shown
        with goal.open(encoding="utf-8", newline="") as file:
            files.append({row["unit"]: row for row in csv.DictReader(file)})
    for unit, row in files[0].items():
        other = files[1][unit]
        assert row.keys() == other.keys()
        assert (row["value"], row["basis"], row["n_votes"]) == (other["value"], other["basis"], other["n_votes"])
        assert float(row["p_x"]) == pytest.approx(float(other["p_x"]), abs=AT_REST)
    assert [*files[1]] == sorted(files[1], key=int)
    assert (tmp_path / "gold.codebook.csv").exists()


def test_units_can_be_looked_at_again_and_again() -> None:
    found = cc.gold(relation(crowd()), method="dawid_skene")[None].values
    everything = list(found)
    assert len(found) == len(everything) == 600
    assert found[7] == everything[7] == found[-593]
    assert list(found[590:][::-1]) == everything[:589:-1]
    assert [one.unit for one in found.chosen(np.array([5, 400, 2]))] == [everything[i].unit for i in (5, 400, 2)]
    least = sorted(one.certainty for one in everything)[:10]
    assert [one.certainty for one in found.least_certain(10)] == least
    assert sum(found.counts.values()) == 600
    assert found.to_dict()[0]["unit"] == "0"


def test_several_blocks_are_one_gold(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ordered, "ROWS", 50)
    found = cc.gold(lazy(crowd()), method="votes")[None].values
    assert len(list(found.parts())) > 30
    assert [one.unit for one in found] == [str(i) for i in range(600)]
    assert [one.unit for one in found.chosen(np.array([599, 0, 300]))] == ["599", "0", "300"]
    assert [one.unit for one in found[250:260]] == [str(i) for i in range(250, 260)]


@pytest.mark.parametrize(
    ("method", "more"), [("mace", []), ("rasch", ["--level", "ordinal"]), ("dawid_skene", ["--as", "doccano"])]
)
def test_what_takes_the_rows_brings_them_to_memory_or_says_so(
    method: str, more: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data, goal = tmp_path / "crowd.parquet", tmp_path / "gold.csv"
    crowd(60).with_columns(value=pl.col("value").replace({"x": "1", "y": "2", "z": "3"})).write_parquet(data)
    how = ["gold", str(data), "--method", method, *more, "--engine", "duckdb", "-o", str(goal)]
    assert "read by duckdb and counted in memory: 240 rows" in " ".join(run(*how).output.split())
    monkeypatch.setattr("concordant.engines.remote.MOST_ROWS", 100)
    with pytest.raises(InputError, match="240 rows are too many for memory") as error:
        run(*how)
    assert "gold" in str(error.value)
    assert MOST_ROWS > 100_000_000


def test_what_is_wrong_is_said_before_units_are_sorted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "crowd.parquet"
    crowd(50).write_parquet(path)
    monkeypatch.setattr(kept_units, "ordered_units", None)  # whoever came to that would fail
    with pytest.raises(InputError, match="--not-a-truth 'w' is no answer"):
        cc.gold(path, engine="duckdb", method="dawid_skene", not_a_truth=["w"])
    with pytest.raises(InputError, match="the prior 'much' is not two numbers"):
        cc.gold(path, engine="duckdb", method="dawid_skene", prior="much")
    with pytest.raises(InputError, match="prior says nothing about the method votes"):
        cc.gold(path, engine="duckdb", prior="none")


def test_repeats_have_to_be_spoken_for_in_votes() -> None:
    rows = pl.DataFrame({"unit": ["u"] * 3 + ["v"], "rater": ["r", "r", "s", "s"], "value": ["x", "y", "x", "y"]})
    with pytest.raises(InputError, match="rater 'r' judged a unit more than once"):
        cc.gold(relation(rows))
    assert [one.value for one in cc.gold(relation(rows), duplicates="first")[None].values] == ["x", "y"]
    assert [one.n_votes for one in cc.gold(relation(rows), method="dawid_skene")[None].values] == [3, 1]


def test_guards_refuse_there_too(tmp_path: Path) -> None:
    from tests.gold.test_guards import unsure

    data = tmp_path / "unsure.parquet"
    pl.DataFrame(unsure()).write_parquet(data)
    goal = tmp_path / "gold.csv"
    with pytest.raises(InputError, match="Unsure is not its own name: a unit put there is called Unsure with"):
        run("gold", str(data), "--method", "dawid_skene", "--engine", "duckdb", "-o", str(goal))
    assert not goal.exists()
    named = run("gold", str(data), "--method", "dawid_skene", "--accept-classes", "--engine", "duckdb", "--json").output
    assert json.loads(named)["standards"][0]["categories"] == ["No", "class-2", "Yes"]


@pytest.mark.parametrize("data", ["rows", "file"])
def test_tables_of_error_rates_have_to_fit(data: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(by_models, "MOST_RATES", 100)
    path = tmp_path / "crowd.parquet"
    crowd(50).write_parquet(path)
    with pytest.raises(InputError, match=r"tables of error rates for [0-9]+ raters and 3 categories have [0-9]+ cells"):
        cc.gold(
            crowd(50) if data == "rows" else path, method="dawid_skene", engine="memory" if data == "rows" else "duckdb"
        )


def test_learning_says_how_far_it_is(tmp_path: Path) -> None:
    path = tmp_path / "crowd.parquet"
    crowd().write_parquet(path)
    said: list[tuple[int, int]] = []
    gold_there(open_table("duckdb", str(path)), Method.DAWID_SKENE, ModelOptions(), lambda *one: said.append(one))
    shares = [done / total for done, total in said]
    assert len({round(share, 2) for share in shares}) > 10
    assert 0 <= min(shares) <= max(shares) <= 1


def test_full_disks_are_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "crowd.parquet"
    crowd(50).write_parquet(path)

    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("pyarrow.ipc.new_file", full)
    with pytest.raises(InputError, match=r"units cannot be kept beside .No space left on device.; set TMPDIR"):
        cc.gold(path, engine="duckdb")


def test_a_judgement_without_a_unit_is_refused() -> None:
    for unit in (None, "  "):
        rows = pl.DataFrame({"unit": ["u", unit, "v"], "rater": ["r", "s", "r"], "value": ["x", "y", "x"]})
        with pytest.raises(InputError, match="a judgement has no unit"):
            cc.gold(relation(rows))


def test_units_of_any_type_have_the_names_of_memory() -> None:
    for unit in ([1.5, 2.0, 2.0], [True, False, False], [10, 9, 9]):
        rows = pl.DataFrame({"unit": unit, "rater": ["r", "r", "s"], "value": ["x", "y", "x"]})
        here, there = cc.gold(rows)[None], cc.gold(relation(rows))[None]
        assert {one.unit for one in there.values} == {one.unit for one in here.values}
