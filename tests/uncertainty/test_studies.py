"""Measuring whole studies: slices, questions, pairs, and the same digits from every engine."""

from pathlib import Path

import pytest

import assent
from assent.engines.out_of_core import RemoteTable, open_table
from assent.uncertainty.studies import measure_study, parts

DATA = Path(__file__).parents[2] / "src" / "assent" / "examples" / "data"
RATINGS = DATA / "ratings.csv"


def remote(**roles: str) -> RemoteTable:
    return open_table("duckdb", str(RATINGS), unit="unit", rater="rater", value="value", level="ordinal", **roles)


def test_every_slice_question_and_pair_is_a_part() -> None:
    study = assent.read(DATA / "features.csv")
    found = list(parts(study, by=["group"], pairs=True))
    assert len(found) == 2 * 5 * 1
    assert {part.raters for part in found} == {("A1", "A2")}
    assert {tuple((part.slice or {}).items()) for part in found} == {(("group", "native"),), (("group", "non-native"),)}


def test_questions_pooled_make_one_part() -> None:
    (part,) = parts(assent.read(DATA / "features.csv"), pool=True)
    assert part.question is None
    assert part.tally.n_judged == 300


def test_a_study_without_questions_has_one_part() -> None:
    (part,) = parts(assent.read(DATA / "classes.csv", level="set"))
    assert part.question is None


def test_without_keys_the_measures_that_suit_are_computed() -> None:
    keys = {result.measure for result in measure_study(assent.read(DATA / "classes.csv", level="set"), ci="none")}
    assert keys == {"set_full", "set_weighted", "set_overlapping", "alpha"}


def test_progress_is_reported_for_every_part() -> None:
    seen: list[tuple[int, int]] = []
    measure_study(assent.read(RATINGS, level="ordinal"), ["alpha"], ci="none", progress=lambda *step: seen.append(step))
    assert seen == [(0, 2), (1, 2)]


@pytest.mark.parametrize("pool", [True, False])
def test_another_engine_gives_the_same_digits(pool: bool) -> None:
    ours = measure_study(assent.read(RATINGS, level="ordinal"), ["alpha", "conger"], pool=pool, seed=1, resamples=50)
    theirs = measure_study(remote(question="question"), ["alpha", "conger"], pool=pool, seed=1, resamples=50)
    numbers = [
        {(r.question, r.measure): (r.value, r.interval.low, r.interval.high) for r in rs if r.interval}
        for rs in (ours, theirs)
    ]
    assert numbers[0].keys() == numbers[1].keys()
    for key, values in numbers[0].items():
        assert numbers[1][key] == pytest.approx(values, abs=1e-12)


def test_slices_of_another_engine_without_questions() -> None:
    found = measure_study(remote(), ["percent"], by=["question"], ci="none")
    assert [result.slice for result in found] == [{"question": "adequacy"}, {"question": "fluency"}]


def test_a_matrix_of_weights_is_read_from_its_file(tmp_path: Path) -> None:
    matrix = tmp_path / "weights.csv"
    matrix.write_text(",no,yes\nno,1,0.5\nyes,0.5,1\n")
    study = assent.read(DATA / "features.csv").where("question", ["core_event"])
    (plain, credit) = (
        measure_study(study, ["percent"], ci="none", weights=weights)[0] for weights in (None, str(matrix))
    )
    assert credit.observed == pytest.approx(1 - (1 - float(plain)) / 2)


def test_each_category_against_the_rest_where_a_measure_has_such_values() -> None:
    study = assent.read(DATA / "classes.csv", level="set")
    fleiss, alpha = measure_study(study, ["fleiss", "set_full"], per_category=True, ci="none")
    assert set(fleiss.details["categories"]) == {"B", "E", "O", "B+E", "B+O", "E+O"}
    assert "categories" not in alpha.details
    pair = measure_study(assent.read(RATINGS, level="nominal"), ["kappa"], pairs=True, per_category=True, ci="none")[0]
    assert set(pair.details["categories"]) == {"1", "2", "3", "4", "5"}
