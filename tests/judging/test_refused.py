"""What a model does not answer, by what most people said: invented, counted by hand; and runs, as chosen."""

from collections.abc import Sequence

import numpy as np
import pytest
from scipy.stats import fisher_exact

from concordant.errors import InputError
from concordant.judging.judge import judges
from concordant.judging.panel import Judge, Panel
from concordant.judging.refused import Refusals, refusals_of
from concordant.judging.signatures import verify
from concordant.model.scale import Level, Scale
from concordant.report.judged import judges_tables

YES, NO = 0, 1


def panel(answers: Sequence[Sequence[int]]) -> Panel:
    """Three people, a row for each unit."""
    codes = np.array(answers)
    return Panel(
        units=tuple(f"u{i}" for i in range(len(codes))),
        humans=("a", "b", "c"),
        scale=Scale(level=Level.NOMINAL, categories=("yes", "no")),
        unit=np.repeat(np.arange(len(codes)), codes.shape[1]),
        rater=np.tile(np.arange(codes.shape[1]), len(codes)),
        value=codes.reshape(-1),
    )


def found(n_yes: int, n_no: int, refused: Sequence[int]) -> Refusals | None:
    made = panel([[YES] * 3] * n_yes + [[NO] * 3] * n_no)
    answer = np.zeros(n_yes + n_no, dtype=np.int64)
    answer[list(refused)] = -1
    judge = Judge(
        name="m", model="m", prompt=None, answer=answer, runs=(answer,),
        asked=np.arange(n_yes + n_no), refused=np.array(refused, dtype=np.int64),
    )  # fmt: skip
    return refusals_of(made, judge, seed=1)


def test_refusals_are_counted_by_what_most_people_said_and_tested() -> None:
    told = found(20, 60, [0, 1, 2, 3, 4, 5, 6, 7, 70])
    assert told is not None
    assert [(one.category, one.n_asked, one.n_refused) for one in told.of] == [("yes", 20, 8), ("no", 60, 1)]
    assert told.p == pytest.approx(fisher_exact(np.array([[8, 12], [1, 59]]))[1], abs=0.003)
    assert told.said == (
        "8 of 20 units that most people call 'yes' are not answered, 2% elsewhere: what is left does not stand for all"
    )


def test_refusals_that_may_be_accidents_are_shown_and_not_named() -> None:
    told = found(20, 60, [0, 30, 40])
    assert told is not None
    assert told.p > 0.2
    assert told.said == ""


def test_where_nothing_is_refused_or_people_are_tied_there_is_nothing_to_say() -> None:
    assert found(5, 5, []) is None
    tied = panel([[YES, NO]] * 4)
    answer = np.array([-1, 0, 0, 0])
    units = np.arange(4)
    judge = Judge(name="m", model="m", prompt=None, answer=answer, runs=(answer,), asked=units, refused=units[:1])
    assert refusals_of(tied, judge, seed=1) is None


def table(rows: Sequence[tuple[str, str, object]]) -> dict[str, list[object]]:
    return {name: [row[i] for row in rows] for i, name in enumerate(("unit", "rater", "value"))}


def answers(refuses: bool) -> dict[str, list[object]]:
    """Eighty invented units, three people, and a model that leaves out most of what people call yes."""
    said = [("yes" if unit % 4 == 0 else "no") for unit in range(80)]
    rows = [(f"u{unit}", rater, said[unit]) for unit in range(80) for rater in "abc"]
    rows += [(f"u{unit}", "m", "" if refuses and unit % 4 == 0 and unit < 60 else said[unit]) for unit in range(80)]
    return table(rows)


def test_the_command_s_tables_notes_and_json_say_so() -> None:
    told = judges(answers(refuses=True), models="m", epsilon=0.1, resamples=100, level="nominal")
    assert any("m: 15 of 20 units that most people call 'yes'" in note for note in told.notes)
    assert told.to_dict()["judges"][0]["refused"]["of"][1] == {"category": "yes", "n_asked": 20, "n_refused": 15}
    [grid] = [one for one in judges_tables(told) if getattr(one, "title", "") == "What is not answered"]
    assert len(grid.rows) == 2  # type: ignore[union-attr]
    plain = judges(answers(refuses=False), models="m", epsilon=0.1, resamples=100, level="nominal")
    assert plain.judges[0].refused is None


def runs(values: Sequence[Sequence[object]]) -> dict[str, list[object]]:
    """Two people who agree on 1, 2, 3, 4, and runs of a model."""
    rows = [(f"u{unit}", rater, unit + 1) for unit in range(len(values[0])) for rater in "ab"]
    told = table([*rows, *((f"u{i}", "m", value) for run in values for i, value in enumerate(run))])
    told["run"] = ["", "", *[""] * (len(rows) - 2), *(str(n) for n, run in enumerate(values, 1) for _ in run)]
    return told


SAID = [[1, 2, 3, 1], [2, 2, 1, 1], [2, 1, 2, 1]]


@pytest.mark.parametrize(("how", "agreement"), [("first", [1, 2, 3, 1]), ("majority", [2, 2, 3, 1])])
def test_of_repeated_runs_the_first_or_what_most_say_counts(how: str, agreement: list[int]) -> None:
    several = judges(runs(SAID), models="m", epsilon=0.1, resamples=100, runs=how, level="nominal")  # type: ignore[arg-type]
    alone = judges(runs([agreement]), models="m", epsilon=0.1, resamples=100, level="nominal")
    assert several.judges[0].ceiling.model == alone.judges[0].ceiling.model
    assert ("runs:majority" in several.judges[0].signature) == (how == "majority")
    assert verify(several.judges[0].signature, runs(SAID)).matches


def test_the_mean_of_runs_is_for_numbers() -> None:
    several = [[1.5, 2.5, 3.25, 1.0], [2.5, 2.5, 1.25, 1.0]]
    means = [[2.0, 2.5, 2.25, 1.0]]
    found, alone = (
        judges(runs(values), models="m", epsilon=0.1, resamples=100, runs="mean", level="interval")
        for values in (several, means)
    )
    assert found.judges[0].severity.severity == pytest.approx(alone.judges[0].severity.severity)
    with pytest.raises(InputError, match="categories have no mean"):
        judges(runs(SAID), models="m", epsilon=0.1, resamples=100, runs="mean", level="nominal")
