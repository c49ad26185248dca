"""Whole studies: slices, questions, rater pairs, in memory and in DuckDB."""

from pathlib import Path

import numpy as np
import pytest

from assent.engines.out_of_core import RemoteTable, open_table
from assent.model.study import Study
from assent.randomness import generator
from assent.readers import read
from assent.uncertainty.studies import measure_study, parts


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Two questions, three raters, units in two groups; invented."""
    random = generator(2)
    lines = ["unit,group,rater,question,value"]
    for unit in range(30):
        for question in ("tone", "style"):
            truth = random.integers(0, 3)
            for rater in ("a", "b", "c"):
                value = truth if random.random() < 0.7 else random.integers(0, 3)
                lines.append(f"u{unit},{'first' if unit < 15 else 'second'},{rater},{question},{'xyz'[value]}")
    made = tmp_path / "study.csv"
    made.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return made


@pytest.fixture
def study(file: Path) -> Study:
    return read(str(file))


@pytest.fixture
def remote(file: Path) -> RemoteTable:
    pytest.importorskip("duckdb")
    return open_table("duckdb", str(file), unit="unit", rater="rater", value="value", question="question")


def test_a_part_for_every_slice_question_and_pair(study: Study) -> None:
    found = list(parts(study, by=["group"], pairs=True))
    assert len(found) == 2 * 2 * 3
    assert found[0].slice == {"group": "first"}
    assert {part.question for part in found} == {"tone", "style"}
    assert {part.raters for part in found} == {("a", "b"), ("a", "c"), ("b", "c")}


def test_pooled_questions_are_one_part(study: Study) -> None:
    (part,) = parts(study, pool=True)
    assert part.question is None
    assert part.tally.n_units == 60


def test_both_engines_give_the_same_digits(study: Study, remote: RemoteTable) -> None:
    for pool in (False, True):
        ours, theirs = (
            measure_study(one, ["fleiss", "alpha"], pool=pool, level="nominal", resamples=50, seed=1)
            for one in (study, remote)
        )
        assert sorted(r.signature for r in ours) == sorted(r.signature for r in theirs)


def test_without_a_question_there_is_one_part(file: Path) -> None:
    pytest.importorskip("duckdb")
    table = open_table("duckdb", str(file), unit="unit", rater="rater", value="value")
    (part,) = parts(table.where("question", ["tone"]))
    assert part.question is None


def test_measures_that_suit_are_the_default(study: Study) -> None:
    told: list[tuple[int, int]] = []
    found = measure_study(study, ci="none", progress=lambda done, total: told.append((done, total)))
    assert [r.measure for r in found] == ["percent", "fleiss", "alpha", "ac1"] * 2
    assert told == [(0, 2), (1, 2)]


def test_weights_may_be_a_file(study: Study, tmp_path: Path) -> None:
    matrix = tmp_path / "weights.csv"
    matrix.write_text(",x,y,z\nx,1,0.5,0\ny,0.5,1,0.5\nz,0,0.5,1\n", encoding="utf-8")
    from_file = measure_study(study, ["fleiss"], pool=True, ci="none", weights=str(matrix))
    given = measure_study(
        study, ["fleiss"], pool=True, ci="none", weights=np.array([[1, 0.5, 0], [0.5, 1, 0.5], [0, 0.5, 1]])
    )
    assert from_file == given
