"""`read` shows what was understood without measuring, and `measure` says it too."""

import json
from pathlib import Path
from random import Random

from tests.cli.running import run


def test_one_rater_is_enough(tmp_path: Path) -> None:
    file = tmp_path / "one.csv"
    file.write_text("unit,rater,value,genre\n1,A,yes,news\n2,A,no,news\n", encoding="utf-8")
    told = json.loads(run("read", file, "--json").stdout)
    assert (told["format"], told["kind"], told["n_units"], told["n_raters"]) == ("table", "judgements", 2, 1)
    assert told["attributes"] == ["genre"]
    shown = run("read", file).stdout
    assert "read as table (by what is in it): 2 units × 1 rater, 2 judgements, level nominal" in shown
    assert "attributes: genre" in shown


def test_the_table_of_questions_names_the_first_categories(tmp_path: Path) -> None:
    file = tmp_path / "many.csv"
    file.write_text("unit,rater,value\n" + "".join(f"{i},A,c{i}\n" for i in range(12)), encoding="utf-8")
    assert "and 4 more" in run("read", file).stdout


def test_trees_are_counted_not_printed(tmp_path: Path) -> None:
    words = [f"{i}\tword\t_\tNOUN\t_\t_\t{i - 1}\tdep:{'x' * 9}\t_\t_" for i in range(1, 40)]
    for rater in "AB":
        (tmp_path / f"{rater}.conllu").write_text("\n".join(words) + "\n\n", encoding="utf-8")
    shown = run("read", tmp_path, "--read", "units=sentences").stdout
    assert "1 value, such as (TOP (dep:xxx" in " ".join(shown.split())
    assert len(shown) < 2000
    told = json.loads(run("read", tmp_path, "--read", "units=sentences", "--json").stdout)
    assert told["questions"][0]["categories"][0].count("(dep:") == 39


def test_measure_says_what_was_read(tmp_path: Path) -> None:
    file = tmp_path / "two.csv"
    file.write_text("unit,rater,value,genre\n1,A,yes,x\n1,B,no,x\n2,A,no,y\n2,B,no,y\n", encoding="utf-8")
    shown = run("measure", file, "--ci", "none").stdout
    assert "read as table (by what is in it): 2 units × 2 raters, 4 judgements, level nominal" in shown
    assert "not used: column 'genre'" in shown
    told = json.loads(run("measure", file, "--ci", "none", "--json").stdout)
    assert told["read"]["unused"] == [{"column": "genre", "reason": "an attribute that nothing asks for"}]
    assert "not used" not in run("measure", file, "--ci", "none", "--by", "genre").stdout


def test_what_cannot_be_read_is_one_line(tmp_path: Path) -> None:
    file = tmp_path / "x.csv"
    file.write_text("a\n", encoding="utf-8")
    done = run("read", file, code=2)
    assert done.stderr.startswith("concordant: ")
    assert done.stderr.count("\n") == 1


def test_measure_says_that_columns_are_sorted(tmp_path: Path) -> None:
    file = tmp_path / "sorted.csv"
    random = Random(3)
    rows = [sorted(random.randint(1, 5) if i % 2 else i % 5 + 1 for _ in "ABC") for i in range(200)]
    file.write_text("A,B,C\n" + "".join(f"{a},{b},{c}\n" for a, b, c in rows), encoding="utf-8")
    shown = " ".join(run("measure", file, "--ci", "none").stdout.split())
    assert "look at the data first: The judgements are sorted: A ≤ B ≤ C" in shown
    told = json.loads(run("measure", file, "--ci", "none", "--json").stdout)
    assert any("sorted" in note for note in told["notes"])


def test_measure_says_that_a_rater_always_gave_one_value(tmp_path: Path) -> None:
    file = tmp_path / "constant.csv"
    rows = "".join(f"u{i},{i % 3},{(i * 2) % 3},1\n" for i in range(60))
    file.write_text("unit,A,B,C\n" + rows, encoding="utf-8")
    shown = " ".join(run("measure", file, "--ci", "none").stdout.split())
    assert "look at the data first: C gave '1' to all 60 units" in shown


def test_careful_raters_are_not_suspected(tmp_path: Path) -> None:
    file = tmp_path / "fine.csv"
    rows = "".join(f"u{i},{i % 3},{(i * 2) % 3}\n" for i in range(60))
    file.write_text("unit,A,B\n" + rows, encoding="utf-8")
    assert "look at the data first" not in run("measure", file, "--ci", "none").stdout
