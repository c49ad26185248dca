"""The same tally from a table that is never loaded, counted by DuckDB and polars; Spark is in test_spark.py."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import polars as pl
import pytest

import concordant
from concordant.engines import out_of_core
from concordant.engines.out_of_core import tally_parts, tally_table
from concordant.engines.remote import RemoteTable, adopted, open_table
from concordant.engines.repeats import with_rows
from concordant.engines.tally import tally
from concordant.errors import InputError
from concordant.model.judgements import Judgements
from concordant.readers.data import as_study
from concordant.uncertainty.estimate import estimate
from concordant.uncertainty.request import ask
from tests.cli.running import run
from tests.engines.designs import many_designs


def make_frame() -> pl.DataFrame:
    """Three raters, 40 units, two questions, some blanks; invented."""
    random = np.random.default_rng(12)
    unit, rater, question = (axis.ravel() for axis in np.indices((40, 3, 2)))
    values = random.choice(["yes", "no", "maybe", ""], size=len(unit), p=[0.4, 0.3, 0.2, 0.1])
    return pl.DataFrame(
        {
            "unit": [f"u{i}" for i in unit],
            "rater": [f"r{i}" for i in rater],
            "question": [f"q{i}" for i in question],
            "value": values,
            "genre": ["news" if i % 2 else "blog" for i in unit],
        }
    )


@pytest.fixture(params=["csv", "parquet", "relation", "lazy"])
def table(tmp_path: Path, request: pytest.FixtureRequest) -> RemoteTable:
    """The same rows in files and in lazy frames."""
    path = tmp_path / f"study.{request.param}"
    frame = make_frame()
    if request.param in ("csv", "parquet"):
        frame.write_csv(path) if request.param == "csv" else frame.write_parquet(path)
        return open_table("duckdb", str(path), question="question")
    lazy = adopted(duckdb.connect().from_arrow(frame.to_arrow()) if request.param == "relation" else frame.lazy())
    assert lazy is not None
    return RemoteTable(frame=lazy.frame, engine=lazy.engine, file=lazy.file, question="question")


def table_of(frame: pl.DataFrame) -> RemoteTable:
    """A table of one question in polars."""
    found = adopted(frame.lazy())
    assert found is not None
    return found


def in_memory(frame: pl.DataFrame, unit: str = "unit") -> Judgements:
    return Judgements.from_frame(frame, unit=unit)


def test_one_question_has_the_tally_of_memory(table: RemoteTable) -> None:
    remote = tally_table(table.where("question", ["q1"]))
    local = tally(in_memory(make_frame().filter(pl.col("question") == "q1")))
    assert remote.fingerprint == local.fingerprint
    assert remote.digest == local.digest
    assert remote.n_judgements == local.n_judgements
    assert remote.scale.categories == local.scale.categories


def test_pooled_questions_have_the_tally_of_memory(table: RemoteTable) -> None:
    joined = make_frame().with_columns(both=pl.concat_str("unit", "question", separator="|"))
    assert tally_table(table, pool=True).fingerprint == tally(in_memory(joined, "both")).fingerprint


def test_several_questions_are_not_mixed(table: RemoteTable) -> None:
    with pytest.raises(InputError, match="the table has 2 questions"):
        tally_table(table)


@pytest.mark.parametrize("most", [out_of_core.MOST_BITS, 0])
def test_slices_and_questions_are_counted_in_one_pass(
    table: RemoteTable, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(out_of_core, "MOST_BITS", most)
    parts = {
        (where["genre"], question): one for where, question, one in tally_parts(table, ["genre"]) if where is not None
    }
    assert set(parts) == {(genre, question) for genre in ("blog", "news") for question in ("q0", "q1")}
    for (genre, question), part in parts.items():
        kept = make_frame().filter((pl.col("genre") == genre) & (pl.col("question") == question))
        assert part.fingerprint == tally(in_memory(kept)).fingerprint
    twice = [where for where, _, _ in tally_parts(table, ["genre", "genre"], pool=True)]
    assert twice == [{"genre": "blog"}, {"genre": "news"}]


@pytest.mark.parametrize("times", [2, 8, 9, 64, 3000])
@pytest.mark.parametrize("n_raters", [3, 30, 80])
def test_a_rater_who_judged_a_unit_again_is_named(times: int, n_raters: int) -> None:
    """However often, and whoever else judged it: eight judgements once looked like one of the next rater."""
    raters = [*["r01"] * times, *(f"r{i:02}" for i in range(2, n_raters))]
    frame = pl.DataFrame({"unit": "u", "rater": raters, "value": ["x"] * len(raters)})
    others = pl.DataFrame({"unit": "w", "rater": ["r00", "r01"], "value": ["x", "y"]})
    for engine in (table_of(pl.concat([frame, others])), relation(pl.concat([frame, others]))):
        with pytest.raises(InputError, match="rater 'r01' judged a unit more than once"):
            tally_table(engine)


def relation(frame: pl.DataFrame) -> RemoteTable:
    """A table of one question in DuckDB."""
    found = adopted(duckdb.connect().from_arrow(frame.to_arrow()))
    assert found is not None
    return found


def test_whole_numbers_in_parquet_are_labels(tmp_path: Path) -> None:
    path = tmp_path / "numbers.parquet"
    frame = pl.DataFrame({"unit": [1, 1, 2, 2], "rater": [7, 8, 7, 8], "value": [1.0, 2.0, 2.0, 2.0]})
    frame.write_parquet(path)
    remote = tally_table(open_table("duckdb", str(path)))
    assert remote.raters == ("7", "8")
    assert remote.scale.categories == ("1", "2")
    assert remote.fingerprint == tally(in_memory(frame)).fingerprint


@pytest.mark.parametrize("are_small", [True, False])
@pytest.mark.parametrize("engine", [table_of, relation])
@pytest.mark.parametrize("duplicates", ["first", "last"])
def test_any_design_has_the_tally_of_memory(engine: object, are_small: bool, duplicates: str) -> None:
    """A hundred designs at once, each a slice: crowds, sets, repeats; up to 5,000 raters and 300 categories."""
    assert callable(engine)
    rows = many_designs(100, are_small=are_small)
    table = with_rows(replace(engine(rows), duplicates=duplicates))
    found = {where["design"]: one for where, _, one in tally_parts(table, ["design"]) if where is not None}
    assert len(found) == 100
    study = as_study(rows, unit="unit", rater="rater", value="value", duplicates=duplicates)
    for where, design in study.slices(["design"]):
        remote, local = found[where["design"]], tally(design.judgements())
        assert remote.scale == local.scale
        assert remote.fingerprint == local.fingerprint
        assert remote.digest == local.digest
        assert (remote.n_judgements, remote.n_units) == (local.n_judgements, local.n_units)
        for key in ("alpha", "conger"):
            ours, theirs = (estimate(data, ask(key, ci="none", seed=1)) for data in (remote, local))
            assert ours.value == pytest.approx(theirs.value, abs=1e-12)  # raters are added up in another order


@pytest.mark.parametrize("are_small", [True, False])
@pytest.mark.parametrize("engine", [table_of, relation])
def test_clusters_are_those_of_memory(engine: object, are_small: bool, tmp_path: Path) -> None:
    """Units of one document are drawn together: the same bundles, so the same draws."""
    assert callable(engine)
    rows = many_designs(40, are_small=are_small, seed=3).filter(pl.col("design").str.slice(1).cast(pl.Int64) % 3 != 0)
    rows.write_parquet(tmp_path / "rows.parquet")
    study = concordant.read(tmp_path / "rows.parquet").clustered("document")
    parts = {where["design"]: part for where, part in study.slices(["design"])}
    found = tally_parts(engine(rows).clustered("document"), ["design"])
    pairs = [(where, one, tally(parts[where["design"]].judgements())) for where, _, one in found if where]
    assert len(pairs) == rows["design"].n_unique()
    for _, remote, local in pairs:
        assert remote.digest == local.digest
        assert remote.bundles is not None
        assert local.bundles is not None
        for name in ("bundle", "pattern", "n", "times"):
            np.testing.assert_array_equal(getattr(remote.bundles, name), getattr(local.bundles, name))


def test_a_unit_in_two_clusters_or_in_none_is_named() -> None:
    frame = pl.DataFrame({"unit": ["a", "a", "b"], "rater": ["P", "Q", "P"], "value": ["x", "y", "x"]})
    torn = frame.with_columns(text=pl.Series(["s", "t", "t"]))
    lost = frame.with_columns(text=pl.Series(["s", "s", ""]))
    for made in (table_of, relation):
        with pytest.raises(InputError, match="unit 'a' is in two of the clusters of 'text'"):
            tally_table(made(torn).clustered("text"))
        with pytest.raises(InputError, match="a unit is in none of the clusters of 'text'"):
            tally_table(made(lost).clustered("text"))
        assert tally_table(made(torn).clustered("text").clustered("none")).bundles is None


def test_copies_of_a_text_belong_together_without_a_word(tmp_path: Path) -> None:
    """As in the export of a study, which says which unit was shown."""
    path = tmp_path / "judgements.csv"
    units = [f"u{i // 2}" for i in range(80)]
    values = np.random.default_rng(3).choice(["x", "y"], size=80)
    table = pl.DataFrame({"unit": units, "rater": ["P", "Q"] * 40, "value": values})
    table.with_columns(judged_unit=pl.Series([f"u{i // 4}" for i in range(80)])).write_csv(path)
    here, there = (concordant.measure(path, "alpha", seed=1, engine=engine) for engine in ("memory", "duckdb"))
    assert "clusters:20" in here.signature
    assert there.signature == here.signature
    assert concordant.verify(there.signature, path, engine="duckdb").matches


@pytest.mark.parametrize("most", [out_of_core.MOST_BITS, 0])
def test_two_spellings_of_a_rater_are_one_who_judged_again(
    tmp_path: Path, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(out_of_core, "MOST_BITS", most)
    rows = {"unit": ["a", "a", "a", "b", "b"], "rater": ["Anna", "Ben", "Anna ", "Anna", "Ben"], "value": list("xxyxy")}
    path = tmp_path / "rows.parquet"
    pl.DataFrame(rows).write_parquet(path)
    for which in ("first", "last"):
        here, there = (
            concordant.measure(path, "percent", ci="none", engine=engine, duplicates=which, level="nominal")
            for engine in ("memory", "duckdb")
        )
        assert there.signature == here.signature


def test_what_takes_the_rows_brings_them_to_memory(tmp_path: Path) -> None:
    """Wide tables, scores without end, questions in columns, attributes of a table beside: never a refusal of auto."""
    random = np.random.default_rng(2)
    wide, scores = tmp_path / "wide.csv", tmp_path / "scores.parquet"
    pl.DataFrame({"unit": range(60), **{name: random.integers(1, 4, 60) for name in "PQR"}}).write_csv(wide)
    unit = np.repeat(np.arange(800), 2)
    pl.DataFrame({"unit": unit, "rater": ["P", "Q"] * 800, "value": unit + random.normal(size=1600)}).write_parquet(
        scores
    )
    for path, key in ((wide, "alpha"), (scores, "icc1")):
        here, there = (concordant.measure(path, key, seed=1, engine=engine) for engine in ("memory", "duckdb"))
        assert there.signature == here.signature
    for how in (("--rows", "raters"), ("--raters", "P,R"), ("--case", "fold")):
        args = ("measure", wide, "--measure", "alpha", "--seed", "1", *how, "--json")
        here, there = (json.loads(run(*args, "--engine", engine).stdout) for engine in ("memory", "duckdb"))
        assert there["results"][0]["signature"] == here["results"][0]["signature"]
    for command in (("measure", "--measure", "alpha"), ("gold",)):
        done = run(command[0], wide, *command[1:], "--engine", "duckdb", "--encoding", "latin-1", code=2)
        assert "encoding" in done.stderr
    done = run("measure", wide, "--engine", "duckdb", "--measure", "alpha")
    assert "read by duckdb and counted in memory" in " ".join(done.stdout.split())


def test_a_wrong_column_is_one_line(tmp_path: Path) -> None:
    path = tmp_path / "study.csv"
    make_frame().write_csv(path)
    for role in ("unit", "rater", "value", "question"):
        named: dict[str, Any] = {role: "nope"}
        with pytest.raises(InputError, match="column 'nope': there is no such column"):
            concordant.measure(path, "alpha", engine="duckdb", **named)


def test_a_crowd_has_the_tally_of_memory(tmp_path: Path) -> None:
    random = np.random.default_rng(5)
    frame = pl.DataFrame(
        {
            "unit": np.repeat([f"u{i}" for i in range(2000)], 4),
            "rater": np.concatenate([random.choice(436, size=4, replace=False) for _ in range(2000)]).astype(str),
            "value": random.choice(list("abcd"), size=8000),
        }
    )
    frame[:5000].write_parquet(tmp_path / "one.parquet")
    frame[5000:].write_parquet(tmp_path / "two.parquet")
    local = tally(in_memory(frame))
    for paths in ([tmp_path / "one.parquet", tmp_path / "two.parquet"], [tmp_path], [tmp_path / "*.parquet"]):
        assert tally_table(open_table("duckdb", *map(str, paths))).fingerprint == local.fingerprint
    done = run("measure", tmp_path, "--engine", "auto", "--measure", "alpha", "--seed", "1", "--json")
    told = json.loads(done.stdout)
    assert any("engine duckdb: " in note and "folder of Parquet files" in note for note in told["notes"])
    found = told["results"][0]
    again = estimate(local, ask("alpha", ci=found["signature"].partition("|ci:")[2].partition(",")[0], seed=1))
    assert found["value"] == again.value
    assert again.interval is not None
    assert (found["interval"]["low"], found["interval"]["high"]) == (again.interval.low, again.interval.high)


@pytest.mark.parametrize("folder", [True, False])
@pytest.mark.parametrize(
    "words", [["measure", "--measure", "alpha", "--ci", "none"], ["diagnose"], ["gold"], ["gold", "--method", "mace"]]
)
def test_every_command_says_which_engine_was_chosen(folder: bool, words: list[str], tmp_path: Path) -> None:
    path = tmp_path / "study.parquet"
    make_frame().drop("genre").write_parquet(path)
    data = tmp_path if folder else path
    shown = " ".join(run(words[0], data, *words[1:], "--engine", "auto").stdout.split())
    assert shown.count("engine duckdb: " if folder else "engine memory: the data are files of 0.0 MB") == 1


def test_folders_named_by_values_are_columns(tmp_path: Path) -> None:
    for genre, part in make_frame().partition_by("genre", as_dict=True, include_key=False).items():
        folder = tmp_path / f"genre={genre[0]}"
        folder.mkdir()
        part.write_parquet(folder / "part.parquet")
    table = open_table("duckdb", str(tmp_path), question="question")
    kept = make_frame().filter((pl.col("genre") == "news") & (pl.col("question") == "q0"))
    asked = table.where("genre", ["news"]).where("question", ["q0"])
    assert tally_table(asked).fingerprint == tally(in_memory(kept)).fingerprint


def test_a_judgement_without_a_unit_or_a_rater_is_refused() -> None:
    frame = pl.DataFrame({"unit": ["a", "a", " "], "rater": ["P", "Q", "P"], "value": ["x", "y", "x"]})
    for made in (table_of, relation):
        with pytest.raises(InputError, match="a judgement has no unit"):
            tally_table(made(frame))
        with pytest.raises(InputError, match="a judgement has no rater"):
            tally_table(made(frame.with_columns(unit=pl.lit("a"), rater=pl.Series(["P", "Q", None]))))
        assert tally_table(made(frame.with_columns(value=pl.Series(["x", "y", ""])))).n_units == 1
        numbers = frame.with_columns(unit=pl.Series([1, 1, None], dtype=pl.Int64))
        with pytest.raises(InputError, match="a judgement has no unit"):
            tally_table(made(numbers))
    crowd = pl.DataFrame({"unit": ["a"] * 30 + [""], "rater": [f"r{i}" for i in range(31)], "value": ["x"] * 31})
    for made in (table_of, relation):
        with pytest.raises(InputError, match="a judgement has no unit"):
            tally_table(made(crowd))


def test_a_table_without_judgements_says_so() -> None:
    frame = pl.DataFrame({"unit": ["a"], "rater": ["P"], "value": [""]})
    with pytest.raises(InputError, match="there is no judgement"):
        tally_table(table_of(frame))


def test_a_value_off_the_declared_scale_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "crowd.csv"
    raters = [f"r{i:02}" for i in range(30)]
    pl.DataFrame({"unit": ["u"] * 30, "rater": raters, "value": [*"x" * 29, "y"]}).write_csv(path)
    with pytest.raises(InputError, match="the value 'y' is not on the declared scale"):
        concordant.measure(path, "alpha", engine="duckdb", categories=["x", "z"])
