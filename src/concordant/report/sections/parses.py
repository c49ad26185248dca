"""How far treebankers agree on single decisions: Y-Option Kappa of every two in its three readings (Castro 2011).

The choices are those in the log of a study's folder; a table of judgements knows discriminants, not sentences.
"""

import tempfile
from collections.abc import Sequence
from math import comb
from pathlib import Path

from concordant.about import NAME
from concordant.digits import counted
from concordant.measures.result import Agreement
from concordant.readers.study_folder import is_study
from concordant.report.document import Block, Paragraph
from concordant.report.facts import JudgementFacts
from concordant.report.grid import Cell, grid, interval_columns, reading_cell, value_cell
from concordant.report.sections import SectionMaker

LEAD = (
    "Agreement on single decisions, sentence by sentence, less what a coin for each would give. The readings differ in "
    "what they make of a decision that a log does not record: read off the chosen analysis (resolved), not at all "
    "(log), or estimated (thesis). Intervals are over sentences."
)


def blocks(facts: JudgementFacts) -> list[Block]:
    """A row for every two raters and reading; nothing where no parses are chosen."""
    if not is_study(facts.study.name):
        return []
    found, n_raters = chosen_parses(Path(facts.study.name), facts.options.seed)
    if not found:
        return []
    shown = len({result.raters for result in found})
    notes = dict.fromkeys(note for result in found for note in result.notes)
    left = comb(n_raters, 2) - shown
    more = [f"{counted(left, 'further pair')} of raters: --read annotators=A,B names two"] if left else []
    columns: dict[str, Sequence[Cell]] = {
        "Raters": [" and ".join(result.raters) for result in found],
        "Coefficient": [result.name for result in found],
        "Value": [value_cell(result) for result in found],
        **interval_columns(found),
        "Sentences": [result.n_units for result in found],
        "Reading": [reading_cell(result) for result in found],
        "Why undefined": [result.reason for result in found],
    }
    again = Paragraph(text=f"The same: {NAME} measure STUDY --measure y_option --read reading=log, for each reading.")
    return [Paragraph(text=LEAD), grid("Choices among parses", columns, notes=[*notes, *more]), again]


def chosen_parses(folder: Path, seed: int) -> tuple[list[Agreement], int]:
    """What every two raters of the study in a folder chose, and how many raters there are."""
    from concordant.collection.export import export  # only a study's folder needs a database
    from concordant.design.study_file import read
    from concordant.report.treebankers import of_every_two
    from concordant.tasks.kind import kind_of

    description = read(folder)
    if description.profile is None or not any(kind_of(one).chooses_parses for one in description.questions):
        return [], 0
    with tempfile.TemporaryDirectory(prefix="parses-") as place:
        done = export(folder, Path(place) / "profiles", format="profile")
        raters = [person.rater for person in done.kept.people]  # their profiles come first, in this order
        lexicon = next((unit.parses.lexicon for unit in description.units if unit.parses), None)
        profiles = dict(zip(raters, done.files, strict=False))
        return list(of_every_two(profiles, lexicon, seed=seed)), len(raters)


SECTION = SectionMaker(key="parses", title="Choices among parses", order=22, of=("judgements",), blocks=blocks)
