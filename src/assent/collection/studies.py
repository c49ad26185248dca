"""A study from its folder: what its file says and its frozen plan."""

from pathlib import Path

from assent.collection.session import Study
from assent.design.planning import load_plan
from assent.design.study_file import read


def read_study(path: Path) -> Study:
    """Read the study file at a path or in a folder, and the plan beside it (made now if there is none)."""
    description = read(path)
    return Study(description=description, plan=load_plan(description))
