"""Pools of Toloka."""

from pathlib import Path

import pytest

from concordant.errors import InputError
from concordant.model.scale import Level
from concordant.readers import formats
from tests.readers.exported import cells, claim, study_of, write

HEAD = "INPUT:text\tOUTPUT:mood\tOUTPUT:tags\tOUTPUT:comment\tGOLDEN:mood\tASSIGNMENT:task_id\tASSIGNMENT:worker_id\tASSIGNMENT:status\tASSIGNMENT:started\n"
ROWS = [
    'A\tglad\t["x","y"]\tFine, I think.\t\tt1\tw1\tAPPROVED\t2024-01-01T10:00:00',
    'A\tsad\t["x"]\t\t\tt1\tw2\tSUBMITTED\t2024-01-01T10:01:00',
    "",
    "B\tglad\t[]\t\tglad\tt2\tw1\tAPPROVED\t2024-01-01T10:02:00",
    "C\tsad\t\t\t\tt3\tw2\tREJECTED\t2024-01-01T10:03:00",
]
POOL = HEAD + "\n".join(ROWS) + "\n"


def test_answers_of_workers_without_control_tasks_and_rejected_ones(tmp_path: Path) -> None:
    study = study_of(write(tmp_path / "assignments_from_pool.tsv", POOL))
    assert cells(study) == [
        ("t1", "w1", "mood", "glad"),
        ("t1", "w2", "mood", "sad"),
        ("t1", "w1", "tags", "x+y"),
        ("t1", "w2", "tags", "x"),
    ]
    assert study.scales["tags"].level is Level.SET
    assert list(study.attributes) == ["INPUT:text"]
    assert study.unused["GOLDEN:mood"] == "the expected answer of a control task is not a judgement"
    assert study.unused["OUTPUT:comment"] == "free text is no judgement"
    assert [n for n, _ in study.left_out] == [1, 1]


def test_control_tasks_can_be_kept(tmp_path: Path) -> None:
    kept = study_of(write(tmp_path / "a.tsv", POOL), control="keep")
    assert ("t2", "w1", "mood", "glad") in cells(kept)


def test_tasks_without_ids_are_told_by_what_was_shown(tmp_path: Path) -> None:
    text = "INPUT:text\tOUTPUT:mood\tASSIGNMENT:worker_id\nA\tglad\tw1\nA\tsad\tw2\n"
    study = study_of(write(tmp_path / "a.tsv", text))
    assert cells(study) == [("A", "w1", "glad"), ("A", "w2", "sad")]
    assert study.notes == ("tasks are told by what was shown: there is no column ASSIGNMENT:task_id",)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("INPUT:text\tASSIGNMENT:worker_id\nA\tw1\n", "there is no OUTPUT column"),
        ("INPUT:a\tOUTPUT:mood\tASSIGNMENT:status\nA\tglad\tAPPROVED\n", "there is no such column"),
        ("INPUT:a\tOUTPUT:comment\tASSIGNMENT:worker_id\nA\tI like it.\tw\n", "no OUTPUT column holds a judgement"),
        ("OUTPUT:mood\tASSIGNMENT:worker_id\nglad\tw\n", "nothing names the task"),
        (HEAD + "A\tglad\t\t\t\tt\tw\tSKIPPED\t\n", "there are no judgements"),
    ],
)
def test_damaged_pools_are_refused(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        study_of(write(tmp_path / "a.tsv", text))


def test_decoys_are_not_taken(tmp_path: Path) -> None:
    text = "unit\trater\tvalue\tnote\na\tx\t1\tINPUT: and ASSIGNMENT:worker_id\n"
    assert claim(formats()["toloka"], write(tmp_path / "a.tsv", text)) == 0
