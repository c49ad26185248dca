"""The files that a study file names: they lie in the study's folder, wherever the study file comes from.

Somebody who writes a study in the browser, or sends an archive, must not have this computer read its own files to them.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

NAMED_FILES = (
    *(("units", "file"), ("units", "lexicon"), ("training", "file"), ("gold", "file"), ("guidelines", "file")),
    *(("assignment", "file"), ("cleaning", "lexicon"), ("cleaning", "spelling")),
)
"""The settings that name a file of the study."""
CARRIED = "carried"
PROFILES = ("profile", CARRIED)
"""The settings of [units] that name a folder."""


def named_files(document: Mapping[str, Any]) -> Iterator[str]:
    """The files that a study file names, as far as it can be read.

    >>> list(named_files({"units": {"file": "items.csv"}, "gold": "?"}))
    ['items.csv']
    """
    for table, key in NAMED_FILES:
        settings = document.get(table)
        if isinstance(settings, Mapping) and isinstance(settings.get(key), str):
            yield settings[key]


def named_outside(document: Mapping[str, Any], folder: Path) -> str | None:
    """The first file or folder that a study file names and that does not lie in the study's folder."""
    units = document.get("units")
    folders = [units.get(name) for name in PROFILES] if isinstance(units, Mapping) else []
    whole = [*named_files(document), *(one for one in folders if isinstance(one, str))]
    inside = folder.resolve()
    return next((one for one in whole if not (inside / one).resolve().is_relative_to(inside)), None)
