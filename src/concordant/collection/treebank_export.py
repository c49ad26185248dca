"""What was collected about parses, rater by rater, ready to be written as profiles.

A discriminant's date is that of the event since which it is in its state: every decision was stored when it was made.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from itertools import chain, count
from pathlib import Path

from concordant.collection.collected import Collected, Judgement
from concordant.collection.disputes import Decision
from concordant.collection.events import Answered
from concordant.collection.projections import Recorded
from concordant.design.description import Description
from concordant.design.steps import StepKind
from concordant.errors import InputError
from concordant.tasks.kind import as_text, kind_of
from concordant.treebank.written import Treebanked, folder_written_whole, write_profile

ADJUDICATED = "adjudicated"
AGREED = "all raters"
Treebank = Mapping[str, Treebanked]  # by sentence


def treebanks(collected: Collected, recorded: Iterable[Recorded], decided: Sequence[Decision]) -> dict[str, Treebank]:
    """The treebank of every rater and, when anything was decided, the adjudicated one."""
    question = parses_question(collected.study.description)
    given: dict[tuple[str, int], list[Answered]] = defaultdict(list)
    for event in (entry.event for entry in recorded):
        if isinstance(event, Answered) and event.question == question:
            given[event.rater, event.step].append(event)
    texts = {question.id for question in collected.study.description.questions if kind_of(question).is_free_text}
    main = [judgement for judgement in collected.judgements if judgement.kind is StepKind.MAIN]
    comments = {(one.rater, one.unit): str(one.value) for one in main if one.question in texts}
    found: dict[str, dict[str, Treebanked]] = {person.rater: {} for person in collected.people}
    for judgement in main:
        if judgement.question == question:
            events = given[judgement.rater, judgement.position - 1]
            comment = comments.get((judgement.rater, judgement.unit), "")
            found[judgement.rater][judgement.unit] = _treebanked(judgement, events, comment)
    named: dict[str, Treebank] = {**found}
    return {**named, ADJUDICATED: _adjudicated(collected.study.description, found, decided)} if decided else named


def parses_question(description: Description) -> str:
    """The question that is answered with parses."""
    found = next((question.id for question in description.questions if kind_of(question).chooses_parses), None)
    if found is None or description.profile is None:
        hint = "leave --format out, and name a file with an ending"
        raise InputError(f"the study {description.name!r} asks nothing about parses", hint=hint)
    return found


def _treebanked(judgement: Judgement, events: Sequence[Answered], comment: str) -> Treebanked:
    dates: dict[str, tuple[str, datetime]] = {}
    for event in events:
        at = datetime.fromisoformat(event.at)
        for name, state in (event.value or {"states": {}})["states"].items():
            if name not in dates or dates[name][0] != state:
                dates[name] = (state, at)
    return Treebanked(
        value=judgement.value,
        dates={name: date for name, (_, date) in dates.items()},
        begun=datetime.fromisoformat(events[0].at),
        ended=datetime.fromisoformat(judgement.at),
        author=judgement.rater,
        comment=comment,
    )


def _adjudicated(
    description: Description, found: Mapping[str, Mapping[str, Treebanked]], decided: Sequence[Decision]
) -> Treebank:
    """What the adjudicators decided last, and besides it what two raters or more all chose alike."""
    question = description.question(parses_question(description))
    by_sentence: dict[str, list[Treebanked]] = defaultdict(list)
    for treebank in found.values():
        for id, chosen in treebank.items():
            by_sentence[id].append(chosen)
    settled = {
        id: Treebanked(**{**ones[0].__dict__, "author": AGREED, "comment": ""})
        for id, ones in by_sentence.items()
        if len(ones) > 1 and len({as_text(question, one.value) for one in ones}) == 1
    }
    for one in decided:
        if one.question == question.id:
            at = datetime.fromisoformat(one.at)
            dates = dict.fromkeys(one.value["states"], at)
            settled[one.unit] = Treebanked(
                value=one.value, dates=dates, begun=at, ended=at, author=one.adjudicator, comment=one.comment
            )
    return settled


def write_treebanks(description: Description, found: Mapping[str, Treebank], goal: Path) -> list[Path]:
    """Write one profile for each into the new folder `goal`; returns their folders.

    A folder is called by the rater's id where that can be a name and no other folder has it.
    """
    assert description.profile is not None  # `parses_question` has seen to it
    names: dict[str, str] = {}
    for rater in found:
        plain = "".join(sign if sign.isalnum() or sign in "-_." else "_" for sign in rater).lstrip(".") or "rater"
        taken = {name.casefold() for name in names.values()}
        tried = chain([plain], (f"{plain}-{number}" for number in count(2)))
        names[rater] = next(name for name in tried if name.casefold() not in taken)
    with folder_written_whole(goal) as beside:
        for rater, treebank in found.items():
            write_profile(description.profile, beside / names[rater], treebank)
    return [goal / name for name in names.values()]
