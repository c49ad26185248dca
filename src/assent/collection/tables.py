"""The tables of a study's database, for SQLite and PostgreSQL alike.

`events` is the truth and is only ever added to. `answers` and `raters` are projections of it: what holds now. They
are written in the same transaction as the events and can be thrown away and rebuilt. The other tables stand beside the
log: who may come in and work where, what is aimed at, what was decided (a log of its own).
"""

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)

metadata = MetaData()

events = Table(
    "events",
    metadata,
    Column("seq", BigInteger().with_variant(Integer, "sqlite"), primary_key=True, autoincrement=False),
    Column("study", String, nullable=False),
    Column("rater", String, nullable=False),
    Column("id", String(36), nullable=False),
    Column("kind", String, nullable=False),
    Column("at", String, nullable=False),
    Column("received", String, nullable=False),
    Column("body", Text, nullable=False),
    UniqueConstraint("study", "rater", "id", name="one_event_once"),
    Index("events_of_a_rater", "study", "rater", "seq"),
)

answers = Table(
    "answers",
    metadata,
    Column("study", String, primary_key=True),
    Column("rater", String, primary_key=True),
    Column("step", Integer, primary_key=True),
    Column("question", String, primary_key=True),
    Column("unit", String, nullable=False),
    Column("value", Text, nullable=False),
    Column("seconds", Float),
    Column("at", String, nullable=False),
    Column("seq", BigInteger, nullable=False),
    Column("n_given", Integer, nullable=False),
)

raters = Table(
    "raters",
    metadata,
    Column("study", String, primary_key=True),
    Column("rater", String, primary_key=True),
    Column("set_number", Integer),
    Column("first_at", String, nullable=False),
    Column("last_at", String, nullable=False),
    Column("completed_at", String),
)

keys = Table("server_keys", metadata, Column("name", String, primary_key=True), Column("value", String, nullable=False))

researchers = Table(
    "researchers",
    metadata,
    Column("name", String, primary_key=True),
    Column("password_hash", String, nullable=False),
    Column("made_at", String, nullable=False),
)

visits = Table(
    "visits",
    metadata,
    Column("token_hash", String, primary_key=True),
    Column("role", String, nullable=False),
    Column("study", String, nullable=False),
    Column("who", String, nullable=False),
    Column("made_at", String, nullable=False),
    Column("expires_at", String, nullable=False),
)

members = Table(
    "members",
    metadata,
    Column("study", String, primary_key=True),
    Column("name", String, primary_key=True),
    Column("role", String, nullable=False),
    Column("made_at", String, nullable=False),
)

invitations = Table(
    "invitations",
    metadata,
    Column("study", String, primary_key=True),
    Column("rater", String, primary_key=True),
    Column("attributes", Text, nullable=False),
    Column("made_at", String, nullable=False),
    Column("revoked_at", String),
)

targets = Table(
    "targets",
    metadata,
    Column("study", String, primary_key=True),
    Column("width", Float, nullable=False),
)

decisions = Table(
    "decisions",
    metadata,
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("id", String(36), nullable=False, unique=True),
    Column("study", String, nullable=False, index=True),
    Column("unit", String, nullable=False),
    Column("question", String, nullable=False),
    Column("value", Text, nullable=False),
    Column("adjudicator", String, nullable=False),
    Column("comment", Text, nullable=False),
    Column("is_unclear", Boolean, nullable=False),
    Column("seen", BigInteger, nullable=False),
    Column("at", String, nullable=False),
)

PROJECTIONS = (answers, raters)
