"""What adjudicators decided: a log of its own, only ever added to. The raters' answers stay as they are.

A decision names the answers it was made on by `seen`, the number of the latest event among them: when a rater changes
an answer afterwards, the decision is known to be older than the disagreement.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, func, insert, select

from assent.collection.events import new_id, now
from assent.collection.log import Log
from assent.collection.tables import decisions


@dataclass(frozen=True, kw_only=True)
class Decision:
    """One decision on a unit and a question. `is_unclear`: the guidelines do not settle it."""

    unit: str
    question: str
    value: Any
    adjudicator: str
    comment: str = ""
    is_unclear: bool = False
    seen: int = 0
    id: str = ""
    at: str = ""


Place = tuple[str, str]  # unit, question


class Adjudication:
    """The decisions of the studies in one database."""

    def __init__(self, log: Log) -> None:
        """Beside this log."""
        self._log = log

    def decide(self, study: str, decision: Decision) -> None:
        """Store a decision; returns when it is safe. Sending it again under its id changes nothing."""
        self._log.write(lambda connection: _store(connection, study, decision)).result()

    def history(self, study: str) -> list[Decision]:
        """Every decision in order, later ones revising earlier ones."""
        query = select(decisions).where(decisions.c.study == study).order_by(decisions.c.seq)
        return [_decision(row) for row in self._log.read(query)]

    def current(self, study: str) -> dict[Place, Decision]:
        """What holds: the latest decision on each unit and question."""
        return {(one.unit, one.question): one for one in self.history(study)}


def _store(connection: Connection, study: str, decision: Decision) -> None:
    id = decision.id or new_id()
    if connection.scalar(select(decisions.c.seq).where(decisions.c.id == id)) is not None:
        return
    last = connection.scalar(select(func.coalesce(func.max(decisions.c.seq), 0))) or 0
    value = json.dumps(decision.value, sort_keys=True, allow_nan=False)
    row = {**decision.__dict__, "study": study, "seq": last + 1, "id": id, "value": value, "at": decision.at or now()}
    connection.execute(insert(decisions), [row])


def _decision(row: Any) -> Decision:
    stored: Mapping[str, Any] = row._mapping
    fields = {name: stored[name] for name in Decision.__dataclass_fields__}
    return Decision(**{**fields, "value": json.loads(fields["value"])})
