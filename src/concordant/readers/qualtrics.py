"""Qualtrics' CSV with its two or three header rows; and Prolific's table of participants, which has no answers.

The rater is the respondent. A block of statements under one question (`trust_1`, `trust_2` …), and a question that is
repeated in a loop (`1_trust`, `2_trust` …), is a question whose statements are the units. What was asked only once says
something about the respondent and is an attribute, unless the survey has nothing else: then every column is a unit.
Timings, browsers, texts and what Qualtrics writes itself are no judgements.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from concordant.errors import InputError
from concordant.model.columns import Column
from concordant.model.study import Study
from concordant.readers.answers import TableAnswerOptions, asked, declared
from concordant.readers.format import SURE, Format
from concordant.readers.survey_table import is_numeric, read_survey, why_no_question, without_rows
from concordant.readers.table import Table, header

IMPORT = '{"ImportId"'
OWN = {
    *("StartDate", "EndDate", "Status", "IPAddress", "Progress", "Finished", "RecordedDate", "Duration (in seconds)"),
    *("ResponseId", "ResponseID", "ResponseSet", "Name", "ExternalDataReference", "ExternalReference", "EmailAddress"),
    *("RecipientLastName", "RecipientFirstName", "RecipientEmail", "LocationLatitude", "LocationLongitude"),
    *("LocationAccuracy", "DistributionChannel", "UserLanguage"),
}
ABOUT = "about the response, not an answer"
DATE = re.compile(r"\d{4}-\d\d-\d\d.*|\d{1,2}[/.]\d{1,2}[/.]\d{2,4}.*")
MACHINE = re.compile(r".*_(BROWSER|VERSION|OS|RESOLUTION|Browser|Version|Operating System|Resolution)")
CLICKS = re.compile(r".*_(FIRST_CLICK|LAST_CLICK|PAGE_SUBMIT|CLICK_COUNT)")


def read(path: str | Path, options: TableAnswerOptions) -> Study:
    """The answers of a survey, without the rows that only describe the columns."""
    table, rows = read_survey(path, options)
    is_old = rows[0][0] == "ResponseID"
    known = dict(zip(table.names, rows[0] if is_old else table.names, strict=True))
    ids = next((row for row in rows[:2] if any(cell.startswith(IMPORT) for cell in row)), [""] * len(table.names))
    table = without_rows(table, rows, n_headers(rows, is_old=is_old, names=table.names))
    kinds = {
        name: re.sub(r'.*"ImportId":\s*"([^"]*)".*', r"\1", cell) for name, cell in zip(table.names, ids, strict=True)
    }
    unused = {name: ABOUT for name in table.names if known[name] in OWN}
    attributes, questions = [], []
    for name in (name for name in table.names if name not in unused):
        why = why_no_answer(name, kinds[name], table.columns[name])
        if why and not (kinds[name].endswith("_TEXT") and is_numeric(table.columns[name])):
            unused[name] = why
        elif why or (kinds[name] and "QID" not in kinds[name]):
            attributes.append(name)
        else:
            questions.append(name)
    respondent = next((name for name in table.names if known[name] in ("ResponseId", "ResponseID")), None)
    if respondent is None:
        raise InputError("there is no column ResponseId", file=table.file, hint="export all columns of the survey")
    unused.pop(respondent)
    return arranged(table, options, respondent, questions, attributes, unused, kinds)


def n_headers(rows: Sequence[Sequence[str]], *, is_old: bool, names: Sequence[str]) -> int:
    """How many rows after the first describe columns: until the first that has a date where one must be."""
    start = list(rows[0] if is_old else names)
    place = next((start.index(name) for name in ("StartDate", "RecordedDate", "EndDate") if name in start), None)
    if place is None:
        return sum(any(cell.startswith(IMPORT) for cell in row) for row in rows[:2]) + 1 if not is_old else 1
    return next((n for n, row in enumerate(rows) if DATE.fullmatch(row[place])), len(rows))


def why_no_answer(name: str, kind: str, column: Column) -> str | None:
    if CLICKS.fullmatch(kind):
        return "a timing is no judgement"
    if MACHINE.fullmatch(kind) or MACHINE.fullmatch(name):
        return "about the browser, not an answer"
    if "_TEXT" in kind:
        return "free text is no judgement"
    return why_no_question(name, column)


def arranged(
    table: Table,
    options: TableAnswerOptions,
    respondent: str,
    questions: Sequence[str],
    attributes: Sequence[str],
    unused: Mapping[str, str],
    kinds: Mapping[str, str],
) -> Study:
    """A study whose units are the statements of blocks and loops, or all columns if there is none of either."""
    blocks: dict[str, list[str]] = {}
    for name in questions:
        blocks.setdefault(block_of(name, kinds[name]), []).append(name)
    several = {block: names for block, names in blocks.items() if len(names) > 1}
    once = [name for names in blocks.values() if len(names) == 1 for name in names] if several else []
    chosen = [name for name in questions if name not in once]
    if not chosen:
        raise InputError("no column holds a judgement", file=table.file, hint="they are times, texts or empty")
    preview = (
        np.isin(table.columns["Status"].text(), ["Survey Preview", "1"])
        if "Status" in table.names
        else np.array([False])
    )
    is_kept = np.broadcast_to(~preview, (table.n_rows,))
    notes = [f"asked once, so kept as attributes: {', '.join(once)}"] if once else []
    study = asked(
        table,
        options,
        unit=table.columns[respondent],
        rater=table.columns[respondent],
        questions={name: table.columns[name] for name in chosen},
        rows=is_kept,
        attributes=[*attributes, *once],
        unused=unused,
        left_out=[(int(preview.sum()), "previews of the survey")],
        notes=notes,
    )
    place = np.repeat(np.arange(len(chosen)), int(is_kept.sum()))
    block = {name: found for found, names in several.items() for name in names} or dict.fromkeys(chosen, "")
    found = list(dict.fromkeys(block.values()))
    codes = np.array([found.index(block[name]) for name in chosen])[place]
    by_block = replace(study, unit=Column(codes=place, labels=chosen), question=Column(codes=codes, labels=found))
    return declared(by_block, options)


def block_of(name: str, kind: str) -> str:
    """The question that a column is a statement or a loop of: `trust_2` and `2_trust` are of `trust`."""
    if re.match(r"\d+_QID", kind) or (not kind and re.match(r"\d+_\D", name)):
        return name.partition("_")[2]
    stem = re.fullmatch(r"(.+)_\d+", name)
    return stem[1] if stem and (not kind or re.fullmatch(r"QID\d+_\d+", kind)) else name


def sniff(path: Path, head: str) -> float:
    """The ids of the third row, or the names that Qualtrics gives to its own columns."""
    if IMPORT.replace('"', '""') in head or IMPORT in head:
        return SURE * ("ResponseId" in head or "StartDate" in head)
    is_old = head.startswith(("V1,V2,V3", '"V1","V2"')) and "ResponseID" in head
    return SURE * (is_old or {"responseid", "recordeddate", "distributionchannel"} <= header(path, head))


def no_answers(path: str | Path, options: TableAnswerOptions) -> Study:
    """Refuse Prolific's list: it says who took part."""
    hint = "measure the answers, and join this with --attributes FILE --on rater"
    raise InputError("Prolific's table says who took part, not what they answered", file=path, hint=hint)


FORMAT = (
    Format(
        name="qualtrics",
        holds="judgements",
        help="Qualtrics' CSV or TSV with its header rows.",
        read=read,
        endings=(".csv", ".tsv"),
        options=TableAnswerOptions,
        sniff=sniff,
    ),
    Format(
        name="prolific",
        holds="judgements",
        help="Prolific's table of participants, which is refused: it has no answers.",
        read=no_answers,
        endings=(".csv",),
        options=TableAnswerOptions,
        sniff=lambda path, head: SURE * ({"submission id", "participant id", "status"} <= header(path, head)),
    ),
)
