"""The parses that two raters of a study chose, compared as two treebanks: Y-Option Kappa straight from its folder.

Every rater's choices are written as a profile, as `concordant export --format profile` does, and compared as profiles
are. So all that treebanks have (the readings, chance, tree measures) is there for a study that is still running.
"""

import tempfile
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from concordant.choices import choice
from concordant.errors import InputError, MissingExtra, nearest
from concordant.progress import Progress, silent
from concordant.readers.format import POSSIBLE, Format
from concordant.readers.profiles import ProfileOptions
from concordant.readers.study_folder import is_study

if TYPE_CHECKING:
    from concordant.treebank.comparison import Comparison


class StudyParsesOptions(ProfileOptions):
    """As of two profiles; and whose, where more than two raters have chosen."""

    annotators: tuple[str, ...] | None = choice(None, "Of a study of parses: the two raters to compare.")


def read(path: str | Path, options: StudyParsesOptions, progress: Progress = silent) -> "Comparison":
    """Two raters' treebanks, as they stand in the log."""
    try:
        from concordant.collection.export import export
    except ModuleNotFoundError as error:
        raise MissingExtra("reading a study's log", "web") from error
    from concordant.treebank.comparison import compare

    how = asdict(options)
    wanted = how.pop("annotators")
    with tempfile.TemporaryDirectory(prefix="parses-") as place:
        folder = Path(place) / "profiles"
        done = export(path, folder, format="profile")
        raters = [person.rater for person in done.kept.people]  # their profiles come first, in this order
        place_of = dict(zip(raters, done.files, strict=False))
        names = list(wanted or raters)
        for name in (name for name in names if name not in raters):
            raise InputError(f"there is no rater {name!r}", file=path, hint=nearest(name, raters))
        if len(names) != 2:
            what = f"{len(names)} raters have chosen parses" if wanted is None else f"{len(names)} raters are named"
            raise InputError(what, file=path, hint=f"two are compared: --read annotators={','.join(raters[:2])}")
        own = next((unit.parses.lexicon for unit in done.kept.study.description.units if unit.parses), None)
        chosen = {**how, "lexicon": how["lexicon"] or own}  # the study names one, or it has none
        return compare(*(place_of[name] for name in names), progress=progress, **chosen)


FORMAT = Format(
    name="parses",
    holds="profiles",
    help="A study's folder: the parses that two raters chose, compared as treebanks.",
    read=read,
    options=StudyParsesOptions,
    endings=(),  # but folders
    sniff=lambda path, head: POSSIBLE * is_study(path),
    is_slow=True,
)
