"""What the forensic checks look at: the study as it was read, and each question made ready."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from assent.diagnosis.findings import Finding
from assent.diagnosis.material import Material, materials
from assent.model.columns import Column
from assent.model.scale import Level
from assent.model.study import Study


@dataclass(frozen=True, kw_only=True, eq=False)
class Case:
    """`study` is as it was read; in `parts` the values off the declared scale are blank."""

    study: Study
    parts: tuple[Material, ...]


class Check(Protocol):
    """One forensic check: it looks at a case and says what it found, if anything."""

    def __call__(self, case: Case) -> Iterable[Finding]:
        """Look."""


def open_case(study: Study) -> Case:
    """Make a study ready; values off its declared scale must not stop the rest from being looked at."""
    return Case(study=study, parts=tuple(materials(without_off_scale(study))))


def off_scale_labels(study: Study) -> tuple[str, ...]:
    """The labels in the data that are not on the declared scale."""
    if study.categories is None:
        return ()
    labels = study.value.as_labels().labels
    if study.level is Level.SET:
        classes = {part for category in study.categories for part in category.split("+")}
        return tuple(label for label in labels if not set(label.split("+")) <= classes)
    return tuple(label for label in labels if label not in study.categories)


def without_off_scale(study: Study) -> Study:
    """The study with the values off the declared scale made blank."""
    off = off_scale_labels(study)
    if not off:
        return study
    column = study.value.as_labels()
    gone = np.array([*(label in off for label in column.labels), False])
    codes = np.where(gone[column.codes], -1, column.codes)
    return replace(study, value=Column(codes=codes, labels=column.labels).take(np.arange(len(codes))))
