"""A study followed while it is collected: a fold over the log that takes in new events only.

Everything known about one rater (where they stand, their judgements, what the cleaning does to them) depends on that
rater's own events, so when events arrive only their raters are gathered again; the others stay as they are.
"""

from collections import defaultdict
from dataclasses import dataclass

from assent.collection.cleaning import Cleaned, clean
from assent.collection.collected import Collected, Judgement, Person, judgements_of, person_of
from assent.collection.events import Commented, Event
from assent.collection.judgement_table import Judged, judged
from assent.collection.log import Answer, Log
from assent.collection.session import State, Study, advance, start
from assent.design.ordering import Kind


@dataclass(frozen=True, kw_only=True)
class Followed:
    """One rater as far as the log goes: the raw judgements, and the cleaned ones of main items with their units."""

    person: Person
    judgements: tuple[Judgement, ...]
    cleaned: Cleaned
    judged: tuple[Judged, ...]


class Following:
    """All raters of a study, kept up to date by `update`. Not for several threads at once."""

    def __init__(self, log: Log, study: Study) -> None:
        """Nothing is read yet."""
        self.study = study
        self.seq = 0
        self.raters: dict[str, Followed] = {}
        self._log = log
        self._states: dict[str, State] = {}
        self._comments: dict[str, list[Commented]] = defaultdict(list)

    def update(self) -> frozenset[str]:
        """Take in what is new; returns the raters it is about."""
        changed = self._take_events()
        if changed:
            self._gather(changed)
        return frozenset(changed)

    def collected(self) -> Collected:
        """All people and raw judgements, by rater."""
        followed = [self.raters[rater] for rater in sorted(self.raters)]
        judgements = tuple(judgement for one in followed for judgement in one.judgements)
        return Collected(study=self.study, people=tuple(one.person for one in followed), judgements=judgements)

    def _take_events(self) -> set[str]:
        arrived: dict[str, list[Event]] = defaultdict(list)
        for entry in self._log.events(self.study.description.name, after=self.seq):
            arrived[entry.event.rater].append(entry.event)
            self.seq = entry.seq
        for rater, events in arrived.items():
            self._states[rater] = advance(self._state(rater), *events)
            self._comments[rater] += [event for event in events if isinstance(event, Commented)]
        return set(arrived)

    def _state(self, rater: str) -> State:
        return self._states.get(rater) or start(self.study, rater)

    def _gather(self, changed: set[str]) -> None:
        answers = self._answers(changed)
        for standing in self._log.standings(self.study.description.name):
            if standing.rater not in changed:
                continue
            state = self._states[standing.rater]
            given = judgements_of(state, answers[standing.rater])
            person = person_of(state, standing, self._comments[standing.rater], given)
            self.raters[standing.rater] = _followed(self.study, person, tuple(given))

    def _answers(self, raters: set[str]) -> dict[str, list[Answer]]:
        """The current answers of these raters; all at once when there are many."""
        name = self.study.description.name
        found: dict[str, list[Answer]] = defaultdict(list)
        for rater in [None] if len(raters) > 20 else sorted(raters):
            for answer in self._log.answers(name, rater):
                found[answer.rater].append(answer)
        return found


def _followed(study: Study, person: Person, given: tuple[Judgement, ...]) -> Followed:
    cleaned = clean(Collected(study=study, people=(person,), judgements=given))
    rows = tuple(row for row in judged(cleaned.collected) if row.judgement.kind is Kind.MAIN)
    return Followed(person=person, judgements=given, cleaned=cleaned, judged=rows)
