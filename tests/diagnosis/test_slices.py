"""Slices: every cell of SAILS Tables 4.2 and 4.3, and cuts by any attribute."""

import csv
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from concordant.diagnosis.material import materials, pooled_material
from concordant.diagnosis.slices import SliceRow, SliceTable, between, group_rows, slice_material
from concordant.engines.tally import tally, with_raters
from concordant.errors import InputError
from concordant.measures.catalogue import find_measure
from concordant.measures.evaluation import evaluate
from concordant.model.scale import Level
from concordant.model.study import Study
from concordant.readers import read
from tests.diagnosis.simulated import study_of

COLUMNS = ("Total", "A1Yes", "A2Yes", "AvgYes", "Chance", "Observed", "Kappa")
TEST_SET = ["I28", "I29", "I30"]
FEATURES = {
    "Core Event": "core_event", "Answerhood": "answerhood", "Grammaticality": "grammaticality",
    "Interpretability": "interpretability", "Verifiability": "verifiability", "Core": "core_event",
    "Answer": "answerhood", "Gramm": "grammaticality", "Interp": "interpretability", "Verif": "verifiability",
}  # fmt: skip
# SAILS Tables 4.2 and 4.3: (table, row, group, column) -> printed, and what the data give
MISPRINTS = {
    ("4.2", "Untargeted", "all", "Kappa"): ("0.872", 0.852),
    ("4.3", "Answer", "NNS", "AvgYes"): ("0.899", 0.8995),
    ("4.3", "Verif", "NS", "Chance"): ("0.687", 0.688),
}


def slice_tables(study: Study, by: Sequence[str] = ()) -> list[SliceTable]:
    """A table for each question."""
    return [slice_material(part, by) for part in materials(study)]


def values(row: SliceRow) -> dict[str, float | None]:
    """A row in the columns of the published tables."""
    cells = (row.total, *row.yes_rates, row.average, row.chance, row.observed, row.result.value)
    return dict(zip(COLUMNS, cells, strict=True))


@pytest.fixture(scope="module")
def sails(data_dir: Path) -> Study:
    """All judgements."""
    path = data_dir / "sails" / "sails_judgements.csv"
    study: Study = read(path, unit="response_id", rater="annotator", question="feature")
    return study


@pytest.fixture(scope="module")
def computed(sails: Study) -> dict[tuple[str, str, str], dict[str, float | None]]:
    """Both tables, computed from the judgements."""
    test_set = sails.where("image", TEST_SET)
    found: dict[tuple[str, str, str], dict[str, float | None]] = {}
    for attribute in ("transitivity", "targeting"):
        pooled = slice_material(pooled_material(test_set), [attribute])
        found |= {("4.2", row.slice[attribute].capitalize(), "all"): values(row) for row in pooled.rows}
    for table in slice_tables(test_set):
        (row,) = table.rows
        found |= {("4.2", name, "all"): values(row) for name, feature in FEATURES.items() if feature == row.question}
    for table in slice_tables(test_set, ["group"]):
        for row in table.rows:
            names = [name for name, feature in FEATURES.items() if feature == row.question]
            found |= {("4.3", name, row.slice["group"]): values(row) for name in names}
    return found


@pytest.mark.data
def test_every_cell_of_sails_tables_4_2_and_4_3(
    data_dir: Path, computed: dict[tuple[str, str, str], dict[str, float | None]]
) -> None:
    with (data_dir / "sails" / "published_vs_reproduced.csv").open(encoding="utf-8") as stream:
        cells = [row for row in csv.DictReader(stream) if row["table"] in ("4.2", "4.3")]
    assert len(cells) == 70 + 40
    wrong = []
    for cell in cells:
        key = (cell["table"], cell["row"], cell["group"])
        value, printed = computed[key][cell["column"]], cell["published"]
        tolerance = 0.5 * 10.0 ** -len(printed.partition(".")[2]) + 1e-9
        assert value is not None
        if abs(value - float(printed)) > tolerance:
            wrong.append((*key, cell["column"]))
    assert sorted(wrong) == sorted(MISPRINTS)


@pytest.mark.data
@pytest.mark.parametrize("cell", MISPRINTS)
def test_the_known_misprints_are_misprints(
    cell: tuple[str, str, str, str], computed: dict[tuple[str, str, str], dict[str, float | None]]
) -> None:
    printed, ours = MISPRINTS[cell]
    value = computed[cell[:3]][cell[3]]
    assert value == pytest.approx(ours, abs=0.0005)
    assert value != pytest.approx(float(printed), abs=0.0005)


@pytest.mark.slow  # a clock is read
@pytest.mark.data
def test_five_features_by_four_attributes_are_quick(sails: Study) -> None:
    started = time.process_time()
    tables = [t for name in ("item", "targeting", "transitivity", "group") for t in slice_tables(sails, [name])]
    assert len(tables) == 20
    assert time.process_time() - started < 5


def little(n: int = 60) -> Study:
    """Two raters, yes and no, two attributes of units."""
    rows = np.arange(n)
    cells = np.column_stack([rows % 2, (rows + (rows % 10 == 0)) % 2])
    names = np.array(["no", "yes"])
    attributes = {"group": np.where(rows < 20, "NS", "NNS"), "genre": np.where(rows % 3 == 0, "news", "talk")}
    return study_of(names[cells], level=Level.NOMINAL, unit_attributes=attributes)


def test_a_slice_is_what_the_rows_of_that_value_give() -> None:
    study = little()
    (table,) = slice_tables(study, ["group"])
    for row in table.rows:
        part = study.where("group", [row.slice["group"]])
        alone = evaluate(find_measure("kappa"), tally(part.judgements()))
        assert row.result.value == pytest.approx(alone.value)
        assert row.chance == pytest.approx(alone.expected)
        assert row.total == alone.n_units


def test_two_attributes_are_crossed() -> None:
    (table,) = slice_tables(little(), ["group", "genre"])
    assert [tuple(row.slice.values()) for row in table.rows] == [
        ("NS", "news"), ("NS", "talk"), ("NNS", "news"), ("NNS", "talk"),
    ]  # fmt: skip
    assert sum(row.total for row in table.rows) == 60


def test_yes_is_the_second_category() -> None:
    (table,) = slice_tables(little())
    assert table.yes == "yes"
    (row,) = table.rows
    assert row.yes_rates == pytest.approx((0.5, 0.6))
    assert row.average == pytest.approx(0.55)


def test_parts_without_pairs_are_counted() -> None:
    cells = np.array([["a", "a"], ["b", "a"], ["a", ""], ["b", ""]])
    study = study_of(cells, level=Level.NOMINAL, unit_attributes={"part": ["x", "x", "y", "y"]})
    (table,) = slice_tables(study, ["part"])
    assert [row.slice for row in table.rows] == [{"part": "x"}]
    assert table.n_without_pairs == 1


def test_a_rater_attribute_cuts_raters() -> None:
    cells = np.column_stack([np.arange(30) % 3] * 4)
    study = study_of(cells, columns={"speaker": np.tile(["native", "native", "other", "other"], (30, 1))})
    (table,) = slice_tables(study, ["speaker"])
    assert isinstance(table, SliceTable)
    assert [row.result.raters for row in table.rows] == [("J1", "J2"), ("J3", "J4")]


def test_an_unknown_attribute_is_an_error_with_a_suggestion() -> None:
    with pytest.raises(InputError, match="did you mean 'group'"):
        slice_tables(little(), ["grup"])


QUALITY = np.tile(np.arange(1, 5), 10)
CELLS = np.column_stack([QUALITY, QUALITY, np.roll(QUALITY, 1), np.roll(QUALITY, 1)])
GROUPS = {"native": ("J1", "J2"), "other": ("J3", "J4")}


def test_all_each_group_and_between() -> None:
    rows = group_rows(study_of(CELLS), GROUPS)
    assert [(row.group, row.against) for row in rows] == [
        ("all", None),
        ("native", None),
        ("other", None),
        ("native", "other"),
    ]
    values = [row.agreement.value for row in rows]
    assert values[1:3] == [pytest.approx(1.0), pytest.approx(1.0)]
    assert values[3] is not None
    assert values[3] < 0


def test_sets_have_one_coefficient_within_groups_and_across() -> None:
    """Weighted within and full agreement across looked as if groups differed."""
    cells = np.array([["B", "B+E", "B"], ["E", "E", "B+E"], ["O", "B+O", "O"], ["B+O", "O", "B"], ["E", "B", "E"]] * 4)
    rows = group_rows(study_of(cells, level=Level.SET), {"one": ("J1", "J2"), "two": ("J3",)})
    assert {row.agreement.measure for row in rows if row.group != "two"} == {"set_weighted"}


def test_between_is_the_mean_of_the_cross_pairs() -> None:
    cells = np.array([["y", "y", "n"], ["n", "y", "n"], ["y", "n", "y"], ["n", "n", "n"], ["y", "y", "y"]])
    data = tally(study_of(cells, level=Level.NOMINAL).judgements())
    kappas = [float(evaluate(find_measure("kappa"), with_raters(data, pair))) for pair in (("J1", "J3"), ("J2", "J3"))]
    found = between(data, ["J1", "J2"], ["J3"], "kappa")
    assert found.value == pytest.approx(np.mean(kappas))
    assert found.details["n_pairs"] == 2
    assert "across two groups" in found.name


def test_an_undefined_pair_is_not_skipped() -> None:
    cells = np.column_stack([QUALITY, np.full(40, 2), QUALITY])
    found = between(tally(study_of(cells).judgements()), ["J1", "J2"], ["J3"], "gk_gamma")
    assert found.value is None
    assert found.reason is not None
    assert "J2" in found.reason
