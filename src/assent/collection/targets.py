"""What a researcher aims at in a study: how narrow the interval of a coefficient shall be before collecting stops."""

from sqlalchemy import Column, Connection, Float, String, Table, delete, insert, select

from assent.collection.log import Log
from assent.collection.tables import metadata
from assent.errors import InputError

DEFAULT_WIDTH = 0.2

targets = Table(
    "targets",
    metadata,
    Column("study", String, primary_key=True),
    Column("width", Float, nullable=False),
)


class Targets:
    """The targets of the studies in one database."""

    def __init__(self, log: Log) -> None:
        """Make the table if it is missing."""
        self._log = log
        metadata.create_all(log.engine)

    def width(self, study: str) -> float:
        """The width aimed at."""
        with self._log.engine.connect() as connection:
            found = connection.scalar(select(targets.c.width).where(targets.c.study == study))
        return DEFAULT_WIDTH if found is None else float(found)

    def aim(self, study: str, width: float) -> None:
        """Set the width aimed at."""
        if not 0 < width < 2:
            raise InputError(f"an interval cannot be {width:g} wide", hint="say a number such as 0.2")
        self._log.write(lambda connection: _replace(connection, study, width)).result()


def _replace(connection: Connection, study: str, width: float) -> None:
    connection.execute(delete(targets).where(targets.c.study == study))
    connection.execute(insert(targets), [{"study": study, "width": width}])
