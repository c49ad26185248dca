"""Results of Mechanical Turk batches."""

from pathlib import Path

import pytest

import concordant
from concordant.errors import InputError
from concordant.model.scale import Level
from concordant.readers import formats
from tests.readers.exported import EXPORTS, cells, claim, study_of, write

HEAD = "HITId,AssignmentId,WorkerId,AssignmentStatus,WorkTimeInSeconds,Input.text"
ROWS = """{head},Answer.polite,Answer.comment,Answer.mood.glad,Answer.mood.sad,Answer.submit,Approve,Reject
h1,a1,w1,Approved,5,A,yes,ok,true,false,Submit
h1,a2,w2,Submitted,9,A,no,,true,true,Submit
h2,a3,w1,Approved,7,B,yes,,false,true,Submit,,
h2,a4,w3,Rejected,1,B,yes,,false,true,Submit
""".replace("{head}", HEAD)


def test_answers_are_questions_and_rejected_work_is_left_out(tmp_path: Path) -> None:
    study = study_of(write(tmp_path / "Batch_1_results.csv", ROWS))
    assert cells(study) == [
        ("h1", "w1", "polite", "yes"),
        ("h1", "w2", "polite", "no"),
        ("h2", "w1", "polite", "yes"),
        ("h1", "w1", "mood", "glad"),
        ("h1", "w2", "mood", "glad+sad"),
        ("h2", "w1", "mood", "sad"),
    ]
    assert study.scales["mood"].level is Level.SET
    assert study.left_out == ((1, "rejected assignments"),)
    assert list(study.attributes) == ["Input.text"]
    assert study.unused["Answer.comment"] == "free text is no judgement"
    assert study.unused["Answer.submit"] == "a button"
    assert study.notes == ("3 rows have fewer cells than the header: the rest is empty",)


def test_answers_of_forms_are_unpacked(tmp_path: Path) -> None:
    text = f'{HEAD},Answer.taskAnswers\nh1,a1,w1,Approved,5,A,"[{{""mood"":{{""label"":""glad""}},""tags"":{{""x"":true,""y"":false}}}}]"\n'
    assert cells(study_of(write(tmp_path / "a.csv", text))) == [("h1", "w1", "mood", "glad"), ("h1", "w1", "tags", "x")]
    with pytest.raises(InputError, match=r"row 2, column 'Answer.taskAnswers': the answers are not JSON"):
        study_of(write(tmp_path / "b.csv", f"{HEAD},Answer.taskAnswers\nh1,a1,w1,Approved,5,A,glad\n"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f"{HEAD}\nh1,a1,w1,Approved,5,A\n", "there is no Answer column"),
        (f"{HEAD},Answer.endTime\nh1,a1,w1,Approved,5,A,12\n", "no Answer column holds a judgement"),
        (f"{HEAD},Answer.q\nh1,a1,w1,Approved,5,A,1,2,3\n", "row 2: 9 cells instead of 7"),
        (f"{HEAD},Answer.q\n", "a header but no rows"),
        (f"{HEAD},Answer.q\nh1,a1,w1,Rejected,5,A,1\n", "there are no judgements"),
    ],
)
def test_damaged_batches_are_refused(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        study_of(write(tmp_path / "a.csv", text))


SNOW = "!amt_annotation_ids\t!amt_worker_ids\torig_id\tresponse\tgold\n1\tw1\tu1\t1\t0\n2\tw2\tu1\t0\t0\n"


def test_gold_is_not_a_rater(tmp_path: Path) -> None:
    study = study_of(write(tmp_path / "a.tsv", SNOW))
    assert (cells(study), list(study.attributes)) == ([("u1", "w1", "1"), ("u1", "w2", "0")], ["gold"])
    assert study.notes == ("column 'gold' is the expected answer, not a rater: kept as an attribute",)
    with pytest.raises(InputError, match="there is no such column"):
        study_of(write(tmp_path / "b.tsv", SNOW.replace("response", "answer")), format="mturk_standardized")


def test_decoys_are_not_taken(tmp_path: Path) -> None:
    text = "unit,rater,value,note\na,x,1,HITId of WorkerId\n"
    assert claim(formats()["mturk"], write(tmp_path / "a.csv", text)) == 0
    assert claim(formats()["mturk_standardized"], write(tmp_path / "b.csv", "unit,!amt_worker_ids\na,b\n")) == 0


@pytest.mark.data
class TestReal:
    def test_a_batch(self) -> None:
        study = study_of(EXPORTS / "mturk/word_alignment_batch_results.csv")
        assert (len(study.unit.labels), len(study.raters)) == (30, 3)
        one = study.where("question", ["possAlignments"])
        units = one.unit.text().tolist()
        assert (one.n_rows, sum(units.count(unit) >= 2 for unit in set(units))) == (46, 14)

    @pytest.mark.parametrize(
        ("name", "size", "level", "alpha"),
        [
            ("rte", (800, 164, 8000), "nominal", 0.2415),
            ("anger", (100, 38, 1000), "interval", 0.3533),
            ("wordsim", (30, 10, 300), "interval", 0.6701),
        ],
    )
    def test_published_tables(self, name: str, size: tuple[int, int, int], level: str, alpha: float) -> None:
        study = study_of(EXPORTS / f"mturk_snow2008/{name}.standardized.tsv", level=level)
        assert (len(study.unit.labels), len(study.raters), study.n_rows) == size
        assert round(concordant.measure(study, "alpha", ci=None).value, 4) == alpha
