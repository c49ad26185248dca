"""Limits for pipelines: what is kept, what is not and why, and the files that build servers read."""

import json
import os
import re
import subprocess
import sys
from importlib.resources import files
from pathlib import Path
from xml.etree import ElementTree

import pytest

import concordant as cc
from concordant.diagnosis.requirements import read_limit
from concordant.errors import InputError
from tests.cli.running import run

ROOT = Path(__file__).parents[2]
RATINGS = str(files("concordant") / "examples" / "data" / "ratings.csv")


def test_a_limit_is_asked_of_every_question_or_of_one() -> None:
    found = cc.gate(RATINGS, ["alpha>=.6", "adequacy: alpha >= .6", "n_raters>=5"], level="ordinal")
    assert [(check.question, check.holds) for check in found.checks] == [
        ("fluency", False),
        ("adequacy", True),
        ("adequacy", True),
        ("fluency", True),
        ("adequacy", True),
    ]
    assert not found.holds
    assert found.failures == ["fluency: alpha>=.6: alpha is 0.5954"]
    assert repr(found).splitlines()[0].endswith("4 of 5 requirements hold>")
    assert list(found.to_frame()["requirement"][:1]) == ["alpha>=.6"]


def test_ends_of_intervals() -> None:
    found = cc.gate(
        RATINGS,
        ["interval.low>0", "alpha.low>0", "kendall_w.high<=1"],
        level="ordinal",
        where={"question": ["fluency"]},
    )
    low = [check.value for check in found.checks][:2]
    assert low[0] == low[1]
    assert found.holds


def test_what_is_undefined_keeps_no_limit() -> None:
    found = cc.gate([["a", "a"], ["a", "a"]], ["kappa>-2", "kappa.low>=-2"])
    assert found.checks[0].holds is False
    assert "undefined: " in str(found.checks[0].reason)
    alone = cc.gate([["a", "b", "a"], ["a", "b", "b"]], ["kappa.low>-2"])
    assert "there is no interval" in str(alone.checks[0].reason)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("alpha", "is no requirement"),
        ("alhpa>=.5", "did you mean 'alpha'"),
        ("alpha>=good", "'good' in"),
        ("style:alpha>=.5", "there is no question 'style'"),
        ("interval>.5", "nothing is called 'interval'"),
    ],
)
def test_what_cannot_be_understood_is_refused(text: str, why: str) -> None:
    with pytest.raises(InputError, match=why):
        cc.gate(RATINGS, text, level="ordinal")
    with pytest.raises(InputError, match="nothing is required"):
        cc.gate(RATINGS, [], level="ordinal")


def test_every_operator() -> None:
    values = {">=": [0, 1, 1], "<=": [1, 1, 0], ">": [0, 0, 1], "<": [1, 0, 0], "==": [0, 1, 0]}
    for op, kept in values.items():
        limit = read_limit(f"alpha {op} .5", ["alpha"], "")
        assert [limit.is_kept(value) for value in (0.4, 0.5, 0.6)] == list(map(bool, kept))


def test_the_command_ends_with_one_and_writes_what_build_servers_read(tmp_path: Path) -> None:
    xml, summary = tmp_path / "agreement.xml", tmp_path / "agreement.md"
    how = ("--level", "ordinal", "--require", "alpha>=.6", "--junit", xml, "--summary", summary)
    done = run("gate", RATINGS, *how, code=1)
    assert done.stdout == "fluency: alpha>=.6: alpha is 0.5954\n1 of 2 requirements hold.\n"
    suite = ElementTree.fromstring(xml.read_text())
    assert (suite.get("tests"), suite.get("failures")) == ("2", "1")
    assert [case.get("name") for case in suite] == ["fluency: alpha>=.6", "adequacy: alpha>=.6"]
    assert "| **no** | fluency | alpha>=.6 | 0.5954 | alpha is 0.5954 |" in summary.read_text()
    told = json.loads(run("gate", RATINGS, "--level", "ordinal", "--require", "alpha>=.5", "--json").stdout)
    assert (told["holds"], len(told["checks"])) == (True, 2)


def test_each_file_is_held_by_itself_as_the_hook_asks(tmp_path: Path) -> None:
    good, bad = tmp_path / "good.csv", tmp_path / "bad.csv"
    good.write_text("unit,rater,value\nu1,a,1\nu1,b,1\nu2,a,2\nu2,b,2\n")
    bad.write_text("unit,rater,value\nu3,a,1\nu3,b,1\nu4,a,2\nu4,b,1\n")
    entry = re.search(r"(?m)^  entry: concordant (.*)$", (ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
    assert entry is not None
    xml, summary = tmp_path / "agreement.xml", tmp_path / "agreement.md"
    how = (*entry[1].split(), "--require", "percent>=.9", "--junit", xml, "--summary", summary)
    done = run(*how, good, bad, code=1)
    assert done.stdout == f"{bad}: percent>=.9: percent is 0.5\n1 of 2 requirements hold.\n"
    suite = ElementTree.fromstring(xml.read_text())
    assert [(case.get("classname"), len(case)) for case in suite] == [(str(good), 0), (str(bad), 1)]
    assert re.findall(r"(?m)^## (.*)$", summary.read_text()) == [str(good), str(bad)]
    told = json.loads(run(*how, good, bad, "--json", code=1).stdout)
    assert ([one["holds"] for one in told["files"]], told["holds"]) == ([True, False], False)
    run(*how, good)
    together = run("gate", "--require", "n_units>=4", good, bad)
    assert together.stdout == "1 of 1 requirements hold.\n"


@pytest.mark.parametrize(("limit", "code"), [("alpha>=.5", 0), ("alpha>=.9", 1)])
def test_what_the_action_runs(tmp_path: Path, limit: str, code: int) -> None:
    """The script of the action, as a job would run it: the table is in the summary, the exit code is the gate's."""
    script = ROOT / "scripts" / "gate"
    told = {"DATA": RATINGS, "REQUIRE": f"{limit}\n\nn_raters>=3\n", "OPTIONS": "--level ordinal"}
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    summary = tmp_path / "summary.md"
    where = {"PATH": path, "GITHUB_STEP_SUMMARY": str(summary)}
    done = subprocess.run([script], env={**os.environ, **told, **where}, capture_output=True, text=True, check=False)
    assert done.returncode == code, done.stderr
    assert f"| {limit} |" in summary.read_text()
    assert "n_raters>=3" in summary.read_text()
