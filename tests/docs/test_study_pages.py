"""Every setting of the study file and every event is documented, as it is."""

from dataclasses import fields
from pathlib import Path

import pytest

from concordant.collection.events import ENVELOPE, FIELDS, KINDS, Event
from concordant.design.schema import sections
from concordant.design.steps import Step
from concordant.tasks.kind import kinds
from concordant.tasks.question import Section

REFERENCE = Path(__file__).parents[2] / "docs" / "reference"
STUDY_FILE = (REFERENCE / "study-file.md").read_text("utf-8")
EVENTS = (REFERENCE / "events.md").read_text("utf-8")


def under(page: str, heading: str) -> str:
    """The part of a page under a heading."""
    assert f"## {heading}\n" in page, heading
    return page.split(f"## {heading}\n", 1)[1].split("\n## ", 1)[0]


@pytest.mark.parametrize(("name", "section"), sections().items())
def test_every_setting_is_documented_with_its_type_and_meaning(name: str, section: Section) -> None:
    part = next(
        under(STUDY_FILE, heading)
        for heading in (f"[{name}]", f"[[{name}]]", "The whole" if not name else "")
        if f"## {heading}\n" in STUDY_FILE
    )
    rows = [line for line in part.splitlines() if line.startswith("| `")]
    assert [row.split("`")[1] for row in rows] == list(section)
    for row, setting in zip(rows, section.values(), strict=True):
        cells = [cell.strip() for cell in row.strip("|").split("|")]
        assert cells[1].startswith(setting.type)
        assert all(choice in cells[1] for choice in setting.choices)
        assert (cells[2] == "required") == setting.is_required
        assert cells[3] == setting.meaning


def test_every_task_is_documented() -> None:
    assert all(f"| `{task}` |" in under(STUDY_FILE, "Answers") for task in kinds())


@pytest.mark.parametrize(("kind", "event"), KINDS.items())
def test_every_event_is_documented_with_its_fields(kind: str, event: type[Event]) -> None:
    part = under(EVENTS, kind)
    for field in fields(event):
        if field.name not in ENVELOPE:
            assert f"| `{field.name}` | {FIELDS[field.name][0]}" in part


def test_the_fields_of_all_events_and_of_steps_are_documented() -> None:
    assert all(
        f"| `{name}` |" in under(EVENTS, "What all events have") for name in (*ENVELOPE, "kind", "seq", "received")
    )
    assert all(f"`{field.name}`" in under(EVENTS, "assigned") for field in fields(Step))
