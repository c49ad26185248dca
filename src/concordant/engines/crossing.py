"""Columns of judgements that are raters with questions: units × raters × questions as one design."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, kw_only=True, eq=False)
class Crossing:
    """Where every rater with a question is a column: whose column it is, and which question it answers."""

    rater: NDArray[np.int64]
    question: NDArray[np.int64]

    @property
    def n_raters(self) -> int:
        """How many raters answered."""
        return int(self.rater.max(initial=-1)) + 1

    @property
    def n_questions(self) -> int:
        """How many questions were answered."""
        return int(self.question.max(initial=-1)) + 1


def crossing_of(asked: Mapping[str, tuple[str, str]], columns: Sequence[str]) -> Crossing | None:
    """The raters and questions of some columns by their names; None where columns are raters."""
    if not asked:
        return None
    parts = [[asked[name][place] for name in columns] for place in (0, 1)]
    rater, question = (np.unique(np.array(part), return_inverse=True)[1].reshape(-1) for part in parts)
    return Crossing(rater=rater, question=question)
