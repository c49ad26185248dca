"""The whole report: what it says, and that a part that cannot be made says why in its place."""

import numpy as np
import pytest

from concordant.errors import InputError
from concordant.model.judgements import Judgements
from concordant.randomness import generator
from concordant.readers.data import as_study
from concordant.report.document import Block, Document, Drawing, Notice, Paragraph, Points, Section
from concordant.report.facts import JudgementReport, report_judgements
from concordant.report.grid import Grid


def section(document: Document, key: str) -> Section:
    return next(one for one in document.sections if one.key == key)


def texts(blocks: tuple[Block, ...]) -> str:
    return "\n".join(block.text for block in blocks if isinstance(block, Paragraph | Notice))


def table(document: Document, key: str, title: str) -> Grid:
    return next(b for b in section(document, key).blocks if isinstance(b, Grid) and b.title.startswith(title))


def test_sections_in_order(document: Document) -> None:
    keys = [one.key for one in document.sections]
    assert keys == [
        "verdict",
        "study",
        "coefficients",
        "slices",
        "diagnosis",
        "decision",
        "pictures",
        "verify",
        "methods",
        "references",
    ]


def test_counts_of_the_study(document: Document) -> None:
    facts = {row[0]: row[1] for row in table(document, "study", "Design").rows}
    assert facts["Units"] == 40
    assert facts["Raters"] == 3
    assert facts["Judgements"] == 240
    assert facts["Design"] == "crossed: every rater judged every unit"
    assert document.subtitle.startswith("240 judgements of 40 units by 3 raters")


def test_an_incomplete_design_is_described() -> None:
    data = Judgements.from_rows(list("aabbc"), list("ABABA"), [1, 1, 2, 1, 2], level="ordinal")
    told = report_judgements(as_study(data), JudgementReport(measure=("alpha",), resamples=50))
    facts = {row[0]: row[1] for row in table(told, "study", "Design").rows}
    assert facts["Design"] == "incomplete: 83.3 % of all pairs of unit and rater were judged"
    per_unit = table(told, "study", "Judgements per unit")
    row = dict(zip(per_unit.headers, per_unit.rows[0], strict=True))
    assert (row["Fewest per unit"], row["Most per unit"], row["Judged once"]) == (1, 2, 1)
    assert row["Unanimous"] == 1


def test_slices_have_a_row_for_each_value_and_question(document: Document) -> None:
    rows = table(document, "slices", "Krippendorff").rows
    assert len(rows) == 6
    assert {row[0] for row in rows} == {"genre"}


def test_a_study_without_attributes_says_so_in_place_of_slices() -> None:
    told = report_judgements(as_study(Judgements.from_matrix([[1, 1], [2, 1]])), JudgementReport(resamples=50))
    assert "This section is empty: the units have no attribute" in texts(section(told, "slices").blocks)


def test_a_picture_that_cannot_be_made_says_why_in_its_place() -> None:
    told = report_judgements(as_study(Judgements.from_matrix([["a", "b"], ["c", "a"]])), JudgementReport(resamples=50))
    assert "no picture of the kind scores: score lines need values in an order" in texts(
        section(told, "pictures").blocks
    )


def test_pictures_carry_the_command_that_draws_them_again(document: Document) -> None:
    drawings = [block for block in section(document, "pictures").blocks if isinstance(block, Drawing)]
    kinds = {drawing.picture.kind for drawing in drawings}
    assert kinds == {"coefficients", "distribution", "scores", "coincidence", "pairs", "entropy"}
    assert drawings[1].command == (
        "concordant plot distribution 'made_up & 100%.csv' --where 'question=flu|ency_1' -o distribution.svg"
    )


def test_sorted_columns_are_not_compared() -> None:
    rng = generator(1)
    slips = rng.integers(0, 2, (400, 3)) * (rng.random((400, 1)) < 0.4)
    scores = np.sort(rng.integers(1, 4, (400, 1)) + slips, axis=1)
    told = report_judgements(as_study(Judgements.from_matrix(scores, level="ordinal")), JudgementReport(resamples=50))
    assert "Not reported: Weighted kappa" in texts(section(told, "coefficients").blocks)
    names = {row[0] for row in table(told, "coefficients", "Values").rows}
    assert names == {"Krippendorff's alpha (ordinal)", "Gwet's AC2"}
    drawings = [b.picture.kind for b in section(told, "pictures").blocks if isinstance(b, Drawing)]
    assert "scores" not in drawings
    trusted = report_judgements(
        as_study(Judgements.from_matrix(scores, level="ordinal")), JudgementReport(resamples=50, trust_raters=True)
    )
    assert len(table(trusted, "coefficients", "Values").rows) > 2


def test_methods_paragraph_can_be_pasted(document: Document) -> None:
    said = texts(section(document, "methods").blocks)
    assert said.startswith("3 raters judged 40 units on 2 questions (240 judgements).")
    assert "an ordinal scale (4 categories: 1, 2, 3, 4)" in said
    assert "The raters worked independently of each other." in said
    assert "(n = 40 units, 3 raters): Krippendorff's alpha (ordinal) = 0." in said
    assert "on the scale of Krippendorff 1980" in said
    assert "Square brackets hold 95 % intervals (pattern posterior over 40 units, 100 draws)" in said


def test_references_cover_coefficients_and_scales(document: Document) -> None:
    listed = section(document, "references").blocks[0]
    assert isinstance(listed, Points)
    for author in ("Krippendorff, K. (1980)", "Amidei", "Landis", "Goodman", "Gwet"):
        assert any(str(item).startswith(author) for item in listed.items), author


def test_the_same_data_give_the_same_report() -> None:
    from concordant.report.formats.markdown import render

    data = Judgements.from_matrix(generator(3).integers(1, 4, (30, 3)), level="ordinal")
    one, two = (render(report_judgements(as_study(data), JudgementReport(resamples=50))) for _ in range(2))
    assert one == two


def test_an_unknown_measure_is_refused_at_once() -> None:
    with pytest.raises(InputError, match="unknown measure 'kapa'"):
        report_judgements(as_study(Judgements.from_matrix([[1, 1]])), JudgementReport(measure=("kapa",)))


def test_a_crowd_is_summarised() -> None:
    rng = generator(2)
    units, raters = np.repeat(np.arange(200), 3), rng.integers(0, 90, 600)
    data = Judgements.from_rows(units, raters, rng.integers(0, 2, 600), duplicates="last")
    told = report_judgements(as_study(data), JudgementReport(resamples=50, measure=("alpha",)))
    assert table(told, "study", "Judgements by rater").headers[0] == "Raters"


def test_continuous_data_are_reported() -> None:
    numbers = generator(4).normal(0, 1, (600, 1)) + generator(5).normal(0, 0.5, (600, 3))
    told = report_judgements(as_study(Judgements.from_matrix(numbers)), JudgementReport(resamples=50))
    names = [row[0] for row in table(told, "coefficients", "Values").rows]
    assert any(str(name).startswith("ICC") or "intraclass" in str(name).casefold() for name in names)


def test_groups_of_raters_are_compared() -> None:
    from dataclasses import replace

    from concordant.model.columns import encode
    from tests.report.conftest import make_study

    made = make_study(raters=("Ada", "Ben", "Cem", "Dia"))
    speaker = encode(np.array(["native", "native", "other", "other"])[made.rater.codes])
    told = report_judgements(
        replace(made, attributes={"speaker": speaker}), JudgementReport(resamples=50, measure=("alpha",))
    )
    groups = {row[1] for row in table(told, "diagnosis", "Groups of raters").rows}
    assert {"native", "other"} <= groups
