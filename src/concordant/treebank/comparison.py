"""Two annotators' treebanks compared: every sentence, the corpus, what was lost and what changed.

The reading `thesis` fills what logs do not record with the estimates of Castro (2011, section 5.4.2). Symbols follow
the document: O_s the options of sentence s, P_D the proportion of divergence over the sentences that both accepted,
O_uniq the options only one log has. The estimates are kept exact; the document's Table 5.2 rounds the estimated number
of equal options down.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, replace
from math import fsum
from pathlib import Path
from typing import Any, ClassVar, Literal, cast

from concordant.errors import InputError, nearest
from concordant.files import is_address, telling_names, telling_tails
from concordant.memory import rare_collection
from concordant.model.measurable import Summary
from concordant.progress import Progress, silent
from concordant.treebank.analyses import read_lexicon
from concordant.treebank.discriminants import LABELS, Labels
from concordant.treebank.forest import listed, read_packed
from concordant.treebank.profile import Annotation, Profile, read_profile
from concordant.treebank.sentences import (
    EXPECTED,
    READINGS,
    Expected,
    Pair,
    Reading,
    Sentence,
    Subset,
    compare_sentence,
)
from concordant.treebank.suites import SuitePair, local, match_suites


def divergence(both_accepted: Iterable[tuple[int, int]]) -> float | None:
    """P_D = sum of divergent options / sum of options (eq. 5.3), from (options, equal options) of each sentence."""
    pairs = list(both_accepted)
    n_options = sum(options for options, _ in pairs)
    return sum(options - equal for options, equal in pairs) / n_options if n_options else None


def estimated_equal(n_unique: int, p_d: float) -> float:
    """How many of the options in one log only would have been equal: |O_uniq| · (1 − P_D) (eq. 5.5)."""
    return n_unique * (1 - p_d)


def observed_when_rejected(n_equal: int, n_unique: int, n_options: int, p_d: float) -> float:
    """A_o of a sentence that at least one annotator rejected: (O_eq + estimated equal) / O (eq. 5.6)."""
    return (n_equal + estimated_equal(n_unique, p_d)) / n_options


def average_options(n_options: int, n_sentences: int) -> float:
    """Options per sentence that has any (eq. 5.7)."""
    return n_options / n_sentences


def observed_without_options(average: float, p_d: float) -> float:
    """A_o of a sentence without options (eq. 5.9). The average cancels: every such sentence gets 1 − P_D."""
    return (average - average * p_d) / average


@dataclass(frozen=True, slots=True, kw_only=True)
class Lost:
    """A sentence that one annotator's profile does not have (or has with another text): listed, not scored."""

    corpus: str
    suite: str
    sentence: str
    text: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Comparison(Summary):
    """The result of `compare`: one row per sentence that both profiles have, and all that was left out."""

    kind: ClassVar[str] = "profiles"

    a: str
    b: str
    reading: Reading
    expected: Expected
    sentences: tuple[Sentence, ...]
    labels: Labels = "within"
    lost: tuple[Lost, ...] = ()
    broken: tuple[str, ...] = ()
    only_a: tuple[str, ...] = ()
    only_b: tuple[str, ...] = ()
    n_unparsed: int = 0
    p_d: float | None = None
    has_edm: bool = True

    def facts(self) -> dict[str, object]:
        """Whose treebanks, and how many sentences can be compared."""
        return {
            "annotators": f"{self.a}, {self.b}",
            "sentences": len(self.sentences),
            "divergent": len(self.divergent),
            "lost": len(self.lost),
            "reading": self.reading,
            "expected": self.expected,
        }

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
    labels: Labels = "within",
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
    all the rest; `edm=False` leaves it out. `labels` says whether logs are compared label by label `within` a type of
    discriminants or `across` types.
    """
    _check_choices(reading, expected, labels)
    known = lexicon if isinstance(lexicon, Mapping) else read_lexicon(lexicon) if lexicon else {}
    rows: list[Sentence | Lost | str | None] = []
    n_decisions = [0, 0]
    with ExitStack() as fetched:
        path_a, path_b = (fetched.enter_context(local(source)) for source in (a, b))
        match = match_suites(path_a, path_b, pattern=pattern, skip=skip)
        with rare_collection():
            for done, suite in enumerate(match.pairs):
                progress(done, len(match.pairs))
                sides = read_profile(suite.a), read_profile(suite.b)
                n_decisions = [n + side.n_decisions for n, side in zip(n_decisions, sides, strict=True)]
                rows += _compared(suite, *sides, known, reading=reading, expected=expected, labels=labels, edm=edm)
                del sides  # one suite at a time is in memory
        progress(len(match.pairs), len(match.pairs))
    for source, n in zip((a, b), n_decisions, strict=True):
        if not n:
            raise InputError("no decisions in this treebank", file=source, hint="is it annotated, not only parsed?")
    sentences = [row for row in rows if isinstance(row, Sentence)]
    p_d = divergence((row.n_options, row.n_agreed) for row in sentences if row.subset == "both")
    name_a, name_b = telling_names((a, b))
    return Comparison(
        a=name_a,
        b=name_b,
        reading=reading,
        expected=expected,
        labels=labels,
        sentences=tuple(_estimated(sentences, p_d) if reading == "thesis" else sentences),
        lost=tuple(row for row in rows if isinstance(row, Lost)),
        broken=tuple(row for row in rows if isinstance(row, str)),
        only_a=match.only_a,
        only_b=match.only_b,
        n_unparsed=rows.count(None),
        p_d=p_d if reading != "resolved" else None,
        has_edm=edm,
    )


def _check_choices(reading: str, expected: str, labels: str) -> None:
    """Each is known, and they go together."""
    given = {"reading": (reading, READINGS), "expected": (expected, EXPECTED), "labels": (labels, LABELS)}
    for name, (one, known) in given.items():
        if one not in known:
            raise InputError(f"{name} {one!r} is not known", hint=nearest(one, known))
    if labels != "within" and reading == "resolved":
        raise InputError("labels='across' is about logs", hint="say reading='log' or 'thesis'")
    if expected == "forest" and reading != "resolved":
        raise InputError(f"expected='forest' goes with reading='resolved', not with {reading!r}")


def _compared(
    suite: SuitePair, a: Profile, b: Profile, lexicon: Mapping[str, str], *, expected: Expected, **how: Any
) -> Iterator[Sentence | Lost | str | None]:
    """Broken lines, then the sentences of a suite: compared, lost, or None where there was nothing to annotate."""
    _check_same_corpus(suite, a, b)
    yield from (*a.broken, *b.broken)
    is_forest = expected == "forest"
    packed = [read_packed(profile.path, lexicon) if is_forest else {} for profile in (a, b)]
    place: dict[str, Any] = {"corpus": suite.corpus, "suite": suite.suite}
    for sentence in dict.fromkeys([*a.annotations, *b.annotations]):
        sides = [profile.annotations.get(sentence) for profile in (a, b)]
        known = [annotation for annotation in sides if annotation is not None]
        reason = _why_lost(*sides)
        if all(annotation.is_unparsed for annotation in known):
            yield None
        elif reason:
            yield Lost(sentence=known[0].sentence, text=known[0].text, reason=reason, **place)
        else:
            both = zip(known, packed, strict=True) if is_forest else ()
            forests = [by_parse.get(side.parse) or listed(side, lexicon) for side, by_parse in both]  # packed: complete
            pair = Pair(a=known[0], b=known[1], lexicon=lexicon, forests=[one for one in forests if one is not None])
            yield replace(compare_sentence(pair, expected=expected, **how), **place)


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

    def observed(row: Sentence) -> float | None:
        if row.subset == "rejected":
            return observed_when_rejected(row.n_agreed, row.n_unique, row.n_options, p_d)
        return observed_without_options(average, p_d) if row.subset == "no options" else row.observed

    return [replace(row, observed=observed(row)) for row in rows]


Kind = Literal["settled", "new divergence", "still divergent", "choice changed", "added", "removed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A sentence that is not as it was; `before` or `after` is None if that version does not have it."""

    kind: Kind
    before: Sentence | None
    after: Sentence | None

    @property
    def row(self) -> Sentence:
        """The newer of the two rows."""
        return cast(Sentence, self.after or self.before)


def earlier_sources(previous: str | Path, a: str | Path, b: str | Path) -> tuple[str | Path, str | Path]:
    """The earlier versions of the sources `a` and `b`: the directories of the same names under `previous`.

    They are called by the part of the paths that differs: A/tc-006 and B/tc-006 are A/tc-006 and B/tc-006 there too.
    """
    tails = [(Path(first).stem or first, *rest) for first, *rest in telling_tails((a, b))]
    if is_address(previous):
        base = str(previous).rstrip("/") + ("/" if "#" in str(previous) else "#")
        return base + "/".join(tails[0]), base + "/".join(tails[1])
    found = [Path(previous).joinpath(*tail) for tail in tails]
    for path in found:
        if not path.is_dir():
            hint = "the earlier version of each annotator's directory must be there under the same name"
            raise InputError("there is no such directory", file=path, hint=hint)
    return found[0], found[1]


def changes(before: Comparison, after: Comparison) -> list[Change]:
    """The sentences whose choices or divergence changed, in the order of the newer version, removed ones last."""
    old, new = _by_place(before), _by_place(after)
    places = [*new, *(place for place in old if place not in new)]
    found = [(kind_of_change(old.get(place), new.get(place)), old.get(place), new.get(place)) for place in places]
    return [Change(kind=kind, before=was, after=now) for kind, was, now in found if kind is not None]


def _by_place(comparison: Comparison) -> dict[tuple[str, str, str], Sentence]:
    is_single = len({(row.corpus, row.suite) for row in comparison.sentences}) == 1
    return {
        ("", "", row.sentence) if is_single else (row.corpus, row.suite, row.sentence): row
        for row in comparison.sentences
    }


def kind_of_change(was: Sentence | None, now: Sentence | None) -> Kind | None:
    """What happened to a sentence; None if nothing did."""
    if was is None or now is None:
        return "added" if was is None else "removed"
    if was.is_divergent != now.is_divergent:
        return "settled" if was.is_divergent else "new divergence"
    if now.is_divergent:
        return "still divergent"
    is_same = (was.a[:2], was.b[:2]) == (now.a[:2], now.b[:2])
    return None if is_same else "choice changed"
