"""Which answers each task accepts."""

from typing import Any

import pytest

from concordant.errors import InputError
from concordant.tasks.kind import as_text, is_complete, kind_of, kinds, problem
from concordant.tasks.question import Question, Unit
from tests.design.samples import QUESTIONS, parses

UNIT = Unit(id="u", item="u", text="ten chars.", parses=parses("up", "down"))


def span(begin: Any, end: Any, category: str = "a") -> dict[str, Any]:
    return {"begin": begin, "end": end, "category": category}


def chosen(*moves: str) -> Any:
    return kind_of(QUESTIONS["parses"]).settled(QUESTIONS["parses"], UNIT, {"moves": list(moves)})


ACCEPTED: list[tuple[str, Any]] = [
    ("binary", "yes"),
    ("categorical", "c"),
    ("multilabel", ["a", "c"]),
    ("multilabel", []),
    ("ordinal", "b"),
    ("slider", 0.5),
    ("slider", -1),
    ("number", 12),
    ("pairwise", "same"),
    ("ranking", ["c", "a", "b"]),
    ("text", "short"),
    ("patterns", {"basic": "small", "active": "grows"}),
    ("spans", [span(0, 3), span(0, 3, "b")]),
    ("spans", [span(0, 10)]),
    ("parses", chosen("yes constituent up [0-1]")),
    ("parses", chosen("reject")),
]
REFUSED: list[tuple[str, Any]] = [
    ("binary", "maybe"),
    ("binary", True),
    ("binary", ["yes"]),
    ("categorical", 1),
    ("multilabel", ["a", "b", "c"]),  # the maximum is two
    ("multilabel", ["a", "a"]),
    ("multilabel", "a"),
    ("multilabel", [1]),
    ("slider", 1.5),
    ("slider", float("nan")),
    ("slider", True),
    ("slider", "0.5"),
    ("number", -1),
    ("number", "12"),
    ("pairwise", "C"),
    ("ranking", ["a", "b"]),
    ("ranking", ["a", "b", "b"]),
    ("text", "eleven char"),
    ("text", 3),
    ("patterns", {"basic": "a", "active": "b", "result": "c"}),
    ("patterns", {"basic": " "}),
    ("patterns", {"other": "a"}),
    ("patterns", ["basic"]),
    ("patterns", {"basic": "x" * 2001}),
    ("spans", [span(3, 3)]),
    ("spans", [span(0, 11)]),
    ("spans", [span(-1, 2)]),
    ("spans", [span(0, 2), span(0, 2)]),
    ("spans", [span(0, 2, "z")]),
    ("spans", [span(0, True)]),
    ("spans", [span(0, 1), span(1, 2), span(2, 3)]),
    ("spans", [{"begin": 0}]),
    ("spans", {}),
    ("parses", "accepted 0"),
    ("parses", {"moves": ["reject"]}),
    ("parses", {**chosen("reject"), "verdict": "perhaps"}),
    ("parses", {**chosen("reject"), "moves": "reject"}),
    ("parses", {**chosen("reject"), "states": []}),
    ("parses", {**chosen("reject"), "states": {"constituent up [0-1]": "maybe"}}),
]


@pytest.mark.parametrize(("task", "value"), ACCEPTED)
def test_a_good_answer_is_accepted(task: str, value: Any) -> None:
    assert problem(QUESTIONS[task], UNIT, value) is None


@pytest.mark.parametrize(("task", "value"), REFUSED)
def test_a_bad_answer_is_refused_with_a_reason(task: str, value: Any) -> None:
    assert problem(QUESTIONS[task], UNIT, value)


@pytest.mark.parametrize("task", list(kinds()))
def test_null_clears_an_answer_and_leaves_it_open(task: str) -> None:
    assert problem(QUESTIONS[task], UNIT, None) is None
    assert not is_complete(QUESTIONS[task], None)


def test_too_little_is_saved_but_does_not_let_the_rater_go_on() -> None:
    assert not is_complete(QUESTIONS["multilabel"], [])
    assert not is_complete(QUESTIONS["text"], "  ")
    assert is_complete(QUESTIONS["multilabel"], ["a"])


def same(question: Question, expected: Any, value: Any) -> bool:
    return kind_of(question).same(question, expected, value)


def test_expected_answers_are_matched_by_what_they_mean() -> None:
    assert same(QUESTIONS["patterns"], {"basic": "short"}, {"basic": "little"})
    assert not same(QUESTIONS["patterns"], {"basic": "short"}, {"active": "short"})
    assert same(QUESTIONS["multilabel"], ["a", "b"], ["b", "a"])
    assert same(QUESTIONS["text"], "Yes.", " yes")
    assert not same(QUESTIONS["binary"], "yes", None)


@pytest.mark.parametrize(
    ("task", "written", "value"),
    [
        ("binary", "yes", "yes"),
        ("multilabel", "a+c", ["a", "c"]),
        ("slider", "0.5", 0.5),
        ("ranking", "c>a>b", ["c", "a", "b"]),
        ("spans", '[{"begin": 0, "category": "a", "end": 3}]', [span(0, 3)]),
    ],
)
def test_written_answers_are_read_back(task: str, written: str, value: Any) -> None:
    assert kind_of(QUESTIONS[task]).parse(QUESTIONS[task], written) == value
    assert as_text(QUESTIONS[task], value) == written


def test_patterns_are_written_with_words_and_exported_as_classes() -> None:
    question = QUESTIONS["patterns"]
    assert kind_of(question).parse(question, "basic=small; active=grow") == {"basic": "small", "active": "grow"}
    assert as_text(question, {"result": "grown", "basic": "small"}) == "B+E"
    assert as_text(question, {"result": "grown", "active": "grow"}) == "E"
    with pytest.raises(ValueError, match="pattern=word"):
        kind_of(question).parse(question, "basic")


def test_a_choice_among_parses_follows_from_its_moves() -> None:
    question = QUESTIONS["parses"]
    yes = chosen("yes constituent up [0-1]")
    assert (yes["verdict"], yes["result"], as_text(question, yes)) == ("accepted", 0, "accepted 0")
    assert kind_of(question).settled(question, UNIT, yes) == yes
    assert is_complete(question, yes)
    assert not is_complete(question, chosen())
    assert as_text(question, chosen("reject")) == "rejected"
    with pytest.raises(InputError, match="does not follow from the moves"):
        kind_of(question).settled(question, UNIT, {**yes, "result": 1})
    with pytest.raises(InputError, match="expected the moves"):
        kind_of(question).settled(question, UNIT, {"verdict": "accepted"})
    with pytest.raises(InputError, match="no parse '7'"):
        chosen("select 7")


@pytest.mark.parametrize(
    ("written", "moves"), [("1", ["select 1"]), ("accepted 1", ["select 1"]), ("rejected", ["reject"])]
)
def test_expected_parses_are_written_by_their_number(written: str, moves: list[str]) -> None:
    question = QUESTIONS["parses"]
    assert kind_of(question).parse(question, written) == {"moves": moves}
    expected = kind_of(question).settled(question, UNIT, kind_of(question).parse(question, written))
    assert same(question, expected, chosen("no constituent up [0-1]")) == (moves == ["select 1"])
    assert not same(question, expected, None)


def test_no_answer_is_an_empty_cell() -> None:
    assert as_text(QUESTIONS["binary"], None) == ""
