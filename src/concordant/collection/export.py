"""What was collected, written to files: tables with a codebook, or a profile of parses for each rater."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from concordant.collection.collected import Cleaned, Collected, clean, fan_out_counts
from concordant.collection.disputes import Adjudication, Decision
from concordant.collection.export_tables import asked_tables, decision_tables, tables
from concordant.collection.folding import collect
from concordant.collection.log import Log
from concordant.collection.opened_study import open_study
from concordant.collection.sheets import write_tables
from concordant.collection.treebank_export import treebanks, write_treebanks
from concordant.errors import InputError
from concordant.files import refuse_unwritable

Form = Literal["table", "profile"]


@dataclass(frozen=True, kw_only=True)
class Exported:
    """The files that were written and the judgements in them; `cleaned` says what was left out (None: nothing was)."""

    files: tuple[Path, ...]
    kept: Collected
    cleaned: Cleaned | None

    def __repr__(self) -> str:
        """One line, however much was collected."""
        return f"<Exported {', '.join(map(str, self.files))}; {fan_out_counts(self.kept)[1]} judgements>"

    def to_dict(self) -> dict[str, Any]:
        """The counts."""
        n_judged, n_judgements = fan_out_counts(self.kept)
        return {
            "files": [str(file) for file in self.files],
            "n_raters": len(self.kept.people),
            "n_judged": n_judged,
            "n_judgements": n_judgements,
            "flow": [] if self.cleaned is None else [step.__dict__ for step in self.cleaned.flow],
            "dropped": {} if self.cleaned is None else self.cleaned.counts,
            "n_conflicts": len(self.kept.conflicts),
            "n_corrected": 0 if self.cleaned is None else len(self.cleaned.corrected),
        }


def export(
    study: str | Path, output: str | Path, *, format: Form = "table", raw: bool = False, db: str | None = None
) -> Exported:
    """Write the judgements of a study to a file, with its raters, an account of the cleaning and a codebook.

    The ending of `output` chooses the kind of file; a workbook (.xlsx) holds everything, the others write further files
    beside the one named. `format="profile"` writes an [incr tsdb()] profile of each rater's parses into a new folder.
    `raw` leaves the study's cleaning rules out; `db` is the database if it is not the study's own.
    """
    goal = Path(output)
    if format not in ("table", "profile"):
        raise InputError(f"there is no export {format!r}", hint="table or profile")
    if format == "table":
        refuse_unwritable(goal)
    with open_study(Path(study), db) as (log, described):
        collected = collect(log, described)
        history = Adjudication(log).history(described.description.name)
        return written(collected, history, log, goal, format=format, is_raw=raw)


def written(
    collected: Collected, history: Sequence[Decision], log: Log, goal: Path, *, format: Form, is_raw: bool
) -> Exported:
    """Write what was collected; the log is asked for the dates of parses and for models' replies."""
    cleaned = None if is_raw else clean(collected)
    kept = collected if cleaned is None else cleaned.collected
    if format == "profile":
        description = collected.study.description
        found = treebanks(kept, log.events(description.name), history)
        return Exported(files=tuple(write_treebanks(description, found, goal)), kept=kept, cleaned=cleaned)
    description = collected.study.description
    more = [
        *decision_tables(collected.study, history),
        *asked_tables(log.events(description.name) if description.has_models else ()),
    ]
    files = write_tables(tables(collected, cleaned, more), goal)
    return Exported(files=tuple(files), kept=kept, cleaned=cleaned)
