"""Measures of treebanks: agreement on the decisions behind two analyses, and how alike they are as trees.

Y-Option Kappa is the mean of a kappa per sentence. Parseval, Leaf-Ancestor and EDM are ratios of sums over sentences:
`value` pools all sentences (micro), `details` has the mean over sentences beside it (macro). These three are not
corrected for chance, and none can be read on the scales made for kappa.

The sentences of a treebank are rows that count so often: a bootstrap draws sentences again, which changes how
often each counts and nothing else.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from hashlib import sha256
from math import fsum
from typing import TYPE_CHECKING, Any, Self, cast

import numpy as np

from concordant.arrays import Floats
from concordant.choices import Choices, choice
from concordant.engines.views import ratio
from concordant.errors import InputError
from concordant.measures.benchmarks import KAPPA_SCALES
from concordant.measures.spec import OF_SENTENCES, Asked, Needs, Parts, Setting, measure, number
from concordant.model.measurable import Used

if TYPE_CHECKING:
    from concordant.treebank.comparison import Comparison
    from concordant.treebank.trees import BracketedCorpus, Counts, Tree


@dataclass(frozen=True, kw_only=True, eq=False)
class Sentences:
    """Numbers known of each sentence by name; `told` is what else a signature says, `details` what a result shows."""

    kind: str
    used_raters: tuple[str, ...]
    columns: Mapping[str, Floats]
    weights: Floats
    n_judgements: int
    n_dropped: int
    digest: str
    notes: tuple[str, ...] = ()
    told: Mapping[str, str] = field(default_factory=dict)
    details: Mapping[str, Any] = field(default_factory=dict)
    unit: str = "sentences"

    @classmethod
    def of(cls, numbers: Mapping[str, Sequence[Any]], **known: Any) -> Self:
        """Sentences that count once each."""
        columns = {name: np.array(values, dtype=np.float64) for name, values in numbers.items()}
        return cls(columns=columns, weights=np.ones(len(next(iter(columns.values())))), **known)

    @property
    def fingerprint(self) -> str:
        """The first digits of the digest."""
        return self.digest[:8]

    @property
    def is_one(self) -> bool:
        """Whether the sentences count in one way, not in many at once as in a bootstrap."""
        return self.weights.ndim == 1

    def reweighted(self, weights: Floats) -> Self:
        """The same sentences counted so often."""
        return replace(self, weights=weights)

    def sum(self, numbers: Floats) -> Floats:
        """The sum over sentences; a single one is exact to the last digit."""
        return np.asarray(fsum(self.weights * numbers) if self.is_one else self.weights @ numbers)

    def mean(self, name: str) -> Floats:
        """The mean over sentences; NaN without any."""
        return ratio(self.sum(self.columns[name]), self.weights.sum(axis=-1))

    def used(self, *, complete: bool = False) -> Used:
        """All sentences with a row; every rater analysed each of them."""
        return Used(len(self.weights), self.n_judgements, self.n_dropped)

    def signed(self) -> dict[str, str]:
        """What was chosen when the treebanks were compared."""
        return dict(self.told)


def digest_of(rows: Iterable[object]) -> str:
    """The SHA-256 of rows of plain values."""
    return sha256("\n".join(map(repr, rows)).encode()).hexdigest()


PROFILES = Needs(suits=frozenset(), missing="uses every pair", made_for="two annotators' [incr tsdb()] profiles")
TREES = Needs(
    suits=frozenset(), missing="uses every pair", made_for="trees of two annotators or more (profiles: of two)"
)
READINGS = {
    "resolved": "what a log leaves out is read off the chosen analysis",
    "log": "logs are compared as written (Castro 2011, Figure 5.13)",
    "thesis": "logs are compared as written, gaps filled with the estimates of Castro (2011, 5.4.2)",
}


def decided(data: "Comparison", asked: Asked) -> Sentences:
    """The sentences with a kappa of their own."""
    rows = data.scored
    options = [max(row.n_options, 1) for row in rows]
    numbers = {
        **{name: [getattr(row, name) for row in rows] for name in ("kappa", "observed", "expected")},
        "options": options,
        "agreed": [row.n_agreed / n for row, n in zip(rows, options, strict=True)],
        "is_both": [row.subset == "both" for row in rows],
        "estimated": [
            (row.n_unique / n if row.subset == "rejected" else 0) + (row.subset == "no options")
            for row, n in zip(rows, options, strict=True)
        ],
    }
    content = [(row.corpus, row.suite, row.sentence, row.subset, row.n_options, row.n_agreed) for row in rows]
    return Sentences.of(
        numbers,
        kind=data.kind,
        used_raters=(data.a, data.b),
        n_judgements=2 * sum(row.n_options for row in rows),
        n_dropped=len(data.sentences) - len(rows) + len(data.lost),
        digest=digest_of(content),
        notes=_remarks(data),
        told={
            "reading": data.reading,
            "expected": data.expected,
            **({} if data.labels == "within" else {"labels": data.labels}),
        },
        details=_counts(data),
    )


def _remarks(data: "Comparison") -> tuple[str, ...]:
    """What was left out of the comparison, and how it was read."""
    rows, subsets = data.sentences, data.subsets()
    left_out = {
        "discriminants left out because their value cannot be told for both: {:,} (a lexicon may help)": sum(
            row.n_open for row in rows
        ),
        "options alike although the two logs share no discriminant on them: {:,}": sum(row.n_vacuous for row in rows),
        "sentences left out because no discriminant has a known value for both: {:,}": sum(
            row.observed is None for row in rows if row.subset in ("both", "rejected")
        ),
        "sentences left out because no options are recorded: {:,}": subsets["no options"] * (data.reading != "thesis"),
        "sentences left out because they are not fully annotated: {:,}": subsets["undecided"],
        "lost sentences left out: {:,}": len(data.lost),
        "broken lines left out: {:,}, the first in " + "".join(data.broken[:1]): len(data.broken),
    }
    reading = f"reading {data.reading}: {READINGS[data.reading]}"
    return (reading, *(text.format(n) for text, n in left_out.items() if n))


def _counts(data: "Comparison") -> dict[str, Any]:
    """What a result shows of the comparison as a whole."""
    rows = data.sentences
    known = [row.is_same_tree for row in rows if row.is_same_tree is not None]
    return {
        "reading": data.reading,
        "expected": data.expected,
        "subsets": data.subsets(),
        **{name: sum(getattr(row, name) for row in rows) for name in ("n_options", "n_agreed", "n_open", "n_vacuous")},
        "n_both_trees": len(known),
        "n_same_tree": sum(known),
        "n_lost": len(data.lost),
        "p_d": data.p_d,
    }


of_profiles = partial(measure, needs=PROFILES, of=("profiles",), ci=OF_SENTENCES)
of_trees = partial(of_profiles, needs=TREES, of=("profiles", "brackets"))


@of_profiles(
    key="y_option",
    name="Y-Option Kappa",
    cite=("castro-2011",),
    ready=decided,
    name_of=lambda data, options: f"Y-Option Kappa ({data.told['reading']})",
    reads_on=KAPPA_SCALES,
)
def y_option(data: Sentences, setting: Setting) -> Parts:
    """Chance decides each discriminant by a coin (A_e = 1/2), or picks an analysis of the forest at random.

    K_s = (A_o − A_e) / (1 − A_e) for each sentence s, with A_o the share of its discriminants decided alike; the
    coefficient is the mean over sentences (Castro 2011, eq. 4.1-4.3).

    With A_e = 1/2 two annotators who pick analyses blindly still score about .36, since most discriminants are false of
    most analyses; `forest` puts them at 0. Not for comparing grammars: other discriminants are other questions.

    When not to use it: To compare grammars or treebanks: other discriminants are other questions. With the usual A_e =
    1/2 a value around .36 is what blind choices give; use `--expected forest` where the profiles keep all analyses. The
    readings `log` and `thesis` fall when two annotators reach the same tree by different routes.

    In other tools: CompAnnotLkb, the program of its author, which computes the reading `thesis`; no other tool has it.

    Example: Y-Option Kappa (reading resolved, A_e = 1/2) was .81 over 412 sentences, 95 % interval .77 to .85.
    """
    value = data.mean("kappa")
    if data.told["reading"] == "thesis" and not data.is_one:  # P_D is estimated anew from each draw
        columns, both = data.columns, data.columns["options"] * data.columns["is_both"]
        agreement = ratio(data.sum(columns["agreed"] * both), data.sum(both))
        alike = data.sum(columns["agreed"]) + agreement * data.sum(columns["estimated"])
        value = 2 * ratio(alike, data.weights.sum(axis=-1)) - 1
    forest = "no sentence has a forest: the profiles are thinned to one analysis and hold no `edge` table"
    unknown = "no sentence has a discriminant whose value is known for both annotators"
    return Parts(
        value=value,
        observed=data.mean("observed"),
        expected=data.mean("expected"),
        why=forest if data.told["expected"] == "forest" else unknown,
        details=dict(data.details),
    )


def compared(
    key: str, on_trees: "Callable[[Any, Tree, Tree, Any], Counts | None] | None"
) -> Callable[[Any, Asked], Sentences]:
    """How far the analyses of each sentence are alike: found when profiles were compared, or in brackets `on_trees`.

    The latter gets the module of trees, which is loaded when trees are measured.
    """

    def rows_of(data: "Comparison | BracketedCorpus", asked: Asked) -> Sentences:
        rows: Sequence[Counts | None]
        if data.kind == "brackets" and on_trees is not None:
            from concordant.treebank import trees

            corpus = cast("BracketedCorpus", data)
            rows, raters = corpus.compare(lambda a, b: on_trees(trees, a, b, asked.options)), corpus.raters
        else:
            profiles = cast("Comparison", data)
            if asked.options.signed():
                hint = "only trees in brackets have a choice of nodes"
                raise InputError(f"{key} of profiles counts every node", hint=hint)
            accepted = [row for row in profiles.sentences if row.a.status == row.b.status == "accepted"]
            rows, raters = [getattr(row, key) for row in accepted], (profiles.a, profiles.b)
        known = [row for row in rows if row is not None]
        left_out = len(rows) - len(known)
        note = f"sentences left out because they lack two comparable analyses: {left_out:,}"
        numbers = {name: [getattr(row, name) for row in known] for name in ("both", "a", "b", "f")}
        return Sentences.of(
            numbers,
            kind=data.kind,
            used_raters=raters,
            n_judgements=len(known) * len(raters),
            n_dropped=left_out,
            digest=digest_of((row.both, row.a, row.b) for row in known),
            notes=(note,) if left_out else (),
            details={"coverage": len(known) / len(rows) if rows else None},
        )

    return rows_of


def _f(data: Sentences, *shares: str) -> Parts:
    """F over all sentences: twice what is shared / all there is; and what `shares` of each side the other has."""
    both, sides = data.sum(data.columns["both"]), {"precision": data.columns["b"], "recall": data.columns["a"]}
    value = ratio(2 * both, data.sum(data.columns["a"] + data.columns["b"]))
    found = {}
    if data.is_one:
        found = {"micro": value, "macro": data.mean("f"), **{one: ratio(both, data.sum(sides[one])) for one in shares}}
    details = {**{name: number(part) for name, part in found.items()}, **data.details}
    why = "no sentence has two analyses that can be compared"
    return Parts(value=value, observed=value, why=why, details=details)


class Bracketing(Choices):
    """Which nodes Parseval compares."""

    preterminals: bool = choice(True, "Whether Parseval counts nodes above words.")
    ignore: frozenset[str] = choice(frozenset(), "Labels of nodes that Parseval leaves out: TOP,ROOT.")
    punctuation: frozenset[str] = choice(frozenset(), "Labels of punctuation, taken out before spans are counted.")


def _alike(trees: Any, a: "Tree", b: "Tree", options: Bracketing) -> "Counts | None":
    """Labelled spans of two trees; None where their words differ."""
    return trees.shared_spans(a, b, **vars(options)) if a.words() == b.words() else None


@of_trees(
    key="parseval",
    name="Parseval F",
    cite=("black-1991", "brants-2000"),
    ready=compared("parseval", _alike),
    options=Bracketing,
)
def parseval(data: Sentences, setting: Setting) -> Parts:
    """Labelled spans that both analyses have: F = 2 · shared / (spans of one + spans of the other).

    Precision and recall are in the details; between two annotators neither of whom is the gold standard F is the score
    of Brants (2000). Preterminals count unless told otherwise (Black et al. 1991 and EVALB leave them out).

    When not to use it: As if it were corrected for chance, or across annotation schemes: one attachment moves several
    spans, and flat trees score higher than deep ones.

    In other tools: EVALB (which leaves preterminals and punctuation out: `--no-preterminals --punctuation`), the
    Stanford parser's `Evalb`, NLTK has none. Between raters it is Brants' F.

    Example: The trees of both annotators had a Parseval F of .93 (412 sentences, preterminals counted).
    """
    return _f(data, "precision", "recall")


@of_trees(
    key="leaf_ancestor",
    name="Leaf-Ancestor",
    cite=("sampson-babarczy-2003",),
    ready=compared("leaf_ancestor", lambda trees, a, b, options: trees.lineage_counts(a, b)),
)
def leaf_ancestor(data: Sentences, setting: Setting) -> Parts:
    """For each word the likeness of its two lineages (labels from the word up to the root, with brackets).

    1 − d / (length of one + length of the other), d a weighted edit distance: 1 to insert or delete, 0.5 to substitute
    a label with the same first letter, else 2; averaged over words (Sampson & Babarczy 2003). The words must be the
    same.

    When not to use it: If the two analyses have different words: such sentences are left out. It is not corrected for
    chance, and long sentences score high because most lineages are alike.

    In other tools: Sampson's own program; variants differ in what a substitution costs.

    Example: Leaf-Ancestor similarity of the two annotators' trees was .96 (412 sentences, 5,904 words).
    """
    return _f(data)


@of_profiles(key="edm", name="Elementary Dependency Match", cite=("dridan-oepen-2011",), ready=compared("edm", None))
def edm(data: Sentences, setting: Setting) -> Parts:
    """Elementary Dependency Match: triples of names, arguments, properties and constants that both MRSs have, as F.

    Computed by PyDelphin (Dridan & Oepen 2011), the top included. Predicates are matched by their character spans, so
    an MRS without them cannot be scored.

    When not to use it: If the MRSs have no character spans, or if derivations matter rather than meaning: two
    derivations can have one MRS.

    In other tools: PyDelphin `delphin edm` (which this is), Dridan's Perl script; without the top it is the figure of
    Dridan & Oepen (2011).

    Example: Elementary Dependency Match between the two annotators was F = .95 (412 sentences).
    """
    return _f(data, "precision", "recall")


MEASURES = (y_option, parseval, leaf_ancestor, edm)
