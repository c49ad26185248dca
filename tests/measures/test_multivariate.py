"""Iota against its definition (Janson & Olsson 2001), and against the kappas that it is of one question."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from concordant.arrays import Floats
from concordant.errors import InputError
from concordant.measures import multivariate
from concordant.model.columns import Column, encode
from concordant.model.scale import Level
from concordant.model.several_questions import as_one
from concordant.model.study import Declared, Study
from concordant.uncertainty.front import measure, verify

Answers = list[list[list[int]]]  # units × raters × questions


def study(answers: Answers, levels: tuple[str, ...]) -> Study:
    rows = [
        (f"u{u}", f"r{r}", f"q{q}", str(value))
        for u, unit in enumerate(answers)
        for r, rater in enumerate(unit)
        for q, value in enumerate(rater)
        if value >= 0
    ]
    columns = [encode(list(column)) for column in zip(*rows, strict=True)]
    scales = {f"q{q}": Declared(level=Level(level), categories=("0", "1", "2", "3")) for q, level in enumerate(levels)}
    return Study(name="made", unit=columns[0], rater=columns[1], question=columns[2], value=columns[3], scales=scales)


def by_definition(answers: Answers, levels: tuple[str, ...], widths: Floats) -> float:
    """1 - mean distance within units / mean distance over all pairs of units, of every two raters."""

    def apart(one: list[int], two: list[int]) -> float:
        each = [
            float(a != b) if level == "nominal" else ((a - b) / width) ** 2
            for a, b, level, width in zip(one, two, levels, widths, strict=True)
        ]
        return sum(each)

    pairs = list(combinations(range(len(answers[0])), 2))
    observed = np.mean([apart(unit[r], unit[s]) for unit in answers for r, s in pairs])
    expected = np.mean([apart(one[r], two[s]) for one in answers for two in answers for r, s in pairs])
    return float(1 - observed / expected)


SCORES = st.integers(0, 3)


@given(st.lists(st.lists(st.tuples(SCORES, SCORES, SCORES).map(list), min_size=3, max_size=3), min_size=3, max_size=7))
def test_iota_is_its_definition(answers: Answers) -> None:
    levels = ("nominal", "interval", "ordinal")
    result = measure(study(answers, levels), "iota", as_one=True, ci="none")
    raw = measure(study(answers, levels), "iota", as_one=True, ci="none", spread="raw")
    if result.value is None:
        assert len({tuple(answer) for unit in answers for answer in unit}) == 1
        return
    assert result.value == pytest.approx(by_definition(answers, levels, np.full(3, 3.0)))
    assert raw.value == pytest.approx(by_definition(answers, levels, np.ones(3)))


@pytest.mark.parametrize(("level", "same"), [("nominal", "conger"), ("interval", "weighted_kappa_quadratic")])
def test_of_one_question_it_is_a_kappa(level: str, same: str) -> None:
    rows = np.random.default_rng(1).integers(0, 4, (20, 3)).tolist()
    one, two = (measure(rows, key, level=level, ci="none") for key in ("iota", same))
    assert one.value == pytest.approx(two.value)


ANSWERS: Answers = [[[0, 1], [0, 1]], [[1, 3], [1, 2]], [[0, 0], [1, 0]], [[2, 3], [2, 3]], [[1, 2], [1, -1]]]


def test_answers_that_lack_a_question_are_left_out_and_said() -> None:
    made = study(ANSWERS, ("nominal", "interval"))
    result = measure(made, "iota", as_one=True, seed=1)
    assert result.n_units == 4
    assert any("1 of 10 raters' answers to a unit lack a question" in note for note in result.notes)
    assert result.interval is not None
    assert "as_one:yes" in result.signature
    assert verify(result.signature, made).matches


def test_attributes_of_answers_stay_and_those_of_questions_go() -> None:
    made = study(ANSWERS, ("nominal", "interval"))
    n = made.n_rows
    codes = [int(label[1:]) % 2 for label in made.unit.text()]
    of_units = Column(codes=np.array(codes), labels=["even", "odd"])
    of_rows = Column(codes=np.arange(n) % 2, labels=["a", "b"])
    more = Study(**{**vars(made), "attributes": {"parity": of_units, "row": of_rows}})
    assert list(as_one(more).attributes) == ["parity"]
    assert len(measure(more, ["iota"], as_one=True, by="parity", ci="none")) == 2


def test_numbers_with_many_values_lie_where_they_are() -> None:
    random = np.random.default_rng(2)
    values = random.normal(size=(40, 2, 1)) + 0.1 * random.normal(size=(40, 2, 2))
    rows = [
        (f"u{u}", f"r{r}", f"q{q}", repr(float(values[u, r, q]))) for u in range(40) for r in range(2) for q in range(2)
    ]
    columns = [encode(list(column)) for column in zip(*rows, strict=True)]
    made = Study(
        name="made", unit=columns[0], rater=columns[1], question=columns[2], value=columns[3], level=Level.INTERVAL
    )
    wanted = by_definition(values.tolist(), ("interval", "interval"), np.ones(2))
    assert measure(made, "iota", as_one=True, ci="none", spread="raw").value == pytest.approx(wanted)


def test_answers_that_may_be_any_number_keep_their_place() -> None:
    random = np.random.default_rng(3)
    values = random.normal(size=(600, 2, 1)) + 0.1 * random.normal(size=(600, 2, 2))
    unit, rater, question = (one.reshape(-1) for one in np.indices(values.shape))
    names = [encode([f"{letter}{n}" for n in each]) for letter, each in (("u", unit), ("r", rater), ("q", question))]
    numbers = Column(codes=np.empty(0, dtype=np.int64), labels=[], numbers=values.reshape(-1))
    made = Study(name="made", unit=names[0], rater=names[1], question=names[2], value=numbers, level=Level.INTERVAL)
    widths = np.ptp(values, axis=(0, 1))
    assert as_one(made).facets[1].width == pytest.approx(widths[1])
    wanted = by_definition(values.tolist(), ("interval", "interval"), widths)
    assert measure(made, "iota", as_one=True, ci="none").value == pytest.approx(wanted)


def test_what_cannot_be_taken_together_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    made = study(ANSWERS, ("nominal", "interval"))
    with pytest.raises(InputError, match="one question"):
        measure(made.where("question", ["q0"]), "iota", as_one=True)
    with pytest.raises(InputError, match="only a study in memory"):
        measure([[1, 1], [2, 1]], "iota", as_one=True)
    with pytest.raises(InputError, match="pooled or taken as one"):
        measure(made, "iota", as_one=True, pool=True)
    doubled = made.take(np.array([*range(made.n_rows), 0]))
    with pytest.raises(InputError):
        as_one(doubled)
    kept_first = Study(**{**vars(doubled), "duplicates": "first"})
    with pytest.raises(InputError, match="twice"):
        as_one(kept_first)
    monkeypatch.setattr(multivariate, "MOST_PROFILES", 2)
    with pytest.raises(InputError, match="different profiles"):
        measure(made, "iota", as_one=True, ci="none")
