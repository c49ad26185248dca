"""Prodigy's JSONL: choices, texts accepted or rejected for a label (`textcat`), and spans (`ner.manual` and the like).

A line is what one annotator said of one input; the input is named by `_input_hash`, the annotator by `_annotator_id` or
`_session_id`, without the name of the data set that Prodigy puts before it in choices. A rejected or ignored choice is
missing; of spans only accepted answers count, and of two answers to one text the last. Of a review the annotators'
versions are read, and the reviewer's decision is not.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from concordant.errors import InputError
from concordant.model.scale import Level
from concordant.model.spans import Mark
from concordant.model.study import Declared, Study
from concordant.readers.answers import Answer, AnswerOptions, Answers
from concordant.readers.format import SURE, Format
from concordant.readers.json_records import documents, first_records
from concordant.readers.rater_files import Marked, Part, span_format

CHOICE = "choice"
REASONS = {
    "reject": "rejected by the annotator",
    "ignore": "ignored by the annotator",
    None: "a text without an answer",
}
BINARY = "ner"  # the view in which spans are proposed one at a time
OWN = ("_input_hash", "_task_hash", "_view_id", "_timestamp", "_annotator_id", "_session_id", "_is_binary", "config")
NOT_ATTRIBUTES = {
    *OWN,
    "accept",
    "answer",
    "options",
    "text",
    "label",
    "meta",
    "id",
    "html",
    "image",
    "priority",
    "score",
    "sessions",
    "default",
}
REVIEWED = "a reviewer's decision is not a rater's judgement"


def read(path: str | Path, options: AnswerOptions) -> Study:
    """The choices of all annotators in a file."""
    file = Path(path)
    answers = Answers(file)
    records = documents(file)
    for row, record in records:
        for one in versions_of(record):
            add_line(answers, row, one)
        answers.left_out[REVIEWED] += is_reviewed(record)
    names = without_data_set([one.rater for one in answers.given])
    answers.given = [one._replace(rater=names[one.rater]) for one in answers.given]
    answers.scales = scales_of([one for _, record in records for one in versions_of(record)])
    kept = {"_timestamp", "options", "config", "text", "html", "image"} & {name for _, one in records for name in one}
    answers.unused |= dict.fromkeys(sorted(kept), "it says how the question was shown, not what was answered")
    return answers.study(options)


def is_reviewed(record: Mapping[str, Any]) -> bool:
    """Whether a line is what a reviewer decided, with the versions of the annotators."""
    versions = record.get("versions")
    return isinstance(versions, list) and bool(versions) and all(isinstance(one, dict) for one in versions)


def versions_of(record: dict[str, Any]) -> list[dict[str, Any]]:
    """The answers in a line: itself, or, of a review, what each of the annotators said before."""
    if not is_reviewed(record):
        return [record]
    hashes = {name: record[name] for name in ("_input_hash", "_task_hash", "text") if name in record}
    return [
        {"answer": record.get("answer")} | hashes | one | {"_annotator_id": who, "_session_id": who}
        for one in record["versions"]
        for who in one.get("sessions") or ()
    ]


def add_line(answers: Answers, row: int, record: dict[str, Any]) -> None:
    """One line: a choice, or a label that was accepted or rejected."""
    if "_input_hash" not in record or "answer" not in record:
        what = "this line has no _input_hash or no answer"
        raise InputError(what, file=answers.file, row=row, hint="write the file with `prodigy db-out`")
    unit = str(record["_input_hash"])
    rater = str(record.get("_annotator_id") or record.get("_session_id") or answers.file.stem)
    answers.about.setdefault(unit, {name: v for name, v in record.items() if name not in NOT_ATTRIBUTES})
    if "options" in record or "accept" in record:
        chosen = record.get("accept") or []
        if not isinstance(chosen, list):
            raise InputError("`accept` is not a list", file=answers.file, row=row, column="accept")
        is_chosen = record["answer"] == "accept"
        answers.given.append(Answer(unit, rater, CHOICE, chosen if is_chosen else None, row))
        if not (is_chosen and chosen):
            answers.missing["accepted with nothing chosen" if is_chosen else f"answered with {record['answer']}"] += 1
    elif isinstance(record.get("label"), str):
        is_given = record["answer"] != "ignore"
        answers.given.append(Answer(unit, rater, record["label"], record["answer"] if is_given else None, row))
        answers.missing["ignored"] += not is_given
    else:
        answers.left_out["neither a choice nor a label"] += 1


def without_data_set(raters: Sequence[str]) -> dict[str, str]:
    """The annotators' own names: Prodigy writes DATASET-NAME."""
    distinct = list(dict.fromkeys(raters))
    heads = {name.rpartition("-")[0] for name in distinct}
    start = len(heads.pop()) + 1 if len(distinct) > 1 and len(heads) == 1 and all("-" in one for one in distinct) else 0
    return {name: name[start:] or name for name in distinct}


def scales_of(records: Sequence[dict[str, Any]]) -> dict[str, Declared]:
    """How many options may be chosen, and which there are if all lines show the same."""
    styles = Counter(str((one.get("config") or {}).get("choice_style", "")) for one in records if "options" in one)
    shown = {
        tuple(str(option.get("id")) for option in one["options"] if isinstance(option, dict))
        for one in records
        if isinstance(one.get("options"), list)
    }
    categories = shown.pop() if len(shown) == 1 else None
    if "multiple" in styles:
        return {CHOICE: Declared(level=Level.SET)}
    if any(len(one.get("accept") or ()) > 1 for one in records):
        return {}
    return {CHOICE: Declared(level=Level.NOMINAL, categories=categories)} if styles else {}


def of_file(part: Part) -> Marked:
    """The spans of one file."""
    answers: dict[tuple[str, str], list[Mark]] = {}
    lengths: dict[str, float] = {}
    left_out: list[str] = []
    unused: dict[str, str] = {}
    records = documents(part.file)
    left_out += [REVIEWED for _, record in records if is_reviewed(record)]
    for row, record in ((place, one) for place, whole in records for one in versions_of(whole)):
        text = str(record.get("_input_hash", row))
        rater = str(record.get("_annotator_id") or record.get("_session_id") or part.rater)
        lengths[text] = float(len(str(record.get("text", ""))))
        answer = record.get("answer")
        if answer != "accept":
            left_out.append(REASONS.get(answer, f"the answer {answer!r}"))
            continue
        found = [Mark(text, rater, *span) for span in spans_of(record, part.file, row)]
        before = answers.get((text, rater))
        if before is not None and record.get("_view_id") == BINARY:
            found = [*before, *(mark for mark in found if mark not in before)]
        elif before is not None:
            left_out.append("an earlier answer to the same text")
        answers[text, rater] = found
        unused |= {"relations": "relations are not compared"} if record.get("relations") else {}
    return Marked([mark for found in answers.values() for mark in found], lengths, answers, unused, left_out)


def spans_of(record: dict[str, Any], file: Path, row: int) -> list[tuple[float, float, str]]:
    """The spans of one answer."""
    try:
        return [
            (float(one["start"]), float(one["end"]), str(one.get("label", ""))) for one in record.get("spans") or []
        ]
    except (TypeError, ValueError, KeyError, AttributeError) as error:
        raise InputError("a span has no start and end", file=file, row=row, hint="export it with db-out") from error


def sniff(path: Path, head: str) -> float:
    """Lines with `_input_hash` and an answer, of which none has spans."""
    if "_input_hash" not in head:
        return 0.0
    found = [one for one in first_records(head) if "_input_hash" in one and "answer" in one]
    return SURE * bool(
        found
        and any("options" in one or "accept" in one or "label" in one for one in found)
        and not any(one.get("spans") for one in found)
    )


def sniff_spans(path: Path, head: str) -> float:
    """Answers with spans, where nothing is to be chosen; or the tokens on which spans were to be marked."""
    if path.suffix.casefold() != ".jsonl" or '"_input_hash"' not in head:
        return 0.0
    found = [one for one in first_records(head, most=200) if "_input_hash" in one and "answer" in one]
    is_choice = any("options" in one or "accept" in one for one in found)
    return SURE * (not is_choice and any("spans" in one for one in found))


FORMAT = (
    Format(
        name="prodigy_choices",
        holds="judgements",
        help="Prodigy's JSONL: choices of one or several annotators.",
        read=read,
        endings=(".jsonl",),
        options=AnswerOptions,
        sniff=sniff,
    ),
    span_format(
        of_file,
        name="prodigy",
        help="Prodigy's spans: one answer per line, with its annotator.",
        endings=(".jsonl",),
        order="text/rater",
        sniff=sniff_spans,
    ),
)
