"""Giving a rater a set: the one with the fewest *completed* participants, so that dropouts leave no holes."""

from collections import Counter

from sqlalchemy import Connection, Row, select

from assent.collection import storing, tables
from assent.collection.events import Assigned
from assent.collection.session import Study
from assent.design.ordering import schedule
from assent.design.sets import least_filled
from assent.errors import InputError


def enrol(connection: Connection, study: Study, rater: str) -> Assigned:
    """The rater's assignment; made, drawn and stored now if there is none. Runs inside the writer's transaction."""
    assigned = _existing(connection, study, rater)
    if assigned is None:
        set_number = _set_of(connection, study, rater)
        steps = [step.as_dict() for step in schedule(study.description, study.plan, rater, set_number)]
        assigned = Assigned(rater=rater, set_number=set_number, plan=study.plan.hash, steps=steps)
        storing.store(connection, [storing.Entry(study.description.name, (assigned,))])
    return assigned


def _existing(connection: Connection, study: Study, rater: str) -> Assigned | None:
    same = (tables.events.c.study == study.description.name, tables.events.c.rater == rater)
    query = select(tables.events).where(*same, tables.events.c.kind == Assigned.kind).order_by(tables.events.c.seq)
    row: Row[tuple[object, ...]] | None = connection.execute(query).first()
    event = storing.recorded(row).event if row is not None else None
    return event if isinstance(event, Assigned) else None


def _set_of(connection: Connection, study: Study, rater: str) -> int:
    """The set an invited rater was promised, or the least filled one."""
    description = study.description
    promised = {person.id: person.set for person in description.raters}
    if not (rater in promised or description.is_open or _is_invited(connection, study, rater)):
        raise InputError(
            f"{rater!r} is not invited to {description.name!r}", hint="add them to [[raters]] or set open = true"
        )
    own = promised.get(rater)
    return own if own is not None else _least_filled(connection, study, rater)


def _is_invited(connection: Connection, study: Study, rater: str) -> bool:
    """Whether somebody invited the rater on a page, perhaps of another server process a moment ago."""
    table = tables.invitations
    same = (table.c.study == study.description.name, table.c.rater == rater, table.c.revoked_at.is_(None))
    return connection.scalar(select(table.c.rater).where(*same)) is not None


def _least_filled(connection: Connection, study: Study, rater: str) -> int:
    table = tables.raters
    query = select(table.c.set_number, table.c.completed_at).where(table.c.study == study.description.name)
    rows = [row for row in connection.execute(query) if row.set_number is not None]
    completed = Counter(row.set_number for row in rows if row.completed_at is not None)
    begun = Counter(row.set_number for row in rows)
    return least_filled(study.plan, rater, completed, begun)
