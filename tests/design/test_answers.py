"""Which answers each task accepts."""

from typing import Any

import pytest

from assent.design.answers import is_complete, matches_expected, problem, settled
from assent.design.description import Task, Unit
from assent.design.values import as_text, parse
from assent.errors import InputError
from tests.design.samples import QUESTIONS, parses

UNIT = Unit(id="u", item="u", text="ten chars.", parses=parses("up", "down"))


def span(begin: Any, end: Any, category: str = "a") -> dict[str, Any]:
    return {"begin": begin, "end": end, "category": category}


def chosen(*moves: str) -> Any:
    return settled(QUESTIONS[Task.PARSES], UNIT, {"moves": list(moves)})


ACCEPTED: list[tuple[Task, Any]] = [
    (Task.BINARY, "yes"),
    (Task.CATEGORICAL, "c"),
    (Task.MULTILABEL, ["a", "c"]),
    (Task.MULTILABEL, []),
    (Task.ORDINAL, "b"),
    (Task.SLIDER, 0.5),
    (Task.SLIDER, -1),
    (Task.PAIRWISE, "same"),
    (Task.RANKING, ["c", "a", "b"]),
    (Task.TEXT, "short"),
    (Task.PATTERNS, {"basic": "small", "active": "grows"}),
    (Task.SPANS, [span(0, 3), span(0, 3, "b")]),
    (Task.SPANS, [span(0, 10)]),
    (Task.PARSES, chosen("yes constituent up [0-1]")),
    (Task.PARSES, chosen("reject")),
]
REFUSED: list[tuple[Task, Any]] = [
    (Task.BINARY, "maybe"),
    (Task.BINARY, True),
    (Task.BINARY, ["yes"]),
    (Task.CATEGORICAL, 1),
    (Task.MULTILABEL, ["a", "b", "c"]),  # the maximum is two
    (Task.MULTILABEL, ["a", "a"]),
    (Task.MULTILABEL, "a"),
    (Task.MULTILABEL, [1]),
    (Task.SLIDER, 1.5),
    (Task.SLIDER, float("nan")),
    (Task.SLIDER, True),
    (Task.SLIDER, "0.5"),
    (Task.PAIRWISE, "C"),
    (Task.RANKING, ["a", "b"]),
    (Task.RANKING, ["a", "b", "b"]),
    (Task.TEXT, "eleven char"),
    (Task.TEXT, 3),
    (Task.PATTERNS, {"basic": "a", "active": "b", "result": "c"}),
    (Task.PATTERNS, {"basic": " "}),
    (Task.PATTERNS, {"other": "a"}),
    (Task.PATTERNS, ["basic"]),
    (Task.PATTERNS, {"basic": "x" * 2001}),
    (Task.SPANS, [span(3, 3)]),
    (Task.SPANS, [span(0, 11)]),
    (Task.SPANS, [span(-1, 2)]),
    (Task.SPANS, [span(0, 2), span(0, 2)]),
    (Task.SPANS, [span(0, 2, "z")]),
    (Task.SPANS, [span(0, True)]),
    (Task.SPANS, [span(0, 1), span(1, 2), span(2, 3)]),
    (Task.SPANS, [{"begin": 0}]),
    (Task.SPANS, {}),
    (Task.PARSES, "accepted 0"),
    (Task.PARSES, {"moves": ["reject"]}),
    (Task.PARSES, {**chosen("reject"), "verdict": "perhaps"}),
    (Task.PARSES, {**chosen("reject"), "moves": "reject"}),
    (Task.PARSES, {**chosen("reject"), "states": []}),
    (Task.PARSES, {**chosen("reject"), "states": {"constituent up [0-1]": "maybe"}}),
]


@pytest.mark.parametrize(("task", "value"), ACCEPTED)
def test_a_good_answer_is_accepted(task: Task, value: Any) -> None:
    assert problem(QUESTIONS[task], UNIT, value) is None


@pytest.mark.parametrize(("task", "value"), REFUSED)
def test_a_bad_answer_is_refused_with_a_reason(task: Task, value: Any) -> None:
    assert problem(QUESTIONS[task], UNIT, value)


@pytest.mark.parametrize("task", list(Task))
def test_null_clears_an_answer_and_leaves_it_open(task: Task) -> None:
    assert problem(QUESTIONS[task], UNIT, None) is None
    assert not is_complete(QUESTIONS[task], None)


def test_too_little_is_saved_but_does_not_let_the_rater_go_on() -> None:
    assert not is_complete(QUESTIONS[Task.MULTILABEL], [])
    assert not is_complete(QUESTIONS[Task.TEXT], "  ")
    assert is_complete(QUESTIONS[Task.MULTILABEL], ["a"])


def test_expected_answers_are_matched_by_what_they_mean() -> None:
    assert matches_expected(QUESTIONS[Task.PATTERNS], {"basic": "short"}, {"basic": "little"})
    assert not matches_expected(QUESTIONS[Task.PATTERNS], {"basic": "short"}, {"active": "short"})
    assert matches_expected(QUESTIONS[Task.MULTILABEL], ["a", "b"], ["b", "a"])
    assert matches_expected(QUESTIONS[Task.TEXT], "Yes.", " yes")
    assert not matches_expected(QUESTIONS[Task.BINARY], "yes", None)


@pytest.mark.parametrize(
    ("task", "written", "value"),
    [
        (Task.BINARY, "yes", "yes"),
        (Task.MULTILABEL, "a+c", ["a", "c"]),
        (Task.SLIDER, "0.5", 0.5),
        (Task.RANKING, "c>a>b", ["c", "a", "b"]),
        (Task.SPANS, '[{"begin": 0, "category": "a", "end": 3}]', [span(0, 3)]),
    ],
)
def test_written_answers_are_read_back(task: Task, written: str, value: Any) -> None:
    assert parse(QUESTIONS[task], written) == value
    assert as_text(QUESTIONS[task], value) == written


def test_patterns_are_written_with_words_and_exported_as_classes() -> None:
    question = QUESTIONS[Task.PATTERNS]
    assert parse(question, "basic=small; active=grow") == {"basic": "small", "active": "grow"}
    assert as_text(question, {"result": "grown", "basic": "small"}) == "B+E"
    assert as_text(question, {"result": "grown", "active": "grow"}) == "E"
    with pytest.raises(ValueError, match="pattern=word"):
        parse(question, "basic")


def test_a_choice_among_parses_follows_from_its_moves() -> None:
    question = QUESTIONS[Task.PARSES]
    yes = chosen("yes constituent up [0-1]")
    assert (yes["verdict"], yes["result"], as_text(question, yes)) == ("accepted", 0, "accepted 0")
    assert settled(question, UNIT, yes) == yes
    assert is_complete(question, yes)
    assert not is_complete(question, chosen())
    assert as_text(question, chosen("reject")) == "rejected"
    with pytest.raises(InputError, match="does not follow from the moves"):
        settled(question, UNIT, {**yes, "result": 1})
    with pytest.raises(InputError, match="expected the moves"):
        settled(question, UNIT, {"verdict": "accepted"})
    with pytest.raises(InputError, match="no parse '7'"):
        chosen("select 7")


@pytest.mark.parametrize(
    ("written", "moves"), [("1", ["select 1"]), ("accepted 1", ["select 1"]), ("rejected", ["reject"])]
)
def test_expected_parses_are_written_by_their_number(written: str, moves: list[str]) -> None:
    question = QUESTIONS[Task.PARSES]
    assert parse(question, written) == {"moves": moves}
    expected = settled(question, UNIT, parse(question, written))
    assert matches_expected(question, expected, chosen("no constituent up [0-1]")) == (moves == ["select 1"])
    assert not matches_expected(question, expected, None)


def test_no_answer_is_an_empty_cell() -> None:
    assert as_text(QUESTIONS[Task.BINARY], None) == ""
