"""A change of the guidelines begins a round: versions and what they changed, agreement before and after."""

import csv
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from math import hypot
from pathlib import Path

import pytest

from concordant.collection.collected import collected_of
from concordant.collection.events import Answered, Continued, Shown
from concordant.collection.export import written
from concordant.collection.log import Log
from concordant.collection.session import Running, steps_of
from concordant.diagnosis.rounds import BETTER, UNCLEAR, UNDEFINED, round_changes
from concordant.diagnosis.verdict import MAIN
from concordant.digits import coefficient
from concordant.model.columns import encode
from concordant.model.study import Study
from concordant.readers.study_log import ROUND
from concordant.report.facts import write_report
from concordant.studio import drafts, item_files, versions
from concordant.studio.dashboard import Rounds, rounds, rounds_told
from concordant.studio.drafts import WorkingDraft
from concordant.studio.people import hashed, place_of
from concordant.studio.projects import Studio
from concordant.studio.wordings import differing, wordings
from concordant.uncertainty.studies import measure_study

RATERS = ("Ada", "Ben")
N = 60
QUESTION = {"id": "q1", "title": "Quality", "task": "categorical", "ask": "Good?", "options": ["a", "b", "c"]}


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Studio]:
    """A studio without studies and one researcher."""
    home = tmp_path / "home"
    home.mkdir()
    with Log.open(f"sqlite:///{home}/answers.db") as log:
        made = Studio(log, {}, home=home)
        made.accounts.add_researcher("ada", hashed("a long enough password"))
        yield made
        made.live.close()


def guided(draft: WorkingDraft, version: str, text: str) -> WorkingDraft:
    return draft.changed({**draft.document, "guidelines": {"version": version, "text": text}})


def begun(house: Studio, who: str = "ada") -> Running:
    """A study of sixty texts with guidelines, published."""
    draft = drafts.begin(house, who, "Sätze")
    draft = item_files.paste(draft, "\n".join(f"Sentence number {n} of sixty." for n in range(N)))
    draft = draft.changed({**draft.document, "open": True, "questions": [QUESTION]})
    return versions.publish(guided(draft, "1", "Mark what is good.\n\n- a is best"))


def reworded(house: Studio, version: str = "2", who: str = "ada") -> WorkingDraft:
    draft = drafts.draft_of(house, who, "saetze")
    return guided(draft, version, "Mark what is *very* good.\n\n- a is best")


def answer(house: Studio, study: Running, places: range, n_apart: int, *, are_shown: bool = True) -> None:
    """Both raters judge these steps beside the guidelines as they are; on every so many of them they differ."""
    rules = study.description.guidelines
    assert rules is not None
    shown = {"page": "judging", "guidelines": rules.version}
    for rater in RATERS:
        steps = {step.unit: step for step in steps_of(study, house.log.enrol(study, rater))}
        for place, unit in [(place, sorted(steps)[place]) for place in places]:
            number, value = steps[unit].number, "abc"[(place + (rater == "Ben" and place % n_apart == 0)) % 3]
            page = [Shown(rater=rater, step=number, **shown)] if are_shown else []
            given = Answered(rater=rater, step=number, unit=unit, question="q1", value=value)
            house.log.append("saetze", [*page, given, Continued(rater=rater, page="judging", step=number)])


def changed_between(house: Studio, who: str) -> None:
    """Thirty texts are judged badly; then the guidelines change, and thirty are judged well."""
    answer(house, begun(house, who), range(30), 2)
    answer(house, versions.publish(reworded(house, who=who)), range(30, N), 40)


def found_in(house: Studio) -> Rounds:
    return rounds(place_of(house, "ada", "saetze").latest())


def test_a_round_is_what_was_answered_beside_a_version(house: Studio) -> None:
    answer(house, begun(house), range(30), 2)
    assert found_in(house) == Rounds(changes=())
    newer = versions.publish(reworded(house))
    answer(house, newer, range(30, N), 40)
    (change,) = found_in(house).changes
    assert (change.title, change.versions, change.said) == ("Quality", ("1", "2"), BETTER)
    assert (change.before.n_units, change.after.n_units) == (30, 30)
    study = place_of(house, "ada", "saetze").latest().judgements
    assert study is not None
    printed = {(one.slice or {})[ROUND]: one for one in measure_study(study, [MAIN], by=[ROUND], seed=1)}
    before, after = printed["1"], printed["2"]
    assert (change.before.value, change.after.value) == (before.value, after.value)
    assert before.interval
    assert after.interval
    assert change.difference
    gap = float(after) - float(before)
    low = gap - hypot(float(after) - after.interval.low, before.interval.high - float(before))
    assert change.difference.low == pytest.approx(low)
    assert 0 < change.difference.low < gap < change.difference.high


def test_a_change_that_changed_nothing_is_not_praised(house: Studio) -> None:
    answer(house, begun(house), range(30), 4)
    answer(house, versions.publish(reworded(house)), range(30, N), 4)
    (change,) = found_in(house).changes
    assert change.said == UNCLEAR


def test_what_cannot_be_compared_says_so(house: Studio) -> None:
    first = begun(house)
    answer(house, first, range(30), 4)
    answer(house, first, range(30, 33), 4, are_shown=False)
    answer(house, versions.publish(reworded(house)), range(33, 34), 4)
    found = found_in(house)
    (change,) = found.changes
    assert (change.said, change.difference, found.n_unknown) == (UNDEFINED, None, 6)
    assert change.reason.startswith("2: ")


def test_an_answer_that_is_revised_counts_where_it_was_revised(house: Studio) -> None:
    answer(house, begun(house), range(30), 4)
    answer(house, versions.publish(reworded(house)), range(10), 4)
    (change,) = found_in(house).changes
    assert (change.before.n_units, change.after.n_units) == (20, 10)


def test_other_guidelines_need_another_version_once_there_are_answers(house: Studio) -> None:
    study = begun(house)
    assert versions.proposal(reworded(house, "1")).is_possible
    answer(house, study, range(2), 4)
    proposed = versions.proposal(reworded(house, "1"))
    assert [(one.meaning, one.said) for one in proposed.changes] == [(versions.REFUSED, "guidelines_same")]
    assert versions.proposal(reworded(house, "2")).is_possible


def test_versions_are_kept_with_what_they_changed(house: Studio) -> None:
    begun(house)
    draft = reworded(house)
    assert [one.version for one in wordings(draft)] == ["2", "1"]
    versions.publish(draft)
    newest, first = wordings(drafts.draft_of(house, "ada", "saetze"))
    assert (first.text, first.parts) == (
        "Mark what is good.\n\n- a is best",
        (("same", "Mark what is good.\n\n- a is best"),),
    )
    assert [part for part in newest.parts if part[0] != "same"] == [("added", " *very*")]


@pytest.mark.parametrize("after", ["", "Mark it.", "Mark the main verb, not <b>it</b>.", "line\n" * 5000])
def test_both_texts_can_be_read_back(after: str) -> None:
    before = "Mark the verb.\nAnd <i>it</i>.\n"
    parts = list(differing(before, after))
    assert "".join(text for what, text in parts if what != "added") == before
    assert "".join(text for what, text in parts if what != "removed") == after
    assert all(one[0] != other[0] for one, other in pairwise(parts))


def test_report_export_and_programs_tell_the_same_rounds(house: Studio, tmp_path: Path) -> None:
    changed_between(house, "ada")
    place = place_of(house, "ada", "saetze")
    (change,) = found_in(house).changes
    (told,) = rounds_told(place.latest())
    assert (told["versions"], told["said"], told["before"]["value"]) == (["1", "2"], BETTER, change.before.value)
    assert change.difference
    assert told["difference"] == {
        "value": change.difference.value,
        "low": change.difference.low,
        "high": change.difference.high,
    }
    study = place.latest().judgements
    assert study is not None
    page = markdown(study, tmp_path / "live.md")
    assert "guidelines 1 → 2. Agreement is higher since." in page
    assert f"+{coefficient(change.difference.value)}" in page
    exported = tmp_path / "judgements.csv"
    collected = collected_of(place.latest().study, place.latest().followed)
    written(collected, [], house.log, exported, format="table", is_raw=False)
    with exported.open(encoding="utf-8") as stream:
        found = Counter(row["guidelines_version"] for row in csv.DictReader(stream))
    assert found == {"1": 60, "2": 60}
    again = markdown(exported, tmp_path / "exported.md")
    line = next(line for line in page.splitlines() if "| 1 → 2 |" in line)
    assert line.partition("1 → 2")[2] in again


def test_rounds_of_the_assignment_are_compared_too() -> None:
    rows = [
        (f"u{n}", rater, "ab"[(n + (rater == "B" and n < 20 and n % 2)) % 2], "1" if n < 20 else "2")
        for n in range(40)
        for rater in "AB"
    ]
    unit, rater, value, number = (encode(list(column)) for column in zip(*rows, strict=True))
    study = Study(name="s", unit=unit, rater=rater, value=value, attributes={"round": number})
    (change,) = round_changes(study, "round", seed=1)
    assert (change.versions, change.said, change.title) == (("1", "2"), BETTER, "")
    assert round_changes(study, "guidelines_version") == []
    assert [one.versions for one in round_changes(study, "round", order=["2", "1"], seed=1)] == [("2", "1")]


def markdown(data: object, path: Path) -> str:
    write_report(data, path, seed=1)
    return path.read_text("utf-8")
