"""Reports are made once for each state of the data, behind, and it can be seen how far they are."""

import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from concordant.errors import InputError
from concordant.progress import Progress
from concordant.report.document import Document
from concordant.studio import exports, reports
from concordant.studio.people import MemberPlace
from concordant.studio.reports import Reports, fingerprint


@pytest.fixture
def made() -> Iterator[Reports]:
    """Reports that are closed in the end."""
    found = Reports()
    yield found
    found.close()


def document(title: str) -> Document:
    """An empty document."""
    return Document(title=title, subtitle="", sections=())


def test_one_is_made_once_and_others_for_other_data(made: Reports) -> None:
    asked: list[str] = []

    def make(progress: Progress) -> Document:
        asked.append("made")
        progress(2, 4)
        return document("A")

    first = made.of({"a": np.array([1, 2])}, "A", make)
    assert getattr(first.future.result(), "title", "") == "A"
    assert (first.done, first.total) == (2, 4)
    assert made.of({"a": np.array([1, 2])}, "A", make) is first
    assert made.of({"a": np.array([1, 3])}, "A", make) is not first
    assert made.of({"a": np.array([1, 2])}, "B", make) is not first
    made.of({"a": np.array([1, 2])}, "B", make).future.result()
    assert len(asked) == 3


def test_it_can_be_seen_how_far_it_is(made: Reports) -> None:
    goes_on = threading.Event()
    begun = threading.Event()

    def make(progress: Progress) -> Document:
        progress(1, 3)
        begun.set()
        goes_on.wait()
        return document("A")

    making = made.of("data", "A", make)
    begun.wait()
    assert not making.is_made(0.0)
    assert (making.done, making.total) == (1, 3)
    goes_on.set()
    assert making.is_made(10.0)


def test_what_failed_is_tried_again(made: Reports) -> None:
    def fail(progress: Progress) -> Document:
        raise InputError("not now")

    making = made.of("data", "A", fail)
    with pytest.raises(InputError, match="not now"):
        making.future.result()
    again = made.of("data", "A", lambda progress: document("A"))
    assert getattr(again.future.result(), "title", "") == "A"


def test_the_one_asked_for_longest_ago_goes_first(made: Reports, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reports, "MOST", 2)

    def one(title: str) -> reports.Making:
        making = made.of("data", title, lambda progress: document(title))
        making.future.result()
        return making

    a, b = one("A"), one("B")
    assert one("A") is a
    one("C")
    assert one("A") is a
    assert one("B") is not b


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (["a", "b"], ["ab"]),
        (("a", 1), ("a", 1.0)),
        ({"a": 1}, {"a": 2}),
        (np.array(["a"], dtype=object), np.array(["b"], dtype=object)),
        (np.array([1]), np.array([1.0])),
        (frozenset({1}), frozenset({2})),
        (None, ""),
    ],
)
def test_what_differs_has_another_fingerprint(one: object, other: object) -> None:
    assert fingerprint(one) != fingerprint(other)
    assert fingerprint(one) == fingerprint(one)


def test_a_page_that_was_shown_makes_no_new_report_and_an_answer_does(changing: MemberPlace, tmp_path: Path) -> None:
    from concordant.collection.events import Answered, Shown

    first = exports.report(changing, "html")
    first.write(tmp_path / "a.html")
    changing.studio.log.append("sample", [Shown(rater="Ada", page="judging", step=0)])
    assert exports.report(changing, "md").making is first.making
    [given, *_] = changing.studio.log.answers("sample", "Ada")
    options = [one.value for one in changing.study.description.question(given.question).options]
    other = next(value for value in options if value != given.value)
    changing.studio.log.append(
        "sample", [Answered(rater="Ada", step=given.step, unit=given.unit, question=given.question, value=other)]
    )
    assert exports.report(changing, "html").making is not first.making
