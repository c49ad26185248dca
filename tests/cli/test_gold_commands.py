"""`concordant weights`, `rank`, `compare` and `recheck` on files."""

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from concordant.cli import program
from concordant.errors import InputError

PAIRS = """pair,rater,choice,A_core,B_core,A_form,B_form
1,A1,B,0,1,1,1
2,A1,same,1,1,0,1
3,A1,A,1,0,0,1
4,A1,A,1,1,1,0
5,A1,B,0,1,1,0
6,A1,A,1,0,1,1
7,A1,B,1,0,0,1
8,A1,A,1,0,1,0
9,A1,B,0,1,0,1
"""
RESPONSES = "item,response,core,form,system\n1,a,1,1,0.9\n1,b,1,0,0.2\n1,c,0,1,0.8\n2,d,0,0,0.1\n2,e,1,1,0.3\n"


def run(*arguments: str) -> Any:
    """Run a command."""
    return CliRunner().invoke(program, list(arguments), catch_exceptions=False)


def write(path: Path, text: str) -> str:
    """A file with this text."""
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_weights_then_rank(tmp_path: Path) -> None:
    pairs = write(tmp_path / "pairs.csv", PAIRS)
    shown = run("weights", pairs)
    assert "9 decisions, 1 ruled same and left out, 8 used" in shown.output
    found = run("weights", pairs, "--json")
    features = json.loads(found.output)["weights"]["features"]
    assert sum(float(one["rounded"]) for one in features) == pytest.approx(1.0, abs=1e-12)
    weights = write(tmp_path / "weights.json", found.output)
    responses = write(tmp_path / "responses.csv", RESPONSES)
    ranked = run("rank", responses, "--weights", weights, "--system", "system", "-o", str(tmp_path / "ranked.csv"))
    assert "mean over items" in ranked.output
    with (tmp_path / "ranked.csv").open(encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    assert [row["unit"] for row in rows][:1] == ["a"]
    assert [row["rank"] for row in rows] == ["1", "2", "3", "1", "2"]
    assert not list(tmp_path.glob("*.part"))


def test_rank_with_weights_on_the_command_line(tmp_path: Path) -> None:
    responses = write(tmp_path / "responses.csv", RESPONSES)
    found = json.loads(run("rank", responses, "--weights", "core=0.6,form=0.4", "--system", "system", "--json").output)
    assert found["responses"][0] == {"item": "1", "unit": "a", "score": 1.0, "rank": 1}
    assert found["systems"][0]["items"][0]["spearman"]["value"] == pytest.approx(0.5)
    table = write(tmp_path / "weights.csv", "feature,weight\ncore,0.6\nform,0.4\n")
    assert json.loads(run("rank", responses, "--weights", table, "--json").output)["responses"] == found["responses"]


@pytest.mark.parametrize("weights", ["", "core", "core=much", "nothing.json"])
def test_bad_weights(tmp_path: Path, weights: str) -> None:
    responses = write(tmp_path / "responses.csv", RESPONSES)
    with pytest.raises(InputError):
        run("rank", responses, "--weights", weights)


def test_compare_prints_the_table_with_totals_in_the_order_given(tmp_path: Path) -> None:
    experts = write(tmp_path / "experts.csv", "unit,rater,value\na,e,B\nb,e,B+E\nc,e,O\nd,e,B\n")
    crowd = "unit,rater,value\n" + "".join(
        f"{unit},p{i},{value}\n"
        for unit, values in {"a": "B B O", "b": "B B E", "c": "O O B", "d": "O O O"}.items()
        for i, value in enumerate(values.split())
    )
    participants = write(tmp_path / "participants.csv", crowd)
    found = run("compare", experts, participants, "--level", "set", "--order", "O,B+E,E,B")
    lines = found.output.splitlines()
    assert lines[0].split() == ["experts", "↓", "participants", "→", "O", "B+E", "E", "B", "Total"]
    assert lines[-1] or "Total" in found.output
    assert "experts B, participants O" in found.output
    whole = json.loads(run("compare", experts, participants, "--level", "set", "--json").output)["comparisons"][0]
    assert [one["measure"] for one in whole["results"]] == ["set_full", "set_weighted", "set_overlapping"]
    assert whole["n_units"] == 4


def test_recheck_exits_with_one_if_a_cell_is_impossible(tmp_path: Path) -> None:
    good = write(tmp_path / "good.csv", "set,observed,chance,kappa\na,0.949,0.709,0.823\n")
    bad = write(tmp_path / "bad.csv", "set,observed,chance,kappa\na,0.952,0.678,0.872\n")
    assert run("recheck", good).exit_code == 0
    found = run("recheck", bad)
    assert found.exit_code == 1
    assert "0.852 differs in one digit" in found.output
    whole = run("recheck", bad, "--json")
    assert whole.exit_code == 1
    assert json.loads(whole.output)["problems"][0]["row"] == "a"


CROWD = "unit,rater,value\n" + "".join(
    f"u{unit},{rater},{value}\n"
    for unit, said in enumerate(["aaab", "bbba", "aaaa", "bbbb", "abab", "aaab", "bbbb", "aaaa"])
    for rater, value in zip("wxyz", said, strict=True)
)


def test_gold_by_votes_reports_ties(tmp_path: Path) -> None:
    shown = run("gold", write(tmp_path / "crowd.csv", CROWD))
    assert "8 units, 1 tied" in shown.output
    assert "a 0.500, b 0.500" in shown.output


@pytest.mark.parametrize("method", ["dawid_skene", "mace"])
def test_gold_by_a_model_has_the_posterior_and_the_raters(tmp_path: Path, method: str) -> None:
    data, goal = write(tmp_path / "crowd.csv", CROWD), tmp_path / "gold.csv"
    once, again = (run("gold", data, "--method", method, "-o", str(goal), "--json").output for _ in range(2))
    assert once == again
    found = json.loads(once)["standards"][0]
    assert set(found["competences"]) == set("wxyz")
    with goal.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 8
    assert all(float(row["p_a"]) + float(row["p_b"]) == pytest.approx(1) for row in rows)
    assert min(found["competences"], key=found["competences"].get) == "z"


def test_gold_of_several_questions_is_one_file(tmp_path: Path) -> None:
    text = "unit,rater,question,value\n1,w,form,a\n1,x,form,a\n1,w,sense,yes\n1,x,sense,no\n"
    goal = tmp_path / "gold.csv"
    run("gold", write(tmp_path / "two.csv", text), "-o", str(goal))
    with goal.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [(row["question"], row["value"], row["basis"]) for row in rows] == [
        ("form", "a", "votes"),
        ("sense", "", "tie"),
    ]
    assert rows[0]["p_yes"] == ""


def test_gold_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="directory"):
        run("gold", write(tmp_path / "crowd.csv", CROWD), "-o", str(tmp_path))
