"""A decision says why the raters differed. What was decided before this says nothing of it."""

from sqlalchemy import Connection, text


def upgrade(connection: Connection) -> None:
    """A column with a default, so that a server of the version before can go on writing."""
    connection.execute(text("ALTER TABLE decisions ADD COLUMN cause TEXT NOT NULL DEFAULT ''"))
