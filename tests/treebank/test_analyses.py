"""Reading discriminants off a chosen analysis.

Lexical types from a grammar or from a table.
"""

from pathlib import Path

import pytest

from concordant.errors import InputError
from concordant.treebank.analyses import Analysis, ChosenAnalysis, read_lexicon
from concordant.treebank.discriminants import CONSTITUENT, DEPENDENCY, LEXICAL_TYPE, RELATION, TWIG, Discriminant
from concordant.treebank.profile import read_profile
from tests.treebank.made import EXAMPLE

DERIVATION = (
    '(root_strict (1 S_rule 0 0 2 (2 NP_bare 0 0 1 (3 N_sg 0 0 1 (4 ana_n1 0 0 1 ("Ana"))))'
    ' (5 v_past 0 1 2 (6 rir_v1 0 1 2 ("ri")))))'
)
LEXICON = {"ana_n1": "n_-_pn_le", "rir_v1": "v_-_le"}
CHOSEN = ChosenAnalysis(Analysis(0, DERIVATION), LEXICON)
UNTYPED = ChosenAnalysis(Analysis(0, DERIVATION), {})


@pytest.mark.parametrize(
    ("type_", "key", "start", "end", "answer"),
    [
        (CONSTITUENT, "np_bare", 0, 1, True),
        (CONSTITUENT, "np_bare", 0, 2, False),
        (CONSTITUENT, "pp", 0, 1, False),
        (TWIG, "s_rule", 0, 2, True),
        (TWIG, "np_bare@n_sg@n_-_pn_le", 0, 1, True),
        (TWIG, "np_bare@n_sg@n_-_c_le", 0, 1, False),
        (TWIG, "np_bare", 0, 1, False),
        (TWIG, "np_bare", 5, 6, False),
        (LEXICAL_TYPE, "v_-_le", 1, 2, True),
        (LEXICAL_TYPE, "v_np_le", 1, 2, False),
        (LEXICAL_TYPE, "v_-_le", 0, 2, False),
        (RELATION, "_rir_v", 1, 2, None),
        (DEPENDENCY, "_rir_v arg1 named", 0, 0, None),
    ],
)
def test_with_a_lexicon(type_: int, key: str, start: int, end: int, answer: bool | None) -> None:
    assert CHOSEN.holds(Discriminant(type_, key, start, end)) is answer


@pytest.mark.parametrize(
    ("type_", "key", "start", "end", "answer"),
    [
        (TWIG, "np_bare@n_sg@n_-_pn_le", 0, 1, None),
        (TWIG, "np_bare@n_pl@n_-_pn_le", 0, 1, False),
        (LEXICAL_TYPE, "v_-_le", 1, 2, None),
        (CONSTITUENT, "n_sg", 0, 1, True),
    ],
)
def test_without_a_lexicon_types_stay_open(type_: int, key: str, start: int, end: int, answer: bool | None) -> None:
    assert UNTYPED.holds(Discriminant(type_, key, start, end)) is answer


@pytest.mark.parametrize(
    ("key", "answer"),
    [
        ("_saw_v_see arg1 named(ines)", True),
        ("_saw_v_see arg1 named", True),
        ("_saw_v_see arg2 _robin_n_1", True),
        ("_with_p arg1 _saw_v_see", False),
        ("_with_p arg1 _robin_n_1", True),
        ("proper_q arg0 named(ines)", True),
        ("_robin_n_1 num sg", True),
        ("_robin_n_1 num pl", False),
        ("_saw_v_see", True),
    ],
)
def test_dependencies_of_an_mrs(key: str, answer: bool) -> None:
    annotation = read_profile(EXAMPLE / "anna" / "letters" / "SUITE-1-V1").annotations["1"]
    assert annotation.chosen is not None
    assert ChosenAnalysis(annotation.chosen, {}).holds(Discriminant(DEPENDENCY, key, 0, 0)) is answer


def test_a_cell_that_is_no_derivation_answers_nothing() -> None:
    broken = ChosenAnalysis(Analysis(0, "(((", "[ LTOP: "), LEXICON)
    assert broken.holds(Discriminant(CONSTITUENT, "np", 0, 1)) is None
    assert broken.holds(Discriminant(DEPENDENCY, "x arg1 y", 0, 0)) is None


def test_real_logs_never_contradict_the_chosen_tree() -> None:
    """What an annotator logged must be true of the analysis the annotator chose."""
    for suite in ("letters/SUITE-1-V1", "letters/SUITE-2-V1"):
        for annotation in read_profile(EXAMPLE / "bruno" / suite).annotations.values():
            if annotation.chosen:
                chosen = ChosenAnalysis(annotation.chosen, {})
                told = [(one.value, chosen.holds(one.discriminant)) for one in annotation.decisions]
                assert all(answer in (None, value) for value, answer in told)


def test_a_table_with_a_header() -> None:
    lexicon = read_lexicon(EXAMPLE / "lexicon.tsv")
    assert lexicon["saw_see"] == "v_see_le"
    assert "lexical_entry" not in lexicon


def test_a_grammar_s_lexicon(tmp_path: Path) -> None:
    (tmp_path / "lexicon.tdl").write_text(
        'dog_n1 := n_-_c_le &\n [ ORTH < "dog" >,\n   SYNSEM [ LKEYS.KEYREL.PRED "_dog_n_1_rel" ] ].\n\n'
        'bark_v1 := v_-_le & [ ORTH < "bark" > ].\n',
        encoding="utf-8",
    )
    assert read_lexicon(tmp_path / "lexicon.tdl") == {"dog_n1": "n_-_c_le", "bark_v1": "v_-_le"}


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("x.tsv", "dog_n1 n_-_c_le\n", "row 1: 1 columns instead of 2"),
        ("x.tsv", "", "no lexical entry"),
        ("x.tdl", "dog_n1 := [ ", "not TDL"),
    ],
)
def test_what_is_no_lexicon(tmp_path: Path, name: str, text: str, message: str) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=message):
        read_lexicon(tmp_path / name)


def test_a_lexicon_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such lexicon"):
        read_lexicon(tmp_path / "x.tsv")
