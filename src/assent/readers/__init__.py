"""Data IN: one module per format, and `read`, which finds the right one."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from assent.errors import InputError, MissingExtra, nearest
from assent.model.scale import Level
from assent.model.study import Study

FORMATS = ("table", "contingency", "tsdb")


def read(
    path: str | Path,
    *,
    format: str | None = None,
    unit: str | None = None,
    rater: str | None = None,
    value: str | None = None,
    question: str | None = None,
    raters: Sequence[str] | None = None,
    count: str | None = None,
    level: str | Level | None = None,
    categories: Sequence[str] | None = None,
    missing: Iterable[str] = (),
    attributes: Sequence[str] | None = None,
    encoding: str | None = None,
    separator: str | None = None,
    duplicates: str = "refuse",
) -> Study:
    """Read judgements from a file: CSV, TSV, XLSX, Parquet, JSON Lines (long or wide), a contingency table, or a
    directory of [incr tsdb()] profiles.

    The folder (or study file) of a study is read from its log of answers.

    Column names that are not given are guessed when they are obvious, and the study's notes say so.
    `attributes` names the further columns to keep; None keeps all.
    """
    found = _special(path, format, level=level, attributes=attributes, encoding=encoding, separator=separator)
    if found is not None:
        return found
    from assent.readers.roles import Roles
    from assent.readers.tables import read_study

    roles = Roles(
        unit=unit,
        rater=rater,
        value=value,
        question=question,
        count=count,
        raters=None if raters is None else tuple(raters),
    )
    return read_study(
        path,
        roles=roles,
        level=level,
        categories=categories,
        missing=missing,
        attributes=attributes,
        encoding=encoding,
        separator=separator,
        duplicates=duplicates,
    )


def _special(
    path: str | Path,
    format: str | None,
    *,
    level: str | Level | None,
    attributes: Sequence[str] | None,
    encoding: str | None,
    separator: str | None,
) -> Study | None:
    """What is not a table of judgements: a contingency table, a study's log, treebank profiles; None for a table."""
    if format not in (None, *FORMATS):
        raise InputError(f"unknown format {format!r}", hint=nearest(str(format), FORMATS))
    if format == "contingency":
        from assent.readers import contingency

        return contingency.read(path, level=level, encoding=encoding, separator=separator)
    if format is None and is_study(path):
        return _from_log(path, attributes, level)
    if format == "tsdb" or (format is None and Path(path).is_dir()):
        from assent.readers import tsdb

        return tsdb.read(path) if format == "tsdb" or tsdb.is_treebank(Path(path)) else None
    return None


def _from_log(path: str | Path, attributes: Sequence[str] | None, level: str | Level | None) -> Study:
    """A study's answers as they stand in its log."""
    try:
        from assent.readers import log
    except ModuleNotFoundError as error:
        raise MissingExtra("reading a study's log", "web") from error
    return log.read(path, attributes=attributes, level=level)


def is_study(path: str | Path) -> bool:
    """Whether the path is a study: its folder, its study file or the database in its folder."""
    place = Path(path)
    return (place / "study.toml").is_file() or (place.name in ("study.toml", "study.db") and place.is_file())
