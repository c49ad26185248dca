"""Who took part: how many each cleaning rule left out, and what is known of those who stayed (CATALAN 3.3, Table II).

The flow comes from the log of a study's folder; a table of judgements knows only those who are in it.
"""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean, median

import numpy as np

from concordant.digits import brief, counted, percent
from concordant.model.scale import as_numbers
from concordant.model.study import Study
from concordant.readers.study_folder import is_study
from concordant.report.document import Block, Paragraph
from concordant.report.facts import JudgementFacts
from concordant.report.grid import Grid, table
from concordant.report.sections import SectionMaker

NOT_REPORTED = "not reported"
MOST_ANSWERS = 12


def blocks(facts: JudgementFacts) -> list[Block]:
    """The flow where there is a log, then one row for each thing known of raters."""
    told: list[Block] = []
    if is_study(facts.study.name):
        told += flow(facts.study.name)
    known = raters_table(facts.study)
    return [*told, *([known] if known.rows else [])]


def flow(name: str) -> list[Block]:
    """Rule by rule, who was left out of the study in this folder, and which answers were dropped."""
    from concordant.collection.collected import clean  # only a study's folder needs a database
    from concordant.collection.export_tables import flow_table
    from concordant.collection.folding import collect  # only a study's folder needs a database
    from concordant.collection.opened_study import open_study

    with open_study(Path(name)) as (log, study):
        cleaned = clean(collect(log, study))
    shown = flow_table(cleaned)
    reasons = [f"{n:,} of {cleaned.n_fields:,} answers ({percent(n / cleaned.n_fields, 1)}) were dropped: {reason}."
               for reason, n in cleaned.counts.items()]  # fmt: skip
    if cleaned.corrected:
        reasons.append(f"The spelling of {counted(len(cleaned.corrected), 'word')} was normalised.")
    steps = table("Participant flow", ("Step", "Left out", "Remaining"), shown.rows)
    return [steps, *([Paragraph(text=" ".join(reasons))] if reasons else [])]


def raters_table(study: Study) -> Grid:
    """What is known of raters, in words: numbers summed up, words counted, those who did not say too."""
    names = study.attribute_of("rater")
    first = np.unique(study.rater.codes, return_index=True)[1]
    rows = [(name.removeprefix("rater_"), in_words(study.attributes[name].text()[first].tolist())) for name in names]
    whole = [f"{len(first):,} raters"] if rows else []
    return table(
        "Who took part", ("Information", "Distribution"), rows, notes=whole, said="; ".join(map(": ".join, rows))
    )


def in_words(answers: Sequence[str]) -> str:
    """Answers as a participants table prints them.

    >>> in_words(["20", "30", "46", ""])
    'min. 20; max. 46; mean 32.0; median 30; not reported 25%'
    >>> in_words(["yes", "no", "yes", "yes"])
    'yes 75%; no 25%'
    """
    told = [answer for answer in answers if answer not in ("", NOT_REPORTED)]
    silent = [f"{NOT_REPORTED} {percent(1 - len(told) / len(answers))}"] if len(told) < len(answers) else []
    numbers = as_numbers(told)
    if numbers is not None and len(set(told)) > 2:
        values = numbers.tolist()
        ends = f"min. {brief(min(values))}; max. {brief(max(values))}"
        return "; ".join([ends, f"mean {fmean(values):.1f}", f"median {brief(median(values))}", *silent])
    counts = Counter(told).most_common()
    shares = [f"{answer} {percent(n / len(answers))}" for answer, n in counts[:MOST_ANSWERS]]
    more = [f"{counted(len(counts) - MOST_ANSWERS, 'other answer')}"] if len(counts) > MOST_ANSWERS else []
    return "; ".join([*shares, *more, *silent])


SECTION = SectionMaker(key="participants", title="Who took part", order=15, of=("judgements",), blocks=blocks)
