"""Events: stored and read back; wrong ones are refused with a reason."""

from typing import Any

import pytest

from assent.collection.events import KINDS, Answered, Shown, from_parts
from assent.errors import InputError

ID = "9a52ba95-5ae8-4b7a-9b0a-0c9e58a5c16f"
AT = "2026-03-01T10:00:00+00:00"


def test_an_event_is_made_of_its_parts() -> None:
    event = Answered(id=ID, rater="A1", at=AT, step=3, unit="u", question="q", value=["a"], seconds=1.5)
    assert from_parts("answered", ID, "A1", AT, event.body()) == event
    assert from_parts("shown", ID, "A1", AT, {"page": "judging"}) == Shown(id=ID, rater="A1", at=AT, page="judging")


@pytest.mark.parametrize(
    ("kind", "body", "message"),
    [
        ("anwsered", {}, "there is no event 'anwsered'; did you mean 'answered'"),
        ("answered", {"step": 1}, "field 'question' is missing"),
        ("shown", {"page": "x", "colour": "red"}, "unknown field 'colour'"),
        ("shown", {"page": 3}, "field 'page' must be"),
        ("shown", {"page": "\x00"}, "field 'page' must be a name"),
        ("shown", {"page": "\ud800"}, "field 'page' must be a name"),
        ("shown", {"page": "x", "step": "1"}, "field 'step' must be"),
        ("shown", {"page": "x", "step": True}, "field 'step' must be"),
        ("deferred", {"step": 1, "seconds": "2"}, "field 'seconds' must be"),
        ("described", {"answers": ["a"]}, "field 'answers' must be"),
        ("described", {"answers": {"a": 3}}, "field 'answers' must be"),
    ],
)
def test_a_wrong_event_is_refused(kind: str, body: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        from_parts(kind, ID, "A1", AT, body)


@pytest.mark.parametrize(("id", "at"), [("1", AT), (ID, "yesterday"), (ID, "2026-03-01"), ("x" * 36, AT)])
def test_ids_are_uuids_and_times_have_a_zone(id: str, at: str) -> None:
    with pytest.raises(InputError, match="must be"):
        from_parts("resumed", id, "A1", at, {})


def test_every_kind_is_listed_under_its_name() -> None:
    assert all(event.kind == kind for kind, event in KINDS.items())
