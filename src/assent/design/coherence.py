"""What a schema cannot say: settings that must fit each other and the data."""

import re
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from assent.design.checking import Place, Source
from assent.design.description import CHOOSING, Description, Question, Task
from assent.errors import nearest

NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
Fault = tuple[bool, str, str]  # whether it is there, what it is, what to do
LANGUAGE = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]{2,8})*")

# The settings that matter to some tasks only; anywhere else they would be silently ignored, so they are refused.
ONLY_FOR: dict[str, frozenset[Task]] = {
    "options": CHOOSING,
    "patterns": frozenset({Task.PATTERNS}),
    "minimum": frozenset({Task.MULTILABEL, Task.PATTERNS, Task.SPANS}),
    "maximum": frozenset({Task.MULTILABEL, Task.PATTERNS, Task.SPANS}),
    "low": frozenset({Task.SLIDER}),
    "high": frozenset({Task.SLIDER}),
    "step": frozenset({Task.SLIDER}),
    "low_label": frozenset({Task.SLIDER, Task.ORDINAL}),
    "high_label": frozenset({Task.SLIDER, Task.ORDINAL}),
    "max_length": frozenset({Task.TEXT, Task.PATTERNS}),
    "shuffle": frozenset({Task.CATEGORICAL, Task.MULTILABEL, Task.RANKING, Task.PATTERNS}),
}


def check_coherence(source: Source, description: Description, document: Mapping[str, Any]) -> None:
    """Report everything that does not fit."""
    if not NAME.fullmatch(description.name):
        source.report(("name",), f"{description.name!r} is not a short name", "use small letters, digits and hyphens")
    if not LANGUAGE.fullmatch(description.language):
        source.report(("language",), f"{description.language!r} is not a language code", "write one like en or ca")
    for i, question in enumerate(description.questions):
        _check_settings(source, i, question, document["questions"][i])
        for fault, hint in _task_faults(description, question):
            source.report(("questions", i, "task"), fault, hint)
    for check in CHECKS:
        check(source, description, document)


def _check_settings(source: Source, number: int, question: Question, table: Mapping[str, Any]) -> None:
    place: Place = ("questions", number)
    for key in table:
        if key in ONLY_FOR and question.task not in ONLY_FOR[key]:
            tasks = ", ".join(sorted(ONLY_FOR[key]))
            source.report((*place, key), f"{key!r} means nothing for the task {question.task}", f"it is for {tasks}")
    values = [option.value for option in question.options]
    keys = [option.key for option in question.options if option.key]
    for what, entries in (("value", values), ("key", keys), ("pattern", [p.id for p in question.patterns])):
        for entry, n in Counter(entries).items():
            if n > 1:
                source.report((*place, "options"), f"the {what} {entry!r} is used {n} times")


def _task_faults(study: Description, question: Question) -> list[tuple[str, str]]:
    """What a task needs and does not have."""
    faults = _range_faults(question)
    if question.task in NEEDS:
        faults += NEEDS[question.task](study, question)
    if study.pairing is not None and question.task is not Task.PAIRWISE:
        faults.append((True, "with [pairs] all questions are pairwise", "ask the others in a study of their own"))
    return [(fault, hint) for is_wrong, fault, hint in faults if is_wrong]


def _range_faults(question: Question) -> list[Fault]:
    too_few = question.maximum is not None and question.maximum < question.minimum
    return [
        (too_few, "maximum is less than minimum", "raise maximum or lower minimum"),
        (question.low >= question.high, "low must be less than high", "swap them"),
        (question.step <= 0, "step must be more than 0", "use 1 or a smaller part"),
    ]


def _choice_faults(study: Description, question: Question) -> list[Fault]:
    return [(len(question.options) < 2, "there must be two options or more", "list them under options")]


def _binary_faults(study: Description, question: Question) -> list[Fault]:
    return [(len(question.options) != 2, "there must be two options", "leave options out for yes and no")]


def _pairwise_faults(study: Description, question: Question) -> list[Fault]:
    has_two = study.pairing is not None or all(len(unit.alternatives) == 2 for unit in study.units)
    lacks_a_or_b = not {"A", "B"} <= {option.value for option in question.options}
    return [
        (not has_two, "there is nothing to compare", "add [pairs], or two columns as alternatives in [units]"),
        (lacks_a_or_b, "the options must include A and B", "leave options out for A, B and same"),
    ]


def _ranking_faults(study: Description, question: Question) -> list[Fault]:
    has_several = len(question.options) >= 2 or all(len(unit.alternatives) >= 2 for unit in study.units)
    return [(not has_several, "there is nothing to rank", "list options, or columns as alternatives in [units]")]


def _pattern_faults(study: Description, question: Question) -> list[Fault]:
    return [
        (not question.patterns, "there are no patterns", "add [[questions.patterns]]"),
        (any("___" not in p.text for p in question.patterns), "a pattern has no blank", "write it as ___ in its text"),
    ]


def _span_faults(study: Description, question: Question) -> list[Fault]:
    return [
        (not question.options, "there is no category to mark spans with", "list categories under options"),
        (any(not unit.text for unit in study.units), "spans need texts", "name the column of texts in [units]"),
    ]


def _parses_faults(study: Description, question: Question) -> list[Fault]:
    others = [other.task for other in study.questions if other is not question]
    return [
        (Task.PARSES in others, "it can be asked once in a study", "ask the other one in a study of its own"),
        (any(unit.parses is None for unit in study.units), "there are no parses", "name a profile under [units]"),
        (
            not study.presentation.passes and not set(others) <= {Task.TEXT},
            "only text questions may share a page with it",
            "ask in passes",
        ),
    ]


NEEDS: dict[Task, Callable[[Description, Question], list[Fault]]] = {
    Task.BINARY: _binary_faults,
    Task.CATEGORICAL: _choice_faults,
    Task.MULTILABEL: _choice_faults,
    Task.ORDINAL: _choice_faults,
    Task.PAIRWISE: _pairwise_faults,
    Task.RANKING: _ranking_faults,
    Task.PATTERNS: _pattern_faults,
    Task.SPANS: _span_faults,
    Task.PARSES: _parses_faults,
}


def _check_unique(source: Source, study: Description, document: Mapping[str, Any]) -> None:
    for table in ("questions", "participant", "raters"):
        ids = [entry["id"] for entry in document.get(table, ())]
        for id, n in Counter(ids).items():
            if n > 1:
                source.report((table, ids.index(id), "id"), f"the id {id!r} is used {n} times")


def _check_people(source: Source, study: Description, document: Mapping[str, Any]) -> None:
    for i, question in enumerate(study.participant):
        if (question.kind == "choice") != bool(question.options):
            source.report(("participant", i, "kind"), 'options and kind = "choice" belong together')
    # Who writes open = false means to invite raters on the researcher's pages.
    if "open" not in document and not study.raters:
        source.report(("open",), "nobody can take part", "set open = true or invite [[raters]]")
    for i, rater in enumerate(study.raters):
        if rater.set is not None and rater.set >= study.sets.count:
            source.report(("raters", i, "set"), f"there is no set {rater.set + 1}", f"there are {study.sets.count}")


def _check_ids(source: Source, study: Description, document: Mapping[str, Any]) -> None:
    training = study.training.units if study.training else ()
    for id, n in Counter(unit.id for unit in (*study.rows, *training, *study.checks.gold)).items():
        if n > 1 and sum(unit.id == id for unit in study.rows) < n:
            source.report(("units", "file"), f"the id {id!r} is in two files", "training and gold need their own")


def _check_guidelines(source: Source, study: Description, document: Mapping[str, Any]) -> None:
    table = document.get("guidelines")
    if table is not None and ("file" in table) == ("text" in table):
        source.report(("guidelines",), "guidelines need either a file or a text")


def _check_column(source: Source, study: Description, place: Place, column: str) -> None:
    known = {name for unit in study.rows for name in unit.attributes}
    if column not in known:
        source.report(place, f"the units have no column {column!r}", nearest(column, sorted(known)))


def _check_sample(source: Source, study: Description, document: Mapping[str, Any]) -> None:
    sampling = study.sampling
    for key in ("frequency", "by", "within"):
        if column := getattr(sampling, key):
            _check_column(source, study, ("sample", key), column)
    if sampling.method == "stratified" and not (sampling.frequency or sampling.by):
        source.report(("sample",), "a stratified sample needs strata", "name a column for frequency or by")
    if sampling.within and not sampling.by:
        source.report(("sample", "within"), "within needs by", "name the types that contain these kinds")
    if sampling.size is not None and sampling.size > len(study.units):
        source.report(("sample", "size"), f"{sampling.size} units are wanted and there are {len(study.units)}")
    if sampling.frequency and not all(_is_positive(unit.attributes.get(sampling.frequency)) for unit in study.units):
        source.report(("sample", "frequency"), "every unit needs a frequency above 0")


def _is_positive(cell: str | None) -> bool:
    try:
        return cell is not None and 0 < float(cell) < float("inf")
    except ValueError:
        return False


def _check_sets(source: Source, study: Description, document: Mapping[str, Any]) -> None:
    n_units = study.sampling.size or len(study.units)
    if study.pairing is None and study.sets.count > max(n_units, 1):
        source.report(("sets", "count"), f"{study.sets.count} sets cannot be made of {n_units} units")


def _check_pairs(source: Source, study: Description, document: Mapping[str, Any]) -> None:
    if study.pairing is None:
        return
    for column in study.pairing.vector:
        _check_column(source, study, ("pairs", "vector"), column)
    for column in study.pairing.within:
        if column != "item":
            _check_column(source, study, ("pairs", "within"), column)


def _check_repeats(source: Source, study: Description, document: Mapping[str, Any]) -> None:
    n_units = (study.sampling.size or len(study.units)) // study.sets.count
    if study.checks.repeats and study.pairing is None and study.checks.repeats + study.checks.gap > n_units:
        what = f"{study.checks.repeats} repeats with a gap of {study.checks.gap} do not fit into {n_units} units"
        source.report(("repeats",), what, "take fewer or a smaller gap")


CHECKS = (
    _check_unique,
    _check_people,
    _check_ids,
    _check_guidelines,
    _check_sample,
    _check_sets,
    _check_pairs,
    _check_repeats,
)
