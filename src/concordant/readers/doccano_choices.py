"""doccano's classifications: JSONL or JSON with a list of labels for each text, CSV, and the older layouts.

Without a user in the records the rater is the name of the file, as doccano writes a file for each; a folder of such
files is read, and so are several. The unit is the text's id.
"""

from pathlib import Path
from typing import Any

from concordant.errors import InputError
from concordant.model.scale import Level
from concordant.model.study import Declared, Study
from concordant.readers.answers import Answer, Answers, TableAnswerOptions
from concordant.readers.format import LIKELY, SURE, Format
from concordant.readers.json_records import documents, first_records
from concordant.readers.rater_files import NOBODY, UNLABELLED
from concordant.readers.table import header, read_table

LABEL = "label"
JOINT = "#"  # what joins several labels in doccano's CSV
TEXT = ("text", "data")
RATERS = ("annotators", "raters", "coders", "workers", "annotator_ids", "worker_ids")  # lists beside the labels' list
NOT_SAID = ("annotation_approver", "Comments", "comments", "meta", "relations", "entities")


def read(*paths: str | Path, options: TableAnswerOptions) -> Study:
    """The labels of all raters."""
    answers = Answers(Path(paths[0]))
    for file in (found for path in paths for found in files_of(Path(path))):
        if file.suffix.casefold() == ".csv":
            add_table(answers, file, options)
        elif file.stem == NOBODY and Path(paths[0]) != file:
            answers.left_out[UNLABELLED] += len(documents(file))
        else:
            for row, record in documents(file):
                add_text(answers, file, row, record)
    answers.missing["no label"] = sum(one.value in (None, "", []) for one in answers.given)
    if all(one.value in (None, "", []) for one in answers.given):
        raise InputError("no text has a label", file=answers.file, hint="is this the export of a classification?")
    answers.scales = {LABEL: Declared(level=Level.NOMINAL)}
    return answers.study(options)


def files_of(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path]
    found = [one for one in sorted(path.iterdir()) if one.suffix.casefold() in (".jsonl", ".json", ".csv")]
    if not found:
        raise InputError("there is no export of doccano in this folder", file=path, hint="name the files")
    return found


def add_text(answers: Answers, file: Path, row: int, record: dict[str, Any]) -> None:
    """One text: its labels, by their users if they are named."""
    unit = str(record.get("id", row))
    known = {name: record[name] for name in TEXT if name in record}
    answers.about.setdefault(unit, known | (record["meta"] if isinstance(record.get("meta"), dict) else {}))
    answers.unused |= dict.fromkeys((n for n in NOT_SAID if n in record and n != "meta"), "it is no label of the text")
    if isinstance(record.get("annotations"), list):
        add_of_users(answers, file, row, unit, record["annotations"])
        return
    labels = record.get("label", record.get("labels", record.get("cats")))
    chosen = [] if labels is None else labels if isinstance(labels, list) else [labels]
    if any(isinstance(one, list | dict) for one in chosen):
        hint = "spans are read by the format doccano"
        raise InputError("the labels are spans, not classes", file=file, row=row, column=LABEL, hint=hint)
    answers.given.append(Answer(unit, str(record.get("user", file.stem)), LABEL, chosen, row))


def add_of_users(answers: Answers, file: Path, row: int, unit: str, annotations: list[Any]) -> None:
    """The older layout: `{"label": 15, "user": 1}` for each label that a user gave."""
    chosen: dict[str, list[Any]] = {}
    for one in annotations:
        if not isinstance(one, dict) or LABEL not in one:
            raise InputError("an annotation has no label", file=file, row=row, column="annotations")
        if "start_offset" in one:
            hint = "spans are read by the format doccano"
            raise InputError("the annotations are spans, not classes", file=file, row=row, hint=hint)
        chosen.setdefault(str(one.get("user", file.stem)), []).append(one[LABEL])
    answers.given += [Answer(unit, user, LABEL, labels, row) for user, labels in chosen.items()]
    answers.left_out["without any annotation"] += not chosen


def add_table(answers: Answers, file: Path, options: TableAnswerOptions) -> None:
    """CSV: a row for each text, or for each label of a user in the older layout."""
    table = read_table(file, encoding=options.encoding, separator=options.separator)
    text = next((name for name in TEXT if name in table.names), None)
    labels, units = table.column(LABEL).text().tolist(), table.column("id").text().tolist()
    users = table.columns["user"].text().tolist() if "user" in table.names else [file.stem] * table.n_rows
    texts = [""] * table.n_rows if text is None else table.columns[text].text().tolist()
    chosen: dict[tuple[str, str], tuple[int, list[str]]] = {}
    for row, unit, user, label, said in zip(table.row_numbers.tolist(), units, users, labels, texts, strict=True):
        answers.about.setdefault(unit, {text: said} if text else {})
        chosen.setdefault((unit, user), (row, []))[1].extend(one for one in label.split(JOINT) if one)
    answers.given += [Answer(unit, user, LABEL, found, row) for (unit, user), (row, found) in chosen.items()]
    read_here = {text, LABEL, "id", "user"}
    answers.unused |= {name: "it is no label of the text" for name in table.names if name not in read_here}


def sniff(path: Path, head: str) -> float:
    """Texts with ids and lists of labels that are no spans; a user or an approver beside them is doccano's own."""
    if path.suffix.casefold() == ".csv":
        names = header(path, head)
        return SURE * (path.is_file() and {"annotation_approver", "id", LABEL, "user"} <= names)
    return max((claim_of(record) for record in first_records(head)), default=0.0)


def claim_of(record: dict[str, Any]) -> float:
    annotations, labels = record.get("annotations"), record.get(LABEL, record.get("labels"))
    is_other = any(name in record for name in ("rater", "_input_hash", *RATERS))
    if is_other or "id" not in record or not any(name in record for name in TEXT):
        return 0.0
    if isinstance(annotations, list) and annotations and all(isinstance(one, dict) for one in annotations):
        return SURE * all(LABEL in one and "user" in one and "start_offset" not in one for one in annotations)
    if isinstance(labels, list) and labels and all(isinstance(one, str | int) for one in labels):
        return SURE if {"Comments", "annotation_approver"} & record.keys() else LIKELY
    return 0.0


FORMAT = Format(
    name="doccano_choices",
    holds="judgements",
    help="doccano's classifications: JSONL, JSON or CSV, a file for each rater or with users.",
    read=read,
    endings=(".jsonl", ".json", ".csv"),
    options=TableAnswerOptions,
    sniff=sniff,
    in_folders=True,
    most=None,
)
