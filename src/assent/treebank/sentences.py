"""One sentence under two annotators: what is compared and how far they agree on it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal, NamedTuple

from assent.treebank.discriminants import Discriminant, logged_values
from assent.treebank.edm import edm as match_dependencies
from assent.treebank.forest import Forest, chance_agreement
from assent.treebank.options import compare_options
from assent.treebank.profile import Annotation, Status
from assent.treebank.resolved import ChosenAnalysis
from assent.treebank.trees import Counts, Tree, leaf_ancestor, parseval

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
    """What one annotator decided about the sentence as a whole."""

    status: Status
    result: int | None
    comment: str = ""

    def __str__(self) -> str:
        """`accepted 3`, `rejected` or `undecided`."""
        return self.status if self.result is None else f"{self.status} {self.result}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """A row of the comparison.

    `n_options` is what the share of agreement is taken over (discriminants in the reading `resolved`, options in the
    others), `n_agreed` how many of them are alike, `n_unique` those in one log only, `n_open` the discriminants left
    out because one annotator's value cannot be told, `n_vacuous` the options alike for want of a common discriminant.
    `observed` is None when the sentence is not scored.
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
    pair: Pair, *, reading: Reading = "resolved", expected: Expected = "half", edm: bool = True
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
    row = _with_resolved(row, pair, expected) if reading == "resolved" else _with_options(row, pair)
    row = _with_trees(row, pair)
    return _with_dependencies(row, pair) if edm else row


def _choice(annotation: Annotation) -> Choice:
    return Choice(annotation.status, annotation.chosen.result if annotation.chosen else None, annotation.comment)


def _with_resolved(row: Sentence, pair: Pair, expected: Expected) -> Sentence:
    """Score over all discriminants in either log, each with the value that either annotator's tree or log gives it."""
    if not pair.values:
        return row if row.subset == "undecided" else replace(row, subset="no options")
    known = [(key, a, b) for key, a, b in pair.values if a is not None and b is not None]
    chance = 0.5
    if expected == "forest":
        shares = {key: share for key, _, _ in known if (share := _share(key, pair.forests)) is not None}
        known = [entry for entry in known if entry[0] in shares]
        chance = chance_agreement(shares.values())
    differing = tuple(Difference(key, a, b) for key, a, b in sorted(known, key=_place) if a != b)
    n_agreed = len(known) - len(differing)
    return replace(
        row,
        n_options=len(known),
        n_agreed=n_agreed,
        n_open=len(pair.values) - len(known),
        expected=chance,
        observed=n_agreed / len(known) if known and row.subset != "undecided" else None,
        differing=differing,
    )


def _place(entry: tuple[Discriminant, bool | None, bool | None]) -> tuple[int, int, int, str]:
    """The order in which differences are listed: as they stand in the sentence."""
    key = entry[0]
    return key.start, key.end, key.type, key.key


def _share(key: Discriminant, forests: Sequence[Forest]) -> float | None:
    """In which share of the analyses a discriminant holds: the mean, if both annotators' profiles have a forest."""
    shares = [share for forest in forests if (share := forest.share(key)) is not None]
    return sum(shares) / len(shares) if shares else None


def _with_options(row: Sentence, pair: Pair) -> Sentence:
    """Score by the document's comparison of logs."""
    options = compare_options(pair.a.decisions, pair.b.decisions)
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


def _with_trees(row: Sentence, pair: Pair) -> Sentence:
    """Add the tree measures where both annotators chose an analysis; the trees are kept only if they differ."""
    first, second = pair.chosen
    if first is None or second is None:
        return row
    a, b = first.tree, second.tree
    if a is None or b is None:
        return row
    is_same = a is b or a == b
    words = leaf_ancestor(a, b)
    return replace(
        row,
        is_same_tree=is_same,
        parseval=parseval(a, b),
        leaf_ancestor=None if words is None else Counts(sum(words), len(words), len(words)),
        trees=None if is_same else (a, b),
    )


def _with_dependencies(row: Sentence, pair: Pair) -> Sentence:
    """Add EDM where both chosen analyses have an MRS."""
    first, second = pair.chosen
    if first is None or second is None:
        return row
    a = first.dependencies
    b = a if first.analysis.mrs == second.analysis.mrs else second.dependencies
    return row if a is None or b is None else replace(row, edm=match_dependencies(a, b))
