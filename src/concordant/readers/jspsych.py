"""jsPsych's CSV or JSON: a row per trial, of which only some are judgements.

The value is what the experiment stored of the choice (a column such as `selected` or `choice`), else `response`, else
the button or key; the unit is the item or stimulus, the rater the participant, or the file if none is named. Any can be
said. Answers of a survey (`{"Q0": 3, "Q1": 5}`) are questions. Trials without an answer or an item are left out.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from concordant.choices import choice
from concordant.errors import InputError
from concordant.model.study import Study
from concordant.readers.answers import Answer, Answers, TableAnswerOptions
from concordant.readers.format import LIKELY, SURE, Format
from concordant.readers.json_records import documents
from concordant.readers.survey_table import TIMING
from concordant.readers.table import header, read_table

OWN = ("trial_type", "trial_index", "time_elapsed", "internal_node_id", "view_history", "plugin_version")
PERSON = re.compile(
    r"(subj(ect)?|participant|worker|rater|annotator|user)(_?id|_?nr|_?no)?|subid|part_?id|pid|prolific_?(pid|id)|run_id",
    re.I,
)
VALUE = (
    r"select(ed|ion).*|chosen.*|choice|judge?ment|rating|answer|label",
    r"response|responses",
    r"button_pressed|key_press",
)
UNIT = (
    r"(item|stim|stimulus|sentence|utt|utterance|word|trial|picture|image|audio|video|prompt|question)"
    r"(_?id|_?name|_?nr)?"
)


class TrialOptions(TableAnswerOptions):
    """Which columns are what; None is to be found out."""

    unit: str | None = choice(None, "Column that names the unit (what is judged).")
    rater: str | None = choice(None, "Column that names the rater.")
    value: str | None = choice(None, "Column with the judgement.")


def read(*paths: str | Path, options: TrialOptions) -> Study:
    """The judgements of one file, or of a file for each participant."""
    answers = Answers(Path(paths[0]))
    for path in paths:
        rows = list(rows_of(Path(path), options))
        names = list(dict.fromkeys(name for _, row in rows for name in row))
        filled = {name: sum(bool(_said(row.get(name))) for _, row in rows) for name in names}
        value = options.value or _named(VALUE, names, filled)
        unit = options.unit or _named((UNIT,), [name for name in names if name != value], filled)
        rater = options.rater or _named((PERSON.pattern,), names, filled)
        for role, found in (("value", value), ("unit", unit)):
            if found is None or found not in names:
                hint = f"name it with --{role}; columns: {', '.join(names[:12])}"
                raise InputError(f"no column was found for the {role}", file=path, hint=hint)
        add_trials(answers, Path(path), rows, {"unit": str(unit), "value": str(value), "rater": rater or ""})
    return answers.study(options)


def _named(patterns: Sequence[str], names: Sequence[str], filled: Mapping[str, int]) -> str | None:
    """The first column that is called so and is not empty."""
    for pattern in patterns:
        for name in names:
            if filled[name] and re.fullmatch(pattern, name, re.IGNORECASE):
                return name
    return None


def _said(cell: Any) -> Any:
    """A cell, None where it says nothing."""
    return None if cell in (None, "", "NA", "null", "{}", '""', {}, []) else cell


def add_trials(
    answers: Answers, path: Path, rows: Sequence[tuple[int, Mapping[str, Any]]], roles: Mapping[str, str]
) -> None:
    """The trials that have an item and an answer."""
    constant: dict[str, dict[str, set[str]]] = {}
    for row, trial in rows:
        unit, value = _said(trial.get(roles["unit"])), _said(trial.get(roles["value"]))
        if unit is None or value is None:
            answers.left_out["trials without an item or without an answer"] += 1
            continue
        rater = str(trial.get(roles["rater"]) or "unknown") if roles["rater"] else path.stem
        said = parsed(value)
        for question, one in said.items() if isinstance(said, dict) else [(roles["value"], said)]:
            answers.given.append(Answer(str(unit), rater, str(question), one, row))
        for name in trial.keys() - {*roles.values(), *OWN}:
            constant.setdefault(name, {}).setdefault(str(unit), set()).add(str(trial.get(name)))
    for name in dict.fromkeys(name for _, trial in rows for name in trial if name not in roles.values()):
        by_unit = constant.get(name, {})
        if TIMING.fullmatch(name) or name in OWN:
            answers.unused[name] = "about the trial, not an answer"
        elif by_unit and all(len(values) == 1 for values in by_unit.values()):
            for unit, values in by_unit.items():
                answers.about[unit] = {**answers.about.get(unit, {}), name: next(iter(values))}
        else:
            answers.unused[name] = "it is neither the answer nor a fixed property of the item"
    note = (
        ", ".join(f"{role} is column {name!r}" for role, name in roles.items() if name)
        + " (say --unit, --rater, --value)"
    )
    answers.notes += [note] if note not in answers.notes else []
    if not roles["rater"]:
        answers.notes.append(f"no column names the participant: all trials of {path.name} are one rater's")


def parsed(value: Any) -> Any:
    """An answer that may be JSON: the answers of a survey are several questions."""
    if isinstance(value, str) and value.startswith("{"):
        try:
            return json.loads(value)
        except (ValueError, RecursionError):
            return value
    return value


def rows_of(path: Path, options: TrialOptions) -> Iterator[tuple[int, Mapping[str, Any]]]:
    if path.suffix.casefold() == ".json":
        yield from documents(path)
        return
    table = read_table(path, encoding=options.encoding, separator=options.separator)
    texts = [table.columns[name].text().tolist() for name in table.names]
    for line, cells in zip(table.row_numbers.tolist(), zip(*texts, strict=True), strict=True):
        yield line, dict(zip(table.names, cells, strict=True))


def sniff(path: Path, head: str) -> float:
    """The columns that jsPsych writes for every trial; a reaction time beside a button or key is likely its."""
    if path.suffix.casefold() == ".json":
        return SURE * all(f'"{name}"' in head for name in ("trial_type", "trial_index", "time_elapsed"))
    names = header(path, head)
    if {"trial_type", "trial_index", "time_elapsed"} <= names or {"rt", "internal_node_id"} <= names:
        return SURE
    return LIKELY * ("rt" in names and bool({"button_pressed", "key_press"} & names))


FORMAT = Format(
    name="jspsych",
    holds="judgements",
    help="jsPsych's CSV or JSON: a row per trial.",
    read=read,
    endings=(".csv", ".json"),
    options=TrialOptions,
    sniff=sniff,
    most=None,
)
