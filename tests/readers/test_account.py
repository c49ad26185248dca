"""What was understood of a file: everything in it is used, named as unused or left out, or refused."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from concordant.model.scale import Level
from concordant.model.study import Declared
from concordant.readers import find_format, read_as
from concordant.readers.account import Account, account_of


def write(file: Path, text: str) -> Path:
    file.write_text(text, encoding="utf-8")
    return file


def understood(path: Path, *more: Path, **options: Any) -> Account:
    found = find_format(path, *more)
    return account_of(read_as(found.format, path, *more, **options), found)


def test_a_wide_table(tmp_path: Path) -> None:
    file = write(tmp_path / "a.csv", "unit,A,B,note\n1,a,b,x\n2,a,,y\n3,b,b,z\n")
    told = understood(file, attributes=[])
    assert told.lines() == [
        "read as table (as any table may be): 3 units × 2 raters, 5 judgements, level nominal",
        "not used: column 'note' (names that no rater gave)",
    ]
    assert understood(file).attributes == ("note",)
    assert understood(file).unused == ()


def test_questions_have_their_own_scales(tmp_path: Path) -> None:
    rows = "unit,rater,question,value\n1,A,how,1\n1,B,how,2\n2,A,how,5\n1,A,is,yes\n1,B,is,\n"
    file = write(tmp_path / "a.csv", rows)
    how, which = understood(file).questions
    assert (how.name, how.level, how.categories, how.n_judgements) == ("how", "ordinal", ("1", "2", "5"), 3)
    assert (which.name, which.level, which.categories, which.n_judgements) == ("is", "nominal", ("yes",), 1)
    study = read_as(find_format(file).format, file)
    declared = replace(study, scales={"is": Declared(level=Level.ORDINAL, categories=("no", "yes"))})
    assert account_of(declared, find_format(file)).questions[1].categories == ("no", "yes")
    assert "2 questions, 4 judgements, level ordinal and nominal" in understood(file).lines()[0]


def test_a_continuous_scale_has_no_categories(tmp_path: Path) -> None:
    polars = pytest.importorskip("polars")
    n = 3000
    values = [i / 7 for i in range(n)]
    polars.DataFrame({"unit": range(n), "rater": ["A"] * n, "value": values}).write_parquet(tmp_path / "a.parquet")
    (only,) = understood(tmp_path / "a.parquet").questions
    assert (only.level, only.categories, only.n_judgements) == ("interval", (), n)


def test_as_data(tmp_path: Path) -> None:
    told = understood(write(tmp_path / "a.csv", "unit,rater,value\n1,A,a\n"))
    study = replace(told, unused=(("time", "a time"),), left_out=((2, "practice"), (1, "empty")))
    assert study.lines()[1:] == [
        "not used: column 'time' (a time)",
        "left out: 2 rows (practice)",
        "left out: 1 row (empty)",
    ]
    whole = study.to_dict()
    assert list(whole) == [
        "format", "confidence", "kind", "n_units", "n_raters", "n_judgements", "n_spans", "n_texts", "questions",
        "attributes", "unused", "left_out", "notes",
    ]  # fmt: skip
    assert whole["unused"] == [{"column": "time", "reason": "a time"}]
    assert whole["left_out"] == [{"rows": 2, "reason": "practice"}, {"rows": 1, "reason": "empty"}]
    assert whole["notes"] == ["read as table: by what is in it"]


def test_unused_columns_of_one_reason_share_a_line(tmp_path: Path) -> None:
    told = understood(write(tmp_path / "a.csv", "unit,rater,value\n1,A,a\n"))
    many = replace(told, unused=tuple((f"c{i}", "a time") for i in range(9)))
    assert many.lines()[1] == "not used: columns 'c0', 'c1', 'c2', 'c3', 'c4', 'c5' and 3 more (a time)"


def test_spans_count_texts_and_raters_without_spans(tmp_path: Path) -> None:
    for rater, marks in (("A", "T1\tX 0 2\tab\n"), ("B", "")):
        (tmp_path / rater).mkdir()
        write(tmp_path / rater / "one.ann", marks)
        write(tmp_path / rater / "one.txt", "abcd")
    told = understood(tmp_path)
    assert (told.kind, told.n_texts, told.n_raters, told.n_spans, told.n_units) == ("spans", 1, 2, 1, None)
    assert told.lines() == ["read as brat (by the files in it): 1 text × 2 raters, 1 span"]


def test_trees(tmp_path: Path) -> None:
    first, second = (write(tmp_path / f"{name}.mrg", "(S (A a) (B b))\n") for name in "ab")
    told = understood(first, second)
    assert (told.kind, told.n_units, told.n_raters) == ("trees", 1, 2)
    assert told.lines() == ["read as trees (by what is in it): 1 sentence × 2 raters"]
