"""`concordant diagnose` as a newcomer runs it."""

import json
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from concordant.cli import program
from concordant.errors import InputError
from concordant.uncertainty.front import measure

DATA = files("concordant") / "examples" / "data"


def run(*arguments: str) -> Any:
    """Run a command; errors of the user's come out as exceptions."""
    return CliRunner().invoke(program, list(arguments), catch_exceptions=False, env={"COLUMNS": "160"})


def test_findings_come_before_tables() -> None:
    found = run("diagnose", str(DATA / "ratings.csv"), "--group", "speaker")
    assert found.exit_code == 0
    assert found.output.index("J5 orders units like J1, J2, J3, J4, but is stricter") < found.output.index(
        "Rater pairs"
    )
    assert "How sure:" in found.output
    assert "What to do:" in found.output
    assert "Groups of raters" in found.output


def test_json_has_all_of_it() -> None:
    found = json.loads(run("diagnose", str(DATA / "features.csv"), "--json").output)
    diagnosis = found["diagnosis"]
    assert len(diagnosis["questions"]) == 5
    assert {"seen", "sure", "advice", "severity", "kind"} <= set(diagnosis["findings"][0])
    assert diagnosis["slices"][0]["rows"][0]["yes_rates"]


def test_slices_by_a_named_column() -> None:
    found = run("diagnose", str(DATA / "features.csv"), "--by", "group")
    assert "Average: yes" in found.output
    with pytest.raises(InputError, match="no such column"):
        run("diagnose", str(DATA / "features.csv"), "--by", "grooup")


def test_named_groups() -> None:
    found = run("diagnose", str(DATA / "ratings.csv"), "--group", "x=J1,J2", "--group", "y=J3,J4", "--json")
    rows = json.loads(found.output)["diagnosis"]["groups"]
    assert [(row["group"], row["against"]) for row in rows[:4]] == [("all", None), ("x", None), ("y", None), ("x", "y")]
    with pytest.raises(InputError, match="is not a group of raters"):
        run("diagnose", str(DATA / "ratings.csv"), "--group", "=J1")


def test_sorted_columns_are_refused_unless_trusted(tmp_path: Path) -> None:
    path = tmp_path / "sorted.csv"
    rows = ["1,1,1,60", "1,1,2,40", "1,2,2,20", "2,2,3,10", "2,3,3,15", "3,3,3,30"]
    path.write_text("a,b,c,count\n" + "\n".join(rows), encoding="utf-8")
    refused = run("diagnose", str(path))
    assert "the columns are sorted" in refused.output
    assert "Rater pairs\n\nRaters" not in refused.output
    trusted = json.loads(run("diagnose", str(path), "--trust-raters", "--json").output)["diagnosis"]
    assert trusted["refused"] is None
    assert len(trusted["questions"][0]["consistency"]["pairs"]) == 3


def test_accuracy_against_gold(tmp_path: Path) -> None:
    path = tmp_path / "gold.csv"
    rows = [f"u{i},{rater},{'ab'[i % 2]},{'ab'[i % 2]}" for i in range(20) for rater in ("x", "y")]
    path.write_text("unit,rater,value,right\n" + "\n".join(rows), encoding="utf-8")
    assert "Accuracy: against the gold standard" in run("diagnose", str(path), "--gold", "right").output


@pytest.mark.parametrize("command", ["diagnose", "compare", "recheck", "weights", "rank"])
def test_help_teaches_with_an_example(command: str) -> None:
    found = run(command, "--help")
    assert "Example" in found.output
    assert f"concordant {command}" in found.output
    assert "--json" in found.output


def test_measure_by_groups_of_raters_is_signed_and_verified() -> None:
    path = str(DATA / "ratings.csv")
    options = ("--level", "ordinal", "--measure", "alpha", "--group", "speaker", "--seed", "1", "--json")
    results = json.loads(run("measure", path, *options).output)["results"]
    assert [result["slice"] for result in results[:3]] == [{"raters": name} for name in ("all", "native", "non-native")]
    assert results[1]["raters"] == ["J1", "J2", "J3"]
    assert run("verify", results[1]["signature"], path).output == "the same\n"


def test_own_and_foreign_guideline_by_guideline_are_signed_and_verified(tmp_path: Path) -> None:
    """A column of the spans says who is whose: Ida is own to guideline 1 and foreign to 2."""
    lines = ["guideline,text,rater,begin,end,category,role"]
    for guideline, roles in (("1", {"Ida": "own", "Jon": "foreign"}), ("2", {"Ida": "foreign", "Jon": "own"})):
        for rater, role in roles.items():
            shift = 2 if rater == "Jon" else 0
            lines += [f"{guideline},t,{rater},{at + shift},{at + 9},x,{role}" for at in (0, 20, 45)]
    path = tmp_path / "spans.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    words = ("measure", str(path), "--measure", "gamma", "--by", "guideline", "--group", "role", "--samples", "5")
    shown = run(*words, "--seed", "1").output
    assert "Mathet's gamma, foreign × own\n" in shown
    assert "kept as features of the spans" not in shown
    results = json.loads(run(*words, "--seed", "1", "--json").output)["results"]
    [second] = [one for one in results if one["slice"] == {"raters": "foreign × own", "guideline": "2", "text": "t"}]
    assert run("verify", second["signature"], str(path)).output == "the same\n"
    same = measure(path, "gamma", by="guideline", group="role", samples=5, seed=1)
    assert second["value"] in [one.value for one in same if one.slice == second["slice"]]


def test_measure_by_a_column_shows_how_often_each_rater_says_yes() -> None:
    path = str(DATA / "features.csv")
    shown = run("measure", path, "--measure", "kappa", "--by", "group", "--ci", "none")
    assert "A1: yes" in shown.output
    assert "Average: yes" in shown.output
    found = json.loads(run("measure", path, "--measure", "kappa", "--by", "group", "--ci", "none", "--json").output)
    assert found["results"][0]["details"]["yes_rates"] == {
        "A1": pytest.approx(20 / 30), "A2": pytest.approx(19 / 30),
    }  # fmt: skip
