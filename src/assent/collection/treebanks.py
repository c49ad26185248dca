"""What was collected about parses, rater by rater, ready to be written as profiles.

A discriminant's date is that of the event since which it is in its state: every decision was stored when it was made.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import Path

from assent.collection.adjudication import Decision
from assent.collection.collected import Collected, Judgement
from assent.collection.events import Answered
from assent.collection.projection import Recorded
from assent.design.description import Description, Task
from assent.design.ordering import Kind
from assent.design.values import as_text
from assent.errors import InputError
from assent.treebank.writing import Treebanked, folder_written_whole, write_profile

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
    comments = _comments(collected)
    found: dict[str, dict[str, Treebanked]] = {person.rater: {} for person in collected.people}
    for judgement in collected.judgements:
        if judgement.kind is Kind.MAIN and judgement.question == question:
            events = given[judgement.rater, judgement.position - 1]
            comment = comments.get((judgement.rater, judgement.unit), "")
            found[judgement.rater][judgement.unit] = _treebanked(judgement, events, comment)
    named: dict[str, Treebank] = {**found}
    return {**named, ADJUDICATED: _adjudicated(collected, found, decided)} if decided else named


def parses_question(description: Description) -> str:
    """The question that is answered with parses."""
    found = next((question.id for question in description.questions if question.task is Task.PARSES), None)
    if found is None or description.profile is None:
        raise InputError(
            f"the study {description.name!r} asks nothing about parses",
            hint="leave --format out, and name a file with an ending",
        )
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


def _comments(collected: Collected) -> dict[tuple[str, str], str]:
    """What raters wrote about sentences, where the study asks for a text too."""
    texts = {question.id for question in collected.study.description.questions if question.task is Task.TEXT}
    main = [one for one in collected.judgements if one.question in texts and one.kind is Kind.MAIN]
    return {(one.rater, one.unit): str(one.value) for one in main}


def _adjudicated(
    collected: Collected, found: Mapping[str, Mapping[str, Treebanked]], decided: Sequence[Decision]
) -> Treebank:
    """What the adjudicators decided last, and besides it what two raters or more all chose alike."""
    question = collected.study.description.question(parses_question(collected.study.description))
    by_sentence: dict[str, list[Treebanked]] = defaultdict(list)
    for treebank in found.values():
        for id, one in treebank.items():
            by_sentence[id].append(one)
    settled = {
        id: Treebanked(**{**ones[0].__dict__, "author": AGREED, "comment": ""})
        for id, ones in by_sentence.items()
        if len(ones) > 1 and len({as_text(question, one.value) for one in ones}) == 1
    }
    return {**settled, **{one.unit: _decided(one) for one in decided if one.question == question.id}}


def _decided(decision: Decision) -> Treebanked:
    at = datetime.fromisoformat(decision.at)
    return Treebanked(
        value=decision.value,
        dates=dict.fromkeys(decision.value["states"], at),
        begun=at,
        ended=at,
        author=decision.adjudicator,
        comment=decision.comment,
    )


def write_treebanks(description: Description, found: Mapping[str, Treebank], goal: Path) -> list[Path]:
    """Write one profile for each into the new folder `goal`; returns their folders."""
    assert description.profile is not None  # `parses_question` has seen to it
    names = _folder_names(list(found))
    with folder_written_whole(goal) as beside:
        for rater, treebank in found.items():
            write_profile(description.profile, beside / names[rater], treebank)
    return [goal / name for name in names.values()]


def _folder_names(raters: Sequence[str]) -> dict[str, str]:
    """A folder's name for each rater: the id itself where it can be one and no other folder has it."""
    names: dict[str, str] = {}
    for rater in raters:
        plain = "".join(sign if sign.isalnum() or sign in "-_." else "_" for sign in rater).lstrip(".") or "rater"
        taken = {name.casefold() for name in names.values()}
        number = next(n for n in range(1, len(raters) + 2) if _numbered(plain, n).casefold() not in taken)
        names[rater] = _numbered(plain, number)
    return names


def _numbered(name: str, number: int) -> str:
    return name if number == 1 else f"{name}-{number}"
