"""What a researcher aims at in a study: how narrow the interval of a coefficient shall be before collecting stops."""

from sqlalchemy import Connection, delete, insert, select

from assent.collection.log import Log
from assent.collection.tables import targets
from assent.errors import InputError

DEFAULT_WIDTH = 0.2


class Targets:
    """The targets of the studies in one database."""

    def __init__(self, log: Log) -> None:
        """Beside this log."""
        self._log = log

    def width(self, study: str) -> float:
        """The width aimed at."""
        found = self._log.read(select(targets.c.width).where(targets.c.study == study))
        return float(found[0].width) if found else DEFAULT_WIDTH

    def aim(self, study: str, width: float) -> None:
        """Set the width aimed at."""
        if not 0 < width < 2:
            raise InputError(f"an interval cannot be {width:g} wide", hint="say a number such as 0.2")
        self._log.write(lambda connection: _replace(connection, study, width)).result()


def _replace(connection: Connection, study: str, width: float) -> None:
    connection.execute(delete(targets).where(targets.c.study == study))
    connection.execute(insert(targets), [{"study": study, "width": width}])
