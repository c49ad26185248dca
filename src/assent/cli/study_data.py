"""Opening a study together with its log, for the commands that read what was collected."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from assent.design.planning import load_plan
from assent.design.study_file import read
from assent.errors import InputError, MissingExtra

try:
    from assent.collection.database import FILE, default_url, has_begun
    from assent.collection.log import Log
    from assent.collection.session import Study
except ModuleNotFoundError as error:
    raise MissingExtra("collecting judgements", "web") from error


def database_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add `--db` to a command."""
    meaning = "The database: sqlite:///FILE or postgresql://…; study.db in the study's folder by default."
    return click.option("--db", envvar="ASSENT_DB", help=meaning)(command)


@contextmanager
def opened(path: Path, db: str | None) -> Iterator[tuple[Log, Study]]:
    """A study and its log; refuses when nothing was collected yet."""
    description = read(path)
    url = db or default_url(description.folder)
    if db is None and not has_begun(url):
        raise InputError(
            "nothing was collected yet", file=description.folder / FILE, hint=f"run `assent serve {path}`, or say --db"
        )
    with Log.open(url) as log:
        yield log, Study(description=description, plan=load_plan(description))
