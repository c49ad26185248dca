"""Every page and every way of answering works as a plain form, without any script."""

import time
from pathlib import Path

import pytest

from concordant.collection.events import Answered, Commented, Completed, Consented, Deferred, Described, Shown
from concordant.tasks.kind import kinds
from concordant.treebank.disambiguation import Choosing
from tests.web.plain import Plain
from tests.web.samples import PARSES, RunningServer, running, study

ANSWERS: dict[str, tuple[str, dict[str, str | list[str]], object]] = {
    "binary": ("yes", {}, "yes"),
    "categorical": ("verb", {}, "verb"),
    "ordinal": ("4", {}, "4"),
    "pairwise": ("same", {}, "same"),
    "multilabel": ("next", {"q:multilabel": ["noun", "other"]}, ["noun", "other"]),
    "slider": ("next", {"q:slider": "62,5"}, 62.5),
    "number": ("next", {"q:number": "12"}, 12.0),
    "ranking": (
        "next",
        {"q:ranking:noun": "2", "q:ranking:verb": "1", "q:ranking:adjective": "3"},
        ["verb", "noun", "adjective"],
    ),
    "text": ("next", {"q:text": "Two lines\r\nof words"}, "Two lines\nof words"),
    "patterns": (
        "next",
        {"q:patterns:basic": " small  one ", "q:patterns:active": "grows"},
        {"basic": "small one", "active": "grows"},
    ),
    "spans": (
        "next",
        {
            "q:spans:quote:1": "Ana",
            "q:spans:category:1": "PER",
            "q:spans:quote:2": "Lisbon",
            "q:spans:category:2": "LOC",
        },
        [{"begin": 0, "end": 3, "category": "PER"}, {"begin": 29, "end": 35, "category": "LOC"}],
    ),
    "parses": ("next", {"q:parses": ["select 1"]}, Choosing(PARSES).after(["select 1"]).as_value()),
}


def begun(run: RunningServer, name: str = "sample") -> Plain:
    """A new rater of an open study."""
    plain = Plain(run.visitor())
    plain.go(f"/s/{name}")
    plain.start()
    return plain


@pytest.mark.parametrize("task", list(kinds()))
def test_a_way_of_answering(tmp_path: Path, task: str) -> None:
    button, fields, value = ANSWERS[task]
    with running(tmp_path, study(tmp_path, task, n_units=2)) as run:
        rater = begun(run)
        assert rater.kind == "judging"
        rater.press(button, fields)
        assert rater.page.data["data-n"] == "2"
        rater.press(button, fields)
        assert rater.kind == "thanks"
        given = [event for event in run.events("sample") if isinstance(event, Answered)]
    assert [event.value for event in given] == [value, value]


def test_all_questions_on_one_page(tmp_path: Path) -> None:
    fields = {name: text for _, more, _ in ANSWERS.values() for name, text in more.items()}
    choices = {f"q:{task}": ANSWERS[task][0] for task in ("binary", "categorical", "ordinal", "pairwise")}
    with running(tmp_path, study(tmp_path, *kinds(), n_units=1, passes=False)) as run:
        rater = begun(run)
        rater.press("next", fields)
        assert rater.status == 422
        assert "missing" in rater.html
        rater.press("next", {**fields, **choices})
        assert rater.kind == "thanks"
        given = {event.question: event.value for event in run.events("sample") if isinstance(event, Answered)}
    assert given == {task: value for task, (_, _, value) in ANSWERS.items()}


def test_the_whole_way(tmp_path: Path) -> None:
    with running(tmp_path, study(tmp_path, "binary", n_units=2, pages=True)) as run:
        rater = begun(run)
        rater.press("consent")
        assert rater.status == 422, "without agreeing there is no way on"
        rater.press("consent", {"consent": "yes"})
        rater.press("describe", {"p:age": "12"})
        assert rater.status == 422, "too young"
        rater.press("describe", {"p:age": "40", "p:tongue": "Catalan"})
        rater.press("continue")
        rater.press("no")
        assert rater.kind == "feedback"
        assert "Another answer" in rater.html
        rater.press("continue")
        assert "second try" in rater.html
        rater.press("yes")
        assert "expected answer" in rater.html
        rater.press("continue")
        rater.press("defer")
        for _ in range(3):
            rater.press("yes")
        assert rater.kind == "thanks"
        assert "OAK-7" in rater.html
        rater.press("comment", {"comment": "Nice trees."})
        assert "Thank you for your comment" in rater.html
        events = run.events("sample")
    found = {type(event) for event in events}
    assert found >= {Consented, Described, Deferred, Commented, Completed, Shown}
    assert {event.guidelines for event in events if isinstance(event, Shown)} == {"1.2"}
    assert [event.answers for event in events if isinstance(event, Described)] == [{"age": "40", "tongue": "Catalan"}]


def test_a_form_sent_twice_is_stored_once(tmp_path: Path) -> None:
    with running(tmp_path, study(tmp_path, "binary")) as run:
        rater = begun(run)
        form = dict(rater.page.forms["task"].fields)
        for _ in range(3):
            reply = rater.client.post(rater.path, data={**form, "q:binary": "yes"}, follow_redirects=True)
            assert reply.status_code == 200
        events = run.events("sample")
    assert len([event for event in events if isinstance(event, Answered)]) == 1


def test_two_server_processes_share_a_rater_on_postgresql(tmp_path: Path, fresh_postgres: str) -> None:
    sample = study(tmp_path, "binary", n_units=6)
    with (
        running(tmp_path, sample, database=fresh_postgres) as first,
        running(tmp_path, sample, database=fresh_postgres) as second,
    ):
        rater, again = begun(first), Plain(second.visitor())
        again.client.cookies.update(dict(rater.client.cookies))
        for turn in range(6):
            plain = again if turn % 2 else rater
            plain.go("/s/sample/judge")
            assert plain.page.data["data-n"] == str(turn + 1)
            plain.press("yes")
        assert again.kind == "thanks"
        events = second.events("sample")
    assert len([event for event in events if isinstance(event, Answered)]) == 6
    assert len([event for event in events if isinstance(event, Completed)]) == 1


@pytest.mark.parametrize(
    ("task", "fields"),
    [
        ("multilabel", {"q:multilabel": ["noun", "verb", "other"]}),
        ("patterns", {"q:patterns:basic": "a", "q:patterns:object": "b", "q:patterns:active": "c"}),
        ("slider", {"q:slider": "101"}),
        ("number", {"q:number": "-1"}),
        ("slider", {"q:slider": "much"}),
        ("ranking", {"q:ranking:noun": "1", "q:ranking:verb": "1"}),
        ("spans", {"q:spans:quote:1": "not there", "q:spans:category:1": "PER"}),
        ("spans", {"q:spans": "0:9999:PER"}),
        ("text", {}),
    ],
)
def test_what_is_not_allowed_is_refused_with_a_reason(
    tmp_path: Path, task: str, fields: dict[str, str | list[str]]
) -> None:
    with running(tmp_path, study(tmp_path, task)) as run:
        rater = begun(run)
        rater.press("next", fields)
        assert rater.status == 422
        assert 'role="alert"' in rater.html
        assert [event for event in run.events("sample") if isinstance(event, Answered)] == []


def test_time_on_a_page_is_measured_without_a_script(tmp_path: Path) -> None:
    with running(tmp_path, study(tmp_path, "binary", n_units=2)) as run:
        start = time.monotonic()
        plain = begun(run)
        time.sleep(0.3)
        plain.press("yes")
        plain.press("no")
        passed = time.monotonic() - start
        first, second = (event for event in run.events("sample") if isinstance(event, Answered))
        assert first.seconds is not None
        assert second.seconds is not None
        assert first.seconds >= 0.3
        assert first.seconds + second.seconds <= passed + 0.01  # events have whole milliseconds
