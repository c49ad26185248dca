"""Judgements written as other tools export them: what their readers must give back."""

import csv
import io
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

Table = Mapping[str, list[str]]  # unit, rater and value, a row for each judgement


def records(table: Table) -> list[dict[str, str]]:
    """The rows as objects."""
    return [dict(zip(table, row, strict=True)) for row in zip(*table.values(), strict=True)]


def by(role: str, table: Table) -> dict[str, list[dict[str, str]]]:
    """The rows of each unit or rater."""
    found: dict[str, list[dict[str, str]]] = {}
    for row in records(table):
        found.setdefault(row[role], []).append(row)
    return found


def spread(table: Table) -> dict[str, list[str]]:
    """One row for each unit, one column for each rater."""
    known = {(row["unit"], row["rater"]): row["value"] for row in records(table)}
    units, raters = list(dict.fromkeys(table["unit"])), list(dict.fromkeys(table["rater"]))
    return {"unit": units} | {rater: [known.get((unit, rater), "") for unit in units] for rater in raters}


def lines(file: Path, rows: list[Any]) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")


def table_file(file: Path, rows: list[list[str]], separator: str = ",") -> None:
    """A file with all cells quoted."""
    stream = io.StringIO()
    csv.writer(stream, delimiter=separator, quoting=csv.QUOTE_ALL).writerows(rows)
    file.write_text(stream.getvalue(), encoding="utf-8", newline="")


def label_studio(table: Table, file: Path) -> None:
    """Tasks with the annotations of raters."""
    tasks = []
    for number, (unit, mine) in enumerate(by("unit", table).items(), start=1):
        annotations = [
            {"id": number * 100 + i, "completed_by": {"email": row["rater"]}, "result": [
                {"from_name": "q", "to_name": "text", "type": "choices", "value": {"choices": [row["value"]]}}
            ]}
            for i, row in enumerate(mine)
        ]  # fmt: skip
        tasks.append({"id": number, "data": {"text": unit}, "annotations": annotations})
    file.write_text(json.dumps(tasks), encoding="utf-8")


def label_studio_csv(table: Table, file: Path) -> None:
    """One row for each annotation."""
    places = {unit: str(i) for i, unit in enumerate(dict.fromkeys(table["unit"]), start=1)}
    rows = [[str(i), row["rater"], row["unit"], places[row["unit"]], row["value"], "3.1", "2030-01-01T10:00:00Z"]
            for i, row in enumerate(records(table), start=1)]  # fmt: skip
    table_file(file, [["annotation_id", "annotator", "text", "id", "q", "lead_time", "created_at"], *rows])


def prodigy(table: Table, file: Path) -> None:
    """Lines with the option accepted."""
    options = [{"id": value, "text": value} for value in dict.fromkeys(table["value"])]
    lines(file, [
        {"text": row["unit"], "_input_hash": int.from_bytes(row["unit"].encode()[-4:], "big"), "_task_hash": 1,
         "_annotator_id": row["rater"], "options": options, "accept": [row["value"]], "answer": "accept"}
        for row in records(table)
    ])  # fmt: skip


def doccano(table: Table, folder: Path) -> None:
    """A file for each rater, with all texts of the project."""
    for rater, mine in by("rater", table).items():
        lines(folder / f"{rater}.jsonl", [
            {"id": row["unit"], "text": f"Text of {row['unit']}", "label": [row["value"]], "Comments": []} for row in mine
        ])  # fmt: skip


def argilla(table: Table, file: Path) -> None:
    """Records with the responses of users."""
    lines(file, [
        {"id": unit, "fields": {"text": unit}, "responses": [
            {"values": {"q": {"value": row["value"]}}, "status": "submitted", "user_id": row["rater"]} for row in mine
        ]}
        for unit, mine in by("unit", table).items()
    ])  # fmt: skip


def labelbox(table: Table, file: Path) -> None:
    """A label of the first version for each judgement."""
    labels = [
        {"ID": f"{row['unit']}{row['rater']}", "DataRow ID": row["unit"], "Created By": row["rater"], "Label": {
            "objects": [], "classifications": [{"title": "q", "answer": {"title": row["value"]}}]}}
        for row in records(table)
    ]  # fmt: skip
    file.write_text(json.dumps(labels), encoding="utf-8")


def lighttag(table: Table, file: Path) -> None:
    """Examples with the annotators of each class."""
    examples = []
    for unit, mine in by("unit", table).items():
        given: dict[str, list[dict[str, str]]] = {}
        for row in mine:
            given.setdefault(row["value"], []).append({"annotator": row["rater"]})
        classes = [{"classname": value, "annotated_by": who} for value, who in given.items()]
        examples.append({"example_id": unit, "content": unit, "annotations": [], "classifications": classes})
    file.write_text(json.dumps({"schema": {"name": "s"}, "examples": examples, "relations": []}), encoding="utf-8")


def potato(table: Table, folder: Path) -> None:
    """A folder for each user."""
    for rater, mine in by("rater", table).items():
        labels = {row["unit"]: [[{"schema": "q", "name": row["value"]}, "true"]] for row in mine}
        state = {"user_id": rater, "instance_id_ordering": list(labels), "instance_id_to_label_to_value": labels}
        lines(folder / rater / "user_state.json", [state])


def tagtog(table: Table, folder: Path) -> None:
    """A folder for each member, with the label of each document."""
    for rater, mine in by("rater", table).items():
        for row in mine:
            label = {"m_1": {"value": row["value"], "confidence": {"state": "pre-added", "who": [f"user:{rater}"]}}}
            made = {"annotatable": {"parts": ["s1v1"]}, "anncomplete": True, "metas": label, "entities": []}
            lines(folder / "ann.json/members" / rater / "pool" / f"{row['unit']}.ann.json", [made])


def mturk(table: Table, file: Path) -> None:
    """The results of a batch."""
    names = ["HITId", "AssignmentId", "WorkerId", "AssignmentStatus", "WorkTimeInSeconds", "Input.text", "Answer.q"]
    rows = [[row["unit"], f"a{i}", row["rater"], "Approved", "5", f"Text of {row['unit']}", row["value"]]
            for i, row in enumerate(records(table))]  # fmt: skip
    table_file(file, [names, *rows])


def mturk_standardized(table: Table, file: Path) -> None:
    """As Snow et al. (2008) published theirs."""
    rows = [[str(i), row["rater"], row["unit"], row["value"], ""] for i, row in enumerate(records(table))]
    table_file(file, [["!amt_annotation_ids", "!amt_worker_ids", "orig_id", "response", "gold"], *rows], "\t")


def toloka(table: Table, file: Path) -> None:
    """The assignments of a pool."""
    names = ["INPUT:text", "OUTPUT:q", "GOLDEN:q", "ASSIGNMENT:task_id", "ASSIGNMENT:worker_id", "ASSIGNMENT:status"]
    rows = [[row["unit"], row["value"], "", row["unit"], row["rater"], "APPROVED"] for row in records(table)]
    table_file(file, [names, *rows], "\t")


def jspsych(table: Table, file: Path) -> None:
    """Trials of participants."""
    names = ["trial_type", "trial_index", "time_elapsed", "participant", "item", "choice"]
    rows = [
        ["html", str(i), str(i * 9), row["rater"], row["unit"], row["value"]] for i, row in enumerate(records(table))
    ]
    table_file(file, [names, *rows])


def redcap(table: Table, file: Path) -> None:
    """Repeated instruments with a field that names the rater."""
    n: dict[str, int] = {}
    rows = []
    for row in records(table):
        n[row["unit"]] = n.get(row["unit"], 0) + 1
        rows.append([row["unit"], "rating", str(n[row["unit"]]), row["rater"], row["value"], "2"])
    names = ["record_id", "redcap_repeat_instrument", "redcap_repeat_instance", "rater", "grade", "rating_complete"]
    table_file(file, [names, *rows])


def pcibex(table: Table, file: Path) -> None:
    """Results of choices, whose commas are written as %2C."""
    names = ["Results reception time", "MD5 hash of participant's IP address", "Controller name", "Order number of item",
             "Inner element number", "Label", "Latin Square Group", "PennElementType", "PennElementName", "Parameter",
             "Value", "EventTime", "participant", "item", "Comments"]  # fmt: skip
    text = [
        "#",
        "# Results on Monday, January 01 2024 10:00:00 UTC",
        "#",
        "# Columns below this comment are as follows:",
    ]
    text += [f"# {i}. {name}." for i, name in enumerate(names, start=1)]
    times = {rater: str(1_700_000_000 + i) for i, rater in enumerate(dict.fromkeys(table["rater"]))}
    for row in records(table):
        value = row["value"].replace("%", "%25").replace(",", "%2C")
        cells = [times[row["rater"]], row["rater"], "PennController", "1", "0", "rate", "NULL", "Selector", "q",
                 "Selection", value, "1700000000200", row["rater"], row["unit"], "NULL"]  # fmt: skip
        text.append(",".join(cells))
    file.write_text("\n".join(text) + "\n", encoding="utf-8")


def qualtrics(table: Table, file: Path) -> None:
    """A row for each respondent below three headers; the units are statements."""
    wide = spread(table)
    units, raters = wide.pop("unit"), list(wide)
    names = ["StartDate", "Status", "ResponseId", *(f"q_{i}" for i in range(1, len(units) + 1))]
    ids = ["startDate", "status", "_recordId", *(f"QID1_{i}" for i in range(1, len(units) + 1))]
    texts = ["Start Date", "Response Type", "Response ID", *(f"How is it? - {unit}" for unit in units)]
    third = [json.dumps({"ImportId": one}) for one in ids]
    rows = [["2030-01-02 10:00:00", "0", rater, *wide[rater]] for rater in raters]
    table_file(file, [names, texts, third, *rows])


def pairs(table: Table, file: Path) -> None:
    """A row for each unit, with a pair of rater and judgement for each."""
    own = by("unit", table)
    most = max(map(len, own.values()))
    names = ["unit", *(f"{what}_{i}" for i in range(1, most + 1) for what in ("rater", "value"))]
    rows = []
    for unit, mine in own.items():
        cells = [cell for row in mine for cell in (row["rater"], row["value"])]
        rows.append([unit, *cells, *[""] * (2 * most - len(cells))])
    table_file(file, [names, *rows])


OPTIONS: dict[str, dict[str, Any]] = {"label_studio_choices, a table": {"questions": ["q"]}}
"""What must be said where a file does not tell it: a table of Label Studio does not say which column is an answer."""
WRITERS: dict[str, tuple[str, Callable[[Table, Path], object]]] = {
    "label_studio_choices": (".json", label_studio),
    "label_studio_choices, a table": (".csv", label_studio_csv),
    "prodigy_choices": (".jsonl", prodigy),
    "doccano_choices": ("", doccano),
    "argilla_choices": (".jsonl", argilla),
    "labelbox_choices": (".json", labelbox),
    "lighttag_choices": (".json", lighttag),
    "potato": ("", potato),
    "tagtog_choices": ("", tagtog),
    "mturk": (".csv", mturk),
    "mturk_standardized": (".tsv", mturk_standardized),
    "toloka": (".tsv", toloka),
    "jspsych": (".csv", jspsych),
    "redcap": (".csv", redcap),
    "pcibex": (".csv", pcibex),
    "qualtrics": (".csv", qualtrics),
    "table, pairs": (".csv", pairs),
}
"""The ending of a file, none for a folder, and what writes it; the name begins with that of the format."""
