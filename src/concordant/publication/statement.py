"""What people read first in an archive: README, and the data statement with all that the data and the log can tell.

The questions are those of data statements (Bender & Friedman 2018, TACL 6, 587-604) and of datasheets (Gebru et al.
2021, CACM 64(12), 86-92). What only a person can know is marked; `--statement FILE` puts the filled-in text back.
"""

import csv
import io
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from concordant.about import NAME
from concordant.design.description import Description
from concordant.design.study_file import read
from concordant.digits import counted
from concordant.model.study import Study
from concordant.publication.citation import to_fill
from concordant.publication.crate import ABOUT
from concordant.publication.tables import FOLDER

OPEN = "[TO FILL IN"


@dataclass(frozen=True, kw_only=True)
class Told:
    """What the texts are made of: settings, names of files, the data, and the tables made of them."""

    settings: Mapping[str, Any]
    names: tuple[str, ...]
    data: Any
    root: Path
    made: Mapping[str, bytes]

    @property
    def description(self) -> Description | None:
        """The study as it was designed, if it was collected here."""
        return read(self.root / FOLDER) if self.settings["data"] == "study" else None

    def table(self, name: str) -> list[dict[str, str]]:
        """The rows of one of the tables."""
        content = self.made.get(f"tables/{name}.csv", b"")
        return list(csv.DictReader(io.StringIO(content.decode())))


def readme(told: Told) -> str:
    """What is here, how to check it, how to use it."""
    settings = told.settings
    names = sorted({*told.names, "README.md", "DATA-STATEMENT.md", "CITATION.cff", "croissant.json"})
    listed = [f"- `{name}`: {ABOUT[name]}." for name in names if name in ABOUT]
    rest = [name for name in names if name not in ABOUT]
    more = ["", "Further files: " + ", ".join(f"`{name}`" for name in rest) + "."] if rest else []
    lacking = settings["missing_guidelines"]
    gaps = [f"Guidelines of version {', '.join(lacking)} were shown to raters and are not here."] if lacking else []
    if told.data is None:
        gaps.append("Nothing was asked that a coefficient measures, so there is no report.")
    return "\n".join(
        [
            f"# {settings['title']}",
            "",
            settings["description"],
            "",
            *([*gaps, ""] if gaps else []),
            "## Check it",
            "",
            f"    {NAME} verify FILE.zip",
            "",
            "computes every number in this archive again from the data in it, and names what differs.",
            f"It was written by {NAME} {settings['version']}.",
            "",
            "## What is here",
            "",
            *listed,
            *more,
            "",
        ]
    )


def data_statement(told: Told) -> str:
    """The statement, with a mark wherever a person must write."""
    settings, about = told.settings, told.description
    parts = {
        "Curation rationale": [
            to_fill("why these data were made, and how what is judged was chosen"),
            *_sampled(about),
        ],
        "Language": [*_language(about), to_fill("which varieties of the language, as BCP 47 tags or in words")],
        "Who wrote or spoke what is judged": [to_fill("age, gender, first language, training, where this is known")],
        "Who judged": [*_raters(told), to_fill("how raters were found, trained and paid")],
        "What was judged": [*_counts(told), to_fill("genre, topic, time and place of what is judged")],
        "How it was collected": [*_collected(told, about), to_fill("review by an ethics board, if there was one")],
        "What was left out": _flow(told) or ["Nothing is known to have been left out."],
        "How far people agree": [_agreement(told)],
        "Protection of people": ["See PRIVACY.md.", to_fill("risks that remain, and whom to ask to have data removed")],
        "What it may be used for": [to_fill("uses it was made for, and uses to avoid")],
        "Distribution and care": [
            f"Licence: {settings['licence'] or to_fill('a licence, such as CC-BY-4.0')}.",
            to_fill("who keeps these data, and where errors are reported"),
        ],
    }
    lines = [f"# Data statement: {settings['title']}", ""]
    lines += [f"Filled in from the data by {NAME}. What only a person can know is marked {OPEN} …].", ""]
    for title, paragraphs in parts.items():
        lines += [f"## {title}", "", *(line for text in paragraphs for line in (text, ""))]
    return "\n".join(lines)


def codebook(study: Study) -> str:
    """Every column of a table of judgements, and every value with how often it was given."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(("column", "question", "value", "n", "meaning"))
    owners = {name: owner for owner in ("rater", "unit") for name in study.attribute_of(owner)}
    writer.writerows(
        (name, "", "", "", meaning) for name, meaning in ROLES.items() if name != "question" or study.questions
    )
    for name in study.attributes:
        writer.writerow((name, "", "", "", f"about the {owners.get(name, 'judgement')}"))
    for question in study.questions or (None,):
        part = study if question is None else study.where("question", [question])
        column, scale = part.value.as_labels(), part.judgements(question).scale
        counts = np.bincount(column.codes[column.codes >= 0], minlength=len(column.labels))
        kind = f"{scale.level.value}{', guessed' if scale.is_guessed else ''}"
        writer.writerow(("value", question or "", "", part.n_rows, f"level of measurement: {kind}"))
        if not scale.is_continuous:
            writer.writerows(("value", question or "", v, n, "") for v, n in zip(column.labels, counts, strict=True))
    return out.getvalue()


ROLES = {
    "unit": "what was judged",
    "rater": "who judged, by number",
    "question": "what was asked",
    "value": "the judgement",
}


def n_open(contents: Mapping[str, bytes], names: Iterable[str]) -> int:
    """How many places of these files a person must still fill in."""
    return sum(contents.get(name, b"").decode(errors="replace").count(f"{OPEN}:") for name in names)


def _sampled(about: Description | None) -> list[str]:
    if about is None:
        return []
    drawn = about.sampling
    if drawn.size is None:
        return [f"All {len(about.units)} units of the data file were used."]
    by = f", balanced by {drawn.by}" if drawn.by else ""
    return [f"{drawn.size} of {len(about.units)} units were drawn ({drawn.method}{by}) with the seed {about.seed}."]


def _language(about: Description | None) -> list[str]:
    return [] if about is None else [f"The pages that raters saw were in the language {about.language!r}."]


def _raters(told: Told) -> list[str]:
    lines = []
    if isinstance(told.data, Study):
        models = f"; models: {', '.join(told.data.models)}" if told.data.models else ""
        lines.append(f"{counted(len(told.data.raters), 'rater')} whose judgements are measured{models}.")
    asked = [f"- {row['information']}: {row['distribution']}" for row in told.table("participants")]
    return [*lines, "\n".join(["What raters said about themselves:", "", *asked])] if asked else lines


def _counts(told: Told) -> list[str]:
    if not isinstance(told.data, Study):
        return [] if told.data is None else [f"{counted(len(told.data), 'span')}."]
    data = told.data
    asked = f", {counted(len(data.questions), 'question')}: {', '.join(data.questions)}" if data.questions else ""
    return [f"{counted(data.n_rows, 'judgement')} of {counted(len(data.unit.as_labels().labels), 'unit')}{asked}."]


def _collected(told: Told, about: Description | None) -> list[str]:
    lines = []
    if (months := told.settings["months"]) is not None:
        lines.append(f"Collected between {months[0]} and {months[1]} in the browser, with {NAME}.")
    if about is None:
        return [to_fill("when, where and with which tool"), *lines]
    if about.introduction is not None and about.introduction.consent:
        lines.append(f"Participants agreed to this: “{about.introduction.consent}”")
    shown = [f"version {version} beside {n} pages" for version, n in told.settings["guidelines"].items()]
    if shown:
        lines.append(f"Guidelines: {', '.join(shown)}.")
    middle = [float(row["median_seconds"]) for row in told.table("raters") if row["median_seconds"]]
    if middle:
        lines.append(f"Median time on a page, by rater: {min(middle):.1f} to {max(middle):.1f} seconds.")
    return lines


def _flow(told: Told) -> list[str]:
    rows = [f"- {row['step']}: {row['left_out']} left out, {row['remaining']} remained" for row in told.table("flow")]
    dropped = told.table("dropped")
    lines = ["\n".join(rows)] if rows else []
    return (
        [*lines, f"{counted(len(dropped), 'answer')} or words were dropped; see tables/dropped.csv."]
        if dropped
        else lines
    )


def _agreement(told: Told) -> str:
    found = list(csv.DictReader(io.StringIO(told.made.get("report/coefficients.csv", b"").decode())))
    if not found:
        return "Nothing was asked that a coefficient measures."
    lines = [
        f"- {' · '.join(filter(None, (row['question'], row['slice'], row['measure'])))}: "
        f"{row['value'] or 'undefined'}" + (f" (interval {row['low']} to {row['high']})" if row["low"] else "")
        for row in found
    ]
    return "\n".join(["In full precision, with signatures in report/coefficients.csv:", "", *lines])
