"""What a schema cannot say of a study file: settings that must fit each other and the data."""

import re
from collections import Counter
from collections.abc import Mapping
from typing import Any

from concordant.design import description as described
from concordant.design.allocation import check_allocation
from concordant.design.assignment import check_assignment, check_column, check_division, check_sets
from concordant.design.description import Description
from concordant.design.schema import Source
from concordant.tasks.kind import Around, kind_of, kinds

Table = Mapping[str, Any]

BLANKS = re.compile(r"\{[^{}]*\}")
SHORT_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
LANGUAGE = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]{2,8})*")


def check_coherence(source: Source, study: Description, document: Table) -> None:
    """Report everything that does not fit."""
    if not SHORT_NAME.fullmatch(study.name):
        source.report(("name",), f"{study.name!r} is not a short name", "use small letters, digits and hyphens")
    if not LANGUAGE.fullmatch(study.language):
        source.report(("language",), f"{study.language!r} is not a language code", "write one like en or ca")
    guidelines = document.get("guidelines")
    if guidelines is not None and ("file" in guidelines) == ("text" in guidelines):
        source.report(("guidelines",), "guidelines need either a file or a text")
    of_people, of_sets = (check_people, check_recruitment), (check_assignment, check_allocation, check_division)
    for check in (check_questions, *of_people, check_ids, check_sample, *of_sets):
        check(source, study, document)


def check_questions(source: Source, study: Description, document: Table) -> None:
    """Settings that mean nothing for the task, options named twice, and whatever a kind of question lacks."""
    for number, question in enumerate(study.questions):
        place, kind = ("questions", number), kind_of(question)
        if not question.ask.strip():
            source.report((*place, "ask"), "the question has no words", "write what raters shall read")
        for key in document["questions"][number]:
            having = sorted(other.key for other in kinds().values() if key in other.settings)
            if having and kind.key not in having:
                what = f"{key!r} means nothing for the task {kind.key}"
                source.report((*place, key), what, f"it is for {', '.join(having)}")
        entries = [("value", option.value) for option in question.options]
        entries += [("key", option.key) for option in question.options if option.key]
        entries += [("pattern", pattern.id) for pattern in question.patterns]
        for (what, entry), n in Counter(entries).items():
            if n > 1:
                source.report((*place, "options"), f"the {what} {entry!r} is used {n} times")
        around = Around(
            units=study.units,
            others=[other for other in study.questions if other is not question],
            has_pairs=study.pairing is not None,
            in_passes=study.presentation.passes,
        )
        faults = kind.faults(question, around)
        if study.pairing is not None and not kind.compares:
            faults.append(("with [pairs] all questions are pairwise", "ask the others in a study of their own"))
        for what, hint in faults:
            source.report((*place, "task"), what, hint)


def check_people(source: Source, study: Description, document: Table) -> None:
    """Who may take part, in which sets, and what is asked about them."""
    for i, question in enumerate(study.participant):
        if (question.kind == "choice") != bool(question.options):
            source.report(("participant", i, "kind"), 'options and kind = "choice" belong together')
    # Who writes open = false means to invite raters on the researcher's pages.
    if "open" not in document and not study.raters:
        source.report(("open",), "nobody can take part", "set open = true or invite [[raters]]")
    for i, rater in enumerate(study.raters):
        for name in ("prompt", "temperature") if rater.kind != "model" else ():
            if getattr(rater, name) is not None:
                source.report(("raters", i, name), f"a person has no {name}", 'set kind = "model"')
        if "sets" in document["raters"][i]:
            check_sets(source, study, i, document["raters"][i])
        elif rater.set is not None and rater.set >= study.n_sets:
            source.report(("raters", i, "set"), f"there is no set {rater.set + 1}", f"there are {study.n_sets}")


def check_recruitment(source: Source, study: Description, document: Table) -> None:
    """Whom a platform may send, who is let in, and how they are sent back."""
    for i, question in enumerate(study.participant):
        values = {option.value for option in question.options}
        if unknown := [one for one in question.accept if one not in values]:
            source.report(("participant", i, "accept"), f"{unknown[0]!r} is none of the options", "write their values")
        elif question.accept and not question.is_required:
            source.report(("participant", i, "accept"), "what decides must be answered", "set required = true")
    for i, check in enumerate(study.comprehension.questions if study.comprehension else ()):
        if check.right not in {option.value for option in check.options}:
            place = ("comprehension", "questions", i, "right")
            source.report(place, f"{check.right!r} is none of the options", "write the value of one")
    if study.recruitment.participant and not study.is_open:
        source.report(("recruitment", "participant"), "a platform sends people nobody invited", "set open = true")
    if study.failed_check.min_gold is not None and not study.checks.gold:
        source.report(("failed_check", "min_gold"), "there are no gold items", "name their file under [gold]")
    for name in ("thanks", "screened_out", "failed_check"):
        ending: described.Ending = getattr(study, name)
        if ending.return_url and not ending.return_url.startswith(("https://", "http://")):
            source.report((name, "return_url"), "not an address", "write all of it, from https:// on")
        for key, text in (("code", ending.code), ("return_url", ending.return_url)):
            if unknown := [
                one for one in BLANKS.findall(text) if one not in {described.PARTICIPANT, described.PERSONAL}
            ]:
                hint = f"there are {described.PARTICIPANT} and {described.PERSONAL}"
                source.report((name, key), f"{unknown[0]} cannot be filled in", hint)
            elif described.PARTICIPANT in text and not study.recruitment.participant:
                source.report((name, key), "nothing names the participant", "set participant under [recruitment]")


def check_ids(source: Source, study: Description, document: Table) -> None:
    """Every id belongs to one thing."""
    for table in ("questions", "participant", "raters"):
        ids = [entry["id"] for entry in document.get(table, ())]
        for id, n in Counter(ids).items():
            if n > 1:
                source.report((table, ids.index(id), "id"), f"the id {id!r} is used {n} times")
    training = study.training.units if study.training else ()
    for id, n in Counter(unit.id for unit in (*study.rows, *training, *study.checks.gold)).items():
        if n > 1 and sum(unit.id == id for unit in study.rows) < n:
            source.report(("units", "file"), f"the id {id!r} is in two files", "training and gold need their own")


def check_sample(source: Source, study: Description, document: Table) -> None:
    """Strata that exist, and enough units."""
    sampling = study.sampling
    for key in ("frequency", "by", "within"):
        if column := getattr(sampling, key):
            check_column(source, study, ("sample", key), column)
    if sampling.method == "stratified" and not (sampling.frequency or sampling.by):
        source.report(("sample",), "a stratified sample needs strata", "name a column for frequency or by")
    if sampling.within and not sampling.by:
        source.report(("sample", "within"), "within needs by", "name the types that contain these kinds")
    if sampling.size is not None and sampling.size > len(study.units):
        source.report(("sample", "size"), f"{sampling.size} units are wanted and there are {len(study.units)}")
    if sampling.frequency:
        try:
            frequencies = [float(unit.attributes.get(sampling.frequency, "")) for unit in study.units]
        except ValueError:
            frequencies = [0.0]
        if not all(0 < frequency < float("inf") for frequency in frequencies):
            source.report(("sample", "frequency"), "every unit needs a frequency above 0")
