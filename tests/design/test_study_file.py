"""Reading study files: a good one, and every kind of mistake with its file and line."""

from pathlib import Path

import pytest

from assent.design.description import Task
from assent.design.problems import StudyError
from assent.design.study_file import problems, read

GOOD = """name = "small"
title = "A small study"
open = true

[units]
file = "units.csv"
text = "text"
image = "image"

[[questions]]
id = "good"
task = "binary"
ask = "Is it good?"
"""
UNITS = "id,text,image,group\nu1,One,pictures/one.png,a\nu2,Two,pictures/one.png,b\n"


def write(folder: Path, toml: str = GOOD, units: str = UNITS, **files: str) -> Path:
    (folder / "pictures").mkdir(exist_ok=True)
    (folder / "pictures" / "one.png").write_bytes(b"png")
    (folder / "study.toml").write_text(toml, encoding="utf-8")
    (folder / "units.csv").write_text(units, encoding="utf-8")
    for name, content in files.items():
        (folder / f"{name}.csv").write_text(content, encoding="utf-8")
    return folder


def found(folder: Path) -> list[str]:
    """The mistakes, with paths relative to the study's folder."""
    return [str(problem).replace(f"{folder}/", "") for problem in problems(folder)]


def test_a_good_study_is_read(tmp_path: Path) -> None:
    study = read(write(tmp_path))
    assert [unit.id for unit in study.units] == ["u1", "u2"]
    assert study.units[0].image is not None
    assert study.units[0].image.path == "pictures/one.png"
    assert study.units[0].attributes == {"group": "a"}
    assert study.questions[0].task is Task.BINARY
    assert [option.value for option in study.questions[0].options] == ["yes", "no"]
    assert problems(tmp_path / "study.toml") == ()


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ('task = "binary"', 'taks = "binary"', "study.toml:12: there is no setting 'taks' here; did you mean 'task'?"),
        ('task = "binary"', 'task = "binray"', "study.toml:12: task: 'binray' is not one of binary, categorical, multilabel, ordinal, slider, pairwise, ranking, text, patterns, spans, parses; did you mean 'binary'?"),
        ("open = true", 'open = "yes"', "study.toml:3: open: expected true or false, found 'yes'"),
        ("open = true", "", "study.toml:1: nobody can take part; set open = true or invite [[raters]]"),
        ('name = "small"', 'name = "Small Study"', "study.toml:1: 'Small Study' is not a short name"),
        ('name = "small"\n', "", "study.toml:1: 'name' is missing"),
        ("units.csv", "unit.csv", "study.toml:6: the file 'unit.csv' does not exist"),
        ('text = "text"', 'text = "txt"', "units.csv:1: there is no column 'txt'; did you mean 'text'?"),
        ('ask = "Is it good?"', 'ask = "Is it good?', "study.toml:13: not TOML: "),
        ('ask = "Is it good?"', 'ask = "?"\nmaximum = 2', "study.toml:14: 'maximum' means nothing for the task binary"),
        ('task = "binary"', 'task = "categorical"', "study.toml:12: there must be two options or more"),
        ('task = "binary"', 'task = "pairwise"', "study.toml:12: there is nothing to compare"),
        ('task = "binary"', 'task = "ranking"', "study.toml:12: there is nothing to rank"),
        ('task = "binary"', 'task = "patterns"', "study.toml:12: there are no patterns"),
        ('task = "binary"', 'task = "spans"', "study.toml:12: there is no category to mark spans with"),
        ('task = "binary"', 'task = "slider"\nlow = 5\nhigh = 5', "study.toml:12: low must be less than high"),
        ("[units]", '[sets]\ncount = 9\n\n[units]', "study.toml:6: 9 sets cannot be made of 2 units"),
        ("[units]", '[sets]\ncount = 0\n\n[units]', "study.toml:6: count: expected 1 or more, found 0"),
        ("[units]", '[sample]\nmethod = "simple"\nsize = 3\n\n[units]',
         "study.toml:7: 3 units are wanted and there are 2"),
        ("[units]", '[sample]\nmethod = "stratified"\nsize = 2\nby = "grup"\n\n[units]',
         "study.toml:8: the units have no column 'grup'; did you mean 'group'?"),
        ("[units]", '[sample]\nmethod = "stratified"\nsize = 2\nfrequency = "group"\n\n[units]',
         "study.toml:8: every unit needs a frequency above 0"),
        ("[units]", '[guidelines]\nversion = "1"\n\n[units]', "study.toml:5: guidelines need either a file or a text"),
        ("[units]", '[guidelines]\nversion = "1"\nfile = "g.md"\n\n[units]',
         "study.toml:7: the file 'g.md' cannot be read"),
        ("[units]", '[repeats]\ncount = 2\n\n[units]',
         "study.toml:5: 2 repeats with a gap of 10 do not fit into 2 units"),
        ("[units]", '[[raters]]\nid = "A"\n\n[[raters]]\nid = "A"\n\n[units]',
         "study.toml:6: the id 'A' is used 2 times"),
        ("[units]", '[[raters]]\nid = "A"\nset = 2\n\n[units]', "study.toml:7: there is no set 2; there are 1"),
        ("[units]", '[[participant]]\nid = "age"\nask = "?"\nkind = "choice"\n\n[units]',
         'study.toml:8: options and kind = "choice" belong together'),
        ("[units]", '[training]\nfile = "training.csv"\n\n[units]',
         "study.toml:6: the file 'training.csv' does not exist"),
        ("[units]", '[cleaning]\nspelling = "s.csv"\n\n[units]', "study.toml:6: the file 's.csv' does not exist"),
    ],
)  # fmt: skip
def test_a_mistake_is_found_on_its_line(tmp_path: Path, old: str, new: str, expected: str) -> None:
    messages = found(write(tmp_path, GOOD.replace(old, new, 1)))
    assert any(message.startswith(expected) for message in messages), messages


@pytest.mark.parametrize(
    ("units", "expected"),
    [
        (UNITS.replace("u2,Two,pictures/one.png", "u2,Two,pictures/two.png"),
         "units.csv:3: image 'pictures/two.png' does not exist"),
        (UNITS.replace("u2,Two,pictures/one.png", "u2,Two,../secret.png"),
         "units.csv:3: image '../secret.png' lies outside"),
        (UNITS.replace("u2,Two,pictures/one.png", "u2,Two,one.exe"), "units.csv:3: image 'one.exe' does not end in"),
        (UNITS.replace("u2,", "u1,"), "units.csv:3: the id 'u1' was used before, on line 2"),
        (UNITS.replace("u2,Two,pictures/one.png,b", "u2,,,b"), "units.csv:3: unit 'u2' has nothing to show"),
        (UNITS.replace("u2,", ","), "units.csv:3: the id must be a short name"),
        ("id,text,image\n", "units.csv: there are no rows"),
        (UNITS + "u3,Three\n", "units.csv:4: 2 cells where the header has 4"),
    ],
)  # fmt: skip
def test_a_mistake_in_the_data_is_found_on_its_line(tmp_path: Path, units: str, expected: str) -> None:
    messages = found(write(tmp_path, units=units))
    assert any(message.startswith(expected) for message in messages), messages


def test_all_mistakes_are_found_at_once(tmp_path: Path) -> None:
    write(tmp_path, GOOD.replace("open = true", "opne = true").replace('\nask = "', '\nquestion = "'))
    assert len(found(tmp_path)) == 3
    with pytest.raises(StudyError, match=r"study\.toml:3: .* \(and 2 more: `assent check` shows all\)"):
        read(tmp_path)


def test_expected_answers_of_training_items_are_checked(tmp_path: Path) -> None:
    toml = GOOD.replace("[units]", '[training]\nfile = "training.csv"\n\n[units]')
    rows = "id,text,image,good,explanation\nt1,One,,yes,Because.\nt2,Two,,maybe,\nt3,Three,,,\nu1,Four,,no,\n"
    messages = found(write(tmp_path, toml, training=rows))
    assert "training.csv:3: column 'good': 'maybe' is not an option of 'good'" in messages
    assert any(message.startswith("training.csv:4: unit 't3' has no expected answer") for message in messages)
    assert any("the id 'u1' is in two files" in message for message in messages)


def test_a_missing_study_is_one_clear_line(tmp_path: Path) -> None:
    (message,) = problems(tmp_path / "nowhere")
    assert str(message) == f"{tmp_path}/nowhere: the file does not exist; `assent init DIR` makes a study"


def test_rows_with_the_same_text_are_judged_once(tmp_path: Path) -> None:
    rows = "id,text,image,group\nu1,A dog.,,a\nu2,a  DOG,,b\nu3,A cat.,,a\n"
    study = read(write(tmp_path, GOOD.replace('text = "text"', 'text = "text"\nitem = "group"'), rows))
    assert [unit.copies for unit in study.units] == [("u1",), ("u2",), ("u3",)]  # u2 is in another item
    study = read(
        write(tmp_path, GOOD.replace('text = "text"', 'text = "text"\nitem = "group"'), rows.replace(",,b", ",,a"))
    )
    assert [unit.copies for unit in study.units] == [("u1", "u2"), ("u3",)]
    assert [unit.id for unit in study.rows] == ["u1", "u2", "u3"]


def test_json_lines_work_like_csv(tmp_path: Path) -> None:
    write(tmp_path, GOOD.replace("units.csv", "units.jsonl").replace('image = "image"\n', ""))
    (tmp_path / "units.jsonl").write_text('{"id": 1, "text": "One", "n": 2.5}\n\n{"id": 2, "text": "Two"}\n')
    assert [(unit.id, unit.attributes) for unit in read(tmp_path).units] == [("1", {"n": "2.5"}), ("2", {})]
    (tmp_path / "units.jsonl").write_text('{"id": 1, "text": "One"}\n{"id": 2,\n')
    assert found(tmp_path)[0].startswith("units.jsonl:2: not JSON")
