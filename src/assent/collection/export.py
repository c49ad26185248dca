"""The data of a study as tables: judgements, raters, spans, the account of the cleaning, and a codebook of them all."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from assent.collection.cleaning import Cleaned, Corrected, Dropped, FlowStep
from assent.collection.collected import Collected, Judgement, Person
from assent.collection.fanning import measured_questions
from assent.collection.judgement_table import Judged, judged, judgement_table
from assent.collection.participants import NumberAnswers, WordAnswers, described_in_words, participants_table
from assent.collection.tabular import Cell, OutColumn, OutTable, tabulate
from assent.design.description import Task
from assent.treebank.choosing import State
from assent.treebank.discriminants import TYPE_NAMES, Discriminant


def tables(raw: Collected, cleaned: Cleaned | None, more: Sequence[OutTable] = ()) -> list[OutTable]:
    """All tables. With `cleaned` the judgements are the cleaned ones, and the account of the cleaning comes along.

    `more` are tables that do not come from raters, such as the decisions of adjudicators.
    """
    collected = raw if cleaned is None else cleaned.collected
    found = [judgement_table(collected, "judgements", "one row for each unit, rater and question")]
    if cleaned is not None:
        found.append(judgement_table(raw, "judgements_raw", "the same before cleaning"))
    checks = judgement_table(raw, "checks", "training, gold and repeated items", is_main=False)
    found += [*([checks] if checks.rows else []), raters_table(raw, cleaned)]
    if any(question.task is Task.SPANS for question in raw.study.description.questions):
        found.append(spans_table(collected))
    if any(question.task is Task.PARSES for question in raw.study.description.questions):
        found.append(discriminants_table(collected))
    if raw.study.description.participant:
        found.append(participant_table(collected))
    if cleaned is not None:
        account = [flow_table(cleaned), dropped_table(cleaned), corrected_table(cleaned)]
        found += [table for table in account if table.rows]
    found += more
    return [*found, codebook(raw, found)]


def raters_table(raw: Collected, cleaned: Cleaned | None) -> OutTable:
    """Everybody who came, those left out by the cleaning included."""
    left_out = cleaned.left_out if cleaned is not None else {}
    known = dict.fromkeys(name for person in raw.people for name in {**person.attributes, **person.described})
    columns: list[OutColumn[Person]] = [
        OutColumn("rater", "the rater", lambda p: p.rater),
        OutColumn("set", "their set, from 1", lambda p: None if p.set_number is None else p.set_number + 1),
        OutColumn("first_at", "first seen, by the server's clock", lambda p: p.first_at),
        OutColumn("last_at", "last seen", lambda p: p.last_at),
        OutColumn("completed_at", "when they reached the end", lambda p: p.completed_at),
        OutColumn("n_asked", "how many questions they were to answer", lambda p: p.n_asked),
        OutColumn("n_answered", "how many they answered", lambda p: p.n_answered),
        OutColumn("gold_share", "the share of gold items they got right", lambda p: p.gold_share),
        OutColumn("median_seconds", "their median time on a page", lambda p: p.median_seconds),
        OutColumn("left_out", "why the cleaning left them out", lambda p: left_out.get(p.rater)),
        *(OutColumn(name, "about the rater", _about(name)) for name in known),
        OutColumn("comment", "their comment", lambda p: p.comment or None),
    ]
    return tabulate("raters", "one row for each rater who came", columns, raw.people)


def _about(name: str) -> Callable[[Person], Cell]:
    return lambda person: {**person.attributes, **person.described}.get(name)


Span = tuple[Judged, Mapping[str, Any]]


def spans_table(collected: Collected) -> OutTable:
    """One row for each marked span, in the columns that `assent measure --measure gamma` reads."""
    spans = [
        (row, span)
        for row in judged(collected)
        if row.question.task is Task.SPANS
        for span in sorted(row.judgement.value, key=lambda span: (span["begin"], span["end"]))
    ]
    columns: list[OutColumn[Span]] = [
        OutColumn("text", "the unit whose text was marked", lambda s: s[0].unit.id),
        OutColumn("rater", "who marked", lambda s: s[0].judgement.rater),
        OutColumn("begin", "the first character, from 0", lambda s: s[1]["begin"]),
        OutColumn("end", "the character after the last", lambda s: s[1]["end"]),
        OutColumn("category", "the category", lambda s: s[1]["category"]),
        OutColumn("question", "what was asked", lambda s: s[0].question.id),
        OutColumn("marked", "the words", lambda s: s[0].unit.text[s[1]["begin"] : s[1]["end"]]),
        OutColumn("trial", "1, or 2 when the item came a second time", lambda s: s[0].judgement.trial),
    ]
    return tabulate("spans", "one row for each marked span", columns, spans)


Known = tuple[Judgement, Discriminant, State]


def discriminants_table(collected: Collected) -> OutTable:
    """One row for each discriminant of each sentence, those that all parses share and open ones included."""
    asked = {q.id for q in collected.study.description.questions if q.task is Task.PARSES}
    entries = [
        (judgement, Discriminant.named(name), State(state))
        for judgement in collected.judgements
        if judgement.question in asked
        for name, state in judgement.value["states"].items()
    ]
    columns: list[OutColumn[Known]] = [
        OutColumn("sentence", "the sentence, as in the profile", lambda k: k[0].unit),
        OutColumn("rater", "who chose", lambda k: k[0].rater),
        OutColumn("verdict", "accepted, rejected or undecided", lambda k: k[0].value["verdict"]),
        OutColumn("result", "the parse that was accepted", lambda k: k[0].value["result"]),
        OutColumn("type", "the kind of discriminant", lambda k: TYPE_NAMES[k[1].type]),
        OutColumn("key", "what it says", lambda k: k[1].key),
        OutColumn("start", "the first word it is about, from 0; dependencies have no place", lambda k: k[1].start),
        OutColumn("end", "the word after the last", lambda k: k[1].end),
        OutColumn("value", "yes or no; empty while it is open", lambda k: None if k[2] is State.OPEN else k[2].word),
        OutColumn("how", "marked by hand, inferred, shared by all parses, or open", lambda k: k[2].how),
        OutColumn("kind", "main, or training, gold, repeat", lambda k: str(k[0].kind)),
        OutColumn("trial", "1, or 2 when the item came a second time", lambda k: k[0].trial),
    ]
    return tabulate("discriminants", "one row for each discriminant of each sentence and rater", columns, entries)


def participant_table(collected: Collected) -> OutTable:
    """Who took part, in words."""
    columns: list[OutColumn[NumberAnswers | WordAnswers]] = [
        OutColumn("information", "the question about the participant", lambda entry: entry.question),
        OutColumn("distribution", "the answers of those who were kept", described_in_words),
    ]
    entries = participants_table(collected.study.description, collected.people)
    return tabulate("participants", "who took part", columns, entries)


def flow_table(cleaned: Cleaned) -> OutTable:
    """The participant flow: rule by rule, who was left out and how many remained."""
    columns: list[OutColumn[FlowStep]] = [
        OutColumn("step", "the rule", lambda step: step.reason),
        OutColumn("left_out", "how many were left out by it", lambda step: step.n_left_out),
        OutColumn("remaining", "how many remained", lambda step: step.n_remaining),
    ]
    return tabulate("flow", "how many participants each rule left out", columns, cleaned.flow)


def dropped_table(cleaned: Cleaned) -> OutTable:
    """Every dropped answer or field."""
    columns: list[OutColumn[Dropped]] = [
        OutColumn("unit", "what was judged", lambda d: d.judgement.unit),
        OutColumn("rater", "who judged", lambda d: d.judgement.rater),
        OutColumn("question", "what was asked", lambda d: d.judgement.question),
        OutColumn("reason", "why it was dropped", lambda d: d.reason),
        OutColumn("pattern", "the pattern, when one field was dropped", lambda d: d.pattern or None),
        OutColumn("word", "what was written there", lambda d: d.word or None),
    ]
    return tabulate("dropped", "answers and fields that the cleaning dropped", columns, cleaned.dropped)


def corrected_table(cleaned: Cleaned) -> OutTable:
    """Every word whose spelling was normalised."""
    columns: list[OutColumn[Corrected]] = [
        OutColumn("unit", "what was judged", lambda c: c.judgement.unit),
        OutColumn("rater", "who judged", lambda c: c.judgement.rater),
        OutColumn("pattern", "the pattern", lambda c: c.pattern),
        OutColumn("written", "what was written", lambda c: c.written),
        OutColumn("meant", "what it was changed to", lambda c: c.meant),
    ]
    return tabulate("corrected", "words whose spelling was normalised", columns, cleaned.corrected)


Entry = tuple[str, str, str]  # table, column, meaning


def codebook(raw: Collected, found: Sequence[OutTable]) -> OutTable:
    """What every column and every value means."""
    entries: list[Entry] = [
        (table.name, name, meaning)
        for table in found
        for name, meaning in zip(table.columns, table.meanings, strict=True)
    ]
    for question in measured_questions(raw.study.description):
        entries.append(("judgements", f"question = {question.id}", f"{question.task}: {question.ask}"))
        entries += [
            ("judgements", f"{question.id} = {option.value}", option.help or option.label)
            for option in question.options
        ]
        entries += [
            ("judgements", f"{question.id} = {pattern.category}", f"{pattern.id}: {pattern.text}")
            for pattern in question.patterns
        ]
    columns: list[OutColumn[Entry]] = [
        OutColumn("table", "the table", lambda entry: entry[0]),
        OutColumn("name", "the column, or a value of it", lambda entry: entry[1]),
        OutColumn("meaning", "what it means", lambda entry: entry[2]),
    ]
    return tabulate("codebook", "what columns and values mean", columns, entries)
