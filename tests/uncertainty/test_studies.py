"""Which measures suit.

Measuring whole studies: slices, questions, pairs, and the same digits from every engine.

Slices and groups of raters that differ are told from those that do not.
"""

from pathlib import Path
from typing import Any

import numpy as np
import pandas
import pytest

import concordant
from concordant.engines.remote import RemoteTable, open_table
from concordant.engines.tally import Tally
from concordant.errors import InputError
from concordant.measures.catalogue import CATALOGUE
from concordant.model.columns import encode
from concordant.model.judgements import Judgements
from concordant.model.scale import Level
from concordant.model.study import Study
from concordant.uncertainty.studies import Difference, differences, measure_study, parts
from concordant.uncertainty.suitability import recommended, suitable
from tests.measures.unitizing.oracles import random_continuum
from tests.uncertainty.conftest import panel


@pytest.mark.parametrize("level", Level)
@pytest.mark.parametrize("many", [False, True])
def test_every_level_has_recommended_measures_in_an_order(level: Level, many: bool) -> None:
    places = [place for one in CATALOGUE.values() if (place := one.place(level, many=many)) is not None]
    assert len(places) >= 2
    assert sorted(places) == list(range(1, len(places) + 1))


@pytest.mark.parametrize(
    ("level", "n_raters", "first"),
    [("nominal", 2, "percent"), ("nominal", 3, "percent"), ("ordinal", 3, "alpha"), ("interval", 2, "alpha")],
)
def test_recommended_measures_come_first_and_can_be_computed(level: str, n_raters: int, first: str) -> None:
    data = Judgements.from_matrix([[1, 2, 3][:n_raters], [2, 2, 2][:n_raters], [3, 3, 1][:n_raters]], level=level)
    found = suitable(data)
    chosen = [one for one in found if one.is_recommended]
    assert found[: len(chosen)] == chosen
    assert chosen[0].measure.key == first
    assert all(not one.problems for one in chosen)
    assert recommended(data) == [one.measure.key for one in chosen]


def test_kappa_of_three_raters_has_a_problem_and_comes_late(five_raters: Tally) -> None:
    kappa = next(one for one in suitable(five_raters) if one.measure.key == "kappa")
    assert "use conger" in kappa.problems[0]
    assert not kappa.is_recommended


def test_other_things_are_refused() -> None:
    with pytest.raises(InputError, match="dict cannot be measured"):
        suitable({})


DATA = Path(__file__).parents[2] / "src" / "concordant" / "examples" / "data"
RATINGS = DATA / "ratings.csv"


def remote(**roles: str) -> RemoteTable:
    return open_table("duckdb", str(RATINGS), unit="unit", rater="rater", value="value", level="ordinal", **roles)


def test_every_slice_question_and_pair_is_a_part() -> None:
    study = concordant.read(DATA / "features.csv")
    found = list(parts(study, by=["group"], pairs=True))
    assert len(found) == 2 * 5 * 1
    assert {part.raters for part in found} == {("A1", "A2")}
    assert {tuple((part.slice or {}).items()) for part in found} == {(("group", "native"),), (("group", "non-native"),)}


def test_questions_pooled_make_one_part() -> None:
    (part,) = parts(concordant.read(DATA / "features.csv"), pool=True)
    assert part.question is None
    assert part.data.n_judged == 300


def test_a_study_without_questions_has_one_part() -> None:
    (part,) = parts(concordant.read(DATA / "classes.csv", level="set"))
    assert part.question is None


def test_without_keys_the_measures_that_suit_are_computed() -> None:
    keys = {result.measure for result in measure_study(concordant.read(DATA / "classes.csv", level="set"), ci="none")}
    assert keys == {"set_full", "set_weighted", "set_overlapping", "alpha"}


def test_progress_is_reported_for_every_part() -> None:
    seen: list[tuple[int, int]] = []
    measure_study(
        concordant.read(RATINGS, level="ordinal"), ["alpha"], ci="none", progress=lambda *step: seen.append(step)
    )
    assert seen == [(1000, 2000), (2000, 2000)]


@pytest.mark.parametrize("pool", [True, False])
def test_another_engine_gives_the_same_digits(pool: bool) -> None:
    """Where questions are pooled it draws every one alone, and says so."""
    whole = concordant.read(RATINGS, level="ordinal").clustered("none")
    ours = measure_study(whole, ["alpha", "conger"], pool=pool, seed=1, resamples=50)
    theirs = measure_study(remote(question="question"), ["alpha", "conger"], pool=pool, seed=1, resamples=50)
    numbers = [
        {(r.question, r.measure): (r.value, r.interval.low, r.interval.high) for r in rs if r.interval}
        for rs in (ours, theirs)
    ]
    assert numbers[0].keys() == numbers[1].keys()
    assert all(any("drawn one by one" in note for note in result.notes) == pool for result in theirs)
    for key, values in numbers[0].items():
        assert numbers[1][key] == pytest.approx(values, abs=1e-12)


def test_slices_of_another_engine_without_questions() -> None:
    found = measure_study(remote(), ["percent"], by=["question"], ci="none")
    assert [result.slice for result in found] == [{"question": "adequacy"}, {"question": "fluency"}]


def test_a_matrix_of_weights_is_read_from_its_file(tmp_path: Path) -> None:
    matrix = tmp_path / "weights.csv"
    matrix.write_text(",no,yes\nno,1,0.5\nyes,0.5,1\n")
    study = concordant.read(DATA / "features.csv").where("question", ["core_event"])
    (plain, credit) = (
        measure_study(study, ["percent"], ci="none", weights=weights)[0] for weights in (None, str(matrix))
    )
    assert credit.observed == pytest.approx(1 - (1 - float(plain)) / 2)


def test_each_category_against_the_rest_where_a_measure_has_such_values() -> None:
    study = concordant.read(DATA / "classes.csv", level="set")
    fleiss, alpha = measure_study(study, ["fleiss", "set_full"], per_category=True, ci="none")
    assert set(fleiss.details["categories"]) == {"B", "E", "O", "B+E", "B+O", "E+O"}
    assert "categories" not in alpha.details
    pair = measure_study(
        concordant.read(RATINGS, level="nominal"), ["kappa"], pairs=True, per_category=True, ci="none"
    )[0]
    assert set(pair.details["categories"]) == {"1", "2", "3", "4", "5"}


def test_options_that_no_measure_has_are_refused() -> None:
    data = Judgements.from_matrix([[1, 1], [2, 2], [1, 2]], level="nominal")
    with pytest.raises(InputError, match="no option 'colour'"):
        measure_study(data, ["kappa", "alpha"], colour="red", ci="none")
    kept = measure_study(data, ["kappa", "alpha"], distance="nominal", ci="none")
    assert [one.measure for one in kept] == ["kappa", "alpha"]


def test_one_measure_without_the_option_is_named() -> None:
    data = Judgements.from_matrix([[1, 1], [2, 2], [1, 2]], level="nominal")
    with pytest.raises(InputError, match="no option 'colour'"):
        measure_study(data, ["kappa"], colour="red", ci="none")


@pytest.mark.parametrize(("n_raters", "values", "is_told"), [(6, 2, True), (7, 2, False), (3, 3, False)])
def test_how_often_each_rater_said_yes(n_raters: int, values: int, is_told: bool) -> None:
    """Of two categories and six raters at most."""
    cells = [[(unit * rater) % values for rater in range(n_raters)] for unit in range(6)]
    [found] = measure_study(Judgements.from_matrix(cells, level="nominal"), ["alpha"], ci="none")
    assert ("yes_rates" in found.details) is is_told
    if is_told:
        assert found.details["yes"] == "1"
        assert list(found.details["yes_rates"].values()) == pytest.approx([0, 0.5, 0, 0.5, 0, 0.5])


def study() -> Study:
    """Eight raters and 120 units: all agree on news and guess on blogs; four of them agree among themselves anyway."""
    news, blogs = panel(60, 8, right=0.95), panel(60, 8, right=0.1, seed=9)
    cells = np.vstack([news, blogs])
    unit, rater = np.indices(cells.shape)
    return Study(
        name="made up",
        unit=encode([f"u{number}" for number in unit.ravel()]),
        rater=encode([f"r{number}" for number in rater.ravel()]),
        value=encode([str(int(value)) for value in cells.ravel()]),
        question=None,
        attributes={
            "genre": encode(["news" if number < 60 else "blogs" for number in unit.ravel()]),
            "half": encode([str(number % 2) for number in unit.ravel()]),
            "team": encode(["x" if number < 4 else "y" for number in rater.ravel()]),
        },
        row_numbers=np.arange(2, unit.size + 2),
    )


def test_slices_of_units() -> None:
    [apart] = differences(study(), ["alpha"], by=["genre"], permutations=300, seed=1)
    assert {apart.first, apart.second} == {"news", "blogs"}
    assert abs(apart.difference or 0) > 0.5
    assert (apart.p or 1) < 0.01
    assert (apart.permutations, apart.seed, apart.reason) == (300, 1, None)
    [alike] = differences(study(), ["alpha"], by=["half"], permutations=300, seed=1)
    assert (alike.p or 0) > 0.05


def test_every_two_slices_are_compared_and_usual_measures_are_taken() -> None:
    seen: list[tuple[int, int]] = []
    found = differences(
        study(), by=["genre", "half"], permutations=20, seed=1, progress=lambda *step: seen.append(step)
    )
    assert len({(one.first, one.second) for one in found}) == 6
    assert found[0].first == "news · 0"
    assert {one.measure for one in found} >= {"alpha"}
    assert seen[-1] == (6, 6)


def test_raters_are_not_units() -> None:
    [found] = differences(study(), ["alpha"], by=["team"], permutations=20, seed=1)
    assert found.p is None
    assert "'team' is not an attribute of units" in str(found.reason)


def groups(n: int) -> dict[str, tuple[str, ...]]:
    return {"x": tuple(f"r{i}" for i in range(n)), "y": tuple(f"r{i}" for i in range(4, 4 + n))}


def found_for(n: int, key: str = "alpha") -> list[Difference]:
    return differences(study(), [key], by=["genre"], groups=groups(n), permutations=50, seed=1)


def test_groups_of_raters_in_every_slice() -> None:
    assert [(one.first, one.second) for one in found_for(4)] == [
        ("news · x", "news · y"),
        ("blogs · x", "blogs · y"),
    ]
    assert all(one.p is not None for one in found_for(4))


def test_few_raters_cannot_give_a_small_p_value() -> None:
    assert "only 6 ways" in str(found_for(2)[0].note)
    assert found_for(4)[0].note == "there are only 70 ways to divide these raters, so p cannot be small"


def test_a_measure_without_rater_pairs_says_so() -> None:
    assert "kendall_w cannot compare groups of raters" in str(found_for(4, "kendall_w")[0].reason)


def test_an_undefined_slice_says_so() -> None:
    made = study()
    constant = encode(["1"] * 60 * 8 + [str(i % 2) for i in range(60 * 8)])
    [found] = differences(Study(**{**vars(made), "value": constant}), ["alpha"], by=["genre"], permutations=20, seed=1)
    assert found.reason == "alpha is undefined in one of the groups; each group needs units that vary"


def test_p_values_are_in_the_details_and_signed() -> None:
    data = study().where("genre", ["news"]).judgements(None)
    result = concordant.measure(data, "alpha", ci="none", permutations=99, seed=4)
    assert result.details["chance_test"]["p"] == pytest.approx(0.02)
    assert "|permutations:99|seed:4|" in result.signature
    assert "|p:0.02|" in result.signature
    assert concordant.verify(result.signature, data).matches
    forged = result.signature.replace("|p:0.02|", "|p:0.9|")
    assert concordant.verify(forged, data).differences == ("p: 0.9 in the signature, 0.02 computed",)


def test_where_every_permutation_is_undefined_there_is_a_note() -> None:
    cells = np.array([[1, 1], [2, 2], [2, None], [2, None], [2, None], [2, None]], dtype=object)
    data = concordant.Judgements.from_matrix(cells, level="ordinal")
    tested = [concordant.measure(data, "tau_b", ci="none", permutations=1, seed=seed) for seed in range(20)]
    without = [result for result in tested if "chance_test" not in result.details]
    assert 0 < len(without) < 20  # two in three permutations leave the first rater with one value for both common units
    assert without[0].notes[-1].startswith("no p-value: every permutation is undefined")
    assert concordant.verify(without[0].signature, data).matches


def test_only_judgements_are_permuted() -> None:
    with pytest.raises(concordant.InputError, match="permutations is for judgements, and these are spans"):
        concordant.measure(random_continuum(1, 2, 5, least=3), "gamma", permutations=10)


def test_questions_are_compared_each_with_itself() -> None:
    made = study()
    question = encode(["clear" if i % 2 else "true" for i in range(made.n_rows)])
    found = differences(
        Study(**{**vars(made), "question": question}), ["percent"], by=["genre"], permutations=9, seed=1
    )
    assert [one.question for one in found] == ["true", "clear"]


@pytest.mark.parametrize(
    ("choices", "message"),
    [
        ({"permutations": -1}, "-1 permutations cannot be made"),
        ({"permutations": 10**9}, "permutations cannot be made"),
        ({"permutations": 10, "ci": "pairs"}, "no permutation test"),
    ],
)
def test_what_cannot_be_permuted_is_refused(choices: dict[str, Any], message: str) -> None:
    data = study().judgements(None)
    with pytest.raises(concordant.InputError, match=message):
        concordant.measure(data, "alpha", **choices)


def test_a_unit_that_two_slices_share_is_named() -> None:
    """An attribute of units that was typed in two ways takes judgements apart without a word."""
    rows = [[n, rater, genre] for n in "12345" for rater, genre in (("A", "news"), ("B", "news"))]
    frame = {name: [row[i] for row in rows] for i, name in enumerate(("unit", "rater", "genre"))}
    frame["value"] = list("xyxxyyxxyy")
    frame["age"] = ["young" if rater == "A" else "old" for rater in frame["rater"]]

    def notes(by: str) -> list[str]:
        found = concordant.measure(pandas.DataFrame(frame), "percent", by=by, ci="none")
        return [note for result in found for note in result.notes if "several values" in note]

    assert notes("genre") == notes("age") == notes("unit") == []
    frame["genre"][1] = "News"
    assert set(notes("genre")) == {"1 unit with several values of 'genre' (1): a slice has only a part"}
    frame["genre"][3:10:2] = ["x"] * 4
    assert set(notes("genre")) == {"5 units with several values of 'genre' (1, 2, 3 …): a slice has only a part"}
