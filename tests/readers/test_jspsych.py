"""Trials run with jsPsych."""

from pathlib import Path
from typing import Any

import pytest

from concordant.errors import InputError
from concordant.readers.format import LIKELY, SURE
from concordant.readers.jspsych import FORMAT
from tests.readers.exported import EXPORTS, cells, claim, study_of, write

TRIALS = """rt,button_pressed,part,item,genre,subid,choice
500,0,intro,,,1,
700,1,test,i1,news,1,odd
650,0,test,i2,fiction,1,fine
720,0,test,i1,news,2,fine
640,NA,test,i2,fiction,2,NA
"""


def test_trials_without_item_or_answer_are_left_out(tmp_path: Path) -> None:
    study = study_of(write(tmp_path / "a.csv", TRIALS))
    assert cells(study) == [("i1", "1", "odd"), ("i2", "1", "fine"), ("i1", "2", "fine")]
    assert study.left_out == ((2, "trials without an item or without an answer"),)
    assert list(study.attributes) == ["part", "genre"]
    assert (study.unused["rt"], "button_pressed" in study.unused) == ("about the trial, not an answer", True)
    assert study.notes[0].startswith("unit is column 'item', value is column 'choice', rater is column 'subid'")
    assert cells(study_of(tmp_path / "a.csv", value="button_pressed"))[0] == ("i1", "1", "1")


def trial(number: int, **more: Any) -> dict[str, Any]:
    return {"trial_type": "survey-likert", "trial_index": number, "time_elapsed": 5, "rt": 2, **more}


def test_a_file_for_each_participant_with_surveys(tmp_path: Path) -> None:
    answer = {"Q0": 3, "Q1": 5}
    ida = write(tmp_path / "ida.json", [trial(0, stimulus="s1", response=answer), trial(1, response={})])
    jon = write(tmp_path / "jon.json", [trial(0, stimulus="s1", response='{"Q0": 4, "Q1": 5}')])
    study = study_of(ida, jon)
    assert cells(study) == [
        ("s1", "ida", "Q0", "3"), ("s1", "ida", "Q1", "5"), ("s1", "jon", "Q0", "4"), ("s1", "jon", "Q1", "5")
    ]  # fmt: skip
    assert "no column names the participant: all trials of ida.json are one rater's" in study.notes


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (TRIALS.replace("item", "nr"), "no column was found for the unit; name it with --unit; columns: rt, button"),
        ("rt,key_press,item\n5,,i1\n", "no column was found for the value"),
        (TRIALS + "1,2,3\n", "row 7: 3 cells instead of 7"),
    ],
)
def test_damaged_files_are_refused(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        study_of(write(tmp_path / "a.csv", text))


def test_decoys(tmp_path: Path) -> None:
    assert claim(FORMAT, write(tmp_path / "a.csv", "unit,rater,value,rt\na,x,1,500\n")) == 0
    assert claim(FORMAT, write(tmp_path / "a.json", [{"trial_type": "x"}])) == 0
    assert claim(FORMAT, write(tmp_path / "b.csv", TRIALS)) == LIKELY
    assert claim(FORMAT, write(tmp_path / "c.csv", "rt,trial_type,trial_index,time_elapsed\n1,x,0,5\n")) == SURE


@pytest.mark.data
def test_a_real_experiment() -> None:
    study = study_of(EXPORTS / "jspsych/length_com_jspsych.csv")
    assert (study.n_rows, study.unit.labels, len(study.raters)) == (100, ["complex_utt", "simple_utt"], 50)
    assert (set(study.value.labels), study.left_out[0][0]) == ({"complex.png", "simple.png"}, 100)
