"""Which rules and phenomena divide two annotators: agreement on discriminants by grammar rule, lexical type and kind,
and the kappa of sentences by their length.

Of each group the share of discriminants decided alike, its K with A_e = .5 as Y-Option Kappa has it for a sentence, and
an interval that takes the discriminants of a sentence together (the linearised error of a ratio over sentences, with t;
none where all or no discriminants were decided alike, for then it says nothing). A twig counts under its uppermost
rule, and under its lexical type where it ends in one.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from concordant.errors import InputError
from concordant.measures.result import Interval
from concordant.treebank.comparison import Comparison
from concordant.treebank.discriminants import CONSTITUENT, LEXICAL_TYPE, TWIG, TYPE_NAMES, Discriminant
from concordant.treebank.sentences import Sentence
from concordant.uncertainty.intervals import bounded, t_interval

RULE, LEXICAL, KIND, LENGTH = "grammar rule", "lexical type", "kind of discriminant", "sentence length"
LENGTHS = ((1, 5), (6, 10), (11, 15), (16, 20), (21, 30), (31, None))  # words
MOST_EXAMPLES = 3


@dataclass(frozen=True, kw_only=True)
class Division:
    """One group: how many discriminants of how many sentences, how many were decided alike, where they were not.

    Of `sentence length` it is sentences that are counted: `n_alike` of them without a difference, and `k` is the mean
    of theirs.
    """

    by: str
    value: str
    n: int
    n_alike: int
    n_sentences: int
    n_divided: int
    k: float
    interval: Interval | None
    examples: tuple[str, ...]


@dataclass
class Counted:
    """What was counted of one group: sentence by sentence how many discriminants, and how many alike."""

    n: dict[int, int] = field(default_factory=lambda: defaultdict(int))
    alike: dict[int, int] = field(default_factory=lambda: defaultdict(int))


def divisions(found: Comparison) -> tuple[Division, ...]:
    """Every group, those that divide the annotators most often first within their kind."""
    if found.reading != "resolved":
        hint = "leave out --reading: a log does not say of every discriminant what both decided"
        raise InputError(f"rules are counted with the reading resolved, not {found.reading}", hint=hint)
    rows = found.scored
    counted: dict[tuple[str, str], Counted] = defaultdict(Counted)
    for place, row in enumerate(rows):
        for is_alike, keys in ((True, row.alike), (False, [one.discriminant for one in row.differing])):
            for group in (group for key in keys for group in groups_of(key)):
                counted[group].n[place] += 1
                counted[group].alike[place] += is_alike
    told = [_division(by, value, own, rows) for (by, value), own in counted.items()]
    order = {RULE: 0, LEXICAL: 1, KIND: 2}
    told.sort(key=lambda one: (order[one.by], one.n_alike - one.n, one.value))
    return (*told, *_by_length(rows))


def groups_of(key: Discriminant) -> Iterator[tuple[str, str]]:
    """What a discriminant counts under.

    >>> list(groups_of(Discriminant(7, "hdn_bnp_c@n_sg_ilr@n_-_pn_le", 1, 2)))
    [('kind of discriminant', 'twig'), ('grammar rule', 'hdn_bnp_c'), ('lexical type', 'n_-_pn_le')]
    """
    yield KIND, TYPE_NAMES[key.type]
    parts = key.key.split(" ", 1)[0].split("@")
    if key.type == LEXICAL_TYPE or (key.type == TWIG and parts[-1].endswith("_le")):
        rule, lexical = parts[:-1], parts[-1]
        if key.type == TWIG and rule:
            yield RULE, rule[0]
        yield LEXICAL, lexical
    elif key.type in (CONSTITUENT, TWIG):
        yield RULE, parts[0]


def _division(by: str, value: str, own: Counted, rows: Sequence[Sentence]) -> Division:
    places = list(own.n)
    n, alike = (np.array([of[place] for place in places], dtype=np.float64) for of in (own.n, own.alike))
    share = alike.sum() / n.sum()
    divided = [place for place in places if own.alike[place] < own.n[place]]
    interval = None
    if len(places) > 1 and 0 < share < 1:
        error = np.sqrt(((alike - share * n) ** 2).sum() * len(n) / (len(n) - 1)) / n.sum()
        interval = _interval(2 * share - 1, 2 * error, len(places))
    return Division(
        by=by,
        value=value,
        n=int(n.sum()),
        n_alike=int(alike.sum()),
        n_sentences=len(places),
        n_divided=len(divided),
        k=float(2 * share - 1),
        interval=interval,
        examples=tuple(f"{rows[place].sentence}: {rows[place].text}" for place in divided[:MOST_EXAMPLES]),
    )


def _by_length(rows: Sequence[Sentence]) -> Iterator[Division]:
    """The kappa of sentences by their words."""
    lengths = [len(row.text.split()) for row in rows]
    for low, high in LENGTHS:
        own = [row for row, n in zip(rows, lengths, strict=True) if n >= low and (high is None or n <= high)]
        values = np.array([row.kappa for row in own], dtype=np.float64)
        if not own:
            continue
        mean = float(values.mean())
        several = len(values) > 1 and float(values.std()) > 0
        divided = [row for row in own if row.n_agreed < row.n_options]
        yield Division(
            by=LENGTH,
            value=f"{low} words and more" if high is None else f"{low} to {high} words",
            n=len(own),
            n_alike=len(own) - len(divided),
            n_sentences=len(own),
            n_divided=len(divided),
            k=mean,
            interval=_interval(mean, float(values.std(ddof=1)) / len(values) ** 0.5, len(own)) if several else None,
            examples=tuple(f"{row.sentence}: {row.text}" for row in divided[:MOST_EXAMPLES]),
        )


def _interval(value: float, error: float, n_sentences: int) -> Interval | None:
    """The t interval over sentences, cut where K ends."""
    method = f"t interval over {n_sentences:,} sentences"
    return bounded(t_interval(float(value), float(error), n_sentences - 1, confidence=0.95, method=method)).interval
