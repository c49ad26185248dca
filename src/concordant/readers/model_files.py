"""Files of models' judgements, beside those of people: who the model is may stand in a column or be the file's name."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

import numpy as np

from concordant.about import NAME
from concordant.choices import split
from concordant.model.columns import Column
from concordant.model.study import Study
from concordant.readers.doubts import refuse_shares
from concordant.readers.format import Format
from concordant.readers.headers import numbers_of
from concordant.readers.judgement_table import judgements_of
from concordant.readers.layout import usual
from concordant.readers.rater_kinds import MODEL
from concordant.readers.table import Table, read_table

HOW = ("encoding", "separator", "sheet")
RATER = "rater"


def files_of_models(told: str | None) -> list[str]:
    """The files of models' judgements: one, or several as a,b."""
    return [] if told is None else [told] if Path(told).exists() else list(split(told))


def read_models(file: str, found: Format, reading: Mapping[str, Any]) -> Study:
    """The judgements of one file, read as those of people are, as far as that can be said of it."""
    known = {one.name for one in found.options.described()} - {"raters"}
    own = {name: value for name, value in reading.items() if name in known}
    named: Table | None = None
    if found.name == "table":
        table = read_table(file, **{name: own[name] for name in HOW if name in own})
        refuse_chances(table, own)
        if MODEL in table.names and RATER not in table.names:
            own.setdefault(RATER, MODEL)
        elif (own.get(RATER) or usual(RATER, table.names)) not in table.names and says_what(table, own):
            own.pop(RATER, None)
            named = of_one(table, Path(file).stem)
    options = found.options.of(f"the format {found.name}", own)
    study: Study = found.read(file, options=options) if named is None else judgements_of(named, cast(Any, options))
    return study


def refuse_chances(table: Table, own: Mapping[str, Any]) -> None:
    """A file of how likely each category is holds no answers."""
    unit = own.get("unit") or usual("unit", table.names)
    chances = [name for name in table.names if name != unit and not np.isnan(numbers_of(table.columns[name])).any()]
    refuse_shares(table, chances, f"score chances with `{NAME} perspectives PEOPLE --predictions FILE`")


def says_what(table: Table, own: Mapping[str, Any]) -> bool:
    """Whether it says what was judged and how."""
    return all((own.get(role) or usual(role, table.names)) in table.names for role in ("unit", "value"))


def of_one(table: Table, name: str) -> Table:
    """The table with a column that says that all of it is one rater's."""
    column = Column(codes=np.zeros(table.n_rows, dtype=np.int64), labels=[name])
    return table._replace(
        columns={**table.columns, RATER: column},
        names=(*table.names, RATER),
        notes=(*table.notes, f"nothing in {table.file} says which model answered: it is called {name}"),
    )
