"""Events: stored and read back; wrong ones are refused with a reason."""

from typing import Any

import pytest

from concordant.collection.events import FIELDS, FORM, KINDS, Answered, Shown, from_parts, from_stored
from concordant.errors import InputError

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


@pytest.mark.parametrize(
    ("kind", "body", "name"),
    [
        ("shown", {"page": "x" * 501}, "page"),
        ("shown", {"page": None}, "page"),
        ("shown", {"page": "x", "step": -1}, "step"),
        ("shown", {"page": "x", "step": 2**31}, "step"),
        ("shown", {"page": "x", "step": 1.0}, "step"),
        ("answered", {"step": None, "unit": "u", "question": "q", "value": 1}, "step"),
        ("deferred", {"step": 1, "seconds": -0.001}, "seconds"),
        ("deferred", {"step": 1, "seconds": float("inf")}, "seconds"),
        ("deferred", {"step": 1, "seconds": float("nan")}, "seconds"),
        ("deferred", {"step": 1, "seconds": True}, "seconds"),
        ("consented", {"text": 3}, "text"),
        ("joined", {"origin": None}, "origin"),
        ("assigned", {"set_number": 0, "plan": "p", "steps": 3}, "steps"),
    ],
)
def test_fields_have_limits(kind: str, body: dict[str, Any], name: str) -> None:
    with pytest.raises(InputError) as refused:
        from_parts(kind, ID, "A1", AT, body)
    assert str(refused.value) == f"event {kind!r}: field {name!r} must be {FIELDS[name][0]}"


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("shown", {"page": "x" * 500, "step": 0}),
        ("shown", {"page": "", "step": 2**31 - 1}),
        ("shown", {"page": "x", "step": None}),
        ("deferred", {"step": 1, "seconds": 0}),
        ("deferred", {"step": 1, "seconds": 0.5}),
        ("deferred", {"step": 1, "seconds": None}),
        ("answered", {"step": 0, "unit": "u", "question": "q", "value": None}),
        ("answered", {"step": 0, "unit": "u", "question": "q", "value": {"a": [1]}}),
        ("described", {"answers": {}}),
        ("commented", {"text": ""}),
        ("joined", {}),
    ],
)
def test_what_is_within_the_limits_is_taken_and_read_back(kind: str, body: dict[str, Any]) -> None:
    event = from_parts(kind, ID.upper(), "A1", AT, body)
    assert {name: event.body()[name] for name in body} == body
    assert from_stored(1, kind, event.id, "A1", AT, event.body()) == event


def test_all_faults_of_an_event_are_told_at_once() -> None:
    with pytest.raises(InputError) as refused:
        from_parts("answered", "1", "A1", "today", {"zeal": 1, "acme": 2, "step": 0, "unit": "u", "value": 1})
    assert str(refused.value) == (
        "event 'answered': unknown field 'acme'; unknown field 'zeal'; field 'question' is missing; "
        "the id must be a UUID; the time must be ISO 8601"
    )


def test_an_event_of_a_newer_form_is_refused() -> None:
    assert FORM == 2
    with pytest.raises(InputError) as refused:
        from_stored(3, "resumed", ID, "A1", AT, {})
    told = f"event {ID} was written by a newer version (form 3; this one reads up to 2); update the program"
    assert str(refused.value) == told
