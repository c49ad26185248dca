"""The data of a study as tables: judgements, raters, spans, the account of the cleaning, and a codebook of them all.

Judgements have one row for each unit, rater, question and trial. Units with the same text were judged once and are
fanned out; `judged_unit` names the one that was shown, so both counts can be had.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from statistics import fmean, median
from typing import Any

from concordant.collection.collected import Change, Cleaned, Collected, FlowStep, Judged, Judgement, Person, judged
from concordant.collection.conflicts import Conflict, Version
from concordant.collection.disputes import Decision
from concordant.collection.events import Asked
from concordant.collection.projections import Recorded
from concordant.collection.session import Running
from concordant.collection.sheets import Cell, OutColumn, OutTable, by_name, tabulate
from concordant.design.assignment import ROUND
from concordant.design.description import ParticipantQuestion, Rater, personal_code
from concordant.design.steps import JUDGED, StepKind
from concordant.tasks.kind import as_text, kind_of
from concordant.tasks.question import Unit
from concordant.treebank.disambiguation import State
from concordant.treebank.discriminants import TYPE_NAMES, Discriminant

USAGE = ("tokens_in", "tokens_out", "cost")
NOT_REPORTED = "not reported"
ALLOCATED = "judgements of units chosen for the answers they had: for labels, not for agreement, which they would bias"


def tables(raw: Collected, cleaned: Cleaned | None, more: Sequence[OutTable] = ()) -> list[OutTable]:
    """All tables. With `cleaned` the judgements are the cleaned ones, and the account of the cleaning comes along.

    `more` are tables that do not come from raters, such as the decisions of adjudicators.
    """
    collected = raw if cleaned is None else cleaned.collected
    kinds = [kind_of(question) for question in raw.study.description.questions]
    found = [judgement_table(collected, "judgements", "one row for each unit, rater and question")]
    if cleaned is not None:
        found.append(judgement_table(raw, "judgements_raw", "the same before cleaning"))
    allocated = judgement_table(collected, "allocated", ALLOCATED, kinds={StepKind.ADAPTIVE})
    checks = judgement_table(raw, "checks", "training, gold and repeated items", kinds=set(StepKind) - JUDGED)
    found += [*(table for table in (allocated, checks) if table.rows), raters_table(raw, cleaned)]
    if any(kind.marks_spans for kind in kinds):
        found.append(spans_table(collected))
    if any(kind.chooses_parses for kind in kinds):
        found.append(discriminants_table(collected))
    if raw.study.description.participant:
        found.append(participant_table(collected))
    if raw.study.description.recruitment.participant:
        found.append(recruitment_table(raw))
    if cleaned is not None:
        found += [table for table in (flow_table(cleaned), *change_tables(cleaned)) if table.rows]
    found += [conflicts_table(raw)] if raw.conflicts else []
    found += more
    return [*found, codebook(raw, found)]


GUIDELINES = "guidelines_version"
COMMON: tuple[OutColumn[Judged], ...] = (
    ("unit", "what was judged", lambda row: row.unit.id),
    ("rater", "who judged", lambda row: row.judgement.rater),
    ("question", "what was asked", lambda row: row.question.id),
    (
        "value",
        "the answer; several choices are joined by +, a ranking by >; patterns are given as their classes",
        lambda row: as_text(row.question, row.judgement.value),
    ),
    (
        "words",
        "the words written into patterns, as pattern=word",
        lambda row: kind_of(row.question).words(row.judgement.value),
    ),
    ("kind", "main, or training, gold, repeat", lambda row: str(row.judgement.kind)),
    ("trial", "1, or 2 when the item came a second time", lambda row: row.judgement.trial),
    ("item", "the item the unit belongs to", lambda row: row.unit.item),
    ("judged_unit", "the unit shown: units with the same text were judged once", lambda row: row.judgement.unit),
    ("set", "the rater's set, from 1", lambda row: row.judgement.set_number + 1),
    ("position", "the place of the page in the rater's session, from 1", lambda row: row.judgement.position),
    ("seconds", "time on the page until the last answer", lambda row: row.judgement.seconds),
    ("at", "when the last answer was given, by the rater's clock", lambda row: row.judgement.at),
    ("n_given", "how often it was answered; more than once means changed", lambda row: row.judgement.n_given),
    ("finished", "whether the rater went on", lambda row: _word(row.judgement.is_finished)),
    ("text", "the text that was shown", lambda row: row.unit.text or None),
)


def judgement_table(
    collected: Collected, name: str, meaning: str, *, kinds: Collection[StepKind] = (StepKind.MAIN,)
) -> OutTable:
    """The judgements of main items, fanned out; or those of other kinds: allocated, training, gold and repeated items.

    Attributes of units follow under their names, after `unit_` where the name has another meaning here; those of raters
    after `rater_`.
    """
    rows_of_file, taken = collected.study.description.rows, {column[0] for column in COMMON}
    of_units = _names(unit.attributes for unit in rows_of_file)
    of_units += ["sentence", "type"] if any(unit.parses for unit in rows_of_file) else []
    of_units += [ROUND] if collected.study.plan.rounds and ROUND not in of_units else []
    columns: list[OutColumn[Judged]] = [*COMMON, *(_pair_columns(collected) if collected.study.plan.pairs else ())]
    for one in of_units:
        shown = f"unit_{one}" if one in taken else one
        columns += [(shown, "of the unit, from the units file", by_name(lambda row: row.unit.attributes, one))]
    human_or_model = {one.id: one.kind for one in collected.study.description.raters}
    if collected.study.description.has_models:
        columns += [("rater_kind", "human or model", lambda row: human_or_model.get(row.judgement.rater, Rater.kind))]
    about = "about the rater, from the study file or their own answers"
    for one in _names(person.about for person in collected.people):
        columns += [(f"rater_{one}", about, by_name(lambda row: row.about_rater, one))]
    rows = [row for row in judged(collected) if row.judgement.kind in kinds]
    if len({row.judgement.guidelines for row in rows}) > 1:
        about = "the version of the guidelines that stood beside the page: rounds"
        columns += [(GUIDELINES, about, lambda row: row.judgement.guidelines or None)]
    return tabulate(name, meaning, columns, rows)


def _names(mappings: Iterable[Mapping[str, Any]]) -> list[str]:
    return list(dict.fromkeys(name for mapping in mappings for name in mapping))


def _pair_columns(collected: Collected) -> list[OutColumn[Judged]]:
    """For planned pairs: what weights are computed from, and what A and B were."""
    units = collected.study.description.unit_by_id

    def of(side: str, get: Callable[[Unit], Cell]) -> Callable[[Judged], Cell]:
        return lambda row: get(units[getattr(row.pair, side.lower())]) if row.pair is not None else None

    columns: list[OutColumn[Judged]] = [
        ("pair", "the pair, as in unit", lambda row: row.unit.id),
        ("choice", "A, B or same, as in value", lambda row: as_text(row.question, row.judgement.value)),
        ("first_slot", "which of A and B was shown first", lambda row: row.judgement.first_slot),
    ]
    for side in ("A", "B"):
        columns += [(f"{side}_unit", "the unit", of(side, lambda unit: unit.id))]
        columns += [(f"{side}_text", "its text", of(side, lambda unit: unit.text))]
        for name in _names(unit.attributes for unit in collected.study.description.rows):
            columns += [(f"{side}_{name}", "its attribute", of(side, by_name(lambda unit: unit.attributes, name)))]
    return columns


def usage_of(asked: Asked) -> Mapping[str, Cell]:
    """What a reply used."""
    return asked.usage


def asked_tables(events: Iterable[Recorded]) -> list[OutTable]:
    """What models were sent and what they wrote, whatever came of it; nothing where none was asked."""
    asked = [entry.event for entry in events if isinstance(entry.event, Asked)]
    columns: list[OutColumn[Asked]] = [
        ("rater", "the model, as the study calls it", lambda one: one.rater),
        ("step", "the page, from 0", lambda one: one.step),
        ("outcome", "answered, refused or malformed", lambda one: one.outcome),
        ("model", "the name under which it was asked", lambda one: one.model),
        ("version", "what it called itself", lambda one: one.version),
        ("prompt", "the name of the prompt", lambda one: one.prompt),
        ("temperature", "the temperature", lambda one: one.temperature),
        ("at", "when the reply was stored", lambda one: one.at),
        ("seconds", "how long the reply took", lambda one: one.seconds),
        *((name, "as far as it was said", by_name(usage_of, name)) for name in USAGE),
        ("sent", "the prompt as it was sent, as JSON", lambda one: one.sent),
        ("reply", "the reply as it came", lambda one: one.reply),
    ]
    return [tabulate("asked", "every reply of a model", columns, asked)] if asked else []


def raters_table(raw: Collected, cleaned: Cleaned | None) -> OutTable:
    """Everybody who came, those left out by the cleaning included."""
    left_out = cleaned.left_out if cleaned is not None else {}
    columns: list[OutColumn[Person]] = [
        ("rater", "the rater", lambda p: p.rater),
        ("set", "their set, from 1", lambda p: None if p.set_number is None else p.set_number + 1),
        ("first_at", "first seen, by the server's clock", lambda p: p.first_at),
        ("last_at", "last seen", lambda p: p.last_at),
        ("completed_at", "when they reached the end", lambda p: p.completed_at),
        ("n_asked", "how many questions they were to answer", lambda p: p.n_asked),
        ("n_answered", "how many they answered", lambda p: p.n_answered),
        ("gold_share", "the share of gold items they got right", lambda p: p.gold_share),
        ("median_seconds", "their median time on a page", lambda p: p.median_seconds),
        ("left_out", "why the cleaning left them out", lambda p: left_out.get(p.rater)),
    ]
    for name in _names(person.about for person in raw.people):
        columns += [(name, "about the rater", by_name(lambda p: p.about, name))]
    columns += [("comment", "their comment", lambda p: p.comment or None)]
    return tabulate("raters", "one row for each rater who came", columns, raw.people)


def recruitment_table(raw: Collected) -> OutTable:
    """Whom a platform sent, by its own ids, for paying them: a table of its own, to be kept when data are published."""
    name = raw.study.description.name
    columns: list[OutColumn[Person]] = [
        ("rater", "the rater", lambda p: p.rater),
        ("outcome", "how it ended; empty for those who have not finished", outcome),
        (
            "personal_code",
            "their own code, where [thanks] or another end shows it",
            lambda p: personal_code(name, p.rater),
        ),
    ]
    for one in _names(person.origin for person in raw.people):
        columns += [(f"sent_{one}", "what the platform's link said", by_name(lambda p: p.origin, one))]
    sent = [person for person in raw.people if person.origin]
    return tabulate("recruitment", "whom a platform sent: personal data, not to be published", columns, sent)


def outcome(person: Person) -> str | None:
    """How it ended for somebody."""
    return person.ended or ("completed" if person.completed_at else None)


def spans_table(collected: Collected) -> OutTable:
    """One row for each marked span, in the columns that `concordant measure --measure gamma` reads."""
    spans = [
        (row, span)
        for row in judged(collected)
        if kind_of(row.question).marks_spans
        for span in sorted(row.judgement.value, key=lambda span: (span["begin"], span["end"]))
    ]
    columns: list[OutColumn[tuple[Judged, Mapping[str, Any]]]] = [
        ("text", "the unit whose text was marked", lambda s: s[0].unit.id),
        ("rater", "who marked", lambda s: s[0].judgement.rater),
        ("begin", "the first character, from 0", lambda s: s[1]["begin"]),
        ("end", "the character after the last", lambda s: s[1]["end"]),
        ("category", "the category", lambda s: s[1]["category"]),
        ("question", "what was asked", lambda s: s[0].question.id),
        ("marked", "the words", lambda s: s[0].unit.text[s[1]["begin"] : s[1]["end"]]),
        ("trial", "1, or 2 when the item came a second time", lambda s: s[0].judgement.trial),
    ]
    return tabulate("spans", "one row for each marked span", columns, spans)


def discriminants_table(collected: Collected) -> OutTable:
    """One row for each discriminant of each sentence, those that all parses share and open ones included."""
    entries = [
        (judgement, Discriminant.named(name), State(state))
        for judgement in collected.judgements
        if kind_of(collected.study.description.question(judgement.question)).chooses_parses
        for name, state in judgement.value["states"].items()
    ]
    columns: list[OutColumn[tuple[Judgement, Discriminant, State]]] = [
        ("sentence", "the sentence, as in the profile", lambda k: k[0].unit),
        ("rater", "who chose", lambda k: k[0].rater),
        ("verdict", "accepted, rejected or undecided", lambda k: k[0].value["verdict"]),
        ("result", "the parse that was accepted", lambda k: k[0].value["result"]),
        ("type", "the kind of discriminant", lambda k: TYPE_NAMES[k[1].type]),
        ("key", "what it says", lambda k: k[1].key),
        ("start", "the first word it is about, from 0; dependencies have no place", lambda k: k[1].start),
        ("end", "the word after the last", lambda k: k[1].end),
        ("value", "yes or no; empty while it is open", lambda k: None if k[2] is State.OPEN else k[2].word),
        ("how", "marked by hand, inferred, shared by all parses, or open", lambda k: k[2].how),
        ("kind", "main, or training, gold, repeat", lambda k: str(k[0].kind)),
        ("trial", "1, or 2 when the item came a second time", lambda k: k[0].trial),
    ]
    return tabulate("discriminants", "one row for each discriminant of each sentence and rater", columns, entries)


def participant_table(collected: Collected) -> OutTable:
    """Who took part, in words."""
    people = collected.people
    columns: list[OutColumn[ParticipantQuestion]] = [
        ("information", "the question about the participant", lambda asked: asked.id),
        ("distribution", "the answers of those who were kept", lambda asked: described_in_words(asked, people)),
    ]
    return tabulate("participants", "who took part", columns, collected.study.description.participant)


def described_in_words(question: ParticipantQuestion, people: Sequence[Person]) -> str:
    """The answers to a question about the participant, as the source prints them: numbers summed up, words counted."""
    answers = (person.described.get(question.id) or NOT_REPORTED for person in people)
    told = [answer for answer in answers if answer != NOT_REPORTED]
    n_silent = len(people) - len(told)
    if question.kind != "number":
        counts = Counter(told).most_common() + [(NOT_REPORTED, n_silent)] * bool(n_silent)
        return "; ".join(f"{answer} {count / len(people):.0%}" for answer, count in counts)
    words = [f"{NOT_REPORTED} {n_silent}"] if n_silent or not told else []
    if values := [float(answer) for answer in told]:
        mean, middle = fmean(values), median(values)
        words = [f"min. {min(values):g}", f"max. {max(values):g}", f"mean {mean:.1f}", f"median {middle:g}", *words]
    return "; ".join(words)


def conflicts_table(collected: Collected) -> OutTable:
    """Answers to one question that did not know of each other: two tabs, a telephone that was offline."""
    question = collected.study.description.question

    def written(conflict: Conflict, version: Version) -> str | None:
        return as_text(question(conflict.question), version.value) or None

    columns: list[OutColumn[Conflict]] = [
        ("unit", "what was judged", lambda c: c.unit),
        ("rater", "who judged", lambda c: c.rater),
        ("question", "what was asked", lambda c: c.question),
        ("position", "the place of the page in the rater's session, from 1", lambda c: c.step + 1),
        ("kept", "the answer that held", lambda c: written(c, c.kept)),
        ("kept_at", "when it was given, by the rater's clock", lambda c: c.kept.at),
        ("other", "the one that did not; empty for “not sure”", lambda c: written(c, c.other)),
        ("other_at", "when it was given", lambda c: c.other.at),
    ]
    meaning = "answers given without knowing of each other (two tabs, two devices), as they arrived"
    return tabulate("conflicts", meaning, columns, collected.conflicts)


def flow_table(cleaned: Cleaned) -> OutTable:
    """The participant flow: rule by rule, who was left out and how many remained."""
    columns: list[OutColumn[FlowStep]] = [
        ("step", "the rule", lambda step: step.reason),
        ("left_out", "how many were left out by it", lambda step: step.n_left_out),
        ("remaining", "how many remained", lambda step: step.n_remaining),
    ]
    return tabulate("flow", "how many participants each rule left out", columns, cleaned.flow)


def change_tables(cleaned: Cleaned) -> list[OutTable]:
    """Every dropped answer or field, and every word whose spelling was normalised."""
    both: list[OutColumn[Change]] = [
        ("unit", "what was judged", lambda one: one.judgement.unit),
        ("rater", "who judged", lambda one: one.judgement.rater),
    ]
    dropped: list[OutColumn[Change]] = [
        ("question", "what was asked", lambda one: one.judgement.question),
        ("reason", "why it was dropped", lambda one: one.result),
        ("pattern", "the pattern, when one field was dropped", lambda one: one.pattern or None),
        ("word", "what was written there", lambda one: one.word or None),
    ]
    corrected: list[OutColumn[Change]] = [
        ("pattern", "the pattern", lambda one: one.pattern),
        ("written", "what was written", lambda one: one.word),
        ("meant", "what it was changed to", lambda one: one.result),
    ]
    return [
        tabulate("dropped", "answers and fields that the cleaning dropped", both + dropped, cleaned.dropped),
        tabulate("corrected", "words whose spelling was normalised", both + corrected, cleaned.corrected),
    ]


def codebook(raw: Collected, found: Sequence[OutTable]) -> OutTable:
    """What every column and every value means."""
    entries = [
        (table.name, name, meaning)
        for table in found
        for name, meaning in zip(table.columns, table.meanings, strict=True)
    ]
    for question in raw.study.description.measured:
        entries.append(("judgements", f"question = {question.id}", f"{question.task}: {question.ask}"))
        values = [(option.value, option.help or option.label) for option in question.options]
        values += [(pattern.category, f"{pattern.id}: {pattern.text}") for pattern in question.patterns]
        entries += [("judgements", f"{question.id} = {value}", meaning) for value, meaning in values]
    columns: list[OutColumn[tuple[str, str, str]]] = [
        ("table", "the table", lambda entry: entry[0]),
        ("name", "the column, or a value of it", lambda entry: entry[1]),
        ("meaning", "what it means", lambda entry: entry[2]),
    ]
    return tabulate("codebook", "what columns and values mean", columns, entries)


def decision_tables(study: Running, history: Sequence[Decision]) -> list[OutTable]:
    """The table of decisions; none when nothing was decided."""
    if not history:
        return []
    current = {(one.unit, one.question): one.id for one in history}
    columns: list[OutColumn[Decision]] = [
        ("unit", "what was decided on", lambda d: d.unit),
        ("question", "what was asked", lambda d: d.question),
        ("value", "the decision", lambda d: as_text(study.description.question(d.question), d.value)),
        ("adjudicator", "who decided", lambda d: d.adjudicator),
        ("comment", "their comment", lambda d: d.comment or None),
        ("guideline_unclear", "whether the guidelines do not settle it", lambda d: _word(d.is_unclear)),
        *([("cause", "why the raters differed", lambda d: d.cause or None)] if any(d.cause for d in history) else []),
        ("at", "when", lambda d: d.at),
        ("holds", "no, if it was revised later", lambda d: _word(current[d.unit, d.question] == d.id)),
    ]
    return [tabulate("decisions", "what adjudicators decided, beside the raters' own judgements", columns, history)]


def _word(is_so: bool) -> str:
    return "yes" if is_so else "no"
