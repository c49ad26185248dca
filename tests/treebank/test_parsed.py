"""All parses of a sentence: listed, packed, or printed by ACE."""

import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from concordant.design.study_file import problems, read
from concordant.errors import InputError
from concordant.treebank.analyses import read_lexicon
from concordant.treebank.disambiguation import Choosing, Parses
from concordant.treebank.forest import read_packed
from concordant.treebank.parsed import as_profile, read_ace, read_parsed
from concordant.treebank.profile import read_profile
from concordant.treebank.relations import escape, unescape
from concordant.treebank.written import Treebanked, write_profile
from tests.treebank.made import RELATIONS
from tests.treebank.made import write_profile as make_profile

MORNING = datetime(2026, 3, 2, 9, 30, tzinfo=UTC)

EDGES = """
edge:
  e-id :integer :key
  parse-id :integer :key
  e-label :string
  e-type :integer
  e-start :integer
  e-end :integer
  e-daughters :string
  e-alternates :string
"""
TOKEN = 'token [ +FORM "{}" +CARG "x" ]'
WORDS = [(1, 1, TOKEN.format("ines"), 0, 0, 1, "", ""), (2, 1, TOKEN.format(r"saw\"s"), 0, 1, 2, "", ""),
         (3, 1, "ines_n1", 1, 0, 1, "(1)", ""), (4, 1, "See_v1", 1, 1, 2, "(2)", "(5)"),
         (5, 1, "saw_v1", 1, 1, 2, "(2)", "")]  # fmt: skip
RULES = [(6, 1, "past", 3, 1, 2, "(4)", "(7)"), (7, 1, "bare", 3, 1, 2, "(4)", ""),
         (8, 1, "subj-verb", 3, 0, 2, "(3 6)", "(9)"), (9, 1, "verb-subj", 3, 0, 2, "(3 6)", ""),
         (10, 1, "root_clause", 4, 0, 2, "(8)", "")]  # fmt: skip


def packed(folder: Path) -> Path:
    """One sentence: two senses of the verb, two rules above it, two above both, so eight parses."""
    rows = [(*row[:2], escape(str(row[2])), *row[3:]) for row in [*WORDS, *RULES]]
    made = make_profile(folder, {"item": [(1, "Ines saw.")], "parse": [(1, 1, 8)], "edge": rows})
    (made / "relations").write_text(RELATIONS + EDGES, encoding="utf-8")
    return made


def test_a_packed_forest_is_unpacked_into_all_its_parses(tmp_path: Path) -> None:
    profile = read_parsed(packed(tmp_path / "p"))
    found = profile.annotations["1"]
    assert profile.packed == {1}
    trees = [one.tree() for one in found.analyses]
    assert len(set(trees)) == found.n_parses == 8
    first = trees[0]
    assert first is not None
    assert [node.label for node in first.nodes()] == ["root_clause", "subj-verb", "ines_n1", "past", "see_v1"]
    assert first.words() == ("ines", r"saw\"s"), "as PyDelphin leaves it, in listed derivations too"


def test_shares_in_the_packed_forest_are_those_among_its_parses(tmp_path: Path) -> None:
    """What is counted without unpacking is what the unpacked parses have: two ways to one number."""
    path = packed(tmp_path / "p")
    types = {"see_v1": "v_see_le", "saw_v1": "v_saw_le", "ines_n1": "n_le"}
    forest = read_packed(path, types)[1]
    parses = Parses(read_parsed(path).annotations["1"].analyses, types)
    checked = 0
    for discriminant, held in zip(parses.table.discriminants, parses.table.holds, strict=True):
        share = forest.share(discriminant)
        if share is not None and discriminant.key != "root_clause":  # logs never ask about the root symbol
            assert share == pytest.approx(held.mean())
            checked += 1
    assert checked >= 8


def test_larger_forests_stay_packed_and_are_counted(tmp_path: Path) -> None:
    found = read_parsed(packed(tmp_path / "p"), most=7).annotations["1"]
    assert (found.n_parses, found.analyses) == (8, ())


def test_the_chosen_parse_of_a_forest_is_written_into_the_profile(tmp_path: Path) -> None:
    source = packed(tmp_path / "p")
    value = Choosing(Parses(read_parsed(source).annotations["1"].analyses, {})).after(["select 5"]).as_value()
    dates = dict.fromkeys(value["states"], MORNING)
    done = Treebanked(value=value, dates=dates, begun=MORNING, ended=MORNING, author="Ana")
    write_profile(source, tmp_path / "out", {"1": done})
    again = read_profile(tmp_path / "out").annotations["1"]
    assert again.status == "accepted"
    assert again.chosen is not None
    assert again.chosen.result == 5
    assert again.chosen.tree() == read_parsed(source).annotations["1"].analyses[5].tree()
    assert read_parsed(tmp_path / "out").annotations["1"].n_parses == 8, "the forest is still there"


# ---- ACE ----

MRS = "[ TOP: h0 INDEX: e2 [ e SF: prop ] RELS: < [ {}<0:4> LBL: h1 ARG0: e2 ] > HCONS: < h0 qeq h1 > ]"
ACE = f"""SENT: Ines @ home.
{MRS.format("_home_p")} ;  (root_clause (1 subj-verb 0 0 2 (2 ines_n1 0 0 1 ("ines")) (3 home_p1 0 1 2 ("@"))))
{MRS.format("_home_v")} ;  (root_clause (4 verb-obj 0 0 2 (2 ines_n1 0 0 1 ("ines")) (5 home_v1 0 1 2 ("@"))))
NOTE: 2 readings, added 12 / 9 edges to chart (5 fully instantiated, 2 actives used, 2 passives used)  RAM: 9k


SKIP: Sat mat the.
NOTE: ignoring `Sat mat the.'
NOTE: parsed 1 / 2 sentences, avg 9k, time 0.01s
"""


@pytest.fixture
def printed(tmp_path: Path) -> Path:
    file = tmp_path / "parsed.txt"
    file.write_text(ACE, encoding="utf-8")
    return file


def test_what_ace_printed_is_read_as_a_profile(printed: Path) -> None:
    assert [(text, len(parses)) for text, parses in read_ace(printed)] == [("Ines @ home.", 2), ("Sat mat the.", 0)]
    found = read_parsed(printed).annotations
    assert [(one.sentence, one.text, one.n_parses) for one in found.values()] == [
        ("1", "Ines @ home.", 2), ("2", "Sat mat the.", 0),
    ]  # fmt: skip
    names = Parses(found["1"].analyses, {}).rows
    assert {"constituent subj-verb [0-2]", "elementary dependency _home_v sf prop [0-0]"} <= names.keys()
    with as_profile(printed) as folder:
        assert (
            unescape((folder / "item").read_text(encoding="utf-8").splitlines()[0].partition("@")[2]) == "Ines @ home."
        )
    assert not folder.exists()


@pytest.mark.parametrize(
    ("text", "said"),
    [("Ana laughs.\n", "no parses in it"), ("SKIP: Ana\n", "no parses in it"), ("[ TOP: h0 ] ;  (a)\n", "without its sentence"),
     ("SENT: Ana\n(:ninputs . 3)\n", "without a derivation"), ("SENT: Ana\n[ TOP: h0 ] ;  x\n", "without a derivation")],
)  # fmt: skip
def test_other_files_are_refused_in_one_line(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "x.txt").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=said):
        read_parsed(tmp_path / "x.txt")


def study_of(folder: Path, units: str) -> Path:
    (folder / "study.toml").write_text(
        f'name = "trees"\ntitle = "Trees"\n[units]\n{units}\n[[questions]]\nid = "reading"\ntask = "parses"\n'
        'ask = "Which?"\n[[raters]]\nid = "A1"\n[[raters]]\nid = "A2"\n',
        encoding="utf-8",
    )
    return folder


def test_a_study_takes_its_sentences_from_ace_or_from_a_forest(tmp_path: Path, printed: Path) -> None:
    assert "sentence 2 has no parses" in str(problems(study_of(tmp_path, 'profile = "parsed.txt"'))[0])
    [unit] = read(study_of(tmp_path, 'profile = "parsed.txt"\nparsed_only = true')).units
    assert (unit.text, unit.parses and len(unit.parses)) == ("Ines @ home.", 2)
    packed(tmp_path / "forest")
    [unit] = read(study_of(tmp_path, 'profile = "forest"')).units
    assert unit.parses is not None
    assert len(unit.parses) == 8
    [said] = problems(study_of(tmp_path, 'profile = "forest"\nmost_parses = 7'))
    assert "sentence 1 has 8 parses, more than are unpacked; raise most_parses" in str(said)


@pytest.mark.data
@pytest.mark.parametrize("name", ["noUWH_lex_en", "UWH_nolex_sg"])
def test_forests_of_a_real_grammar_hold_the_analyses_that_were_chosen(name: str) -> None:
    """The derivation that the treebank's own program stored is one of those unpacked here."""
    folder = Path(os.environ["CONCORDANT_DATA"]) / "treebank"
    types = read_lexicon(folder / "lexical_types.tsv")
    found = read_parsed(folder / "singlish" / name, most=100)
    checked = 0
    for one in found.annotations.values():
        if one.status == "accepted" and one.analyses and one.chosen is not None:
            trees = [analysis.tree() for analysis in one.analyses]
            chosen = one.chosen.tree()
            assert chosen is not None
            assert chosen.children in [tree.children for tree in trees if tree], "but for the root symbol"
            assert (
                len({analysis.tree() for analysis in one.analyses}) == one.n_parses == len(Parses(one.analyses, types))
            )
            checked += 1
    assert checked >= 3
