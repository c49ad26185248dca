"""Two annotators' treebanks compared: every sentence, the corpus, what was lost and what changed."""

from collections import Counter
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from math import fsum
from pathlib import Path

from assent.errors import InputError, nearest
from assent.progress import Progress, silent
from assent.treebank.estimates import average_options, divergence, observed_when_rejected, observed_without_options
from assent.treebank.forest import Forest, PackedForest, listed, read_packed
from assent.treebank.garbage import rare_collection
from assent.treebank.lexicon import read_lexicon
from assent.treebank.profile import Annotation, Profile, read_profile
from assent.treebank.sentences import EXPECTED, READINGS, Expected, Pair, Reading, Sentence, Subset, compare_sentence
from assent.treebank.suites import SuiteMatch, SuitePair, local, match_suites


@dataclass(frozen=True, slots=True, kw_only=True)
class Lost:
    """A sentence that one annotator's profile does not have (or has with another text): listed, not scored."""

    corpus: str
    suite: str
    sentence: str
    text: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """The result of `compare`: one row per sentence that both profiles have, and all that was left out."""

    a: str
    b: str
    reading: Reading
    expected: Expected
    sentences: tuple[Sentence, ...]
    lost: tuple[Lost, ...] = ()
    broken: tuple[str, ...] = ()
    only_a: tuple[str, ...] = ()
    only_b: tuple[str, ...] = ()
    n_unparsed: int = 0
    p_d: float | None = None
    has_edm: bool = True

    @property
    def scored(self) -> list[Sentence]:
        """The sentences with a K."""
        return [row for row in self.sentences if row.kappa is not None]

    @property
    def kappa(self) -> float | None:
        """Y-Option Kappa of the corpus: the mean over the scored sentences (eq. 4.3); None if there are none."""
        values = [row.kappa for row in self.scored if row.kappa is not None]
        return fsum(values) / len(values) if values else None

    @property
    def divergent(self) -> list[Sentence]:
        """The sentences for the adjudicator."""
        return [row for row in self.sentences if row.is_divergent]

    def subsets(self) -> dict[Subset, int]:
        """How many sentences are in S_both, S_R1 (`rejected`), S_noop (`no options`), and undecided."""
        counts = Counter(row.subset for row in self.sentences)
        return {subset: counts[subset] for subset in ("both", "rejected", "no options", "undecided")}

    def verdicts(self) -> Counter[tuple[str, str]]:
        """How many sentences have which statuses, A's first: ("accepted", "rejected") and so on."""
        return Counter((row.a.status, row.b.status) for row in self.sentences)


def compare(
    a: str | Path,
    b: str | Path,
    *,
    reading: Reading = "resolved",
    expected: Expected = "half",
    pattern: str | None = None,
    skip: str | None = None,
    lexicon: str | Path | Mapping[str, str] | None = None,
    edm: bool = True,
    progress: Progress = silent,
) -> Comparison:
    """Compare two annotators' profiles, or directories of profiles, sentence by sentence.

    `reading` says how a discriminant's value is found (`resolved`: off the chosen tree; `log`: the document's
    comparison of logs; `thesis`: the same with its estimates), `expected` what chance alone would give (`half`, or
    `forest`: counted over the analyses). Suites are read one at a time. Decoding every MRS for EDM takes longer than
    all the rest; `edm=False` leaves it out.
    """
    _check_choice("reading", reading, READINGS)
    _check_choice("expected", expected, EXPECTED)
    if expected == "forest" and reading != "resolved":
        raise InputError(f"expected='forest' goes with reading='resolved', not with {reading!r}")
    known = lexicon if isinstance(lexicon, Mapping) else read_lexicon(lexicon) if lexicon else {}
    with ExitStack() as fetched:
        path_a, path_b = (fetched.enter_context(local(source)) for source in (a, b))
        match = match_suites(path_a, path_b, pattern=pattern, skip=skip)
        job = _Job(reading=reading, expected=expected, lexicon=known, edm=edm)
        with rare_collection():
            for done, pair in enumerate(match.pairs):
                progress(done, len(match.pairs))
                job.add(pair)
        progress(len(match.pairs), len(match.pairs))
        job.check_decisions(a, b)
        return job.finish(match, _names(a, b))


def _check_choice(name: str, given: str, known: tuple[str, ...]) -> None:
    if given not in known:
        raise InputError(f"{name} {given!r} is not known", hint=nearest(given, known))


def _names(a: str | Path, b: str | Path) -> tuple[str, str]:
    """What to call the annotators: the last part of their paths in which they differ."""
    parts_a, parts_b = (Path(str(source).rstrip("/")).parts for source in (a, b))
    for n in range(1, min(len(parts_a), len(parts_b)) + 1):
        if parts_a[-n:] != parts_b[-n:]:
            return parts_a[-n], parts_b[-n]
    return f"{parts_a[-1]} (A)", f"{parts_b[-1]} (B)"


@dataclass(kw_only=True)
class _Job:
    """A comparison in the making. It holds rows, never profiles: one suite at a time is in memory."""

    reading: Reading
    expected: Expected
    lexicon: Mapping[str, str]
    edm: bool
    sentences: list[Sentence] = field(default_factory=list)
    lost: list[Lost] = field(default_factory=list)
    broken: list[str] = field(default_factory=list)
    n_unparsed: int = 0
    n_decisions: tuple[int, int] = (0, 0)

    def add(self, suite: SuitePair) -> None:
        """Read one suite of both annotators and compare its sentences."""
        a, b = read_profile(suite.a), read_profile(suite.b)
        _check_same_corpus(suite, a, b)
        self.broken += [*a.broken, *b.broken]
        self.n_decisions = self.n_decisions[0] + a.n_decisions, self.n_decisions[1] + b.n_decisions
        packed = self._packed(a), self._packed(b)
        for sentence in dict.fromkeys([*a.annotations, *b.annotations]):
            self._add_sentence(suite, a.annotations.get(sentence), b.annotations.get(sentence), packed)

    def _packed(self, profile: Profile) -> Mapping[int, PackedForest]:
        return read_packed(profile.path, self.lexicon) if self.expected == "forest" else {}

    def _add_sentence(
        self,
        suite: SuitePair,
        a: Annotation | None,
        b: Annotation | None,
        packed: tuple[Mapping[int, PackedForest], Mapping[int, PackedForest]],
    ) -> None:
        known = [annotation for annotation in (a, b) if annotation is not None]
        if all(annotation.is_unparsed for annotation in known):
            self.n_unparsed += 1
            return
        reason = _why_lost(a, b)
        if reason or a is None or b is None:
            row = {"sentence": known[0].sentence, "text": known[0].text, "reason": reason}
            self.lost.append(Lost(corpus=suite.corpus, suite=suite.suite, **row))
            return
        forests = self._forests((a, packed[0]), (b, packed[1])) if self.expected == "forest" else ()
        pair = Pair(a=a, b=b, lexicon=self.lexicon, forests=forests)
        scored = compare_sentence(pair, reading=self.reading, expected=self.expected, edm=self.edm)
        self.sentences.append(replace(scored, corpus=suite.corpus, suite=suite.suite))

    def _forests(self, *sides: tuple[Annotation, Mapping[int, PackedForest]]) -> list[Forest]:
        """The forests that the two profiles hold, packed ones first: they are complete."""
        found = [packed.get(side.parse) or listed(side, self.lexicon) for side, packed in sides]
        return [forest for forest in found if forest is not None]

    def check_decisions(self, *sources: str | Path) -> None:
        """Refuse a side without a single decision in all of its suites."""
        for source, n_decisions in zip(sources, self.n_decisions, strict=True):
            if not n_decisions:
                raise InputError("no decisions in this treebank", file=source, hint="is it annotated, not only parsed?")

    def finish(self, match: SuiteMatch, names: tuple[str, str]) -> Comparison:
        """The result, with the estimates if they are asked for."""
        p_d = divergence((row.n_options, row.n_agreed) for row in self.sentences if row.subset == "both")
        rows = _estimated(self.sentences, p_d) if self.reading == "thesis" else self.sentences
        return Comparison(
            a=names[0],
            b=names[1],
            reading=self.reading,
            expected=self.expected,
            sentences=tuple(rows),
            lost=tuple(self.lost),
            broken=tuple(self.broken),
            only_a=match.only_a,
            only_b=match.only_b,
            n_unparsed=self.n_unparsed,
            p_d=p_d if self.reading != "resolved" else None,
            has_edm=self.edm,
        )


def _check_same_corpus(suite: SuitePair, a: Profile, b: Profile) -> None:
    """Two profiles with other sentences under the same numbers are a mistake, not disagreement."""
    shared = a.annotations.keys() & b.annotations.keys()
    alike = [key for key in shared if not _texts_differ(a.annotations[key], b.annotations[key])]
    if len(alike) * 2 < max(len(shared), 1):
        found = f"{len(shared)} sentences in common, {len(alike)} of them with the same text"
        raise InputError(f"{suite.a} and {suite.b} are not annotations of one corpus: {found}")


def _texts_differ(a: Annotation, b: Annotation) -> bool:
    return bool(a.text and b.text and a.text != b.text)


def _why_lost(a: Annotation | None, b: Annotation | None) -> str:
    """Why a sentence cannot be compared; empty if it can."""
    if a is None or b is None:
        return "only in B" if a is None else "only in A"
    if _texts_differ(a, b):
        return "the texts differ"
    if a.has_trace != b.has_trace:
        return "no trace in the logs of B" if a.has_trace else "no trace in the logs of A"
    return ""


def _estimated(rows: list[Sentence], p_d: float | None) -> list[Sentence]:
    """Fill in the document's estimates; without a sentence that both accepted there is nothing to estimate from."""
    with_options = [row for row in rows if row.n_options]
    if p_d is None or not with_options:
        return rows
    average = average_options(sum(row.n_options for row in with_options), len(with_options))
    return [_estimate(row, average, p_d) for row in rows]


def _estimate(row: Sentence, average: float, p_d: float) -> Sentence:
    if row.subset == "rejected":
        return replace(row, observed=observed_when_rejected(row.n_agreed, row.n_unique, row.n_options, p_d))
    if row.subset == "no options":
        return replace(row, observed=observed_without_options(average, p_d))
    return row
