"""Every figure of *Coming from another tool*: theirs as the tool gave it, ours computed again, the same or said to differ."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

import concordant as cc
from concordant.design.examples import EXAMPLES

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "how-to" / "coming-from.md").read_text("utf-8")
STORED = json.loads((ROOT / "tests" / "reference" / "shipped.json").read_text("utf-8"))
DATA = Path(str(EXAMPLES / "data"))
HEAD = re.compile(r"^\| ([\w-]+) ([\d.]+)(?: \(Python\))? \| its value")
ROW = re.compile(r"^\| `([^`]+)` \| ([\d.]+) \| `([^`]+)` \| ([\d.]+) \| (.*)\|$")


def rows() -> list[Any]:
    """(tool, version, their call, their value, our call, our value, remark) for every row."""
    found, tool, version = [], "", ""
    for line in PAGE.splitlines():
        if head := HEAD.match(line):
            tool, version = head.groups()
        elif row := ROW.match(line):
            found.append(pytest.param(tool, version, *row.groups(), id=f"{tool}: {row[1]} {row[3]}"))
    return found


@pytest.fixture(scope="module")
def data() -> dict[str, Any]:
    """The names that the page uses."""
    text = PAGE.partition("```python\n")[2].partition("```")[0].replace('cc.read("', f'cc.read("{DATA}/')
    names: dict[str, Any] = {"cc": cc}
    exec(text, names)
    table: dict[str, list[float | None]] = {}
    for unit, judged in _rows():
        table.setdefault(unit, []).append(judged)
    names["whole"] = [values for values in table.values() if len(values) == 5]
    return names


def _rows() -> list[tuple[str, float]]:
    lines = (DATA / "ratings.csv").read_text("utf-8").splitlines()
    cells = [line.split(",") for line in lines if ",fluency," in line and not line.endswith(",")]
    return [(one[0], float(one[-1])) for one in sorted(cells, key=lambda one: (one[0], one[1]))]


@pytest.mark.parametrize(("tool", "version", "call", "theirs", "ours", "value", "remark"), rows())
def test_a_row_is_true(
    tool: str, version: str, call: str, theirs: str, ours: str, value: str, remark: str, data: dict[str, Any]
) -> None:
    stored = STORED[tool]
    digits = len(theirs.partition(".")[2])
    assert stored["version"] == version
    assert f"{stored['answers'][call]:.{digits}f}" == theirs
    options = "" if '"gamma"' in ours else ', ci="none"'
    computed = float(eval(re.sub(r"\)((?:\.\w+)?)$", rf"{options})\1", ours), data))
    assert f"{computed:.{len(value.partition('.')[2])}f}" == value
    assert (theirs != value) == remark.startswith("differs")


def test_the_tables_are_read_and_what_was_not_run_is_said() -> None:
    assert len(rows()) > 25
    assert len(re.findall(r"not\s+run", PAGE)) >= 5
    assert (
        STORED["nltk"]["answers"]["AnnotationTask(fluency).multi_kappa()"]
        == "RuntimeError: generator raised StopIteration"
    )


def test_the_readme_compares_with_the_versions_that_were_run() -> None:
    named = dict(
        re.findall(r"\| (nltk|scikit-learn|krippendorff|irrCAC) ([\d.]+) ", (ROOT / "README.md").read_text("utf-8"))
    )
    assert named == {tool: STORED[tool]["version"] for tool in named}
    assert len(named) == 4
