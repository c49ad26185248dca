"""The keys that a tutorial tells are those of the page, and all of them."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
TUTORIAL = (ROOT / "docs" / "tutorials" / "treebank-in-the-browser.md").read_text("utf-8")
TEMPLATES = ROOT / "src" / "concordant" / "web" / "templates" / "rater"
NAMES = {"↑": "ArrowUp", "↓": "ArrowDown", "←": "ArrowLeft", "→": "ArrowRight", "↵": "Enter"}
KEY = re.compile(r'data-key="(\w+)"|, "(\w|Arrow\w+)"(?: if loop\.first)?, "[A-Z←→]"')


def test_the_tutorial_on_parses_tells_the_keys_of_the_page() -> None:
    rows = [line for line in TUTORIAL.split("| key |", 1)[1].split("\n\n", 1)[0].splitlines() if line.startswith("| `")]
    told = {NAMES.get(key, key) for row in rows for key in re.findall(r"`(\S+)`", row.split("|")[1])}
    page = (TEMPLATES / "tasks" / "parses.html").read_text("utf-8")
    keys = {one or other for one, other in KEY.findall(page)} | {"Enter"}
    assert 'value="next" data-key="Enter"' in (TEMPLATES / "judging.html").read_text("utf-8")
    assert told - {"1", "2", "3"} == keys
    assert "loop.index, loop.index" in page  # trees are taken by their numbers
