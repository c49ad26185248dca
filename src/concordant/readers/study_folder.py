"""A study that is being collected: its folder, its study file or its database, read from the log of answers."""

from pathlib import Path

from concordant.choices import Choices, choice
from concordant.errors import MissingExtra
from concordant.model.study import Study
from concordant.readers.format import SURE, Format


class StudyFolderOptions(Choices):
    """Which attributes to keep (None all), and another level of measurement than the study declares."""

    attributes: tuple[str, ...] | None = choice(None, "Attributes of units and raters to keep; all unless said.")
    allocated: bool = choice(False, "With the judgements of allocated units, which are for labels, not for agreement.")
    level: str | None = choice(None, "Another level of measurement than the study declares.")


def read(path: str | Path, options: StudyFolderOptions) -> Study:
    """A study's answers as they stand in its log."""
    try:
        from concordant.readers.study_log import read_log
    except ModuleNotFoundError as error:
        raise MissingExtra("reading a study's log", "web") from error
    return read_log(path, attributes=options.attributes, level=options.level, allocated=options.allocated)


def is_study(path: str | Path) -> bool:
    """Whether the path is a study: its folder, its study file or the database in its folder."""
    place = Path(path)
    return (place / "study.toml").is_file() or (place.name in ("study.toml", "study.db") and place.is_file())


FORMAT = Format(
    name="study",
    holds="judgements",
    help="A study's folder: the answers that were collected.",
    read=read,
    endings=(".toml", ".db"),
    options=StudyFolderOptions,
    sniff=lambda path, head: SURE * is_study(path),
)
