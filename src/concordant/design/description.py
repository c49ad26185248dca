"""A study, described: what is shown, what is asked, of whom, and around which pages.

These are the values that `concordant.design.study_file.read` makes of a study's TOML file and its data files. They are
frozen and complete: the pages, the session, the cleaning and the export need nothing else.

Texts of pages are plain text in which a blank line starts a paragraph, `- ` a list entry and `*word*` is emphasised.
"""

from base64 import b32encode
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType
from urllib.parse import quote

from concordant.tasks.kind import WordRules, kind_of
from concordant.tasks.question import Media, Option, Question, Unit


@dataclass(frozen=True, kw_only=True)
class Example:
    """An example of the instructions: what was shown, what was answered and why."""

    text: str
    answer: str
    explanation: str = ""
    image: Media | None = None


@dataclass(frozen=True, kw_only=True)
class ParticipantQuestion:
    """A question about the participant. `kind` is text, number or choice.

    Where it says what it accepts, whoever answers otherwise is screened out.
    """

    id: str
    ask: str
    kind: str = "text"
    options: tuple[Option, ...] = ()
    low: float | None = None
    high: float | None = None
    is_required: bool = False
    accept: tuple[str, ...] = ()

    def screens_out(self, answer: str) -> bool:
        """Whether somebody with this answer cannot take part."""
        return bool(self.accept) and answer not in self.accept


@dataclass(frozen=True, kw_only=True)
class Introduction:
    """The first page: what the study is, and what the participant agrees to (empty: nothing to agree to)."""

    text: str
    consent: str = ""


@dataclass(frozen=True, kw_only=True)
class Instructions:
    """What to do, with examples."""

    text: str
    examples: tuple[Example, ...] = ()


@dataclass(frozen=True)
class Training:
    """Items whose expected answer is shown after answering; with `second_try` a wrong answer is asked again once."""

    units: tuple[Unit, ...]
    second_try: bool = False


@dataclass(frozen=True, kw_only=True)
class CheckQuestion:
    """A question about the instructions with its right answer."""

    id: str
    ask: str
    options: tuple[Option, ...]
    right: str


@dataclass(frozen=True, kw_only=True)
class Comprehension:
    """Questions about the instructions that must all be answered rightly, in so many tries, before judging begins."""

    questions: tuple[CheckQuestion, ...]
    tries: int = 2
    text: str = ""


PARTICIPANT, PERSONAL = "{participant}", "{personal}"
"""What a code or a link back may name: the participant as the platform calls them, and a code of their own."""


def personal_code(study: str, rater: str) -> str:
    """A code of a participant's own. Ids of participants from platforms are secret, so nobody can make one up."""
    return b32encode(sha256(f"code\n{study}\n{rater}".encode()).digest()).decode()[:8]


@dataclass(frozen=True, kw_only=True)
class Ending:
    """How somebody leaves: what they read, and a code and a link back for crowd platforms."""

    text: str
    code: str = ""
    return_url: str = ""

    def for_one(self, participant: str, personal: str) -> "Ending":
        """The same for one participant."""
        code = self.code.replace(PARTICIPANT, participant).replace(PERSONAL, personal)
        address = self.return_url.replace(PARTICIPANT, quote(participant, safe="")).replace(PERSONAL, personal)
        return replace(self, code=code, return_url=address)


@dataclass(frozen=True, kw_only=True)
class Thanks(Ending):
    """The last page: thanks, the purpose, perhaps a comment."""

    purpose: str = ""
    asks_comment: bool = False


@dataclass(frozen=True, kw_only=True)
class FailedCheck(Ending):
    """The end for whoever did not pass the comprehension check, or got fewer gold items right than `min_gold`."""

    min_gold: float | None = None


@dataclass(frozen=True, kw_only=True)
class Recruitment:
    """Participants that a platform sends: the parameter of the link that names them, and when a place is free again.

    Whoever has begun and was not seen for `gone_after` hours has dropped out. Whoever was revoked may come as
    somebody new from the same browser only if `comes_anew` says so.
    """

    participant: str = ""
    gone_after: float = 72.0
    comes_anew: bool = False


@dataclass(frozen=True, kw_only=True)
class Guidelines:
    """The rules beside the item; every page shown is logged with their version."""

    version: str
    text: str


@dataclass(frozen=True, kw_only=True)
class Presentation:
    """How units meet raters: one question at a time (`passes`) or all together, in which order."""

    passes: bool = True
    shuffle: bool = True
    shuffle_slots: bool = True
    go_back: bool = True


@dataclass(frozen=True, kw_only=True)
class Checks:
    """Items that watch over quality: gold items mixed in, and own items repeated at least `gap` items later."""

    gold: tuple[Unit, ...] = ()
    repeats: int = 0
    gap: int = 10


@dataclass(frozen=True, kw_only=True)
class Sampling:
    """Which units of the pool are used: all, `simple` or `stratified` (SPEC: bands of log frequency x types)."""

    method: str = "all"
    size: int | None = None
    frequency: str = ""
    bands: int = 3
    by: str = ""
    within: str = ""
    pool_below: int = 20


@dataclass(frozen=True, kw_only=True)
class Assignment:
    """Which sets there are and who judges which.

    Sets are dealt, so that every unit is in `judgements` of them and a share `overlap` of all units in every one; or
    `by` (a column of the units) or `members` (of a file, ids by the name of the set) says what is in each. `names` are
    those of the sets that are offered to whoever comes; after them come those made for single raters, each the union of
    some by name, `all` of everything, `shared` of what is in every set. Units come
    in so many `rounds`, the first with a share of its own where one is said, or in those of a column (`rounds_by`).
    """

    names: tuple[str, ...] = ("1",)
    judgements: int = 1
    overlap: float = 0.0
    by: str = ""
    members: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    joined: tuple[tuple[str, ...], ...] = ()
    rounds: int = 1
    first_round: float | None = None
    rounds_by: str = ""

    @property
    def has_rounds(self) -> bool:
        """Whether some units come before others."""
        return self.rounds > 1 or bool(self.rounds_by)


@dataclass(frozen=True, kw_only=True)
class Allocation:
    """What comes after the planned judgements: each rater gets `size` units (as many as a set has, unless said) whose
    label of `question` one more vote may change most, until that label is `sure`, the unit has `most` judgements, or
    there are as many as the `budget`.
    """

    question: str = ""
    size: int | None = None
    most: int = 15
    sure: float = 0.95
    budget: int | None = None


@dataclass(frozen=True, kw_only=True)
class Pairing:
    """Preference pairs: `per_group` pairs for every combination of the `within` columns, by the `vector` columns."""

    vector: tuple[str, ...]
    per_group: int
    within: tuple[str, ...] = ("item",)


@dataclass(frozen=True, kw_only=True)
class Rater:
    """A rater invited by name, with attributes that slice the results later (never shown to other raters)."""

    id: str
    attributes: Mapping[str, str] = field(default_factory=dict)
    set: int | None = None
    kind: str = "human"  # or model, with the prompt and the temperature that it was asked with
    prompt: str | None = None
    temperature: float | None = None


@dataclass(frozen=True, kw_only=True)
class CleaningRules(WordRules):
    """Who and what is left out of the cleaned export (each rule is counted; a rule that is None is not applied)."""

    min_share: float | None = None
    max_overfilled: int | None = None
    too_many: int = 3
    min_gold: float | None = None
    min_seconds: float | None = None
    drop_overfilled: bool = False


@dataclass(frozen=True, kw_only=True)
class Description:
    """A whole study. `units` are judged; `rows` are all rows of the units file, before identical texts were merged.

    The units are split into `n_sets` sets; each participant judges one, of which the first `open_rounds` are open (all
    where it is None).
    `version` is the number of the version that was published, where it was. `profile` is the folder of the profile that
    the units come from, where they do.
    """

    name: str
    title: str
    folder: Path
    language: str = "en"
    seed: int = 1
    is_open: bool = False
    questions: tuple[Question, ...]
    units: tuple[Unit, ...]
    rows: tuple[Unit, ...] = ()
    profile: Path | None = None
    version: str = ""
    raters: tuple[Rater, ...] = ()
    introduction: Introduction | None = None
    participant: tuple[ParticipantQuestion, ...] = ()
    instructions: Instructions | None = None
    training: Training | None = None
    comprehension: Comprehension | None = None
    thanks: Thanks = Thanks(text="")
    screened_out: Ending = Ending(text="")
    failed_check: FailedCheck = FailedCheck(text="")
    recruitment: Recruitment = Recruitment()
    guidelines: Guidelines | None = None
    presentation: Presentation = Presentation()
    checks: Checks = Checks()
    sampling: Sampling = Sampling()
    n_sets: int = 1
    assignment: Assignment | None = None
    open_rounds: int | None = None
    allocation: Allocation | None = None
    pairing: Pairing | None = None
    cleaning: CleaningRules = CleaningRules()

    @cached_property
    def models(self) -> frozenset[str]:
        """The raters of the study file that are models."""
        return frozenset(one.id for one in self.raters if one.kind != Rater.kind)

    @property
    def has_models(self) -> bool:
        """Whether a rater of the study file is a model."""
        return bool(self.models)

    def question(self, id: str) -> Question:
        """The question with this id; the id must exist."""
        return self._question_by_id[id]

    @cached_property
    def _question_by_id(self) -> Mapping[str, Question]:
        return {question.id: question for question in self.questions}

    @cached_property
    def attributes_of_raters(self) -> Mapping[str, Mapping[str, str]]:
        """What is known of each invited rater."""
        return {rater.id: rater.attributes for rater in self.raters}

    @cached_property
    def measured(self) -> tuple[Question, ...]:
        """The questions as they are measured: one answer may be several judgements."""
        return tuple(one for question in self.questions for one in kind_of(question).measured(question))

    @property
    def shown(self) -> str:
        """What is shown and judged at once, in the plural: its copies and parts stand or fall together."""
        return "sentences" if any(kind_of(one).chooses_parses for one in self.questions) else "texts"

    @property
    def becomes_many(self) -> str:
        """Why there may be more judgements than were given, in words."""
        return next(filter(None, (kind_of(one).becomes_many for one in self.questions)), "identical texts")

    @cached_property
    def row_by_id(self) -> Mapping[str, Unit]:
        """Every row of the units file."""
        return {unit.id: unit for unit in self.rows}

    @cached_property
    def unit_by_id(self) -> Mapping[str, Unit]:
        """Every unit that can be shown: those of the pool, training and gold."""
        training = self.training.units if self.training else ()
        return MappingProxyType({unit.id: unit for unit in (*self.units, *training, *self.checks.gold)})
