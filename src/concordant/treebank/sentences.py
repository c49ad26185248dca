"""One sentence under two annotators: what is compared and how far they agree on it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal, NamedTuple

from concordant.treebank.analyses import ChosenAnalysis
from concordant.treebank.discriminants import Discriminant, Labels, Status, compare_options, logged_values
from concordant.treebank.forest import Forest, chance_agreement
from concordant.treebank.profile import Annotation
from concordant.treebank.trees import Counts, Tree, lineage_counts, shared_spans
from concordant.treebank.trees import edm as match_dependencies

Reading = Literal["resolved", "log", "thesis"]
Expected = Literal["half", "forest"]
Subset = Literal["both", "rejected", "no options", "undecided"]
READINGS: tuple[Reading, ...] = ("resolved", "log", "thesis")
EXPECTED: tuple[Expected, ...] = ("half", "forest")


class Difference(NamedTuple):
    """A discriminant on which the two annotators differ."""

    discriminant: Discriminant
    a: bool
    b: bool


class Choice(NamedTuple):
    """What one annotator decided about the sentence as a whole, in which versions (t-version)."""

    status: Status
    result: int | None
    comment: str = ""
    versions: tuple[int, ...] = ()

    def __str__(self) -> str:
        """`accepted 3`, `rejected` or `undecided`."""
        return self.status if self.result is None else f"{self.status} {self.result}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """A row of the comparison.

    `n_options` is what the share of agreement is taken over (discriminants in the reading `resolved`, options in the
    others), `n_agreed` how many of them are alike, `n_unique` those in one log only, `n_open` the discriminants left
    out because one annotator's value cannot be told, `n_vacuous` the options alike for want of a common discriminant.
    `observed` is None when the sentence is not scored. `differing` and `alike` are the discriminants compared (`alike`
    in the reading `resolved` only).
    """

    sentence: str
    text: str
    n_parses: int
    a: Choice
    b: Choice
    subset: Subset
    corpus: str = ""
    suite: str = ""
    n_options: int = 0
    n_agreed: int = 0
    n_unique: int = 0
    n_open: int = 0
    n_vacuous: int = 0
    observed: float | None = None
    expected: float = 0.5
    differing: tuple[Difference, ...] = ()
    alike: tuple[Discriminant, ...] = ()
    is_same_tree: bool | None = None
    parseval: Counts | None = None
    leaf_ancestor: Counts | None = None
    edm: Counts | None = None
    trees: tuple[Tree, Tree] | None = None

    @property
    def kappa(self) -> float | None:
        """K = (A_o − A_e) / (1 − A_e) of this sentence (eq. 4.2); None when it is not scored or chance is certain."""
        if self.observed is None or self.expected >= 1:
            return None
        return (self.observed - self.expected) / (1 - self.expected)

    @property
    def is_divergent(self) -> bool:
        """Whether an adjudicator has to look: one accepted and one rejected, or they chose different analyses."""
        decided = {self.a.status, self.b.status}
        if decided == {"accepted"}:
            return not self.is_same_tree if self.is_same_tree is not None else self.a.result != self.b.result
        return decided == {"accepted", "rejected"}


@dataclass(frozen=True, kw_only=True)
class Pair:
    """The two annotations of one sentence with what is known about its analyses."""

    a: Annotation
    b: Annotation
    lexicon: Mapping[str, str] = field(default_factory=dict)
    forests: Sequence[Forest] = ()

    @cached_property
    def chosen(self) -> tuple[ChosenAnalysis | None, ChosenAnalysis | None]:
        """The chosen analyses; one object for both where the two are the same to the letter."""
        a, b = self.a.chosen, self.b.chosen
        first = ChosenAnalysis(a, self.lexicon) if a else None
        is_copy = a and b and (a.derivation, a.mrs) == (b.derivation, b.mrs)
        return first, first if is_copy else ChosenAnalysis(b, self.lexicon) if b else None

    @cached_property
    def values(self) -> list[tuple[Discriminant, bool | None, bool | None]]:
        """Every discriminant in either log with both annotators' values: off the chosen tree, else by the log."""
        log_a, log_b = logged_values(self.a.decisions), logged_values(self.b.decisions)
        first, second = self.chosen
        keys = [*(log_a | log_b)]
        told_a = [first.holds(key) if first else None for key in keys]
        told_b = told_a if second is first else [second.holds(key) if second else None for key in keys]
        return [
            (key, log_a.get(key) if a is None else a, log_b.get(key) if b is None else b)
            for key, a, b in zip(keys, told_a, told_b, strict=True)
        ]

    @property
    def subset(self) -> Subset:
        """S_both, S_R1 or (with a status still open) none of the document's sets."""
        decided = {self.a.status, self.b.status}
        if "undecided" in decided:
            return "undecided"
        return "rejected" if "rejected" in decided else "both"


def value_of(key: Discriminant, chosen: ChosenAnalysis | None, log: Mapping[Discriminant, bool]) -> bool | None:
    """An annotator's value of a discriminant: off the chosen tree, else by the log, else None.

    The tree speaks first: it is what the annotator decided in the end, and silence in the log means nothing.
    """
    answer = chosen.holds(key) if chosen else None
    return log.get(key) if answer is None else answer


def compare_sentence(
    pair: Pair,
    *,
    reading: Reading = "resolved",
    expected: Expected = "half",
    labels: Labels = "within",
    edm: bool = True,
) -> Sentence:
    """Score one sentence. The reading `thesis` leaves estimated sentences unscored: its estimates need the corpus."""
    row = Sentence(
        sentence=pair.a.sentence,
        text=pair.a.text or pair.b.text,
        n_parses=max(pair.a.n_parses, pair.b.n_parses),
        a=_choice(pair.a),
        b=_choice(pair.b),
        subset=pair.subset,
    )
    row = _with_resolved(row, pair, expected) if reading == "resolved" else _with_options(row, pair, labels)
    return _with_analyses(row, *pair.chosen, edm=edm)


def _choice(annotation: Annotation) -> Choice:
    result = annotation.chosen.result if annotation.chosen else None
    return Choice(annotation.status, result, annotation.comment, annotation.versions)


def _with_resolved(row: Sentence, pair: Pair, expected: Expected) -> Sentence:
    """Score over all discriminants in either log, each with the value that either annotator's tree or log gives it."""
    if not pair.values:
        return row if row.subset == "undecided" else replace(row, subset="no options")
    known = [(key, a, b) for key, a, b in pair.values if a is not None and b is not None]
    chance = 0.5
    if expected == "forest":
        told = {key: [forest.share(key) for forest in pair.forests] for key, _, _ in known}
        held = {key: [share for share in shares if share is not None] for key, shares in told.items()}
        known = [entry for entry in known if held[entry[0]]]
        chance = chance_agreement(sum(held[key]) / len(held[key]) for key, _, _ in known)
    in_order = sorted(known, key=lambda entry: (entry[0].start, entry[0].end, entry[0].type, entry[0].key))
    differing = tuple(Difference(key, a, b) for key, a, b in in_order if a != b)
    n_agreed = len(known) - len(differing)
    return replace(
        row,
        n_options=len(known),
        n_agreed=n_agreed,
        n_open=len(pair.values) - len(known),
        expected=chance,
        observed=n_agreed / len(known) if known and row.subset != "undecided" else None,
        differing=differing,
        alike=tuple(key for key, a, b in in_order if a == b),
    )


def _with_options(row: Sentence, pair: Pair, labels: Labels) -> Sentence:
    """Score by the document's comparison of logs."""
    options = compare_options(pair.a.decisions, pair.b.decisions, labels=labels)
    if options.total == 0:
        return row if row.subset == "undecided" else replace(row, subset="no options")
    a, b = logged_values(pair.a.decisions), logged_values(pair.b.decisions)
    return replace(
        row,
        n_options=options.total,
        n_agreed=options.identical,
        n_unique=options.unique,
        n_vacuous=options.vacuous,
        observed=options.identical / options.total if row.subset != "undecided" else None,
        differing=tuple(Difference(key, a[key], b[key]) for key in options.differing),
    )


def _with_analyses(
    row: Sentence, first: ChosenAnalysis | None, second: ChosenAnalysis | None, *, edm: bool
) -> Sentence:
    """Add the tree measures and EDM where both annotators chose an analysis; trees are kept only if they differ."""
    if first is None or second is None:
        return row
    a, b = first.tree, second.tree
    if a is not None and b is not None:
        is_same = a is b or a == b
        spans, lines = shared_spans(a, b), lineage_counts(a, b)
        row = replace(row, parseval=spans, leaf_ancestor=lines, is_same_tree=is_same, trees=None if is_same else (a, b))
    if edm:
        one = first.dependencies
        two = one if first.analysis.mrs == second.analysis.mrs else second.dependencies
        row = row if one is None or two is None else replace(row, edm=match_dependencies(one, two))
    return row
