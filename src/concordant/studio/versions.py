"""Versions of a study: what a change means for answers that are there already, publishing, and what changed when.

Answers name the version they were given under. A change is harmless, makes a new version, or is refused because what
was answered would mean something else afterwards.
"""

import json
import os
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from concordant.collection.events import now
from concordant.collection.opened_study import read_study
from concordant.collection.session import Running
from concordant.design.description import Description
from concordant.design.made_from import fingerprint, is_made_from
from concordant.design.plan import FILE as PLAN
from concordant.design.plan import Plan, hashed, make_plan
from concordant.design.plan import write as write_plan
from concordant.design.study_file import FILE, VERSION, read
from concordant.errors import InputError
from concordant.files import written_whole
from concordant.studio.drafts import NOT_PUBLISHED, WorkingDraft, mark_of
from concordant.studio.projects import Studio
from concordant.studio.wordings import VERSIONS, keep_rules
from concordant.tasks.question import Question, Unit

HARMLESS, NEW_VERSION, REFUSED = "harmless", "version", "refused"
COMPARED = ("title", "language", "introduction", "participant", "instructions", "comprehension", "thanks")
MORE_COMPARED = (
    *(
        "screened_out",
        "failed_check",
        "recruitment",
        "cleaning",
        "presentation",
        "is_open",
        "open_rounds",
        "allocation",
        "raters",
    ),
)
SETTINGS = ("minimum", "maximum", "low", "high", "step", "low_label", "high_label", "max_length", "not_sure", "more")


@dataclass(frozen=True, kw_only=True)
class Change:
    """One change and what it means: harmless, a new version, or refused.

    `said` names its sentence, `of` what it is about.
    """

    meaning: str
    said: str
    of: str = ""
    n: int = 0


@dataclass(frozen=True, kw_only=True)
class Version:
    """A published version: its number, when and by whom, what changed."""

    number: int
    at: str
    who: str
    changes: Sequence[Change] = ()


@dataclass(frozen=True, kw_only=True)
class Proposal:
    """What publishing a draft would do."""

    changes: Sequence[Change]
    n_answers: int
    n_problems: int
    is_overtaken: bool

    @property
    def is_possible(self) -> bool:
        """Whether it can be published as it is."""
        return not (self.n_problems or any(one.meaning == REFUSED for one in self.changes))


def proposal(draft: WorkingDraft) -> Proposal:
    """What publishing would change, said before it is done."""
    if draft.problems:
        return Proposal(changes=(), n_answers=0, n_problems=len(draft.problems), is_overtaken=draft.is_overtaken)
    new = read(draft.folder)
    if draft.live is None:
        return Proposal(changes=(), n_answers=0, n_problems=0, is_overtaken=False)
    snapshot = draft.studio.live.latest(draft.live)
    n_begun = snapshot.progress.n_begun
    old = read(draft.live.description.folder)
    changes = list(changes_between(old, new, _used(snapshot) if n_begun else None))
    if n_begun and not any(one.meaning == REFUSED for one in changes) and not keeps_plan(draft.live, old, new):
        changes.append(Change(meaning=REFUSED, said="plan"))
    if not n_begun:
        changes = [replace(one, meaning=NEW_VERSION) if one.meaning == REFUSED else one for one in changes]
    return Proposal(
        changes=changes, n_answers=snapshot.progress.n_answered, n_problems=0, is_overtaken=draft.is_overtaken
    )


def _used(snapshot: Any) -> dict[str, list[Any]]:
    """The values that were given to each question."""
    found: dict[str, list[Any]] = {}
    for judgement in (judgement for one in snapshot.followed for judgement in one.judgements):
        found.setdefault(judgement.question, []).append(judgement.value)
    return found


def changes_between(old: Description, new: Description, used: dict[str, list[Any]] | None) -> Iterator[Change]:
    """Everything that differs; `used` are the answers, None while there are none."""
    before, after = ({one.id: one for one in each.questions} for each in (old, new))
    for id in before.keys() | after.keys():
        if id not in after or id not in before:
            yield Change(meaning=REFUSED, said="question_gone" if id not in after else "question_new", of=id)
        else:
            yield from _of_question(before[id], after[id], (used or {}).get(id, []))
    if before.keys() == after.keys() and list(before) != list(after):
        yield Change(meaning=REFUSED, said="questions_moved")
    same = [fingerprint(_units_only(each)) for each in (old, new)]
    if same[0] != same[1]:
        yield Change(meaning=REFUSED, said="items", n=len(new.rows))
    for name in ("sampling", "n_sets", "assignment", "pairing", "seed"):
        if getattr(old, name) != getattr(new, name):
            yield Change(meaning=REFUSED, said="assignment", of=name)
    for table in ("training", "gold"):
        units = [_known(each, table) for each in (old, new)]
        if units[0] != units[1]:
            is_same = [one.id for one in units[0]] == [one.id for one in units[1]]
            yield Change(meaning=NEW_VERSION if is_same else REFUSED, said="known_items", of=table)
    if old.guidelines != new.guidelines:
        rules = [each.guidelines.version if each.guidelines else "" for each in (old, new)]
        if used is not None and rules[0] == rules[1]:
            yield Change(meaning=REFUSED, said="guidelines_same", of=rules[1])
        else:
            yield Change(meaning=HARMLESS, said="guidelines", of=rules[1])
    for name in (*COMPARED, *MORE_COMPARED):
        if getattr(old, name) != getattr(new, name):
            yield Change(meaning=NEW_VERSION if name == "introduction" else HARMLESS, said="page", of=name)


def _known(description: Description, table: str) -> tuple[Unit, ...]:
    """The items with known answers that train raters, or check them."""
    training = description.training.units if description.training else ()
    return training if table == "training" else description.checks.gold


def _units_only(description: Description) -> Description:
    """A study that differs from others by its units alone."""
    return Description(name="", title="", folder=Path(), questions=(), units=description.units, rows=description.rows)


def _of_question(old: Question, new: Question, given: Sequence[Any]) -> Iterator[Change]:
    if old.task != new.task:
        yield Change(meaning=REFUSED, said="kind", of=new.id)
        return
    values = [[option.value for option in one.options] for one in (old, new)]
    patterns = [[(pattern.id, pattern.category) for pattern in one.patterns] for one in (old, new)]
    for value in values[0]:
        if value not in values[1]:
            n = sum(value in chosen_in(one) for one in given)
            yield Change(
                meaning=REFUSED if n or old.shuffle else NEW_VERSION, said="option_gone", of=f"{new.id}: {value}", n=n
            )
    for value in values[1]:
        if value not in values[0]:
            yield Change(meaning=NEW_VERSION, said="option_new", of=f"{new.id}: {value}")
    if sorted(values[0]) == sorted(values[1]) and values[0] != values[1]:
        yield Change(meaning=NEW_VERSION, said="options_moved", of=new.id)
    if patterns[0] != patterns[1]:
        yield Change(meaning=REFUSED, said="patterns", of=new.id)
    labels = [{option.value: (option.label, option.key, option.help) for option in one.options} for one in (old, new)]
    if any(labels[0][value] != labels[1][value] for value in labels[0].keys() & labels[1].keys()):
        yield Change(meaning=NEW_VERSION, said="labels", of=new.id)
    if (old.ask, old.title, old.help) != (new.ask, new.title, new.help):
        yield Change(meaning=NEW_VERSION, said="wording", of=new.id)
    if any(getattr(old, name) != getattr(new, name) for name in SETTINGS):
        yield Change(meaning=NEW_VERSION, said="settings", of=new.id)
    if old.shuffle != new.shuffle:
        yield Change(meaning=HARMLESS, said="settings", of=new.id)


def chosen_in(value: Any) -> list[Any]:
    """The options in an answer."""
    if isinstance(value, list):
        return [one.get("category") if isinstance(one, dict) else one for one in value]
    return [value]


def keeps_plan(live: Running, old: Description, new: Description) -> bool:
    """Whether the plan of those who came can go on: only categories were added or put in another order."""
    if is_made_from(live.plan, new):
        return True
    return make_plan(old).sets == make_plan(new).sets == live.plan.sets and make_plan(new).pairs == live.plan.pairs


def carried_over(plan: Plan, description: Description) -> Plan:
    """The same draws for a study whose plan would draw the same, although its fingerprint is another."""
    return hashed(replace(plan, fingerprint=fingerprint(description), earlier=(*plan.earlier, plan.hash)))


def publish(draft: WorkingDraft, *, over: bool = False) -> Running:
    """Make the draft the study that raters see; nothing is changed when it cannot be.

    `over` says that what somebody else changed meanwhile may be lost.
    """
    proposed = proposal(draft)
    if proposed.n_problems:
        hint = draft.problems[0].what
        raise InputError(f"{proposed.n_problems} things are to mend before this can be published", hint=hint)
    if draft.live is not None and proposed.is_overtaken and not over:
        raise InputError("the study was changed while you edited", hint="compare, then publish over it or discard")
    if not proposed.is_possible:
        raise InputError("this would change what was answered", hint="duplicate the study and change the copy")
    number = 1 + max((one.number for one in versions(draft.studio, draft.name)), default=0)
    version = Version(number=number, at=now(), who=draft.who, changes=tuple(proposed.changes))
    goal = _laid_down(draft, version)
    study = read_study(goal)
    draft.studio.take(study)
    draft.noted(base=mark_of(draft.folder), files_changed=None)
    return draft.studio.studies[draft.name]


def _laid_down(draft: WorkingDraft, version: Version) -> Path:
    """Write the study's folder: data first, the study file last, so that no reader sees half of it."""
    assert draft.studio.home is not None
    live = draft.live
    goal = live.description.folder if live is not None else draft.studio.home / draft.name
    try:
        plan, new = make_plan(read(draft.folder)), read(draft.folder)
        if live is not None and draft.studio.live.latest(live).progress.n_begun:
            plan = live.plan if is_made_from(live.plan, new) else carried_over(live.plan, new)
        goal.mkdir(exist_ok=True)
        shutil.copytree(draft.folder, goal, dirs_exist_ok=True, ignore=shutil.ignore_patterns(FILE, *NOT_PUBLISHED))
        write_plan(plan, goal / PLAN)
        kept = draft.studio.home / VERSIONS / draft.name / f"{version.number:04}"
        kept.mkdir(parents=True, exist_ok=True)
        keep_rules(new, kept)
        for place in (goal, kept):
            (place / VERSION).write_text(json.dumps(asdict(version), ensure_ascii=False), encoding="utf-8")
        (kept / FILE).write_text(draft.text, encoding="utf-8", newline="")
        with written_whole(goal / FILE) as beside:
            beside.write_text(draft.text, encoding="utf-8", newline="")
    except OSError as error:
        raise InputError(f"the study cannot be written: {os.strerror(error.errno or 0)}") from error
    return goal


def versions(studio: Studio, name: str) -> list[Version]:
    """The published versions, the latest first."""
    if studio.home is None:
        return []
    found = []
    for file in sorted((studio.home / VERSIONS / name).glob(f"*/{VERSION}"), reverse=True):
        told = json.loads(file.read_text(encoding="utf-8"))
        found.append(Version(**{**told, "changes": tuple(Change(**one) for one in told["changes"])}))
    return found


def version_text(studio: Studio, name: str, number: int) -> str:
    """The study file of a version."""
    file = (studio.home or Path()) / VERSIONS / name / f"{number:04}" / FILE
    if studio.home is None or not file.exists():
        raise InputError(f"there is no version {number}", hint="look at the list of versions")
    return file.read_text(encoding="utf-8")
