"""The step of a workflow as the documentation prints it, run here as the action would: its inputs, its last command."""

import os
import re
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

from concordant.design.examples import EXAMPLES

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "how-to" / "check-agreement-in-a-pipeline.md").read_text("utf-8")
ACTION = (ROOT / "action.yml").read_text("utf-8")


def run(limits: str, folder: Path) -> "subprocess.CompletedProcess[str]":
    """Run the last step of the action with the inputs of the printed workflow, but for the data and the limits."""
    step, _ = re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)
    options = re.findall(r"(?m)^    options: (.*)$", step)
    given = {"data": str(EXAMPLES / "data" / "ratings.csv"), "options": options[0], "require": limits}
    asked = dict(re.findall(r"(?m)^        (\w+): \$\{\{ inputs\.(\w+) \}\}$", ACTION))
    command = re.findall(r"(?m)^      run: '(.*)'$", ACTION)[-1]
    told = {name: given[key] for name, key in asked.items()} | {"GITHUB_ACTION_PATH": str(ROOT)}
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    environment = {**os.environ, **told, "PATH": path, "GITHUB_STEP_SUMMARY": str(folder / "summary.md")}
    return subprocess.run(["bash", "-c", command], env=environment, capture_output=True, text=True, check=False)


def test_the_printed_limits_stop_the_job_and_show_the_table(tmp_path: Path) -> None:
    printed = dedent(re.findall(r"require: \|\n(.*?)```", PAGE, re.DOTALL)[0])
    done = run(printed, tmp_path)
    assert done.returncode == 1, done.stderr
    assert "alpha.low>=.6" in done.stdout + done.stderr
    assert "| " in (tmp_path / "summary.md").read_text("utf-8")


def test_limits_that_hold_let_it_go_on(tmp_path: Path) -> None:
    done = run("n_raters>=3\n\nalpha>=.1\n", tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "alpha>=.1" in (tmp_path / "summary.md").read_text("utf-8")
