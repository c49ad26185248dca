"""Spans written as other tools export them: what their readers must give back."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import accumulate
from pathlib import Path
from typing import Any

import polars as pl

from concordant.gold.exchange import brat_spans, doccano_spans, label_studio_spans
from concordant.gold.spans import GoldSpan
from concordant.model.spans import Mark
from tests.readers.tools import lines, table_file

Texts = Mapping[str, str]  # what each text says, by its name


def by_rater(marks: Sequence[Mark]) -> dict[tuple[str, str], list[Mark]]:
    """The spans of each text by each rater."""
    found: dict[tuple[str, str], list[Mark]] = {}
    for mark in marks:
        found.setdefault((mark.text, mark.rater), []).append(mark)
    return found


def raters_of(name: str, marks: Sequence[Mark]) -> Iterator[tuple[str, list[Mark]]]:
    """Who marked a text, and what."""
    yield from ((rater, own) for (text, rater), own in by_rater(marks).items() if text == name)


def columns(marks: Sequence[Mark]) -> dict[str, list[Any]]:
    names = ("text", "rater", "begin", "end", "category")
    return {name: [getattr(mark, name) for mark in marks] for name in names}


def table(marks: Sequence[Mark], texts: Texts, file: Path) -> None:
    """A row for each span."""
    cells = columns(marks)
    table_file(file, [list(cells), *([str(cell) for cell in row] for row in zip(*cells.values(), strict=True))])


def label_studio(marks: Sequence[Mark], texts: Texts, file: Path) -> None:
    """Tasks with the annotations of raters, positions counted in UTF-16."""
    tasks: list[dict[str, Any]] = []
    for name, text in texts.items():
        wide = list(accumulate((1 + (sign > "\uffff") for sign in text), initial=0))
        annotations = [
            {"completed_by": {"email": rater}, "result": [
                {"type": "labels", "from_name": "label", "to_name": "text", "value": {
                    "start": wide[int(m.begin)], "end": wide[int(m.end)], "labels": [m.category],
                    "text": text[int(m.begin) : int(m.end)]}}
                for m in own
            ]}
            for rater, own in raters_of(name, marks)
        ]  # fmt: skip
        tasks.append({"id": int(name), "data": {"text": text}, "annotations": annotations})
    file.write_text(json.dumps(tasks), encoding="utf-8")


def prodigy(marks: Sequence[Mark], texts: Texts, file: Path) -> None:
    """A line for each answer."""
    lines(file, [
        {"text": texts[name], "_input_hash": int(name), "_task_hash": 1, "_annotator_id": rater, "answer": "accept",
         "spans": [{"start": m.begin, "end": m.end, "label": m.category} for m in own]}
        for (name, rater), own in by_rater(marks).items()
    ])  # fmt: skip


def doccano(marks: Sequence[Mark], texts: Texts, folder: Path) -> None:
    """A file for each rater."""
    for rater in dict.fromkeys(mark.rater for mark in marks):
        lines(folder / f"{rater}.jsonl", [
            {"id": int(name), "text": texts[name], "label": [[m.begin, m.end, m.category] for m in own]}
            for (name, who), own in by_rater(marks).items() if who == rater
        ])  # fmt: skip


def argilla(marks: Sequence[Mark], texts: Texts, file: Path) -> None:
    """Records with the responses of users."""
    lines(file, [
        {"id": name, "fields": {"text": text}, "responses": [
            {"user_id": rater, "status": "submitted", "values": {"q": {"value": [
                {"start": m.begin, "end": m.end, "label": m.category} for m in own]}}}
            for rater, own in raters_of(name, marks)
        ]}
        for name, text in texts.items()
    ])  # fmt: skip


def lighttag(marks: Sequence[Mark], texts: Texts, file: Path) -> None:
    """Examples with the annotators of each span."""
    examples = [
        {"example_id": name, "content": text, "classifications": [], "annotations": [
            {"start": m.begin, "end": m.end, "tag": m.category, "annotated_by": [{"annotator": rater}]}
            for rater, own in raters_of(name, marks) for m in own
        ]}
        for name, text in texts.items()
    ]  # fmt: skip
    file.write_text(json.dumps({"examples": examples, "relations": []}), encoding="utf-8")


def labelbox(marks: Sequence[Mark], texts: Texts, file: Path) -> None:
    """A label of the first version for each text of each rater; ends are the places of last characters."""
    labels = [
        {"ID": f"{name}{rater}", "DataRow ID": name, "External ID": name, "Created By": rater, "Label": {
            "classifications": [], "objects": [
                {"title": m.category, "data": {"location": {"start": m.begin, "end": m.end - 1}}} for m in own]}}
        for (name, rater), own in by_rater(marks).items()
    ]  # fmt: skip
    file.write_text(json.dumps(labels), encoding="utf-8")


def golden(name: str, text: str, own: Sequence[Mark]) -> tuple[str, str, list[GoldSpan]]:
    """A text with the spans of one rater as a gold standard has them."""
    how: dict[str, Any] = {"basis": "votes", "n_marked": 1, "n_raters": 1}
    return name, text, [
        GoldSpan(text=name, begin=m.begin, end=m.end, category=m.category, begins=(m.begin, m.begin),
                 ends=(m.end, m.end), votes={m.category: 1}, **how)
        for m in own
    ]  # fmt: skip


def brat(marks: Sequence[Mark], texts: Texts, folder: Path) -> None:
    """A folder for each rater, written as `gold --form brat` writes one."""
    for (name, rater), own in by_rater(marks).items():
        for file, content in brat_spans([golden(name, texts[name], own)]).items():
            (folder / rater).mkdir(parents=True, exist_ok=True)
            (folder / rater / file).write_text(content, encoding="utf-8", newline="")


def doccano_gold(marks: Sequence[Mark], texts: Texts, folder: Path) -> None:
    """A file for each rater, as `gold --form doccano` writes one."""
    folder.mkdir()
    for rater in dict.fromkeys(mark.rater for mark in marks):
        own = [golden(name, texts[name], of) for (name, who), of in by_rater(marks).items() if who == rater]
        (folder / f"{rater}.jsonl").write_text(doccano_spans(own), encoding="utf-8")


def label_studio_gold(marks: Sequence[Mark], texts: Texts, file: Path) -> None:
    """Tasks as `gold --form label_studio` writes them, with the annotations of all raters in each."""
    tasks: dict[str, Any] = {}
    for (name, rater), own in by_rater(marks).items():
        [task] = json.loads(label_studio_spans([golden(name, texts[name], own)]))
        [annotation] = task["annotations"]
        tasks.setdefault(name, {**task, "annotations": []})["annotations"].append({**annotation, "completed_by": rater})
    file.write_text(json.dumps(list(tasks.values())), encoding="utf-8")


def conll(marks: Sequence[Mark], texts: Texts, folder: Path) -> None:
    """A folder for each rater; every character of the text is a token."""
    for (name, rater), own in by_rater(marks).items():
        tags = ["O"] * len(texts[name])
        for m in own:
            tags[int(m.begin) : int(m.end)] = [f"B-{m.category}"] + [f"I-{m.category}"] * int(m.end - m.begin - 1)
        (folder / rater).mkdir(parents=True, exist_ok=True)
        rows = "".join(f"token{i}\t{tag}\n" for i, tag in enumerate(tags))
        (folder / rater / f"{name}.conll").write_text(rows, encoding="utf-8")


def rttm(marks: Sequence[Mark], texts: Texts, folder: Path) -> None:
    """A file of turns for each rater."""
    folder.mkdir()
    for rater in dict.fromkeys(mark.rater for mark in marks):
        turns = [m for m in marks if m.rater == rater]
        (folder / f"{rater}.rttm").write_text("".join(
            f"SPEAKER {m.text} 1 {m.begin} {m.end - m.begin} <NA> <NA> {m.category} <NA> <NA>\n" for m in turns
        ), encoding="utf-8")  # fmt: skip


def potato_spans(marks: Sequence[Mark], texts: Texts, folder: Path) -> None:
    """A folder for each annotator, with what was highlighted in each instance."""
    for rater in sorted({mark.rater for mark in marks}):
        made: dict[str, list[Any]] = {}
        for one in (mark for mark in marks if mark.rater == rater):
            span = {"schema": "q", "name": one.category, "title": "", "start": int(one.begin), "end": int(one.end)}
            made.setdefault(one.text, []).append([span, "true"])
        state = {"user_id": rater, "instance_id_to_label_to_value": {}, "instance_id_to_span_to_value": made}
        (folder / rater).mkdir(parents=True)
        (folder / rater / "user_state.json").write_text(json.dumps(state), encoding="utf-8")


WRITERS: dict[str, tuple[str, Callable[[Sequence[Mark], Texts, Path], object]]] = {
    "long": (".csv", table),
    "long, parquet": (".parquet", lambda marks, texts, file: pl.DataFrame(columns(marks)).write_parquet(file)),
    "long, lines": (".jsonl", lambda marks, texts, file: pl.DataFrame(columns(marks)).write_ndjson(file)),
    "label_studio": (".json", label_studio),
    "label_studio, gold": (".json", label_studio_gold),
    "prodigy": (".jsonl", prodigy),
    "doccano": ("", doccano),
    "doccano, gold": ("", doccano_gold),
    "argilla": (".jsonl", argilla),
    "lighttag": (".json", lighttag),
    "labelbox": (".json", labelbox),
    "brat, gold": ("", brat),
    "conll": ("", conll),
    "rttm": ("", rttm),
    "potato_spans": ("", potato_spans),
}
"""The ending of a file, none for a folder, and what writes it; the name begins with that of the format."""
APART = ("conll", "rttm")
"""Formats whose spans of one rater do not overlap."""
