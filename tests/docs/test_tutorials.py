"""Tutorials are followed as a newcomer does: from an empty folder, every command as it is printed, in one session.

Servers run and their links are answered while the commands behind `concordant serve` are typed. What a page says is
printed must be printed, and no other command may fail.
"""

from __future__ import annotations

import re
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest

from tests.docs.sessions import Session, differs, steps
from tests.web.driving import steady
from tests.web.members import PASSWORD
from tests.web.plain import Plain

TUTORIALS = Path(__file__).parents[2] / "docs" / "tutorials"
QUICK = ("agreement-and-correlation", "measure-agreement", "sets-and-crowds")
SERVED = (
    "annotate-features", "from-pilot-to-gold-standard", "run-a-preference-test", "run-a-web-experiment", "treebank-in-the-browser",
)  # fmt: skip
PATTERNS = ("similar", "related", "active", "possible", "result")
FAILING = (  # commands that a page shows failing, for what they say
    "concordant check", "concordant verify", "concordant recheck", "concordant judges", "sed '2s/yes$/no/'",
)  # fmt: skip


def follow(name: str, folder: Path) -> Session:
    """Type everything that a tutorial prints."""
    home = folder / "empty"
    home.mkdir()
    session = Session(home, answer=answer, password=PASSWORD)
    with ExitStack() as servers:
        for step in steps((TUTORIALS / f"{name}.md").read_text("utf-8")):
            if step.command.startswith("concordant serve "):
                servers.close()  # Ctrl+C, before the next one takes its port
                servers.enter_context(session.serving(step.command))
                if not session.links:
                    in_the_browser(session)
                continue
            code, printed = session.run(step.command)
            if step.shown is None:
                assert code == 0, f"{step.command}\n{printed}"
            else:
                assert not differs(step.shown, printed), f"{step.command}\n{printed}"
                assert code == 0 or step.command.startswith(FAILING), step.command
    return session


def answer(rater: Plain) -> None:
    """Go through a study to its end, whatever it asks."""
    for _ in range(2_000):
        if rater.kind == "thanks":
            return
        if not rater.kind:
            rater.start()
        elif rater.kind == "introduction" and "consent" in rater.page.forms["task"].names:
            rater.press("consent", {"consent": "yes"})
        elif rater.kind == "participant":
            rater.press("describe", {"p:age": "50"})
        elif rater.kind in ("introduction", "instructions", "feedback"):
            rater.press("continue")
        else:
            judge(rater)
    raise AssertionError(f"no end to {rater.path}: {rater.kind}")


def in_the_browser(session: Session) -> None:
    """What the tutorial for researchers says to do there, with the requests of the pages' sibling, the API."""
    with httpx.Client(base_url=session.base, timeout=120) as client:
        key = client.post("/api/keys", json={"name": "maria", "password": PASSWORD}).json()["key"]
        client.headers["authorization"] = f"Bearer {key}"
        begun = client.post("/api/drafts", json={"title": "Fluency"}).raise_for_status().json()
        draft = f"/api/drafts/{begun['name']}"
        client.put(f"{draft}/items/texts", json={"text": "\n".join(f"Text number {n}." for n in range(12))})
        file = client.get(draft).json()["file"].replace('ask = ""', 'ask = "Is it fluent?"')
        changed = client.put(f"{draft}/file", json={"text": file}).raise_for_status().json()
        assert not changed["problems"], changed["problems"]
        client.post(f"{draft}/publication", json={}).raise_for_status()
        invited = client.post("/api/studies/fluency/invitations", json={"raters": ["Ada", "Ben"]})
        session.links = {one["rater"]: one["link"] for one in invited.raise_for_status().json()}
    for link in session.links.values():
        session.visit(link)


def judge(rater: Plain) -> None:
    """One answer, mostly the same of all raters: one of the buttons with answers, or the fields that a form has."""
    form, shown = rater.page.forms["task"], rater.page.classes.get("unit", "")
    choices = [value for name, value in form.buttons if name.startswith("q:")]
    patterns = sorted(name for name in form.names if name.rpartition(":")[2] in PATTERNS)
    if patterns:
        rater.press("next", {patterns[steady(shown) % len(patterns)]: "word"})
    elif "q:reading" in form.names:
        rater.press("next", {"q:reading": ["select 0"]})
    else:
        careless = rater.path if steady(shown) % 9 == 0 else ""
        rater.press(choices[steady(shown, rater.page.question, careless) % 2])


@pytest.mark.parametrize("name", QUICK)
def test_a_tutorial_at_the_command_line(name: str, tmp_path: Path) -> None:
    follow(name, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["may-a-model-label-the-rest", "slices-and-weights", "treebankers"])
def test_a_long_tutorial_at_the_command_line(name: str, tmp_path: Path) -> None:
    follow(name, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("name", SERVED)
def test_a_tutorial_with_raters(name: str, tmp_path: Path) -> None:
    assert follow(name, tmp_path).links


def test_no_tutorial_is_left_out() -> None:
    source = Path(__file__).read_text("utf-8")
    assert [path.stem for path in TUTORIALS.glob("*.md") if f'"{path.stem}"' not in source] == []


def test_what_is_typed_is_read_as_a_terminal_does() -> None:
    page = "```sh\na \\\n  b   # why\ncat > x <<'END'\n1 # one\nEND\nc\n```\n```console\n$ d\nout\n$ e\n```\n"
    assert [(step.command, step.shown) for step in steps(page)] == [
        ("a   b", None), ("cat > x <<'END'\n1 # one\nEND", None), ("c", None), ("d", "out\n"), ("e", ""),
    ]  # fmt: skip
    assert not differs("a\n…\n", "a\nb\nc\n")
    assert differs("a\nb\n", "a\n")
    assert re.search(r"\bconcordant serve\b", (TUTORIALS / "annotate-features.md").read_text("utf-8"))
