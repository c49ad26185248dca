"""Every event says in which form its body is written. What was stored before this is of form 1."""

from sqlalchemy import Connection, text


def upgrade(connection: Connection) -> None:
    """A column with a default, so that a server of the version before can go on writing."""
    connection.execute(text("ALTER TABLE events ADD COLUMN v INTEGER NOT NULL DEFAULT 1"))
