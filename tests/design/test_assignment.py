"""Sets that overlap: dealt, by a column, by a file, joined for single raters."""

import csv
import json
from collections import Counter, defaultdict
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from concordant.collection.database import default_url
from concordant.collection.events import Answered
from concordant.collection.log import Log
from concordant.collection.page import PageKind, current_step, page
from concordant.collection.session import Running, advance, start
from concordant.design.assignment import dealt, expected_width
from concordant.design.plan import Pairer, load_plan, make_plan, read, write
from concordant.design.schema import StudyError
from concordant.design.steps import DrawnSteps, Layout, Step, StepKind, least_filled
from concordant.design.study_file import problems
from concordant.design.study_file import read as read_study
from concordant.errors import InputError
from concordant.randomness import generator
from concordant.readers import read as read_data
from concordant.tasks.question import Unit
from concordant.uncertainty.expectation import summary
from tests.cli.running import run
from tests.collection.playing import assigned, planned, play

STUDY = """name = "made"
title = "Made"
[units]
file = "units.csv"
item = "item"
text = "text"
[[questions]]
id = "good"
task = "binary"
ask = "Good?"
"""
UNITS = "id,item,text,hole,split\n" + "".join(f"u{i:02},i{i % 4},Text {i},{'' if i else 1},{'dev' if i < 8 else 'test' if i < 12 else 'rest'}\n"
                                         for i in range(40))  # fmt: skip


def study(folder: Path, more: str, **files: str) -> Path:
    """A study file with further tables, and its data files."""
    (folder / "units.csv").write_text(UNITS, encoding="utf-8")
    for name, text in files.items():
        (folder / f"{name}.csv").write_text(text, encoding="utf-8")
    (folder / "study.toml").write_text(STUDY + more, encoding="utf-8")
    return folder


@given(
    n=st.integers(0, 60), n_sets=st.integers(1, 7), judgements=st.integers(1, 7), share=st.floats(0, 1), data=st.data()
)
def test_dealt_sets_are_even(n: int, n_sets: int, judgements: int, share: float, data: st.DataObject) -> None:
    """Every unit is in as many sets as asked for, the shared ones in all; sizes differ by one at most."""
    times = min(judgements, n_sets)
    n_common = round(share * n)
    ids = [str(i) for i in range(n)]
    sets = dealt(ids, n_common, n_sets, times)
    assert all(len(one) == len(set(one)) for one in sets)
    counts = Counter(id for one in sets for id in one)
    assert all(counts[id] == (n_sets if place < n_common else times) for place, id in enumerate(ids))
    sizes = [len(one) for one in sets]
    assert max(sizes) - min(sizes) <= 1


def test_pairs_of_sets_share_about_as_much() -> None:
    sets = [set(one) for one in dealt([str(i) for i in range(600)], 0, 4, 2)]
    common = [len(one & two) for one, two in combinations(sets, 2)]
    assert max(common) - min(common) <= 1


def test_one_judges_everything_and_another_a_quarter(tmp_path: Path) -> None:
    people = '[[raters]]\nid = "A1"\nsets = ["all"]\n[[raters]]\nid = "A2"\nsets = ["shared"]\n'
    folder = study(tmp_path, f"{people}[assignment]\noverlap = 0.25\n")
    shown = run("design", folder).stdout
    assert "Units in common" in shown
    assert "A1 & A2" in shown
    description = read_study(folder)
    plan = load_plan(description)
    one, two = (plan.sets[rater.set] for rater in description.raters if rater.set is not None)
    assert (len(one), len(two), len(set(one) & set(two))) == (40, 10, 10)
    assert plan.n_offered == 1
    with Log.open(f"sqlite:///{tmp_path}/answers.db") as log:
        assert log.enrol(planned(description), "A2").set_number == description.raters[1].set


def test_sets_by_column_joined_for_a_rater(tmp_path: Path) -> None:
    people = '[[raters]]\nid = "A1"\nsets = ["dev", "test"]\n[[raters]]\nid = "A2"\nsets = ["rest"]\n'
    description = read_study(study(tmp_path, f'{people}[[raters]]\nid = "A3"\n[assignment]\nby = "split"\n'))
    plan = make_plan(description)
    assert [len(one) for one in plan.sets] == [8, 4, 28, 12]
    assert [rater.set for rater in description.raters] == [3, 2, None]
    assert {least_filled(plan, f"p{i}", {}) for i in range(40)} == {0, 1, 2}
    write(plan, tmp_path / "plan.json")
    assert read(tmp_path / "plan.json") == plan
    by_item = make_plan(
        read_study(
            study(
                tmp_path, 'open = true\n[assignment]\nby = "item"\n'.replace("open = true\n", '[[raters]]\nid = "A"\n')
            )
        )
    )
    assert [len(one) for one in by_item.sets] == [10, 10, 10, 10]


def test_sets_of_a_file(tmp_path: Path) -> None:
    more = '[[raters]]\nid = "A1"\nset = 2\n[assignment]\nfile = "sets.csv"\n'
    folder = study(tmp_path, more, sets="set,unit\nfirst,u01\nfirst,u02\nsecond,u02\nsecond,u03\nsecond,u04\n")
    plan = make_plan(read_study(folder))
    assert plan.sets == (("u01", "u02"), ("u02", "u03", "u04"))
    shown = run("design", folder).stdout
    assert "set 1 & set 2" in shown
    assert "in no set     36" in shown


@pytest.mark.parametrize(
    ("more", "fault"),
    [
        ('[[raters]]\nid = "A"\nsets = ["9"]\n', "there is no set '9'"),
        ('[[raters]]\nid = "A"\nsets = []\n', "no set is named"),
        ('[[raters]]\nid = "A"\nset = 1\nsets = ["1"]\n', "set and sets say the same"),
        ('[[raters]]\nid = "A"\n[assignment]\njudgements = 2\n', "2 judgements need as many sets"),
        ('[[raters]]\nid = "A"\n[assignment]\noverlap = 25\n', "a share of all units"),
        ('[[raters]]\nid = "A"\n[assignment]\nby = "splitt"\n', "no column 'splitt'"),
        ('[[raters]]\nid = "A"\n[assignment]\nby = "hole"\n', "the unit 'u01' has nothing in the column 'hole'"),
        ('[[raters]]\nid = "A"\n[assignment]\nby = "split"\noverlap = 0.5\n', "keep one way"),
        ('[[raters]]\nid = "A"\n[assignment]\nfile = "bad.csv"\n', "there is no column 'set'"),
        ('[[raters]]\nid = "A"\n[assignment]\nfile = "strange.csv"\n', "there is no unit 'u99'"),
        ('[[raters]]\nid = "A"\n[assignment]\nfile = "none.csv"\n', "does not exist"),
    ],
)
def test_what_is_wrong_is_said(tmp_path: Path, more: str, fault: str) -> None:
    with pytest.raises(StudyError, match=fault):
        read_study(study(tmp_path, more, bad="name,unit\na,u01\n", strange="set,unit\na,u99\n"))


def test_a_file_cannot_name_pairs(tmp_path: Path) -> None:
    text = STUDY.replace("binary", "pairwise") + '[pairs]\nvector = ["split"]\nper_group = 2\n'
    study(tmp_path, "", sets="set,unit\na,u01\n")
    (tmp_path / "study.toml").write_text(
        f'{text}[[raters]]\nid = "A"\n[assignment]\nfile = "sets.csv"\n', encoding="utf-8"
    )
    with pytest.raises(StudyError, match="pairs are drawn"):
        read_study(tmp_path)


def test_plans_without_assignment_are_as_they_were(tmp_path: Path) -> None:
    plan = make_plan(read_study(study(tmp_path, '[[raters]]\nid = "A"\n[sets]\ncount = 2\n')))
    assert "n_offered" not in plan.to_dict()
    assert "in common" not in run("design", tmp_path).stdout


def test_an_empty_set_is_refused(tmp_path: Path) -> None:
    bare = study(tmp_path, '[[raters]]\nid = "A"\nsets = ["shared"]\n[sets]\ncount = 2\n')
    assert "nothing is in the set 'shared'" in run("design", bare, code=2).stderr
    more = '[[raters]]\nid = "A"\n[sample]\nmethod = "simple"\nsize = 3\n[assignment]\nby = "split"\n'
    assert "nothing is in the set" in run("design", study(tmp_path, more), code=2).stderr


def test_the_expected_width() -> None:
    assert expected_width(0, 2) is None
    wide, narrow = expected_width(100, 2), expected_width(400, 2)
    assert wide is not None
    assert narrow is not None
    assert wide == pytest.approx(2 * narrow)


@pytest.mark.data
def test_later_rounds_of_pairs_stay_even(data_dir: Path) -> None:
    """SAILS: 20 pairs of each of 60 items; no vector is used twice more than another, even where responses run out."""
    groups: dict[str, dict[tuple[str, ...], list[Unit]]] = defaultdict(lambda: defaultdict(list))
    with (data_dir / "sails" / "sails_responses.csv").open(encoding="utf-8") as stream:
        for row in csv.DictReader(stream):
            if row["a1_vector"]:
                unit = Unit(id=row["response_id"], item=row["item"], attributes={"vector": row["a1_vector"]})
                groups[row["item"]][row["a1_vector"],].append(unit)
    for number, by_vector in enumerate(groups.values()):
        uses = Counter({vector[0]: 0 for vector in by_vector})
        for pair in Pairer(by_vector, generator(1, number)).pairs(20):
            uses.update(unit.attributes["vector"] for unit in pair)
        assert sum(uses.values()) == 40
        assert max(uses.values()) - min(uses.values()) <= 1


@given(sizes=st.lists(st.integers(1, 3), min_size=2, max_size=5), seed=st.integers(0, 50))
def test_all_pairs_there_are_can_be_drawn(sizes: list[int], seed: int) -> None:
    by_vector: dict[tuple[str, ...], list[Unit]] = {
        (str(v),): [Unit(id=f"{v}-{i}", item="a") for i in range(size)] for v, size in enumerate(sizes)
    }
    possible = sum(a * b for a, b in combinations(sizes, 2))
    found = list(Pairer(by_vector, generator(seed)).pairs(possible + 5))
    assert len({frozenset((a.id, b.id)) for a, b in found}) == possible


ADA = '[[raters]]\nid = "Ada"\n[[raters]]\nid = "Ben"\n'
ROUNDS = ADA + "[assignment]\nrounds = 3\nfirst_round = 0.2\n"


def test_rounds_are_alike_in_all_sets_and_overlaps(tmp_path: Path) -> None:
    """A fifth first and two fifths then, of what all share and of what one judges alone; sets are in their order."""
    described = read_study(study(tmp_path, "[sets]\ncount = 2\n" + ROUNDS + "overlap = 0.5\n"))
    plan = make_plan(described)
    assert [len(ids) for ids in plan.rounds.values()] == [8, 16, 16]
    shared = set(plan.sets[0]) & set(plan.sets[1])
    assert [len(shared & set(ids)) for ids in plan.rounds.values()] == [4, 8, 8]
    for number, ids in enumerate(plan.sets):
        assert [plan.round_of[id] for id in ids] == sorted(plan.round_of[id] for id in ids)
        assert plan.round_sizes(number) == (6, 12, 12)
    write(plan, tmp_path / "plan.json")
    assert read(tmp_path / "plan.json") == plan
    found = run("design", tmp_path, "-o", tmp_path / "other.json").stdout
    assert "Rounds" in found
    assert [line.split() for line in found.splitlines() if line.endswith("open")] == [
        ["1", "8", "6", "4", "open"],
        ["2", "16", "12", "8", "open"],
        ["3", "16", "12", "8", "open"],
    ]


def test_rounds_of_a_column_come_by_number(tmp_path: Path) -> None:
    """Numbers in their order, other names as they first come."""
    described = read_study(study(tmp_path, ADA + '[assignment]\nrounds_by = "split"\n'))
    assert {name: len(ids) for name, ids in make_plan(described).rounds.items()} == {"dev": 8, "test": 4, "rest": 28}
    rows = "id,item,text,round\n" + "".join(f"u{i},i,Text {i},{12 - i}\n" for i in range(4))
    study(tmp_path, ADA + '[assignment]\nrounds_by = "round"\n')
    (tmp_path / "units.csv").write_text(rows, encoding="utf-8")
    assert list(make_plan(read_study(tmp_path)).rounds) == ["9", "10", "11", "12"]


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ('rounds = 2\nrounds_by = "split"', "rounds are dealt, or named by a column"),
        ("first_round = 0.5", "the first round is a share"),
        ("rounds = 2\nfirst_round = 1", "the first round is a share"),
        ('rounds_by = "spilt"', "the units have no column 'spilt'"),
        ('rounds_by = "hole"', "the unit 'u01' has nothing in the column 'hole'"),
        ("open_rounds = 1", "there are no rounds to open"),
    ],
)
def test_rounds_that_cannot_be_are_refused(tmp_path: Path, more: str, said: str) -> None:
    with pytest.raises(StudyError, match=said):
        read_study(study(tmp_path, f"{ADA}[assignment]\n{more}\n"))


def test_a_second_thing_called_round_is_refused(tmp_path: Path) -> None:
    study(tmp_path, ADA + "[assignment]\nrounds = 2\n")
    (tmp_path / "units.csv").write_text(UNITS.replace("hole", "round", 1), encoding="utf-8")
    with pytest.raises(StudyError, match="a column 'round' already"):
        read_study(tmp_path)


def test_the_next_round_begins_when_it_is_opened(tmp_path: Path) -> None:
    """Two questions in passes, round by round; what is closed is not shown, and opening it changes no plan."""
    study(tmp_path, '[[questions]]\nid = "clear"\ntask = "binary"\nask = "Clear?"\n' + ROUNDS + "open_rounds = 1\n")
    closed = planned(read_study(tmp_path))
    state = advance(start(closed, "Ada"), assigned(closed, "Ada"))
    seen: list[Step] = []
    while (step := current_step(state)) is not None and len(seen) < 40:
        seen.append(step)
        state = advance(
            state, Answered(rater="Ada", unit=step.unit, step=step.number, question=step.questions[0], value="yes")
        )
    assert [one.questions for one in seen] == [("good",)] * 8 + [("clear",)] * 8
    assert {one.unit for one in seen} == set(closed.plan.rounds["1"])
    assert page(state).kind is PageKind.BETWEEN
    assert not state.is_finished
    path = tmp_path / "study.toml"
    path.write_text(path.read_text("utf-8").replace("open_rounds = 1", "open_rounds = 2"), encoding="utf-8")
    opened = planned(read_study(tmp_path))
    assert opened.plan == closed.plan
    state.study = opened
    step = current_step(state)
    assert step is not None
    assert opened.plan.round_of[step.unit] == "2"
    assert {one.unit for one in state.steps} == set(opened.plan.sets[0])


def test_gold_and_repeated_items_are_spread_over_rounds() -> None:
    """Each once, in rounds with units; one round draws as it did before there were rounds."""
    layout = Layout(passes=(("q",),), gold=("g1", "g2", "g3"), repeats=3, gap=2)
    units = [f"u{i}" for i in range(20)]
    steps = DrawnSteps(layout, units, 1, "Ada", (8, 0, 12))
    kinds = Counter(step.kind for step in steps)
    assert kinds == {StepKind.MAIN: 20, StepKind.GOLD: 3, StepKind.REPEAT: 3}
    assert sorted(step.unit for step in steps if step.kind is StepKind.GOLD) == ["g1", "g2", "g3"]
    ends = [steps.end_of_round(n) for n in range(4)]
    assert ends[0] == 0
    assert ends[1] == ends[2]
    assert ends[3] == len(steps) == 26
    first = {step.unit for step in steps[: ends[1]] if step.kind is not StepKind.GOLD}
    assert first == set(units[:8])
    assert DrawnSteps(layout, units, 1, "Ada") == DrawnSteps(layout, units, 1, "Ada", (20,))


def test_agreement_by_round(tmp_path: Path) -> None:
    """What is judged knows its round, in data, on the command line and in exports."""
    described = read_study(study(tmp_path, ROUNDS))
    running = Running(description=described, plan=load_plan(described))
    with Log.open(default_url(tmp_path)) as log:
        for rater in ("Ada", "Ben"):
            play(log, running, rater)
    judged = read_data(tmp_path)
    sizes = Counter(judged.attributes["round"].text().tolist())
    assert sizes == {"1": 16, "2": 32, "3": 32}
    found = json.loads(run("measure", tmp_path, "--measure", "alpha", "--ci", "none", "--by", "round", "--json").stdout)
    assert [(one["slice"]["round"], one["n_units"]) for one in found["results"]] == [("1", 8), ("2", 16), ("3", 16)]
    run("export", tmp_path, "-o", tmp_path / "out.csv")
    with (tmp_path / "out.csv").open(encoding="utf-8") as stream:
        assert Counter(row["round"] for row in csv.DictReader(stream)) == sizes


def test_repeats_must_fit_into_every_set_and_round(tmp_path: Path) -> None:
    rounds = ADA + "[repeats]\ncount = 2\ngap = {}\n[assignment]\nrounds = 2\n"
    assert make_plan(read_study(study(tmp_path, rounds.format(19)))).rounds
    with pytest.raises(
        InputError, match="1 repeats with a gap of 20 do not fit into the 20 units of set 1 in its round 1"
    ):
        make_plan(read_study(study(tmp_path, rounds.format(20))))
    by = ADA + '[repeats]\ncount = 2\ngap = 3\n[assignment]\nby = "split"\n'
    with pytest.raises(InputError, match="2 repeats with a gap of 3 do not fit into the 4 units of set 2"):
        make_plan(read_study(study(tmp_path, by)))


def test_check_draws_the_plan(tmp_path: Path) -> None:
    """What only the plan knows is found by `check`, with the line of the section that asks for it."""
    text = ADA + '[repeats]\ncount = 2\ngap = 3\n[assignment]\nby = "split"\n'
    path = study(tmp_path, text)
    found = problems(path)
    assert [(one.what, one.hint, one.place) for one in found] == [
        (
            "2 repeats with a gap of 3 do not fit into the 4 units of set 2",
            "take fewer repeats or a smaller gap",
            ("repeats",),
        )
    ]
    lines = (path / "study.toml" if path.is_dir() else path).read_text(encoding="utf-8").splitlines()
    assert lines[found[0].line - 1] == "[repeats]"
    assert not (tmp_path / "plan.json").exists()
    told = run("check", tmp_path, code=2)
    assert "take fewer repeats or a smaller gap" in told.stderr


def test_the_plan_says_whose_each_set_is(tmp_path: Path) -> None:
    """One rater judges everything, another what is shared: set 1 is dealt and nobody's."""
    (tmp_path / "units.csv").write_text("id,text\n" + "".join(f"u{n},Text {n}\n" for n in range(8)), encoding="utf-8")
    toml = """
name = "sets"
title = "Sets"
[units]
file = "units.csv"
text = "text"
[assignment]
overlap = 0.25
[[questions]]
id = "good"
task = "binary"
ask = "Is it good?"
"""
    for name, own in (("A1", "all"), ("A2", "shared"), ("A3", "shared")):
        toml += f'[[raters]]\nid = "{name}"\nsets = ["{own}"]\n'
    (tmp_path / "study.toml").write_text(toml, encoding="utf-8")
    description = read_study(tmp_path)
    sets = next(one for one in summary(description, make_plan(description)) if one.heading.startswith("Sets"))
    assert sets.columns == ("set", "units", "for")
    assert sets.rows == ((1, 8, None), (2, 8, "A1"), (3, 2, "A2, A3"))
