"""A study's log as files: how an archived study's folder holds its answers, and how they are read again.

`log.jsonl` has one event a line as `concordant log show` prints them, `decisions.jsonl` what adjudicators decided. A
folder with `log.jsonl` and no database is read like any other study: the events are put into a database in memory.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from sqlalchemy import Connection, insert

from concordant.collection.database import decisions, events
from concordant.collection.disputes import Decision
from concordant.collection.events import FORM, from_stored
from concordant.collection.log import Log
from concordant.collection.projections import Recorded, rebuild
from concordant.errors import InputError

LOG, DECISIONS = "log.jsonl", "decisions.jsonl"
ENVELOPE = ("seq", "kind", "rater", "at", "id", "received", "v")


def as_lines(recorded: Iterable[Recorded]) -> list[dict[str, Any]]:
    """Events as they are printed: what all have, then what is said in this one."""
    return [
        {
            "seq": entry.seq,
            "kind": event.kind,
            "rater": event.rater,
            "at": event.at,
            "id": event.id,
            "received": entry.received,
            "v": FORM,
            **event.body(),
        }
        for entry, event in ((entry, entry.event) for entry in recorded)
    ]


@contextmanager
def reopened(folder: Path, study: str) -> Iterator[Log]:
    """The log of a folder that has it written down, in a database that is gone afterwards."""
    told = [_recorded(one, study, number, folder / LOG) for number, one in lines_of(folder / LOG)]
    decided = [one for _, one in lines_of(folder / DECISIONS)] if (folder / DECISIONS).exists() else []
    with TemporaryDirectory(prefix="log-") as place, Log.open(f"sqlite:///{Path(place) / 'study.db'}") as log:
        log.write(lambda connection: _store(connection, study, told, decided)).result()
        yield log


def lines_of(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Every line of a file of JSON lines with its number."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot be read ({error})", file=path) from None
    for number, line in enumerate(text.splitlines(), 1):
        try:
            one = json.loads(line)
        except ValueError as error:
            raise InputError(f"not JSON ({error})", file=path, row=number) from None
        if not isinstance(one, dict):
            raise InputError("not an event", file=path, row=number)
        yield number, one


def _recorded(line: Mapping[str, Any], study: str, number: int, path: Path) -> Recorded:
    """One event of the file; what is none is refused with its line."""
    body = {name: value for name, value in line.items() if name not in ENVELOPE}
    try:
        event = from_stored(int(line["v"]), line["kind"], line["id"], line["rater"], line["at"], body)
        return Recorded(seq=int(line["seq"]), study=study, received=str(line["received"]), event=event)
    except (KeyError, TypeError, ValueError) as error:
        raise InputError(f"not an event ({error})", file=path, row=number) from None


def _store(connection: Connection, study: str, told: Sequence[Recorded], decided: Sequence[Mapping[str, Any]]) -> None:
    """Put everything where it stood, and make of it what is derived."""
    rows = [
        {
            **{name: getattr(one.event, name) for name in ("rater", "id", "kind", "at")},
            "seq": one.seq,
            "study": study,
            "received": one.received,
            "v": FORM,
            "body": json.dumps(one.event.body(), sort_keys=True),
        }
        for one in told
    ]
    if rows:
        connection.execute(insert(events), rows)
    rebuild(connection, told)
    for seq, one in enumerate(decided, 1):
        made = asdict(Decision(**one))
        value = json.dumps(made["value"], sort_keys=True)
        connection.execute(insert(decisions), [{**made, "value": value, "seq": seq, "study": study}])
