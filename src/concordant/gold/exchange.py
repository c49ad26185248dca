"""A gold standard as other tools take it: tasks of Label Studio, documents of doccano, files of brat, and a codebook.

A unit is a task or a document, its value the answer. What is undecided has no answer there, so that people can give it.

Of spans a text is a task or a document, and must be known: from the data, or from a folder. Every text that has a gold
standard is written, also without a gold span; what is undecided is not.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from pathlib import Path
from typing import Any, Literal

import numpy as np

from concordant.errors import InputError, nearest
from concordant.files import refuse_unwritable, written_whole
from concordant.gold.spans import COLUMNS, GoldSpan, SpanStandard
from concordant.gold.standard import Standards
from concordant.model.scale import Level, guess_level
from concordant.model.study import Study
from concordant.readers.rater_files import text_of

Form = Literal["csv", "label_studio", "doccano", "brat"]
FORMS: tuple[Form, ...] = ("csv", "label_studio", "doccano", "brat")
ONLY = "label"
"""What the only question is called where it has no name."""
LINE_ENDS = re.compile(r"[\t\n\r\v\f\x1c-\x1e\x85\u2028\u2029]")
NOT_IN_A_TYPE = re.compile(r"\s")
Documents = list[tuple[str, str, list[GoldSpan]]]
"""Texts with their names and gold spans."""
CODEBOOK = (
    ("question", "which question; absent where there is one"),
    ("unit", "what was judged"),
    ("value", "the value that was found; empty where it is undecided"),
    ("certainty", "the share of votes for the value, or its posterior probability"),
    ("basis", "where the value comes from: votes, tie, posterior, decided, unanimous, undecided"),
    ("n_votes", "how many judgements the unit has"),
)


def texts_of(study: Study, column: str | None = None) -> dict[str, str]:
    """What was judged, by unit: a column of the units, one called text unless said; without one the unit's name."""
    found = column or next((name for name in study.attribute_of("unit") if name.casefold() == "text"), None)
    if found is None:
        return {}
    if found not in study.attribute_of("unit"):
        study.column(found)
        raise InputError(f"{found!r} is no attribute of units: it differs between the rows of one", hint="name another")
    rows = np.unique(study.unit.codes, return_index=True)[1]
    return dict(zip(study.unit.text()[rows].tolist(), study.attributes[found].text()[rows].tolist(), strict=True))


def write_gold(
    standards: Standards | SpanStandard,
    path: str | Path,
    *,
    form: Form = "csv",
    texts: Mapping[str, str] | Study | str | Path | None = None,
) -> None:
    """Write what `gold` found as `csv` with a codebook beside it, or for `label_studio`, `doccano` or `brat`.

    Of brat `path` is a new folder. `texts` is what raters saw, by unit, or the study that has it as a column `text`;
    otherwise a unit's name stands for it. Of spans `texts` are the texts by name, or the folder of their files; without
    them those that the data hold. Of spans CSV writes what is undecided beside, and needs no texts.
    """
    if form not in FORMS:
        raise InputError(f"unknown form {form!r}", hint=nearest(form, FORMS))
    if isinstance(standards, SpanStandard):
        if isinstance(texts, Study):
            raise InputError("a study of judgements does not hold the texts of spans", hint="give them by name")
        made: str | Iterator[str] | dict[str, str] = _spans_made(standards, form, texts)
    else:
        if isinstance(texts, str | Path):
            raise InputError("texts of units come by unit, or from the study", hint="give a mapping, or the study")
        made = _made(standards, form, texts_of(texts) if isinstance(texts, Study) else texts or {})
    if isinstance(made, dict):
        _write_folder(made, Path(path))
        return
    beside_it: dict[str, Iterable[str]] = {"": [made] if isinstance(made, str) else made}
    if form == "csv":
        beside_it["codebook."] = [codebook(standards)]
        if isinstance(standards, SpanStandard):  # written even if empty: an older one would tell of another run
            beside_it["undecided."] = [standards.to_csv(undecided=True)]
    for what, pieces in beside_it.items():
        goal = Path(path) if not what else Path(path).with_name(f"{Path(path).stem}.{what}csv")
        with written_whole(goal) as beside, beside.open("w", encoding="utf-8", newline="") as file:
            file.writelines(pieces)


def _made(standards: Standards, form: Form, texts: Mapping[str, str]) -> str | Iterator[str] | dict[str, str]:
    """A file with the values of units, or files by name."""
    if form == "brat":
        return brat(standards, texts)
    other = label_studio if form == "label_studio" else doccano
    return standards.csv_parts() if form == "csv" else other(standards, texts)


def _spans_made(found: SpanStandard, form: Form, texts: Mapping[str, str] | str | Path | None) -> str | dict[str, str]:
    """A file with gold spans, or files by name."""
    if form == "csv":
        return found.to_csv()
    documents = documents_of(found, texts)
    if form == "brat":
        return brat_spans(documents)
    return label_studio_spans(documents) if form == "label_studio" else doccano_spans(documents)


def codebook(standards: Standards | SpanStandard) -> str:
    """What the columns of the CSV file hold."""
    if isinstance(standards, SpanStandard):
        return _table_of(COLUMNS.items())
    several = len(standards) > 1
    rows = [(name, about) for name, about in CODEBOOK if several or name != "question"]
    categories = dict.fromkeys(name for found in standards.values() for name in found.categories)
    rows += [(f"p_{name}", f"the share of votes for {name}, or its posterior probability") for name in categories]
    return _table_of(rows)


def _table_of(rows: Iterable[tuple[str, str]]) -> str:
    """A codebook as CSV."""
    return "column,meaning\n" + "".join(f"{_quoted(name)},{_quoted(about)}\n" for name, about in rows)


def _quoted(text: str) -> str:
    """A cell of CSV."""
    doubled = text.replace('"', '""')
    return f'"{doubled}"' if re.search(r'[",\n\r]', text) else text


def choices_by_unit(standards: Standards) -> dict[str, dict[str, tuple[list[str], float]]]:
    """What was chosen for each unit, by question, and how sure that is; nothing where it is undecided."""
    found: dict[str, dict[str, tuple[list[str], float]]] = {}
    for question, one in standards.items():
        are_sets = guess_level(one.categories) is Level.SET
        for value in one.values:
            chosen = [] if value.value is None else value.value.split("+") if are_sets else [value.value]
            found.setdefault(value.unit, {})[question or ONLY] = (chosen, value.certainty)
    return found


def labels_of(choices: Mapping[str, tuple[list[str], float]], joint: str) -> list[str]:
    """The labels of a unit; of several questions a label says which it answers."""
    given = [(question, one) for question, (chosen, _) in choices.items() for one in chosen]
    return [one if len(choices) == 1 else f"{question}{joint}{one}" for question, one in given]


def label_studio(standards: Standards, texts: Mapping[str, str]) -> str:
    """Tasks with one annotation each, marked as ground truth, for an import of JSON; the unit is in the task's data."""
    tasks: list[dict[str, Any]] = []
    for unit, choices in choices_by_unit(standards).items():
        result = [
            {"from_name": question, "to_name": "text", "type": "choices", "value": {"choices": chosen}}
            for question, (chosen, _) in choices.items()
            if chosen
        ]
        sure = {f"certainty_{question}": certainty for question, (_, certainty) in choices.items()}
        task = {"data": {"text": texts.get(unit, unit), "unit": unit, **sure}}
        tasks.append(task | ({"annotations": [{"ground_truth": True, "result": result}]} if result else {}))
    return json.dumps(tasks, ensure_ascii=False, indent=1) + "\n"


def doccano(standards: Standards, texts: Mapping[str, str]) -> str:
    """A document in each line, with its labels; of several questions a label says which it answers."""
    lines = [
        {"id": unit, "text": texts.get(unit, unit), "label": labels_of(choices, ": ")}
        for unit, choices in choices_by_unit(standards).items()
    ]
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)


def brat(standards: Standards, texts: Mapping[str, str]) -> dict[str, str]:
    """Files of brat by name: the text of each unit, and one annotation over all of it for each value."""
    files: dict[str, str] = {}
    for number, (unit, choices) in enumerate(choices_by_unit(standards).items(), start=1):
        name = re.sub(r"[^\w.-]+", "_", unit)[:80] or "unit"
        name = name if f"{name}.txt" not in files else f"{name}_{number}"
        text = re.sub(r"[\r\n]+", " ", texts.get(unit, unit))
        labels = [re.sub(r"\W+", "_", label) for label in labels_of(choices, "_")]
        files[f"{name}.txt"] = text
        files[f"{name}.ann"] = "".join(f"T{i}\t{label} 0 {len(text)}\t{text}\n" for i, label in enumerate(labels, 1))
    return files


def _write_folder(files: Mapping[str, str], folder: Path) -> None:
    """Write files into a new folder, all or none."""
    refuse_unwritable(folder / "x" if folder.is_dir() else folder)
    if folder.exists():
        raise InputError("this is there already", file=folder, hint="name a new folder")
    beside = folder.with_name(f".{folder.name}-new")
    beside.mkdir()
    try:
        for name, text in files.items():
            (beside / name).write_text(text, encoding="utf-8", newline="")
        beside.rename(folder)
    finally:
        if beside.exists():
            for file in beside.iterdir():
                file.unlink()
            beside.rmdir()


def documents_of(found: SpanStandard, texts: Mapping[str, str] | str | Path | None) -> Documents:
    """Every text with its name and its gold spans; texts that do not fit the spans are refused."""
    if found.positions == "time":
        raise InputError("positions are times, and this tool shows texts", hint="write CSV")
    spans: dict[str, list[GoldSpan]] = {name: [] for name in sorted(found.texts)}
    for one in found.spans:
        spans[one.text].append(one)
    return [(name, _text_of(name, own, found, texts), own) for name, own in spans.items()]


def _text_of(
    name: str, spans: Sequence[GoldSpan], found: SpanStandard, texts: Mapping[str, str] | str | Path | None
) -> str:
    """What a text says, if its spans lie in it."""
    known = found.contents if texts is None else texts
    if isinstance(known, Mapping):
        if name not in known:
            raise InputError(f"the text {name!r} is not known", hint="name the folder of the texts with --texts")
        text = known[name]
    else:
        folder = Path(known)
        file = folder / f"{name}.txt" if folder.is_dir() else folder
        if not file.exists() or (not folder.is_dir() and len(found.texts) > 1):
            raise InputError(f"there is no text {name!r}", file=file, hint="give the folder that holds NAME.txt of all")
        text = text_of(file)
    length = found.lengths.get(name)
    if length is not None and length != len(text):
        what = f"the text {name!r} has {len(text):,} characters, and the data say {length:,.0f}"
        raise InputError(what, hint="check that it is the right text, and that positions are characters, not tokens")
    for one in spans:
        if one.end > len(text) or one.begin != int(one.begin) or one.end != int(one.end):
            what = f"the span {one.begin:g}-{one.end:g} is not one of the {len(text):,} characters of {name!r}"
            raise InputError(what, hint="check that the text is the right one")
    return text


def label_studio_spans(documents: Documents) -> str:
    """Tasks with one annotation each, marked as ground truth; positions are counted in UTF-16, as the tool does."""
    tasks = []
    for name, text, spans in documents:
        wide = list(accumulate((1 + (sign > "\uffff") for sign in text), initial=0))
        result = [
            {
                "from_name": "label",
                "to_name": "text",
                "type": "labels",
                "value": {
                    "start": wide[int(one.begin)],
                    "end": wide[int(one.end)],
                    "text": text[int(one.begin) : int(one.end)],
                    "labels": [one.category] if one.category else [],
                },
            }
            for one in spans
        ]
        annotations = [{"ground_truth": True, "result": result}]
        tasks.append({"data": {"text": text, "unit": name}, "annotations": annotations})
    return json.dumps(tasks, ensure_ascii=False, indent=1) + "\n"


def doccano_spans(documents: Documents) -> str:
    """A document in each line, with its spans."""
    lines: list[dict[str, Any]] = [
        {"id": name, "text": text, "label": [[int(one.begin), int(one.end), one.category] for one in spans]}
        for name, text, spans in documents
    ]
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)


def brat_spans(documents: Documents) -> dict[str, str]:
    """Files of brat by name; what it cannot hold is refused, not changed."""
    files: dict[str, str] = {}
    for name, text, spans in documents:
        if not name or "/" in name or "\\" in name or name.startswith("."):
            raise InputError(f"the text {name!r} cannot be the name of a file", hint="write CSV, or rename the texts")
        for one in spans:
            if not one.category or NOT_IN_A_TYPE.search(one.category):
                raise InputError(f"brat has no type {one.category!r}", hint="types have a name without blanks")
        files[f"{name}.txt"] = ("\ufeff" if text.startswith("\ufeff") else "") + text
        files[f"{name}.ann"] = "".join(
            f"T{i}\t{one.category} {int(one.begin)} {int(one.end)}\t"
            f"{LINE_ENDS.sub(' ', text[int(one.begin) : int(one.end)])}\n"
            for i, one in enumerate(spans, 1)
        )
    return files
