"""Chance agreement over forests: counting without unpacking, and annotators who choose blindly."""

from collections.abc import Mapping
from itertools import product
from pathlib import Path
from statistics import fmean

import numpy as np
import pytest

from concordant.errors import InputError
from concordant.randomness import generator
from concordant.treebank.analyses import Analysis, ChosenAnalysis, read_lexicon
from concordant.treebank.discriminants import CONSTITUENT, DEPENDENCY, LEXICAL_TYPE, TWIG, Decision, Discriminant
from concordant.treebank.forest import Edge, ListedForest, PackedForest, chance_agreement, listed, read_packed
from concordant.treebank.profile import Annotation
from concordant.treebank.sentences import Pair, Sentence, compare_sentence
from tests.treebank.made import write_profile

LEXICON = {"a1": "n_le", "a2": "v_le", "b1": "v_le"}
# Two words. "a" is a1 (bare or plural) or a2; "b" is b1; the whole is a clause or a list: (2 + 1) * 1 * 2 analyses.
EDGES: Mapping[int, Edge] = {
    1: Edge("a1", 1, 0, 1, (), ()),
    2: Edge("a2", 1, 0, 1, (), ()),
    3: Edge("b1", 1, 1, 2, (), ()),
    4: Edge("plural", 2, 0, 1, (1,), ()),
    5: Edge("bare", 3, 0, 1, (4,), (2,)),
    6: Edge("clause", 3, 0, 2, (5, 3), (7,)),
    7: Edge("list", 3, 0, 2, (5, 3), ()),
    8: Edge("bare", 3, 0, 1, (1,), ()),
    9: Edge("root", 4, 0, 2, (6,), ()),
}
EDGES = {**EDGES, 5: Edge("bare", 3, 0, 1, (4,), (2, 8))}
FOREST = PackedForest(EDGES, LEXICON)


class TestPackedForest:
    def test_the_number_of_analyses(self) -> None:
        assert FOREST.n_analyses == 6

    @pytest.mark.parametrize(
        ("type_", "key", "start", "end", "share"),
        [
            (CONSTITUENT, "clause", 0, 2, 1 / 2),
            (CONSTITUENT, "bare", 0, 1, 2 / 3),
            (CONSTITUENT, "plural", 0, 1, 1 / 3),
            (CONSTITUENT, "clause", 0, 1, 0),
            (TWIG, "bare@plural@n_le", 0, 1, 1 / 3),
            (TWIG, "bare@n_le", 0, 1, 1 / 3),
            (TWIG, "v_le", 0, 1, 1 / 3),
            (TWIG, "bare", 0, 1, 0),
            (LEXICAL_TYPE, "n_le", 0, 1, 2 / 3),
            (LEXICAL_TYPE, "v_le", 1, 2, 1),
        ],
    )
    def test_shares(self, type_: int, key: str, start: int, end: int, share: float) -> None:
        assert FOREST.share(Discriminant(type_, key, start, end)) == pytest.approx(share)

    def test_what_cannot_be_told(self) -> None:
        assert FOREST.share(Discriminant(DEPENDENCY, "x arg1 y", 0, 0)) is None
        assert PackedForest(EDGES, {}).share(Discriminant(LEXICAL_TYPE, "n_le", 0, 1)) is None

    def test_a_broken_edge_is_refused(self, tmp_path: Path) -> None:
        write_profile(tmp_path, {"edge": [(1, 1, "x", "?", 0, 0, 1, "", "()", "", "")]})
        names = ("e-id", "parse-id", "e-label", "e-type", "e-status", "e-start", "e-end", "e-score", "e-daughters")
        table = "\nedge:\n  " + "\n  ".join(f"{name} :string" for name in (*names, "e-parents", "e-alternates"))
        with (tmp_path / "relations").open("a", encoding="utf-8") as file:
            file.write(table + "\n")
        with pytest.raises(InputError, match="line 1: broken edge"):
            read_packed(tmp_path, {})


def test_chance_agreement_is_the_mean_over_discriminants() -> None:
    assert chance_agreement([0.5, 1.0]) == pytest.approx((0.5 + 1.0) / 2)


def derivation(split: int, left: str, right: str, label: str, n: int) -> str:
    """A right-branching tree over n words, the top split at some place, with a few labels to choose."""

    def words(start: int, end: int, name: str) -> str:
        inner = f'(1 w{start} 0 {start} {start + 1} ("w{start}"))'
        if end - start == 1:
            return inner
        return f"(1 {name} 0 {start} {end} {inner} {words(start + 1, end, name)})"

    return f"(root (1 {label} 0 0 {n} {words(0, split, left)} {words(split, n, right)}))"


def blind_pair(seed: int, sentence: int) -> Pair:
    """Two annotators who pick one of a sentence's analyses each, at random, and log all its discriminants."""
    random = generator(seed, sentence)
    n = int(random.integers(3, 6))
    texts = [
        derivation(split, left, right, label, n)
        for split, left, right, label in product(range(1, n), ("np", "nx"), ("vp", "vx"), ("s", "frag"))
    ]
    analyses = [Analysis(i, text) for i, text in enumerate(texts)]
    forest = [ChosenAnalysis(analysis, {}) for analysis in analyses]
    keys = {key for one in forest for key in _nodes(one)}
    open_ = sorted(key for key in keys if 0 < sum(bool(one.holds(key)) for one in forest) < len(forest))
    return Pair(
        a=_blind(analyses, forest, open_, random),
        b=_blind(analyses, forest, open_, random),
        forests=[ListedForest(forest)],
    )


def _nodes(chosen: ChosenAnalysis) -> list[Discriminant]:
    assert chosen.tree is not None
    return [Discriminant(CONSTITUENT, node.label, node.start, node.end) for node in chosen.tree.nodes()]


def _blind(
    analyses: list[Analysis], forest: list[ChosenAnalysis], keys: list[Discriminant], random: np.random.Generator
) -> Annotation:
    pick = int(random.integers(len(analyses)))
    logged = tuple(Decision(3 if forest[pick].holds(key) else 4, key) for key in keys)
    return Annotation(
        sentence="1", status="accepted", decisions=logged, chosen=analyses[pick], analyses=tuple(analyses)
    )


def kappas(rows: list[Sentence]) -> list[float]:
    return [row.kappa for row in rows if row.kappa is not None]


def test_blind_annotators_score_well_above_0_with_half_and_about_0_with_the_forest() -> None:
    pairs = [blind_pair(11, sentence) for sentence in range(300)]
    half = kappas([compare_sentence(pair) for pair in pairs])
    forest = kappas([compare_sentence(pair, expected="forest") for pair in pairs])
    assert len(half) == len(forest) == 300
    assert fmean(half) > 0.25
    assert fmean(forest) == pytest.approx(0, abs=0.05)


def test_a_thinned_profile_has_no_forest() -> None:
    assert listed(Annotation(sentence="1", analyses=(Analysis(0),)), {}) is None
    pair = blind_pair(3, 0)
    row = compare_sentence(Pair(a=pair.a, b=pair.b), expected="forest")
    assert (row.kappa, row.n_options) == (None, 0)
    assert row.n_open > 0


def real_forests(folder: Path) -> list[PackedForest]:
    """Four treebanks with packed forests; an entry of unknown type is a type of its own."""
    types, suites = read_lexicon(folder / "lexical_types.tsv"), sorted((folder / "singlish").iterdir())
    untyped = [forest for suite in suites for forest in read_packed(suite, {}).values()]
    entries = {edge.label for forest in untyped for edge in forest.edges.values()}
    lexicon = {entry: types.get(entry, entry) for entry in entries}
    return [forest for suite in suites for forest in read_packed(suite, lexicon).values()]


@pytest.mark.data
def test_blind_annotators_on_real_forests_score_36_with_half(data_dir: Path) -> None:
    """A_o of blind choice on the twigs (type 7, which these treebanks log) of packed forests, counted exactly.

    The more analyses a sentence has, the rarer each discriminant and the higher the K of blind choice with A_e = 1/2:
    .36 is the mean over forests of up to 2,000 analyses, .23 over those of up to 100. With `forest`, A_e is this A_o.
    """
    forests = [forest for forest in real_forests(data_dir / "treebank") if 2 <= forest.n_analyses <= 2000]
    shares = [(forest.n_analyses, open_shares(forest)) for forest in forests]
    kappas = [(n, 2 * chance_agreement(known) - 1) for n, known in shares if known]
    assert len(kappas) > 80
    assert fmean(kappa for _, kappa in kappas) == pytest.approx(0.36, abs=0.01)
    assert fmean(kappa for n, kappa in kappas if n <= 100) == pytest.approx(0.23, abs=0.02)


def open_shares(forest: PackedForest) -> list[float]:
    """The shares of all twigs that some analyses of the forest have and others do not."""
    shares = [forest.share(twig) for twig in sorted(twigs(forest))]
    return [share for share in shares if share is not None and 1e-9 < share < 1 - 1e-9]


def twigs(forest: PackedForest) -> set[Discriminant]:
    """The unary chains of all analyses, top down, each from below a node with other words or other daughters."""
    tops = [edge for edge in forest.edges.values() if edge.type > 1 and not forest.is_unary(edge)]
    roots = [edge for edge in forest.edges.values() if edge.type == 4]
    starts = {start for edge in (*tops, *roots) for start in choices(forest, edge)}
    return {
        Discriminant(TWIG, "@".join(chain), start.start, start.end)
        for start in starts
        for chain in chains(forest, start)
    }


def choices(forest: PackedForest, edge: Edge) -> list[Edge]:
    """What can stand below an edge."""
    daughters = [forest.edges[number] for number in edge.daughters]
    return [*daughters, *(forest.edges[number] for daughter in daughters for number in daughter.alternates)]


def chains(forest: PackedForest, edge: Edge) -> list[tuple[str, ...]]:
    """The unary chains from an edge down, with a word's lexical type at the end."""
    if not forest.is_unary(edge):
        return [(edge.label if edge.type > 1 else forest.lexicon.get(edge.label) or edge.label,)]
    return [(edge.label, *rest) for below in choices(forest, edge) for rest in chains(forest, below)]
