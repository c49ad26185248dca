"""The example studies that come with the package: complete and commented, to be changed into one's own."""

import shutil
from importlib.resources import as_file, files
from pathlib import Path

from concordant.about import NAME
from concordant.design.json_schema import FILE, LINE, schema_text
from concordant.errors import InputError, nearest

EXAMPLES = files(NAME) / "examples"
STUDIES = EXAMPLES / "studies"


def example_names() -> list[str]:
    """The example studies there are."""
    return sorted(entry.name for entry in STUDIES.iterdir() if (entry / "study.toml").is_file())


def init(directory: str | Path, example: str = "features") -> Path:
    """Write a complete example study into a new or empty folder; returns its study file.

    Beside it lies its JSON Schema, with which editors complete and explain settings.

    >>> import tempfile
    >>> init(Path(tempfile.mkdtemp()) / "mine").name
    'study.toml'
    """
    if example not in example_names():
        raise InputError(f"there is no example {example!r}", hint=nearest(example, example_names()))
    folder = Path(directory)
    if folder.exists() and any(folder.iterdir()):
        raise InputError("the folder is not empty", file=folder, hint="name a new folder; nothing was written")
    with as_file(STUDIES / example) as source:
        shutil.copytree(source, folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
    study = folder / "study.toml"
    study.write_text(LINE + study.read_text(encoding="utf-8"), encoding="utf-8")
    (folder / FILE).write_text(schema_text(), encoding="utf-8")
    return study
