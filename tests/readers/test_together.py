"""Several files of one format are one set of data; what does not fit is one clear line that names the file."""

import json
from pathlib import Path

import pytest

from concordant import measure, read
from concordant.errors import InputError
from tests.cli.running import run

FIRST = "unit,rater,value,genre\na,P,1,news\na,Q,2,news\nb,P,1,talk\nb,Q,1,talk\n"
SECOND = "genre,unit,rater,value\nnews,c,P,2\nnews,c,R,2\ntalk,b,R,1\n"


def write(folder: Path, **contents: str) -> list[Path]:
    paths = [folder / f"{name}.csv" for name in contents]
    for path, text in zip(paths, contents.values(), strict=True):
        path.write_text(text)
    return paths


def test_tables_with_the_same_columns_are_one_table(tmp_path: Path) -> None:
    paths = write(tmp_path, one=FIRST, two=SECOND)
    rows = [line.split(",") for line in SECOND.splitlines()[1:]]
    whole = FIRST + "".join(f"{unit},{rater},{value},{genre}\n" for genre, unit, rater, value in rows)
    [alone] = write(tmp_path, whole=whole)
    together, single = read(*paths), read(alone)
    assert together.notes[0] == "2 files as one table: 4 + 3 rows"
    assert (together.n_rows, together.raters, together.questions) == (7, ("P", "Q", "R"), ())
    both = [measure(data, "alpha", ci="none", level="ordinal") for data in (together, single)]
    assert both[0].value == both[1].value
    assert both[0].signature == both[1].signature
    assert list(together.attributes) == ["genre"]


def test_wide_tables_and_sheets_are_one_table(tmp_path: Path) -> None:
    import polars as pl

    [wide] = write(tmp_path, wide="item,Anna,Ben\n1,4,4\n2,3,4\n3,1,2\n")
    pl.DataFrame({"item": [4, 5], "Anna": [2, 5], "Ben": [2, 5]}).write_excel(tmp_path / "late.xlsx")
    study = read(wide, tmp_path / "late.xlsx")
    assert (len(study.unit.labels), study.raters) == (5, ("Anna", "Ben"))
    assert {*study.value.as_labels().labels} == {"1", "2", "3", "4", "5"}
    with pytest.raises(InputError, match="item"):
        read(wide, wide)  # every unit twice


def test_a_judgement_in_two_files_is_one_too_many(tmp_path: Path) -> None:
    paths = write(tmp_path, one=FIRST, two="unit,rater,value,genre\na,P,2,news\n")
    with pytest.raises(InputError, match="--duplicates"):
        measure(read(*paths), "alpha")
    assert measure(read(*paths, duplicates="last"), "alpha", ci="none").n_judgements == 4


def test_what_does_not_fit_is_said_with_the_file(tmp_path: Path) -> None:
    paths = write(tmp_path, one=FIRST, two="unit,rater,score,genre\na,P,1,news\n", three="unit,rater,value\na,,1\n")
    with pytest.raises(InputError, match=r"two.csv: this is not the same table as one.csv: it has no column 'value'"):
        read(*paths[:2])
    [bare] = write(tmp_path, bare="unit,rater,value\nb,P,1\nb,Q,2\n")
    with pytest.raises(InputError, match=r"three.csv, row 2"):
        measure(read(bare, paths[2]), "alpha")
    done = run("measure", *paths[:2], code=2)
    assert done.stderr.count("\n") == 1


def test_spans_are_put_together_too(tmp_path: Path) -> None:
    head = "rater,begin,end,category\n"
    paths = write(tmp_path, x=f"{head}A,0,9,n\nB,0,9,n\n", y=f"{head}A,3,5,n\n")
    table = read(*paths)
    assert (list(table.text), len(table), list(table.rater)) == (["x", "x", "y"], 3, ["A", "B", "A"])
    with pytest.raises(InputError, match="only it has 'genre'"):
        read(*paths, *write(tmp_path, z="rater,begin,end,category,genre\nA,1,2,n,p\n"))


def test_exports_of_a_tool_are_read_one_by_one(tmp_path: Path) -> None:
    def exported(task: int, who: str, value: str) -> str:
        result = [{"from_name": "tone", "to_name": "text", "type": "choices", "value": {"choices": [value]}}]
        note = {"id": task * 10, "completed_by": {"email": who}, "result": result}
        return json.dumps([{"id": task, "data": {"text": f"text {task}"}, "annotations": [note]}])

    paths = [tmp_path / "a.json", tmp_path / "b.json"]
    for path, (task, who) in zip(paths, ((1, "ann@x.org"), (1, "ben@x.org")), strict=True):
        path.write_text(exported(task, who, "good"))
    study = read(*paths)
    assert (study.n_rows, len(study.raters), len(study.unit.labels)) == (2, 2, 1)


def test_formats_of_folders_and_of_single_files_are_refused(tmp_path: Path) -> None:
    for rater in "ab":
        (tmp_path / f"{rater}.txt").write_text("one two")
        (tmp_path / f"{rater}.ann").write_text("T1\tx 0 3\tone\n")
    with pytest.raises(InputError, match="2 files of brat; give the folder that they are in"):
        read(tmp_path / "a.ann", tmp_path / "b.ann")


def test_the_commands_take_several_files(tmp_path: Path) -> None:
    paths = write(tmp_path, one=FIRST, two=SECOND)
    found = json.loads(run("read", *paths, "--json").stdout)
    assert (found["n_units"], found["n_judgements"]) == (3, 7)
    [first, *_] = json.loads(run("measure", *paths, "--measure", "alpha", "--json", "--seed", "1").stdout)["results"]
    assert run("verify", first["signature"], *paths).stdout.strip() == "the same"
    run("report", *paths, "-o", tmp_path / "report.md")
    assert "Reliability report" in (tmp_path / "report.md").read_text()
    assert "P" in run("diagnose", *paths).stdout
    assert "3 units" in run("gold", *paths).stdout
