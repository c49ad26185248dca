"""Which discriminants hold in which parses, read off derivations and MRSs.

The state machine of treebanking: marks, inference, contradictions, verdicts, undo.
"""

import json
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from concordant.errors import InputError
from concordant.treebank.analyses import Analysis, ChosenAnalysis, read_lexicon
from concordant.treebank.disambiguation import Choosing, Contradiction, Parses, State
from concordant.treebank.discriminants import CONSTITUENT, DEPENDENCY, LEXICAL_TYPE, TWIG, Discriminant
from concordant.treebank.profile import read_profile
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


SAW_CUT = "lexical type v_cut_le [1-2]"
ON_THE_VERB = "constituent verb-mod [1-7]"


def begun(number: int = 1) -> Choosing:
    return Choosing(sentence(number))


def state(choosing: Choosing, name: str) -> State:
    return {key.name: found for key, found in choosing.states.items()}[name]


def test_a_mark_trims_the_forest_and_decides_what_follows() -> None:
    no = begun().after([f"no {SAW_CUT}"])
    assert no.results == (0, 1)
    assert state(no, SAW_CUT) is State.NO_MARKED
    assert state(no, "lexical type v_see_le [1-2]") is State.YES_INFERRED
    assert state(no, "elementary dependency _saw_v_cut arg2 _robin_n_1 [0-0]") is State.NO_INFERRED
    assert state(no, ON_THE_VERB) is State.OPEN
    assert state(no, "constituent det-noun [5-7]") is State.SHARED
    assert (no.verdict, no.after([f"yes {ON_THE_VERB}"]).verdict) == ("undecided", "accepted")
    assert no.after([f"yes {ON_THE_VERB}"]).results == (0,)


def test_what_halves_the_forest_is_asked_first() -> None:
    four = begun()
    rows = [four.parses.rows[key.name] for key in four.open]
    assert len(rows) == len(set(rows)) == sum(found is State.OPEN for found in four.states.values())
    assert [int(four.counts[row]) for row in rows[:4]] == [2, 2, 1, 1]


def test_what_parts_the_parses_alike_is_asked_once_before_it_comes_again() -> None:
    """Two senses times two attachments are two questions, or one about both, though there are 19 discriminants."""
    asked = [str(key) for key in begun().open]
    assert asked[:4] == ["verb-mod [1-7]", "v_cut_le [1-2]", "_with_p arg1 _saw_v_cut", "_with_p arg1 _saw_v_see"]
    assert asked[4:7] == ["verb-obj [1-7]", "verb-obj [1-4]", "v_see_le [1-2]"]


def test_a_parse_can_be_selected_and_all_can_be_rejected() -> None:
    selected = begun().after(["select 3"])
    assert (selected.verdict, selected.results, selected.open) == ("accepted", (3,), [])
    assert State.YES_MARKED not in selected.states.values()
    rejected = begun().after([f"yes {SAW_CUT}", "reject"])
    assert (rejected.verdict, rejected.as_value()["result"], rejected.results) == ("rejected", None, (2, 3))
    assert state(rejected, SAW_CUT) is State.YES_MARKED


def test_a_verdict_gives_way_to_the_next_move() -> None:
    assert begun().after(["reject", "select 2"]).moves == ("select 2",)
    assert begun().after(["select 2", "reject"]).moves == ("reject",)
    assert begun().after(["reject", f"yes {SAW_CUT}"]).moves == (f"yes {SAW_CUT}",)
    assert begun().after([f"yes {SAW_CUT}", "select 2", f"drop {SAW_CUT}"]).moves == ()


def test_marking_anew_replaces_the_mark() -> None:
    assert begun().after([f"yes {SAW_CUT}", f"no {SAW_CUT}"]).moves == (f"no {SAW_CUT}",)
    assert begun().after([f"yes {SAW_CUT}", f"yes {ON_THE_VERB}", f"drop {SAW_CUT}"]).results == (0, 2)


def test_contradictions_are_refused_and_say_what_to_do() -> None:
    with pytest.raises(Contradiction, match=r"no parse would be left.*undo one of them"):
        begun().after([f"yes {SAW_CUT}", "yes lexical type v_see_le [1-2]"])
    with pytest.raises(Contradiction, match="parse 0 was ruled out"):
        begun().after([f"yes {SAW_CUT}", "select 0"])
    with pytest.raises(Contradiction, match="holds in every parse"):
        begun().after(["no constituent det-noun [5-7]"])


@pytest.mark.parametrize(
    ("move", "said"),
    [
        ("maybe", "is no move"),
        ("yes constituent x [0-1]", "no discriminant"),
        ("select 9", "no parse '9'"),
        ("select x", "no parse"),
    ],
)
def test_moves_that_mean_nothing_are_refused(move: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        begun().after([move])


def test_a_sentence_with_one_parse_has_nothing_to_decide() -> None:
    only = begun(11)
    assert (only.verdict, only.results, only.open) == ("accepted", (0,), [])
    assert set(only.states.values()) == {State.SHARED}


def test_parses_that_nothing_tells_apart_are_accepted_together() -> None:
    twins = Choosing(Parses([Analysis(5, '(1 a 0 0 1 ("w"))'), Analysis(6, '(1 a 0 0 1 ("w"))')], {}))
    assert (twins.verdict, twins.as_value()["result"], twins.as_value()["n_left"]) == ("accepted", 5, 2)


def test_the_value_is_json_and_has_every_discriminant() -> None:
    value = begun().after([f"no {SAW_CUT}"]).as_value()
    assert json.loads(json.dumps(value)) == value
    assert len(value["states"]) == len(sentence(1).table.discriminants)
    assert value["states"][SAW_CUT] == "no marked"


def test_states_have_the_codes_of_profiles() -> None:
    assert [state.code for state in State] == [1, 2, 3, 4, 5, 5]
    assert [state.answer for state in State] == ["yes", "no", "yes", "no", None, None]


# ---- laws, on forests drawn at random: parse j is a chain of the rules i with holds[i, j] ----


def chain(rules: list[int], entry: int) -> str:
    inner = f'(9 w{entry} 0 0 1 ("w"))'
    for rule in reversed(rules):
        inner = f"(1 r{rule} 0 0 1 {inner})"
    return inner


def forest(holds: list[list[bool]], order: list[int] | None = None) -> Parses:
    places = order or list(range(len(holds)))
    chains = [chain([i for i, here in enumerate(row) if here], n % 2) for n, row in enumerate(holds)]
    return Parses([Analysis(place, chains[place]) for place in places], {})


FORESTS = st.integers(1, 6).flatmap(
    lambda n: st.lists(st.lists(st.booleans(), min_size=n, max_size=n), min_size=1, max_size=7)
)


@st.composite
def marked(draw: st.DrawFn) -> tuple[list[list[bool]], list[str]]:
    """A forest and marks that are true of one of its parses, so that they do not contradict each other."""
    holds = draw(FORESTS)
    parses = forest(holds)
    wanted = draw(st.integers(0, len(parses) - 1))
    table = parses.table
    telling = [row for row in range(len(table.discriminants)) if not table.holds[row].all()]
    rows = draw(st.lists(st.sampled_from(telling), unique=True)) if telling else []
    return holds, [f"{'yes' if table.holds[row, wanted] else 'no'} {table.discriminants[row].name}" for row in rows]


@given(marked())
def test_an_inferred_state_is_true_of_all_parses_that_are_left(case: tuple[list[list[bool]], list[str]]) -> None:
    now = Choosing(forest(case[0])).after(case[1])
    assert now.left.any()
    for row, found in enumerate(now.states.values()):
        values = now.parses.table.holds[row, now.left]
        expected = {"yes": values.all(), "no": not values.any(), "open": values.any() and not values.all()}
        assert expected[found.partition(" ")[0]]


@given(marked())
def test_one_round_is_the_fixpoint(case: tuple[list[list[bool]], list[str]]) -> None:
    """Carter's rules applied until nothing changes: a decided discriminant rules parses out, those decide others."""
    now = Choosing(forest(case[0])).after(case[1])
    holds = now.parses.table.holds
    decided = dict(now.marks)
    left = np.ones(len(now.parses), dtype=bool)
    while True:
        before = (len(decided), int(left.sum()))
        for row, value in decided.items():
            left &= holds[row] == value
        for row in range(len(holds)):
            if (values := set(holds[row, left].tolist())) and len(values) == 1:
                decided.setdefault(row, values.pop())
        if before == (len(decided), int(left.sum())):
            break
    assert left.tolist() == now.left.tolist()
    assert {row for row, found in enumerate(now.states.values()) if found is not State.OPEN} == set(decided)


@given(marked(), st.randoms(use_true_random=False))
def test_the_order_of_marks_does_not_matter(case: tuple[list[list[bool]], list[str]], random: Random) -> None:
    holds, moves = case
    shuffled = list(moves)
    random.shuffle(shuffled)
    one, other = Choosing(forest(holds)).after(moves), Choosing(forest(holds)).after(shuffled)
    assert (one.states, one.results, one.verdict) == (other.states, other.results, other.verdict)


@given(marked(), st.sampled_from(["reject", "select"]))
def test_undo_restores(case: tuple[list[list[bool]], list[str]], verdict: str) -> None:
    before = Choosing(forest(case[0]))
    for move in case[1]:
        after = before.after([move])
        assert after.after(["undo"]).as_value() == before.as_value()
        before = after
    move = "reject" if verdict == "reject" else f"select {before.results[0]}"
    assert before.after([move]).after(["undo"]).as_value() == before.as_value()


@given(marked(), st.data())
def test_the_order_of_parses_does_not_matter(case: tuple[list[list[bool]], list[str]], data: st.DataObject) -> None:
    holds, moves = case
    order = data.draw(st.permutations(range(len(holds))))
    one, other = Choosing(forest(holds)).after(moves), Choosing(forest(holds, order)).after(moves)
    assert {key.name: found for key, found in one.states.items()} == {
        key.name: found for key, found in other.states.items()
    }
    assert sorted(one.results) == sorted(other.results)


@given(marked())
def test_the_moves_that_are_kept_give_the_state_again(case: tuple[list[list[bool]], list[str]]) -> None:
    now = Choosing(forest(case[0])).after(case[1])
    assert Choosing(now.parses).after(now.moves).as_value() == now.as_value()
