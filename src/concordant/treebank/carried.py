"""Decisions carried over to the parses of a newer grammar: a treebank that grows with its grammar (Castro 2011, 2.6.3).

A grammar that is worked on parses more sentences, and the same ones otherwise. What was decided is not decided again:
a decision by hand survives where its discriminant still tells the new parses apart. Where the surviving decisions leave
one parse the sentence is settled; where they leave several, what followed from the decisions and what the chosen
analysis was made of are taken in too, if they agree. A sentence needs a person when parses are still left to choose
from, when what was decided contradicts the new parses, when it was rejected and has new parses, or when it had none.
"""

import csv
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np

from concordant.errors import InputError
from concordant.treebank.analyses import Analysis, ChosenAnalysis, read_lexicon
from concordant.treebank.disambiguation import NO, REJECT, SELECT, YES, Choosing, Contradiction, Parses, place_of
from concordant.treebank.discriminants import YES_INFERRED, Decision, Discriminant
from concordant.treebank.parsed import read_parsed
from concordant.treebank.profile import Annotation, read_profile
from concordant.treebank.written import Treebanked, folder_written_whole, write_profile

Fate = Literal["survived", "needless", "gone", "contradicting"]
Outcome = Literal[
    "same analysis", "by decisions", "by inferences", "still rejected",
    "several parses left", "another parse", "contradiction", "rejected before", "undecided before", "not annotated",
    "other text", "not unpacked",
    "no parses now", "not parsed again",
]  # fmt: skip

FATES: Mapping[Fate, str] = {
    "survived": "decides as before",
    "needless": "nothing to decide: true or false of all new parses, or implied by another decision",
    "gone": "the new parses know no such discriminant",
    "contradicting": "would leave no parse",
}
CARRIED: Mapping[Outcome, str] = {
    "same analysis": "the chosen analysis is among the new parses",
    "by decisions": "the surviving decisions leave one parse",
    "by inferences": "decisions and what the chosen analysis shares with the new parses leave one parse",
    "still rejected": "rejected, and the parses are the same",
}
OPEN: Mapping[Outcome, str] = {
    "several parses left": "the surviving decisions leave several parses",
    "another parse": "the only parse listed is not the one that was chosen",
    "contradiction": "what was decided fits no new parse",
    "rejected before": "rejected, and there are new parses",
    "undecided before": "was not decided to the end",
    "not annotated": "was not annotated",
    "other text": "has another text now",
    "not unpacked": "has more parses than are unpacked; see --most",
}
WITHOUT: Mapping[Outcome, str] = {
    "no parses now": "annotated, but the new grammar has no parse",
    "not parsed again": "annotated, but not in the new profile",
}


NOTHING_DECIDED = ("contradiction", "another parse", "rejected before", "not annotated", "other text", "not unpacked")


class Carried(NamedTuple):
    """What became of one sentence; `decisions` are the fates of its decisions by hand.

    `n_unlisted` parses are counted by the new profile and not listed in it: nobody could look at them.
    """

    sentence: str
    text: str
    outcome: Outcome
    n_parses: int
    n_left: int
    decisions: Counter[Fate]
    choosing: Choosing | None = None
    n_unlisted: int = 0

    @property
    def needs_person(self) -> bool:
        """Whether there is something to decide that nothing decided."""
        return self.outcome in OPEN


@dataclass(frozen=True, kw_only=True)
class Update:
    """A treebank brought to a newer grammar: every sentence, and the folders that were written."""

    sentences: tuple[Carried, ...]
    files: tuple[Path, ...] = field(default=())

    @property
    def outcomes(self) -> Counter[Outcome]:
        """How many sentences came to which end."""
        return Counter(one.outcome for one in self.sentences)

    @property
    def decisions(self) -> Counter[Fate]:
        """How many decisions by hand came to which end."""
        total = Counter[Fate]()
        for one in self.sentences:
            total.update(one.decisions)
        return total

    def to_dict(self) -> dict[str, Any]:
        """The counts, and the sentences that need a person with the reason."""
        open_ones = [{"sentence": one.sentence, "text": one.text, "why": one.outcome, "n_left": one.n_left}
                     for one in self.sentences if one.needs_person]  # fmt: skip
        counts = {name: self.outcomes[name] for name in (*CARRIED, *OPEN, *WITHOUT)}
        return {
            "sentences": counts,
            "n_carried": sum(self.outcomes[name] for name in CARRIED),
            "n_open": len(open_ones),
            "n_unlisted": sum(one.n_unlisted > 0 for one in self.sentences),
            "decisions": {fate: self.decisions[fate] for fate in FATES},
            "open": open_ones,
            "files": [str(file) for file in self.files],
        }


def carry(
    old: str | Path,
    new: str | Path,
    output: str | Path | None = None,
    *,
    also: str | Path | None = None,
    lexicon: str | Path | None = None,
    most: int | None = None,
) -> Update:
    """Carry the decisions in the profile `old` over to the parses in the profile `new`.

    Sentences are matched by number, or by text where numbers have moved; what the profile `also` decides comes before
    `old`. With `output` a new folder is written: `carried`, a profile with all that is decided; `to-decide`, a profile
    of the sentences that need a person, for a study; `sentences.csv`, what became of each. Of a packed forest at most
    `most` parses are unpacked.
    """
    types = read_lexicon(lexicon) if lexicon else {}
    before, after = (read_parsed(path, most=most).annotations for path in (old, new))
    decided = read_profile(also).annotations if also else {}
    known = {**before, **{id: one for id, one in decided.items() if one.status != "undecided" or id not in before}}
    if not any(one.decisions or one.status != "undecided" for one in known.values()):
        raise InputError("no decisions in this treebank", file=old, hint="is it annotated, not only parsed?")
    pairs = matched(known, after)
    if not any(pairs.values()):
        raise InputError("no sentence of the old profile is in it", file=new, hint="sentences go by number and text")
    found = [
        carried(pairs[id], one, types)._replace(n_unlisted=max(one.n_parses - len(one.analyses), 0))
        for id, one in after.items()
        if one.n_parses or pairs[id]
    ]
    met = {one.sentence for one in pairs.values() if one}
    lost = [one for id, one in known.items() if id not in met and not one.is_unparsed]
    found += [Carried(one.sentence, one.text, "not parsed again", 0, 0, Counter()) for one in lost]
    update = Update(sentences=tuple(found))
    return update if output is None else replace(update, files=_write(update, Path(new), Path(output), pairs))


def matched(old: Mapping[str, Annotation], new: Mapping[str, Annotation]) -> dict[str, Annotation | None]:
    """The old annotation of each new sentence: that of its number, or where texts differ the only one of its text."""
    counts = Counter(one.text for one in old.values())
    by_text = {one.text: one for one in old.values() if one.text and counts[one.text] == 1}
    texts, found = {one.text for one in new.values()}, {}
    for id, one in new.items():
        same = old.get(id)
        if same is None or (same.text and one.text and same.text != one.text):
            has_moved = same is not None and same.text in texts
            same = by_text.get(one.text, None if has_moved else same)
        found[id] = same
    return found


def carried(old: Annotation | None, new: Annotation, types: Mapping[str, str]) -> Carried:
    """What becomes of one sentence of the new profile."""
    if not new.analyses:
        why: Outcome = "not unpacked" if new.n_parses else "no parses now"
        return Carried(new.sentence, new.text, why, new.n_parses, new.n_parses, Counter())
    choosing = Choosing(Parses(new.analyses, types))
    n = len(new.analyses)
    if old is None or not old.has_trace or (old.is_unparsed and old.status != "rejected"):
        return Carried(new.sentence, new.text, "not annotated", n, n, Counter(), choosing)
    if old.text and new.text and old.text != new.text:
        return Carried(new.sentence, new.text, "other text", n, n, Counter(), choosing)
    if old.status == "rejected":
        is_same = {parts_of(one) for one in new.analyses} <= {parts_of(one) for one in old.analyses}
        now = choosing.after([REJECT]) if is_same else choosing
        outcome: Outcome = "still rejected" if is_same else "rejected before"
        return Carried(new.sentence, new.text, outcome, n, 0 if is_same else n, Counter(), now)
    by_hand = [one for one in old.decisions if one.is_manual]
    now, fates = applied(choosing, by_hand)
    if old.status == "undecided":
        return Carried(new.sentence, new.text, "undecided before", n, len(now.results), fates, now)
    return _accepted(old, new, choosing, now, fates)


def _accepted(old: Annotation, new: Annotation, fresh: Choosing, now: Choosing, fates: Counter[Fate]) -> Carried:
    """A sentence whose analysis was chosen: that analysis if it is there, else what was decided, then what followed."""
    sentence, text, n = new.sentence, new.text, len(fresh.parses)
    same = same_analyses(old.chosen, new)
    if len(same) == 1:
        base = now if same[0] in now.results else fresh
        settled = base if base.verdict == "accepted" else base.after([f"{SELECT} {same[0]}"])
        return Carried(sentence, text, "same analysis", n, 1, fates, settled)
    if fates["contradicting"]:
        return Carried(sentence, text, "contradiction", n, n, fates, fresh)
    if now.verdict == "accepted" and fates["survived"]:
        return Carried(sentence, text, "by decisions", n, 1, fates, now)
    followed = [one for one in old.decisions if not one.is_manual]
    if old.chosen:  # logs of some programs hold only what was clicked; what the analysis has is true of it all the same
        held = sorted(ChosenAnalysis(old.chosen, fresh.parses.lexicon).discriminants(), key=place_of)
        followed += [Decision(YES_INFERRED, one) for one in held if one.name in fresh.parses.rows]
    more, inferred = applied(now, followed)
    if more.verdict == "accepted" and inferred["survived"] and not inferred["contradicting"]:
        return Carried(sentence, text, "by inferences", n, 1, fates, more)
    open_one: Outcome = "another parse" if len(now.results) == 1 else "several parses left"
    return Carried(sentence, text, open_one, n, len(now.results), fates, now)


def parts_of(analysis: Analysis) -> tuple[Any, str]:
    """The tree, and the MRS without its blanks."""
    return analysis.tree(), "".join(analysis.mrs.split())


def same_analyses(chosen: Analysis | None, new: Annotation) -> list[int]:
    """The parses with the tree of the chosen analysis; of several those that have its MRS too."""
    tree = None if chosen is None else chosen.tree()
    if chosen is None or tree is None:
        return []
    alike = [one for one in new.analyses if one.tree() == tree]
    exact = [one for one in alike if parts_of(one) == parts_of(chosen)] if len(alike) > 1 else alike
    return [one.result for one in exact or alike]


def applied(choosing: Choosing, decisions: Sequence[Decision]) -> tuple[Choosing, Counter[Fate]]:
    """The decisions made again one after the other, and how many of them came to which end."""
    now, fates = choosing, Counter[Fate]()
    is_known = all(one.discriminant.name in choosing.parses.rows for one in decisions)
    read = [] if is_known else choosing.parses.read
    for one in decisions:
        row = row_of(one.discriminant, now.parses, read)
        if row is None:
            fates["gone"] += 1
            continue
        held = now.parses.table.holds[row][now.left]
        if held.all() == held.any() and bool(held.any()) == one.value:
            fates["needless"] += 1
            continue
        try:
            name = now.parses.table.discriminants[row].name
            now = now.after([f"{YES if one.value else NO} {name}"])
            fates["survived"] += 1
        except Contradiction:
            fates["contradicting"] += 1
    return now, fates


def row_of(discriminant: Discriminant, parses: Parses, read: Sequence[ChosenAnalysis]) -> int | None:
    """The row of a discriminant, or of one that holds in the same parses; None where the parses know neither.

    Programs name things otherwise: a twig of one rule is `hd-cmp_u_c` alone, and is true where no rule stands above it.
    """
    if discriminant.name in parses.rows:
        return parses.rows[discriminant.name]
    told = [one.holds(discriminant) for one in read]
    if None in told or not any(told):
        return None
    alike = np.flatnonzero((parses.table.holds == np.array(told, dtype=np.bool_)).all(axis=1))
    return int(alike[0]) if len(alike) else None


def _write(update: Update, new: Path, output: Path, old: Mapping[str, Annotation | None]) -> tuple[Path, ...]:
    """The folder with both profiles and the table."""
    at = datetime.now(UTC)
    done = {one.sentence: _treebanked(one, old.get(one.sentence), at) for one in update.sentences if one.choosing}
    with folder_written_whole(output) as beside:
        write_profile(new, beside / "carried", {id: one for id, one in done.items() if one})
        open_ones = {one.sentence for one in update.sentences if one.needs_person}
        if open_ones:
            write_profile(new, beside / "to-decide", {}, only=open_ones)
        with (beside / "sentences.csv").open("w", encoding="utf-8", newline="") as file:
            rows = csv.writer(file)
            rows.writerow(("sentence", "text", "outcome", "needs a person", "parses", "parses left", *FATES))
            for one in update.sentences:
                own = (one.sentence, one.text, one.outcome, "yes" if one.needs_person else "no")
                rows.writerow((*own, one.n_parses, one.n_left, *(one.decisions[fate] for fate in FATES)))
    names = ("carried", *(["to-decide"] if open_ones else []), "sentences.csv")
    return tuple(output / name for name in names)


def _treebanked(one: Carried, old: Annotation | None, at: datetime) -> Treebanked | None:
    """What is written of a sentence: nothing where nobody had decided anything."""
    if one.choosing is None or old is None or one.outcome in NOTHING_DECIDED:
        return None
    value = one.choosing.as_value()
    dates = dict.fromkeys(value["states"], at)
    return Treebanked(
        value=value,
        dates=dates,
        begun=at,
        ended=at,
        author=old.author,
        comment=old.comment,
        version=max(old.versions, default=0) + 1,
    )


def reasons(update: Update) -> Iterator[tuple[str, str, str, int]]:
    """The sentences that need a person: number, text, why, and how many parses are left."""
    for one in update.sentences:
        if one.needs_person:
            yield one.sentence, one.text, OPEN[one.outcome], one.n_left
