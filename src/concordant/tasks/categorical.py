"""One of several categories. Stored as `"noun"`, written `noun`."""

from collections.abc import Mapping
from typing import Any, ClassVar

from concordant.tasks.kind import SingleChoice
from concordant.tasks.question import shared


class Categorical(SingleChoice):
    """One category."""

    key, label = "categorical", "one category"
    settings = shared("options", "shuffle")
    begins: ClassVar[Mapping[str, Any]] = {"options": ["A", "B"]}


KIND = Categorical()
