"""What a rater is given to judge: their set of the plan, or the units that one more judgement helps most.

It runs in the writer's transaction, so that what it looks at is what holds: two servers never give out the same place,
and both give a rater what the log says.
"""

from collections import defaultdict
from typing import Any

import numpy as np
from sqlalchemy import ColumnElement, Connection, Table, bindparam, func, select

from concordant.arrays import Ints
from concordant.collection.database import answers, events, invitations, raters
from concordant.collection.events import ENOUGH, Assigned, Ended, gone_before
from concordant.collection.projections import NOTHING, from_json, recorded
from concordant.collection.session import Running
from concordant.collection.store import Entry, store
from concordant.design.allocation import asked_about, most_wanted, tie_order
from concordant.design.description import Allocation
from concordant.design.steps import layout_of, least_filled
from concordant.errors import ConcordantError, InputError
from concordant.tasks.kind import kind_of

Given = Assigned | Ended


def enrol(connection: Connection, study: Running, rater: str) -> tuple[Given, int]:
    """The rater's assignment with its number; made and stored now if there is none.

    An invited rater gets the set they were promised. Everybody else gets the one with the fewest participants who
    completed it or are still at work, so that dropouts leave no holes. Where units are allocated, that ends when every
    set has somebody: whoever comes then gets the units that need them most, or hears that there are none.
    """
    description, name = study.description, study.description.name
    whose = {"of_study": name, "of_rater": rater}
    row = connection.execute(GIVEN, whose).first()
    if row is not None and isinstance(event := recorded(row).event, Given):
        return event, row.seq
    promised = {person.id: person.set for person in description.raters}
    # Somebody may have invited the rater on a page of another server process a moment ago.
    if not (rater in promised or description.is_open or connection.scalar(INVITED, whose) is not None):
        raise InputError(f"{rater!r} is not invited to {name!r}", hint="add them to [[raters]] or set open = true")
    given = given_to(connection, study, rater, promised.get(rater))
    [receipt] = store(connection, [Entry(name, (given,))])
    if isinstance(receipt, ConcordantError):
        raise receipt
    return given, receipt.numbers[0]


def given_to(connection: Connection, study: Running, rater: str, promised: int | None) -> Given:
    """A set, units that were allocated, or nothing more."""
    description, plan = study.description, study.plan
    known: dict[str, Any] = {"rater": rater, "plan": plan.hash, "layout": layout_of(description).to_dict()}
    if promised is not None:
        return Assigned(set_number=promised, **known)
    # Whoever has begun and was not seen for days has left their place to others.
    seen = {"of_study": description.name, "since": gone_before(description.recruitment.gone_after)}
    filled = {row.set_number: row.n for row in connection.execute(FILLED, seen)} if len(plan.sets) > 1 else {}
    n_offered = plan.n_offered or len(plan.sets)
    if description.allocation is None or not all(filled.get(number) for number in range(n_offered)):
        return Assigned(set_number=least_filled(plan, rater, filled), **known)
    units = allocated(connection, study, description.allocation)
    if not units:
        return Ended(rater=rater, reason=ENOUGH)
    return Assigned(set_number=len(plan.sets), units=units, **known)


def allocated(connection: Connection, study: Running, how: Allocation) -> list[str]:
    """The units that whoever comes now should judge, by the answers that people have given so far."""
    plan = study.plan
    offered = plan.sets[: plan.n_offered or len(plan.sets)]
    ids = list(dict.fromkeys(id for members in offered for id in members))
    votes, coming = votes_so_far(connection, study, ids)
    size = how.size or round(np.mean([len(members) for members in offered]))
    chosen = most_wanted(votes, coming, how, order=tie_order(plan.seed, len(ids)), size=size)
    return [ids[number] for number in chosen.tolist()]


def votes_so_far(connection: Connection, study: Running, ids: list[str]) -> tuple[Ints, Ints]:
    """How often each unit was given each category, and how many judgements of it are under way."""
    description, place = study.description, {id: number for number, id in enumerate(ids)}
    asked = asked_about(description)
    column = {category: number for number, category in enumerate(kind_of(asked).categories(asked))}
    models = [one.id for one in description.raters if one.kind != one.__class__.kind]
    whose = {"of_study": description.name, "of_question": asked.id, "models": models}
    votes, coming = np.zeros((len(ids), len(column)), dtype=np.int64), np.zeros(len(ids), dtype=np.int64)
    for row in connection.execute(VOTES, whose):
        if row.unit in place and (code := column.get(from_json(row.value))) is not None:
            votes[place[row.unit], code] = row.n
    judged: dict[str, set[str]] = defaultdict(set)
    whose["since"] = gone_before(description.recruitment.gone_after)
    for row in connection.execute(DONE, whose):
        judged[row.rater].add(row.unit)
    for row in connection.execute(AT_WORK, whose):
        if isinstance(event := recorded(row).event, Assigned):
            theirs = study.plan.sets[event.set_number] if event.units is None else event.units
            for unit in theirs:
                if unit in place and unit not in judged[event.rater]:
                    coming[place[unit]] += 1
    return votes, coming


def _of(table: Table) -> list[ColumnElement[bool]]:
    """The rows of a table that are about one rater of one study."""
    return [table.c[name] == bindparam(f"of_{name}") for name in ("study", "rater")]


# Made once: composing a statement costs more than running it.
KINDS = (Assigned.kind, Ended.kind)
GIVEN = select(events).where(*_of(events), events.c.kind.in_(KINDS)).order_by(events.c.seq).limit(1)
INVITED = select(invitations.c.rater).where(*_of(invitations), invitations.c.revoked_at.is_(None))
OF_STUDY = raters.c.study == bindparam("of_study")
FILLED = (
    select(raters.c.set_number, func.count().label("n"))
    .where(OF_STUDY, raters.c.set_number.is_not(None))
    .where(raters.c.completed_at.is_not(None) | (raters.c.last_at > bindparam("since")))
    .group_by(raters.c.set_number)
)
# Whoever was screened out or failed a check has no set.
PEOPLE = (OF_STUDY, raters.c.set_number.is_not(None), raters.c.rater.not_in(bindparam("models", expanding=True)))
STILL_HERE = (raters.c.completed_at.is_(None), raters.c.last_at > bindparam("since"))
ANSWERS = (answers.c.question == bindparam("of_question"), answers.c.value != NOTHING)
VOTES = (
    select(answers.c.unit, answers.c.value, func.count().label("n"))
    .join(raters, (raters.c.study == answers.c.study) & (raters.c.rater == answers.c.rater))
    .where(*PEOPLE, *ANSWERS)
    .group_by(answers.c.unit, answers.c.value)
)
DONE = (
    select(answers.c.rater, answers.c.unit)
    .join(raters, (raters.c.study == answers.c.study) & (raters.c.rater == answers.c.rater))
    .where(*PEOPLE, *ANSWERS, *STILL_HERE)
)
AT_WORK = (
    select(events)
    .join(raters, (raters.c.study == events.c.study) & (raters.c.rater == events.c.rater))
    .where(*PEOPLE, *STILL_HERE, events.c.kind == Assigned.kind)
    .order_by(events.c.seq)
)
