"""From judged features to compared systems, over two studies of the studio: which steps are done, and what they say.

features judged → one vector for each response → pairs and preferences → weights → scores and ranks → systems. Every
step is computed by the functions that the commands `vectors`, `weights`, `rank` and `chain` call.
"""

import csv
import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from concordant.collection.accounts import RESEARCHER
from concordant.collection.session import Running
from concordant.design.description import Description
from concordant.errors import ConcordantError, InputError
from concordant.gold.cells import in_numbers
from concordant.gold.feature_values import Vectors, by_question, feature_vectors
from concordant.gold.from_features import RaterRanking, agreement_on, other_vectors, rankings_of_raters
from concordant.gold.ranks import RankedResponses, rank_responses
from concordant.gold.settled import item_vectors, preferences_of, unit_source
from concordant.gold.weights import Preferences, Weights, weigh_by_rater
from concordant.measures.result import Agreement
from concordant.model.tabular import plain
from concordant.studio import drafts
from concordant.studio.drafts import WorkingDraft
from concordant.studio.live import SEED
from concordant.studio.people import MemberPlace, place_of
from concordant.studio.projects import NotFoundError

STEPS = ("features", "vectors", "preferences", "weights", "ranks", "systems")
DONE, PART, OPEN = "done", "part", "open"
PER_GROUP = 4
ITEMS = "responses.csv"


@dataclass(kw_only=True)
class Chained:
    """As far as it goes: `features` and `preferences` are the two studies, `reasons` say why a step is not done yet.

    `others` are the studies that could be the missing half.
    """

    features: MemberPlace | None
    preferences: MemberPlace | None
    others: Sequence[tuple[str, str]]
    only: str
    agreement: tuple[Agreement, ...] = ()
    vectors: Vectors | None = None
    chosen: Preferences | None = None
    weights: dict[str | None, Weights] = field(default_factory=dict)
    ranked: RankedResponses | None = None
    by_rater: tuple[RaterRanking, ...] = ()
    notes: tuple[str, ...] = ()
    reasons: dict[str, str] = field(default_factory=dict)

    @property
    def used(self) -> Weights | None:
        """The weights by which responses are ranked."""
        return self.weights.get(self.only or None)

    @property
    def closest(self) -> tuple[str, float] | None:
        """The system closest to the ranking, and its mean Spearman over items."""
        systems = self.ranked.systems if self.ranked is not None else ()
        means = [(one.mean_spearman, one.system) for one in systems if one.mean_spearman is not None]
        return (max(means)[1], max(means)[0]) if means else None

    @property
    def n_pairs(self) -> int:
        """How many pairs somebody decided."""
        return 0 if self.chosen is None else len(self.chosen.pair.labels)

    @property
    def n_known(self) -> int:
        """How many responses have a vector."""
        return 0 if self.vectors is None else int(self.vectors.is_known.sum())

    @property
    def states(self) -> dict[str, str]:
        """How far each step is: done, in part, or open."""
        n = len(self.vectors.units) if self.vectors is not None else 0
        planned = len(self.preferences.study.plan.pairs) if self.preferences else 0
        raters = self.features.latest().progress.raters if self.features else ()
        is_judged = all(one.state == "completed" for one in raters)
        return {
            "features": OPEN if self.features and not self.agreement else DONE if is_judged else PART,
            "vectors": OPEN if not self.n_known else DONE if self.n_known == n else PART,
            "preferences": OPEN if not self.n_pairs else DONE if self.n_pairs >= planned else PART,
            "weights": DONE if self.used is not None and not self.used.reason else OPEN,
            "ranks": DONE if self.ranked is not None else OPEN,
            "systems": DONE if self.ranked is not None and self.ranked.systems else OPEN,
        }

    def to_dict(self) -> dict[str, Any]:
        """Everything as JSON can hold it; what the command `chain --json` prints has the same names."""
        return {
            "studies": {
                "features": self.features.name if self.features else None,
                "preferences": self.preferences.name if self.preferences else None,
            },
            "states": self.states,
            "reasons": self.reasons,
            "agreement": plain(list(self.agreement)),
            "vectors": None
            if self.vectors is None
            else {"basis": self.vectors.basis, "n_distinct": self.vectors.n_distinct, "units": self.vectors.rows()},
            "n_pairs": self.n_pairs,
            "weights": {rater or "all": plain(one) for rater, one in self.weights.items()},
            "only": self.only or None,
            "by_rater": plain(list(self.by_rater)),
            "ranking": None if self.ranked is None else self.ranked.to_dict(),
            "notes": list(self.notes),
        }


def halves(place: MemberPlace) -> list[tuple[str, str]]:
    """The studies of this member that could be the other half: name and title, the one with most answers first."""
    here, found = place.study.description, list[tuple[int, str, str]]()
    for name, study in place.studio.studies.items():
        other = study.description
        if name != place.name and place.studio.membership.role(name, place.who) == RESEARCHER:
            features, pairs = (other, here) if here.pairing else (here, other)
            if pairs.pairing and not features.pairing and set(pairs.pairing.vector) <= set(numeric(features)):
                found.append((-place.studio.live.latest(study).progress.n_answered, name, other.title))
    return [(name, title) for _, name, title in sorted(found)]


def numeric(description: Description) -> list[str]:
    """The questions whose answers are numbers, or yes and no."""
    answers = {one.id: [option.value for option in one.options] for one in description.questions}
    return [id for id, values in answers.items() if values and in_numbers(values) is not None]


def is_link(place: MemberPlace) -> bool:
    """Whether this study can be a part of a chain."""
    return place.study.description.pairing is not None or bool(numeric(place.study.description))


def chained(
    place: MemberPlace, *, other: str = "", only: str = "", values: str = "", scores: str = "", resamples: int = 2000
) -> Chained:
    """The chain that this study is a part of; `other` names the other half where several could be it."""
    others = halves(place)
    if other and other not in [name for name, _ in others]:
        raise NotFoundError("there is no such study to chain with")
    chosen = other or (others[0][0] if others else "")
    half = place_of(place.studio, place.who, chosen) if chosen else None
    features, pairs = (half, place) if place.study.description.pairing else (place, half)
    found = Chained(features=features, preferences=pairs, others=others, only=only)
    key = f"chain {chosen} {half.latest().seq if half else 0} {len(half.decisions()) if half else 0} "
    key += f"{len(place.decisions())} {only} {values} {resamples} {scores}"
    return place.latest().remember(key, lambda: walked(found, values, scores, resamples))


def walked(found: Chained, values: str, scores: str, resamples: int) -> Chained:
    """Every step that can be done; the first that cannot says why, and those behind it wait."""
    names = found.preferences.study.description.pairing if found.preferences else None
    vector = names.vector if names else tuple(numeric(found.features.study.description)) if found.features else ()
    steps: dict[str, Callable[[], None]] = {
        "features": lambda: judged_features(found, vector, values),
        "preferences": lambda: collected_preferences(found),
        "weights": lambda: weighed_features(found, resamples),
        "ranks": lambda: ranked_responses(found, scores),
    }
    for step, do in steps.items():
        try:
            do()
        except ConcordantError as error:
            found.reasons[step] = str(error)
            if step != "features":  # preferences may be looked at before all features are judged
                break
    return found


def judged_features(found: Chained, vector: tuple[str, ...], values: str) -> None:
    """Agreement on each feature and the vectors; the items of a preference test bring theirs along."""
    if found.features is None:
        assert found.preferences is not None  # one of the two is the study of the page
        found.vectors = item_vectors(found.preferences.study)
        return
    here = found.features
    judged = here.latest().judgements
    if judged is None:
        raise InputError("nobody has judged the features yet", hint="invite raters")
    if lacking := [name for name in vector if name not in by_question(judged)]:
        raise InputError(f"nobody has judged {lacking[0]!r} yet", hint="wait for answers")
    found.agreement = tuple(agreement_on(judged, vector, seed=SEED))
    known = unit_source(here.study, here.decided())
    found.vectors = feature_vectors(judged, values=values or None, features=vector, decisions=known)
    found.notes += found.vectors.notes


def collected_preferences(found: Chained) -> None:
    """What was preferred, and whether the pairs were made of these vectors."""
    if found.preferences is None:
        raise InputError("no preference test has been made of these features", hint="make one below")
    found.chosen = preferences_of(found.preferences.study, found.preferences.latest().followed)
    if found.vectors is not None:
        found.notes += tuple(other_vectors(found.vectors, found.chosen))


def weighed_features(found: Chained, resamples: int) -> None:
    """The weights of all raters and of each."""
    assert found.chosen is not None  # the step before
    found.weights = weigh_by_rater(found.chosen, resamples=resamples, seed=SEED)
    if found.used is None:
        raise InputError(f"{found.only!r} has decided nothing", hint="take all raters, or another one")
    if found.used.reason:
        raise InputError(f"no weights: {found.used.reason}", hint="collect more preferences")


def ranked_responses(found: Chained, scores: str) -> None:
    """Scores and ranks, and systems against them; a table that cannot be used is told and leaves the ranks."""
    assert found.used is not None  # the step before
    if found.vectors is None:
        raise InputError("there are no vectors to rank", hint="judge the features first")
    table = table_of(scores) if scores.strip() else None
    try:
        found.ranked = rank_responses(found.vectors, weights=found.used.as_mapping(), scores=table, seed=SEED)
    except InputError as error:
        if table is None:
            raise
        found.reasons["systems"] = str(error)
        found.ranked = rank_responses(found.vectors, weights=found.used.as_mapping(), seed=SEED)
    own = rankings_of_raters(found.vectors, found.weights, found.ranked, found.only or None)
    found.by_rater = tuple(own)


def table_of(text: str) -> dict[str, list[str]]:
    """A pasted table of systems' scores, with a header and commas, semicolons or tabs between cells.

    >>> table_of("unit\\tmine\\nr1\\t0.5")
    {'unit': ['r1'], 'mine': ['0.5']}
    """
    lines = [line for line in text.splitlines() if line.strip()]
    separator = max("\t;,", key=lines[0].count) if lines else ","
    header, *rows = csv.reader(lines, delimiter=separator) if lines else [[]]
    if not rows or len(set(header)) < len(header) or any(len(row) != len(header) for row in rows):
        hint = "one line for each response, as wide as the first line, which names the columns"
        raise InputError("this is no table of scores", hint=hint)
    return {name.strip(): [row[place].strip() for row in rows] for place, name in enumerate(header)}


def begin_pairs(place: MemberPlace, title: str) -> WorkingDraft:
    """A draft of a preference test whose items are the responses of this study with their vectors."""
    here = place.study
    names = tuple(numeric(here.description))
    judged = place.latest().judgements
    if judged is None or not names:
        raise InputError("there are no judged features to make pairs of", hint="wait for answers")
    vectors = feature_vectors(judged, features=names, decisions=unit_source(here, place.decided()))
    if vectors.n_distinct < 2:
        raise InputError("all responses have the same features, so no pair would teach anything", hint="judge more")
    draft = drafts.begin(place.studio, place.who, title)
    try:
        vectors.to_csv(draft.folder / ITEMS)
        for path in media_of(here):
            (draft.folder / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(here.description.folder / path, draft.folder / path)
        shown = {name: name for name in ("text", "prompt", "image", "image_alt", "audio") if name in vectors.about}
        asked = {"id": "better", "task": "pairwise", "ask": "Which is the better response?"}
        return draft.changed(
            {
                **draft.document,
                "language": here.description.language,
                "units": {"file": ITEMS, "id": "id", "item": "item", **shown},
                "pairs": {"vector": list(names), "per_group": PER_GROUP},
                "questions": [asked],
            }
        )
    except (ConcordantError, OSError):
        drafts.discard(draft)
        raise


def media_of(study: Running) -> Iterator[str]:
    """The pictures and sounds of the items, each once."""
    found = (medium.path for unit in study.description.units for medium in (unit.image, unit.audio) if medium)
    yield from dict.fromkeys(found)
