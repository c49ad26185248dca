"""Argilla's records, as every version exports them: JSON or JSON Lines, answers and spans.

- 2.x: `"mood.responses": ["glad"], "mood.responses.users": ["…"]` (flat), or nested,
  `"responses": {"mood": [{"value", "user_id"}]}`;
- 1.x: `"mood": [{"user_id", "value", "status"}]`, or as the server answers,
  `"responses": [{"values", "status", "user_id"}]`;
- older: `"annotation"` and `"annotation_agent"`.

The unit is the record, the rater the user. Drafts and discarded responses are left out; suggestions and predictions
are a model's and no rater's; texts are no judgements.
"""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from concordant.errors import InputError
from concordant.model.scale import Level
from concordant.model.spans import Mark
from concordant.model.study import Declared, Study
from concordant.readers.answers import Answer, AnswerOptions, Answers
from concordant.readers.format import SURE, Format
from concordant.readers.json_records import documents
from concordant.readers.rater_files import Marked, Part, span_format
from concordant.readers.survey_table import PROSE

RESPONSES, USERS, STATUS = ".responses", ".responses.users", ".responses.status"
NOT_SENT = "drafts and discarded responses"
MODELS = "a model's suggestion is not a judgement"


class Response(NamedTuple):
    """What one user answered to one question of a record."""

    question: str
    user: str
    value: Any
    is_sent: bool


def records_of(file: Path) -> list[tuple[int, dict[str, Any]]]:
    """The records of any form; a server's answer and a dictionary of columns are turned into records."""
    rows = documents(file)
    if len(rows) == 1 and isinstance(items := rows[0][1].get("items"), list):
        return [(n, one) for n, one in enumerate(items, start=1) if isinstance(one, dict)]
    if len(rows) == 1 and isinstance(rows[0][1].get("id"), list):
        columns = {name: cells for name, cells in rows[0][1].items() if isinstance(cells, list)}
        n = min(len(cells) for cells in columns.values())
        return [(at + 1, {name: cells[at] for name, cells in columns.items()}) for at in range(n)]
    return rows


def responses_of(record: Mapping[str, Any]) -> Iterator[Response]:
    """All responses to all questions of a record, whatever the version that wrote it."""
    said = record.get("responses")
    if isinstance(said, dict):
        for question, given in said.items():
            for one in given or ():
                yield Response(
                    question, str(one["user_id"]), one["value"], one.get("status", "submitted") == "submitted"
                )
    elif isinstance(said, list):
        for one in said:
            for question, given in (one.get("values") or {}).items():
                yield Response(question, str(one["user_id"]), given["value"], one["status"] == "submitted")
    for name, given in record.items():
        if name.endswith(RESPONSES) and isinstance(given, list):
            question = name.removesuffix(RESPONSES)
            users, states = record[question + USERS], record.get(question + STATUS) or ["submitted"] * len(given)
            for user, value, state in zip(users, given, states, strict=True):
                yield Response(question, str(user), value, state == "submitted")
        elif name != "responses" and isinstance(given, list) and given and all(map(is_of_user, given)):
            for one in given:
                yield Response(name, str(one["user_id"]), one["value"], one.get("status", "submitted") == "submitted")
    if record.get("annotation") is not None and record.get("annotation_agent"):
        yield Response("annotation", str(record["annotation_agent"]), record["annotation"], is_sent=True)


def is_of_user(one: Any) -> bool:
    """Whether this is what a user answered."""
    return isinstance(one, dict) and "user_id" in one


def is_spans(value: Any) -> bool:
    """Whether a value is a list of spans; an empty one may be."""
    return isinstance(value, list) and all(isinstance(one, dict) and "start" in one and "end" in one for one in value)


def unused_of(record: Mapping[str, Any]) -> dict[str, str]:
    """What a record has from models."""
    return {
        name: MODELS
        for name, cell in record.items()
        if cell and (name in ("suggestions", "prediction") or ".suggestion" in name or name.endswith("-suggestion"))
    }


def each(file: Path, use: Callable[[int, str, dict[str, Any], list[Response]], None]) -> None:
    """Give every record with its name and its responses to `use`; a damaged one is refused."""
    for row, record in records_of(file):
        try:
            found = list(responses_of(record))
        except (KeyError, TypeError, AttributeError, ValueError) as error:
            what = f"these are not responses as Argilla writes them ({type(error).__name__}: {error})"
            raise InputError(what, file=file, row=row, hint="export it again") from None
        use(row, str(record.get("id") or record.get("external_id") or record.get("_server_id") or row), record, found)


def read(path: str | Path, options: AnswerOptions) -> Study:
    """The answers of an export; spans are counted and left out."""
    answers = Answers(Path(path))

    def use(row: int, unit: str, record: dict[str, Any], found: list[Response]) -> None:
        answers.unused |= unused_of(record)
        answers.about[unit] = record["metadata"] if isinstance(record.get("metadata"), dict) else {}
        for one in found:
            value = one.value
            if not one.is_sent:
                answers.left_out[NOT_SENT] += 1
            elif isinstance(value, list) and value and is_spans(value):
                answers.left_out["spans (read them with --format argilla)"] += 1
            elif isinstance(value, str) and PROSE.fullmatch(value):
                answers.unused[one.question] = "free text is no judgement"
            else:
                answers.given.append(Answer(unit, one.user, one.question, plain(value), row))

    each(answers.file, use)
    answers.given = [one for one in answers.given if one.question not in answers.unused]
    for question in {one.question for one in answers.given if isinstance(one.value, list)}:
        answers.scales[question] = Declared(level=Level.SET)
    return answers.study(options)


def plain(value: Any) -> Any:
    """A ranking as one text (`a > b = c`); everything else as it is."""
    if isinstance(value, list) and value and all(isinstance(one, dict) and "rank" in one for one in value):
        ranks = sorted({one["rank"] for one in value})
        return " > ".join(" = ".join(sorted(str(o["value"]) for o in value if o["rank"] == rank)) for rank in ranks)
    return value


def of_file(part: Part) -> Marked:
    """The spans of an export; a user who submitted an empty list saw the text and marked nothing."""
    marks: list[Mark] = []
    seen: set[tuple[str, str]] = set()
    left_out: list[str] = []
    lengths: dict[str, float] = {}
    unused: dict[str, str] = {}
    is_span: set[str] = set()
    held: list[tuple[str, Response]] = []

    def use(row: int, text: str, record: dict[str, Any], found: list[Response]) -> None:
        unused.update(unused_of(record))
        if isinstance(content := record.get("text", (record.get("fields") or {}).get("text")), str):
            lengths[text] = float(len(content))
        is_span.update(one.question for one in found if one.value and is_spans(one.value))
        held.extend((text, one) for one in found)

    each(part.file, use)
    for text, one in held:
        if not one.is_sent or one.question not in is_span:
            left_out.append("answers about the whole record are not spans" if one.is_sent else NOT_SENT)
            continue
        seen.add((text, one.user))
        for span in one.value or ():
            try:
                marks.append(
                    Mark(text, one.user, float(span["start"]), float(span["end"]), category_of(one, span, is_span))
                )
            except (KeyError, TypeError, ValueError):
                raise InputError(f"a span in record {text!r} has no start, end or label", file=part.file) from None
    if len(is_span) > 1:
        unused["question"] = f"spans of {len(is_span)} questions: the label names the question too"
    return Marked(marks, lengths, seen, unused, left_out)


def category_of(one: Response, span: Mapping[str, Any], questions: set[str]) -> str:
    return str(span["label"]) if len(questions) == 1 else f"{one.question}: {span['label']}"


def is_argilla(path: Path, head: str) -> bool:
    """Responses with users as one of the versions writes them."""
    if path.suffix.casefold() not in {".json", ".jsonl", ".ndjson"}:
        return False
    flat = f'{USERS}"' in head and f'{RESPONSES}"' in head
    nested = '"responses"' in head and '"user_id"' in head and '"value"' in head
    first = '"user_id"' in head and '"value"' in head and '"status"' in head and "-suggestion" in head
    return flat or nested or first or ('"annotation_agent"' in head and '"prediction_agent"' in head)


def has_spans(head: str) -> bool:
    return '"start"' in head and '"end"' in head


FORMAT = (
    span_format(
        of_file,
        name="argilla",
        help="Argilla's spans: the rater is the user.",
        endings=(".json", ".jsonl", ".ndjson"),
        order="text/rater",
        sniff=lambda path, head: SURE * (is_argilla(path, head) and has_spans(head)),
    ),
    Format(
        name="argilla_choices",
        holds="judgements",
        help="Argilla's answers to labels, ratings and rankings: the rater is the user.",
        read=read,
        endings=(".json", ".jsonl", ".ndjson"),
        options=AnswerOptions,
        sniff=lambda path, head: (0.95 if has_spans(head) else SURE) * is_argilla(path, head),
    ),
)
