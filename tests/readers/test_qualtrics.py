"""Surveys made with Qualtrics."""

from pathlib import Path

import pytest

from concordant.errors import InputError
from concordant.readers import formats
from tests.readers.exported import EXPORTS, cells, claim, study_of, write

ANSWERS = "2030-01-02 10:00:00,{status},{id},3.5,{first},{second},{sex},Because it is so.\n"
SURVEY = (
    "StartDate,Status,ResponseId,t_Page Submit,trust_1,trust_2,sex,why\n"
    "Startdatum,Antworttyp,Antwort-ID,Timing,Trust - A,Trust - B,Sex,Why?\n"
    + ",".join(
        f'"{{""ImportId"":""{one}""}}"'
        for one in ("startDate", "status", "_recordId", "QID1_PAGE_SUBMIT", "QID2_1", "QID2_2", "QID3", "QID4_TEXT")
    )
    + "\n"
)
R1 = ANSWERS.format(status=0, id="R_1", first="agree", second="disagree", sex="f")
R2 = ANSWERS.format(status=0, id="R_2", first="agree", second="agree", sex="m")


def test_statements_are_units_and_header_rows_are_not_respondents(tmp_path: Path) -> None:
    preview = ANSWERS.format(status="Survey Preview", id="R_3", first="agree", second="agree", sex="m")
    study = study_of(write(tmp_path / "a.csv", SURVEY + R1 + R2 + preview))
    assert cells(study) == [
        ("trust_1", "R_1", "agree"), ("trust_1", "R_2", "agree"), ("trust_2", "R_1", "disagree"), ("trust_2", "R_2", "agree")
    ]  # fmt: skip
    assert study.notes == ("asked once, so kept as attributes: sex",)
    assert (list(study.attributes), study.attribute_of("rater")) == (["sex"], ("sex",))
    assert study.left_out == ((1, "previews of the survey"),)
    assert study.unused["t_Page Submit"] == "a timing is no judgement"
    assert study.unused["why"] == "free text is no judgement"


def test_loops_and_several_blocks(tmp_path: Path) -> None:
    text = (SURVEY + R1).replace("sex", "1_odd").replace("why", "2_odd")
    text = text.replace("QID3", "1_QID3").replace("QID4_TEXT", "2_QID3").replace("Because it is so.", "m")
    study = study_of(write(tmp_path / "a.csv", text))
    assert cells(study)[2:] == [("1_odd", "R_1", "odd", "f"), ("2_odd", "R_1", "odd", "m")]
    assert study.questions == ("trust", "odd")


def test_without_blocks_every_column_is_a_unit(tmp_path: Path) -> None:
    text = (SURVEY + R1).replace("trust_1", "Q1").replace("trust_2", "Q2")
    study = study_of(write(tmp_path / "a.csv", text))
    assert cells(study) == [("Q1", "R_1", "agree"), ("Q2", "R_1", "disagree"), ("sex", "R_1", "f")]


OLD = "V1,V2,V3,Q1,Q2,\nResponseID,ResponseSet,StartDate,How?,Why?,\nR_1,Default,2030-01-02 10:00:00,2,So it is.,\n"


def test_the_old_layout(tmp_path: Path) -> None:
    study = study_of(write(tmp_path / "a.csv", OLD))
    assert cells(study) == [("Q1", "R_1", "2")]
    assert study.unused["column 6"] == "it is empty"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (SURVEY, "nobody has answered yet"),
        (SURVEY.replace("ResponseId", "Respondent") + R1, "there is no column ResponseId"),
        (SURVEY + R1.replace("agree", "").replace("dis", "").replace(",f,", ",,"), "no column holds a judgement"),
        (SURVEY + R1.replace("\n", ",x\n"), "row 4: 9 cells instead of 8"),
    ],
)
def test_damaged_surveys_are_refused(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        study_of(write(tmp_path / "a.csv", text))


def test_decoys(tmp_path: Path) -> None:
    known = formats()["qualtrics"]
    assert claim(known, write(tmp_path / "a.csv", "unit,rater,value,StartDate\na,x,1,2030-01-01\n")) == 0
    assert claim(known, write(tmp_path / "b.csv", "V1,V2,V3\n1,2,3\n")) == 0
    people = "Submission id,Participant id,Status,Age\ns1,p1,APPROVED,30\n"
    with pytest.raises(
        InputError, match=r"says who took part, not what they answered; .* --attributes FILE --on rater"
    ):
        study_of(write(tmp_path / "c.csv", people))


@pytest.mark.data
def test_real_surveys() -> None:
    study = study_of(EXPORTS / "qualtrics/legitimacy_0723.csv")
    assert len(study.raters) == 12
    block = study.where("question", ["legitimacy_1"])
    assert block.unit.labels == ["legitimacy_1_1", "legitimacy_1_2", "legitimacy_1_3", "legitimacy_1_4"]
    assert (block.n_rows, len(block.value.labels), "stronlgy disagree" in block.value.labels) == (48, 5, True)
    for name in ("qualtRics_sample.csv", "qualtRics_sample_legacy.csv"):
        ((unit, _, value),) = cells(study_of(EXPORTS / "qualtrics" / name))
        assert (unit, value) == ("Q1", "2")
