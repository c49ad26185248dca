"""Which discriminants hold in which parses, read off derivations and MRSs."""

import pytest

from assent.errors import InputError
from assent.treebank.analyses import Analysis
from assent.treebank.discriminants import CONSTITUENT, DEPENDENCY, LEXICAL_TYPE, TWIG, Discriminant
from assent.treebank.lexicon import read_lexicon
from assent.treebank.parses import Parses
from assent.treebank.profile import read_profile
from assent.treebank.resolved import ChosenAnalysis
from tests.treebank.made import EXAMPLE

SUITE = EXAMPLE / "anna" / "letters" / "SUITE-1-V1"
LEXICON = read_lexicon(EXAMPLE / "lexicon.tsv")


def sentence(number: int) -> Parses:
    return Parses(read_profile(SUITE).annotations[str(number)].analyses, LEXICON)


def found(parses: Parses) -> dict[Discriminant, list[int]]:
    """The parses in which each discriminant holds."""
    table = parses.table
    return {
        key: [n for n, holds in enumerate(row) if holds]
        for key, row in zip(table.discriminants, table.holds.tolist(), strict=True)
    }


def test_constituents_types_and_dependencies_of_an_ambiguous_sentence() -> None:
    """Ines saw the robin with the mirror: two senses of `saw` times two places of the phrase."""
    parses = sentence(1)
    holds = found(parses)
    assert (parses.words(0, 7), parses.words(2, 4)) == ("Ines saw the robin with the mirror", "the robin")
    assert holds[Discriminant(CONSTITUENT, "verb-mod", 1, 7)] == [0, 2]
    assert holds[Discriminant(LEXICAL_TYPE, "v_cut_le", 1, 2)] == [2, 3]
    assert holds[Discriminant(DEPENDENCY, "_with_p arg1 _robin_n_1", 0, 0)] == [1, 3]
    assert holds[Discriminant(CONSTITUENT, "root_clause", 0, 7)] == [0, 1, 2, 3]
    assert holds[Discriminant(TWIG, "bare-name@n_name_le", 0, 1)] == [0, 1, 2, 3]
    assert Discriminant(DEPENDENCY, "_saw_v_see arg1 named(ines)", 0, 0) in holds
    assert Discriminant(DEPENDENCY, "proper_q arg0 named(ines)", 0, 0) in holds
    assert Discriminant(DEPENDENCY, "_robin_n_1 num sg", 0, 0) in holds


@pytest.mark.parametrize("number", range(1, 12))
def test_reading_and_asking_agree(number: int) -> None:
    """What is found in a parse holds of it, and what is found in others only does not."""
    parses = sentence(number)
    analyses = read_profile(SUITE).annotations[str(number)].analyses
    for key, where in found(parses).items():
        assert [ChosenAnalysis(one, LEXICON).holds(key) for one in analyses] == [n in where for n in range(len(parses))]


def test_without_a_lexicon_words_are_told_apart_by_their_entries() -> None:
    bare = Parses(read_profile(SUITE).annotations["1"].analyses, {})
    assert found(bare)[Discriminant(LEXICAL_TYPE, "saw_cut", 1, 2)] == [2, 3]


def test_a_parse_that_cannot_be_read_has_no_tree_and_no_discriminants() -> None:
    parses = Parses([Analysis(4, "(broken"), Analysis(7, '(1 leaf 0 0 1 ("w"))')], {})
    assert parses.results == (4, 7)
    assert (parses.tree(4), parses.words(0, 1)) == (None, "w")
    assert found(parses) == {Discriminant(LEXICAL_TYPE, "leaf", 0, 1): [1]}


def test_decoding_waits_until_somebody_asks() -> None:
    parses = sentence(1)
    assert (len(parses), parses.fingerprint != "", parses.is_decoded) == (4, True, False)
    assert parses.table is parses.table
    assert parses.is_decoded


def test_the_fingerprint_changes_with_any_parse() -> None:
    parses = [Analysis(0, '(1 leaf 0 0 1 ("w"))'), Analysis(1, '(1 other 0 0 1 ("w"))')]
    assert Parses(parses, {}).fingerprint == Parses(parses, {"leaf": "n"}).fingerprint
    assert Parses(parses, {}).fingerprint != Parses(parses[::-1], {}).fingerprint


def test_no_parse_is_refused() -> None:
    with pytest.raises(InputError, match="without parses"):
        Parses([], {})
