"""REDCap's CSV export: records with their fields; who judged is the person of double data entry, or a field.

Double data entry marks records `ID--1` and `ID--2`: the same record entered by two people. Otherwise `--rater` names
the field that says who judged. Boxes of one field (`field___1`, `field___2`) are a set; `…_complete` and times are no
answers.
"""

import re
from collections.abc import Mapping
from pathlib import Path
from shlex import quote

import numpy as np

from concordant.choices import choice
from concordant.errors import InputError
from concordant.model.columns import Column, encode
from concordant.model.scale import Level
from concordant.model.study import Declared, Study
from concordant.readers.answers import TableAnswerOptions, asked
from concordant.readers.format import SURE, Format
from concordant.readers.layout import usual
from concordant.readers.survey_table import read_survey, why_no_question
from concordant.readers.table import Table, header

OWN = (
    "redcap_event_name", "redcap_repeat_instrument", "redcap_repeat_instance", "redcap_data_access_group",
    "redcap_survey_identifier",
)  # fmt: skip
LABELLED = ("Event Name", "Repeat Instrument", "Repeat Instance", "Data Access Group", "Survey Identifier")
PLACE = (*OWN[:2], *LABELLED[:2])  # what, with the record's id, says which thing was judged
ENTERED = re.compile(r"(.+)--([12])")
BOX = re.compile(r"(.+)___(.+)|(.+) \(choice=(.+)\)")
ABOUT = re.compile(r".+_(?:complete|timestamp)|Complete\?( \(\d+\))?")


class RedcapOptions(TableAnswerOptions):
    """Who judged, where the export does not say."""

    rater: str | None = choice(None, "Field that names the rater, unless data were entered twice.")


def read(path: str | Path, options: RedcapOptions) -> Study:
    """The judgements of an export."""
    table, _ = read_survey(path, options)
    record = table.names[0]
    ids = table.columns[record].text()
    entered = [ENTERED.fullmatch(str(id)) for id in ids]
    left_out: list[tuple[int, str]] = []
    asked_once: set[str] = set()
    if any(entered) and options.rater is None:
        kept = np.array([found is not None for found in entered])
        left_out = [(int((~kept).sum()), "merged records, which nobody entered alone")]
        table, entered = table.take(np.nonzero(kept)[0]), [found for found in entered if found]
        ids = np.array([found.group(1) for found in entered if found], dtype=object)
        rater = encode(np.array([f"person {found.group(2)}" for found in entered if found], dtype=object))
        notes, who = ["entered twice: --1 and --2 behind the record's id are the two people"], ""
    else:
        who = options.rater or usual("rater", table.names[1:]) or ""
        if not who:
            raise without_rater(table)
        table.expect(who)
        notes = [f"field {who!r} names the rater"]
        if n_blank := table.columns[who].n_blank:
            left_out = [(n_blank, "rows of forms that name no rater")]
            asked_once = {name for name in table.names if table.columns[name].labels}
            table = table.take(np.flatnonzero(table.columns[who].text() != ""))
            ids = table.columns[record].text()
        rater = table.columns[who]
    places = [table.columns[name].text() for name in PLACE if name in table.names and name != who]
    names = [" · ".join(filter(None, map(str, parts))) for parts in zip(ids, *places, strict=True)]
    unit = encode(np.array(names, dtype=object))
    questions, unused, scales = fields_of(table, {record, who})
    for name in asked_once & {name for name, column in table.columns.items() if not column.labels}:
        unused[name] = "answered only in rows that name no rater"
    return asked(
        table, options, unit=unit, rater=rater, questions=questions, unused=unused, left_out=left_out, notes=notes,
        scales=scales,
    )  # fmt: skip


def without_rater(table: Table) -> InputError:
    """What to say where nothing names a rater; events may be raters."""
    what = "nothing says who judged: the records were not entered twice, and no field names a rater"
    fields = [name for name in table.names[1:] if name not in (*OWN, *LABELLED) and not ABOUT.fullmatch(name)]
    event = next((name for name in (OWN[0], LABELLED[0]) if name in table.names), "")
    as_event = f", or --rater {quote(event)} if events are raters" if event else ""
    return InputError(what, file=table.file, hint=f"say --rater FIELD ({', '.join(fields[:6])} …){as_event}")


def fields_of(table: Table, taken: set[str]) -> tuple[dict[str, Column], dict[str, str], Mapping[str, Declared]]:
    """The fields that are questions, those that are not and why, and which of them are sets."""
    questions: dict[str, Column] = {}
    unused: dict[str, str] = {}
    boxes: dict[str, list[tuple[str, Column]]] = {}
    for name in table.names:
        if name in taken:
            continue
        if name in (*OWN, *LABELLED) or ABOUT.fullmatch(name):
            unused[name] = "about the record, not an answer"
        elif box := BOX.fullmatch(name):
            field, option = (found for found in box.groups() if found is not None)
            boxes.setdefault(field, []).append((option, table.columns[name]))
        elif why := why_no_question(name, table.columns[name]):
            unused[name] = why
        else:
            questions[name] = table.columns[name]
    for name, choices in boxes.items():
        ticked = np.array([np.isin(column.text(), ["1", "Checked"]) for _, column in choices]).T
        sets = ["+".join(option for (option, _), is_on in zip(choices, row, strict=True) if is_on) for row in ticked]
        questions[name] = encode(np.array(sets, dtype=object))
    return questions, unused, {name: Declared(level=Level.SET) for name in boxes}


def sniff(path: Path, head: str) -> float:
    """Columns that only REDCap writes; or records entered twice beside a form that says whether it is complete."""
    if not path.is_file() or not any(word in head for word in ("redcap_", "_complete", "Complete?", "record_id")):
        return 0.0
    names = header(path, head)
    if names & {one.casefold() for one in LABELLED} and "complete?" in names:
        return SURE
    is_twice = re.search(r'(?m)^"?[^,"]+--[12]"?,', head) is not None
    is_own = "record_id" in names or any(ABOUT.fullmatch(name) for name in names)
    return SURE * bool(names & set(OWN) or (is_twice and is_own))


FORMAT = Format(
    name="redcap",
    holds="judgements",
    help="REDCap's CSV export: records entered twice, or with a field that names the rater.",
    read=read,
    endings=(".csv", ".tsv", ".txt"),
    options=RedcapOptions,
    sniff=sniff,
)
