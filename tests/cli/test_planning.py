"""`concordant planning` as a user runs it."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from concordant.cli.planning import command
from concordant.errors import InputError

ROWS = [(u, r, (u * 7 + (u % 5 == r)) % 3) for u in range(40) for r in range(3)]


@pytest.fixture
def pilot(tmp_path: Path) -> Path:
    file = tmp_path / "pilot.csv"
    file.write_text("unit,rater,value\n" + "\n".join(f"{u},r{r},{v}" for u, r, v in ROWS), encoding="utf-8")
    return file


def test_the_answer_is_a_sentence_and_a_table(pilot: Path) -> None:
    args = [
        str(pilot),
        "--measure",
        "alpha",
        "--level",
        "nominal",
        "--width",
        "0.15",
        "--seed",
        "1",
        "--resamples",
        "300",
    ]
    done = CliRunner().invoke(command, args, catch_exceptions=False)
    assert done.exit_code == 0
    assert done.output.startswith("About ")
    assert "0.15 asked for" in done.output
    assert "seed 1" in done.output


def test_json_is_unrounded_and_complete(pilot: Path) -> None:
    args = [str(pilot), "--measure", "fleiss", "--level", "nominal", "--width", "0.15", "--resamples", "100", "--json"]
    found = json.loads(CliRunner().invoke(command, args, catch_exceptions=False).output)
    assert found["width"] <= 0.15
    assert found["of"] == "units"
    assert found["seed"] >= 0
    assert {step["size"] for step in found["steps"]} >= {found["size"], 40}


def test_several_questions_are_refused_with_what_to_do(tmp_path: Path) -> None:
    file = tmp_path / "two.csv"
    lines = [f"{u},r{r},{q},{v}" for u, r, v in ROWS for q in ("tone", "style")]
    file.write_text("unit,rater,question,value\n" + "\n".join(lines), encoding="utf-8")
    with pytest.raises(InputError, match="--where question=tone"):
        CliRunner().invoke(command, [str(file), "--measure", "alpha", "--width", "0.1"], catch_exceptions=False)
