"""A gold standard for other tools."""

import json
from pathlib import Path
from typing import Any, cast

import pytest

import concordant
from concordant.errors import InputError
from concordant.gold.exchange import FORMS, brat, codebook, doccano, label_studio, texts_of, write_gold
from concordant.readers import read
from tests.cli.running import run

ROWS = """unit,rater,value,text,remark
a,x,good,"The first, one",p
a,y,good,"The first, one",q
b,x,bad,The second,r
b,y,good,The second,s
c/d,x,bad,Third,t
c/d,y,bad,Third,u
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    (tmp_path / "t.csv").write_text(ROWS)
    return tmp_path / "t.csv"


def test_texts_are_those_of_units(file: Path) -> None:
    study = concordant.read(file)
    assert texts_of(study)["a"] == "The first, one"
    with pytest.raises(InputError, match="no attribute of units"):
        texts_of(study, "remark")
    with pytest.raises(InputError, match="no such column"):
        texts_of(study, "txt")
    assert texts_of(concordant.read(file, attributes=["remark"])) == {}


def test_label_studio_reads_back(file: Path, tmp_path: Path) -> None:
    study = concordant.read(file)
    write_gold(concordant.gold(study), tmp_path / "g.json", form="label_studio", texts=study)
    tasks = json.loads((tmp_path / "g.json").read_text())
    assert tasks[1] == {"data": {"text": "The second", "unit": "b", "certainty_label": 0.5}}
    again = read(tmp_path / "g.json")
    assert again.value.text().tolist() == ["good", "bad"]


def test_doccano_reads_back(file: Path, tmp_path: Path) -> None:
    study = concordant.read(file)
    write_gold(concordant.gold(study), tmp_path / "g.jsonl", form="doccano", texts=texts_of(study))
    again = read(tmp_path / "g.jsonl")
    assert dict(zip(again.unit.text(), again.value.text(), strict=True)) == {"a": "good", "b": "", "c/d": "bad"}


def test_brat_reads_back(file: Path, tmp_path: Path) -> None:
    study = concordant.read(file)
    write_gold(concordant.gold(study), tmp_path / "g", form="brat", texts=study)
    again = read(tmp_path / "g")
    spans = zip(again.text, again.begin, again.end, again.category, strict=True)
    assert list(spans) == [("a", 0, 14, "good"), ("c_d", 0, 5, "bad")]
    with pytest.raises(InputError, match="unknown form 'bart'; did you mean 'brat'"):
        concordant.write_gold(concordant.gold(study), tmp_path / "h", form=cast(Any, "bart"))
    with pytest.raises(InputError, match="there already"):
        write_gold(concordant.gold(study), tmp_path / "g", form="brat")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["g", "t.csv"]


def test_several_questions_sets_and_units_of_one_name() -> None:
    rows = {"unit": ["a b", "a_b"] * 4, "rater": ["x", "x", "y", "y"] * 2, "question": ["p"] * 4 + ["q"] * 4,
            "value": ["C++", "C++", "C++", "C++", "u+v", "u", "u+v", "u"]}  # fmt: skip
    found = concordant.gold(rows)
    assert json.loads(doccano(found, {}).splitlines()[0])["label"] == ["p: C++", "q: u", "q: v"]
    result = json.loads(label_studio(found, {}))[0]["annotations"][0]["result"]
    assert [one["value"]["choices"] for one in result] == [["C++"], ["u", "v"]]
    assert {name for name in brat(found, {}) if name.endswith(".txt")} == {"a_b.txt", "a_b_2.txt"}


def test_the_codebook_describes_every_column(file: Path) -> None:
    found = concordant.gold(file)
    described = [line.partition(",")[0] for line in codebook(found).splitlines()[1:]]
    assert described == found.to_csv().splitlines()[0].split(",")
    assert '"p_a,""b"' in codebook(concordant.gold([['a,"b', 'a,"b'], ["c", "c"]]))


@pytest.mark.parametrize("form", FORMS)
def test_the_command(file: Path, tmp_path: Path, form: str) -> None:
    run("gold", str(file), "-o", str(tmp_path / "out.x"), "--as", form)
    assert (tmp_path / "out.x").exists()
    assert (tmp_path / "out.codebook.csv").exists() == (form == "csv")
