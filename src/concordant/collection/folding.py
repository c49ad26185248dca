"""A study's log, followed: what every rater's events come to, gathered again only where something is new.

Everything known about one rater (where they stand, their judgements, what the cleaning does to them) depends on that
rater's own events, so when events arrive only their raters are gathered again; the others stay as they are. Whatever
reads collected judgements, from the export to the page that is open while people answer, reads them here. What was
gathered before is taken from a checkpoint where one fits (see `checkpoint`).
"""

from collections import defaultdict
from collections.abc import Collection

from concordant.collection.checkpoint import Checkpoint, Following, Portion, awake
from concordant.collection.collected import (
    Collected,
    FoldedRater,
    collected_of,
    judgements_of,
    person_of,
    unanswered_by,
)
from concordant.collection.events import Commented, Event
from concordant.collection.log import Held, Log, PagesSeen
from concordant.collection.session import Running, State, advance, start
from concordant.memory import rare_collection


class LiveFold:
    """All raters of a study, kept up to date by `update`. Not for several threads at once."""

    def __init__(self, log: Log, study: Running) -> None:
        """Nothing is read yet."""
        self.study = study
        self.seq = 0
        self.raters: dict[str, FoldedRater] = {}
        self.n_folded = (0, 0)
        self.pages = PagesSeen()
        self.checkpoint = Checkpoint(log, study)
        self._log = log
        self._states: dict[str, State] = {}
        self._comments: dict[str, list[str]] = defaultdict(list)
        self._asleep: dict[str, bytes] = {}
        self._is_begun = False
        self._changed: set[str] = set()
        self._n_events = 0

    def update(self) -> frozenset[str]:
        """Take in what is new; returns the raters it is about."""
        with rare_collection():
            kept = frozenset() if self._is_begun else self._take_up()
            return kept | self._update()

    def _take_up(self) -> frozenset[str]:
        """Begin where the checkpoint ends."""
        self._is_begun = True
        if (kept := self.checkpoint.load()) is None:
            return frozenset()
        self.seq, self.raters, self._asleep = kept.seq, kept.raters, kept.asleep
        self.pages.versions, self._n_events = kept.versions, self.checkpoint.n_events
        return frozenset(kept.raters)

    def _update(self) -> frozenset[str]:
        name = self.study.description.name
        arrived: dict[str, list[Event]] = defaultdict(list)
        news, seen, self.seq = self._log.news(name, after=self.seq)
        for rater in self._asleep.keys() & {*(one.rater for one in news), *(page.rater for page in seen)}:
            self._wake(rater)
        for page in seen:
            _ = arrived[page.rater]  # they were there
            self.pages.take(page)
        for event in news:
            arrived[event.rater].append(event)
        for number, (rater, events) in enumerate(arrived.items()):
            self.n_folded = (number, len(arrived))
            self._states[rater] = advance(self._states.get(rater) or start(self.study, rater), *events)
            self._comments[rater] += [event.text for event in events if isinstance(event, Commented)]
        self._gather(arrived)
        self._changed |= arrived.keys()
        self._n_events += len(news) + len(seen)
        return frozenset(arrived)

    def _gather(self, arrived: Collection[str]) -> None:
        """What the raters come to of whom something was heard."""
        name = self.study.description.name
        answers: dict[str, list[Held]] = defaultdict(list)
        for whose in [None] if len(arrived) > 20 else sorted(arrived):  # all at once when there are many
            for answer in self._log.held(name, whose):
                answers[answer.rater].append(answer)
        for standing in self._log.standings(name) if arrived else ():
            if (rater := standing.rater) in arrived:
                state = self._states[rater]
                given = judgements_of(state, answers[rater], self.pages)
                self.raters[rater] = FoldedRater(
                    study=self.study,
                    person=person_of(state, standing, self._comments[rater], given),
                    judgements=tuple(given),
                    conflicts=tuple(state.conflicts),
                    unanswered=unanswered_by(state, self._heard_of(rater)),
                )

    def _heard_of(self, rater: str) -> list[Event]:
        """All events of a model, of whom it counts what it did not answer; none of a person."""
        if rater not in self.study.description.models:
            return []
        return [entry.event for entry in self._log.events(self.study.description.name, rater)]

    def _wake(self, rater: str) -> None:
        """Somebody whom only the checkpoint knows has done something."""
        known = awake(self.study, rater, self._asleep.pop(rater), self._log)
        self._states[rater], self._comments[rater] = known.state, list(known.comments)
        self.pages.put(rater, known.shown)

    def portion(self) -> Portion | None:
        """What is to be kept now, if it is time for that: values that nobody changes, for `checkpoint.keep`."""
        if not self.checkpoint.is_due(self._n_events):
            return None
        is_whole = not self.checkpoint.is_whole
        chosen, self._changed = self.raters.keys() if is_whole else self._changed, set()
        return Portion(
            is_whole=is_whole,
            seq=self.seq,
            n_events=self._n_events,
            versions=dict(self.pages.versions),
            changed={rater: (self.raters[rater], self._known(rater)) for rater in chosen if rater in self.raters},
        )

    def _known(self, rater: str) -> Following | bytes:
        if rater in self._asleep:
            return self._asleep[rater]
        comments, shown = list(self._comments[rater]), self.pages.of(rater)
        return Following(state=self._states[rater], comments=comments, shown=shown)

    def collected(self) -> Collected:
        """All people and raw judgements, by rater."""
        return collected_of(self.study, [self.raters[rater] for rater in sorted(self.raters)])


def collect(log: Log, study: Running) -> Collected:
    """Gather a study from its log once."""
    fold = LiveFold(log, study)
    fold.update()
    return fold.collected()
