"""Chosen analyses in the forms that other programs read."""

import csv
import json
from pathlib import Path
from typing import Any

import delphin.codecs.eds as eds_codec
import delphin.codecs.simpledmrs as dmrs_codec
import delphin.codecs.simplemrs as mrs_codec
import delphin.dmrs
import delphin.eds
import pytest
from delphin import mrs as mrs_of

from concordant import vistas
from concordant.errors import InputError
from concordant.treebank.analyses import read_lexicon
from concordant.treebank.comparison import compare
from concordant.treebank.corpus import FILES, brackets, dependencies, head_of
from concordant.treebank.profile import Annotation, read_profile
from concordant.treebank.relations import unescape
from concordant.treebank.trees import Tree, parse_brackets, shared_spans
from tests.cli.running import run
from tests.treebank.made import EXAMPLE

SUITE = EXAMPLE / "anna" / "diaries" / "SUITE-1-V1"


def accepted(path: Path) -> list[Annotation]:
    return [one for one in read_profile(path).annotations.values() if one.status == "accepted"]


def lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()


def spans(tree: Tree) -> list[tuple[str, int, int]]:
    return [(node.label, node.start, node.end) for node in tree.nodes()]


def decoded(one: Annotation) -> Any:
    assert one.chosen is not None
    return mrs_codec.decode(unescape(one.chosen.mrs))


def test_every_form_can_be_read_again_and_says_the_same(tmp_path: Path) -> None:
    made = vistas(SUITE, tmp_path / "corpus", lexicon=EXAMPLE / "lexicon.tsv")
    known, types = accepted(SUITE), read_lexicon(EXAMPLE / "lexicon.tsv")
    assert made.counts == dict.fromkeys(FILES, len(known))
    assert made.n_accepted == len(known) < made.n_sentences
    folder = tmp_path / "corpus"
    for one, line in zip(known, lines(folder / "trees.mrg"), strict=True):
        [tree] = parse_brackets(line)
        assert one.chosen is not None
        original = one.chosen.tree()
        assert original is not None
        assert [node.label for node in tree.nodes()] == [
            types.get(node.label, node.label) if node.is_preterminal else node.label for node in original.nodes()
        ]
        assert [node[1:] for node in spans(tree)] == [node[1:] for node in spans(original)]
    for one, line in zip(known, lines(folder / "logical-forms.mrs"), strict=True):
        assert mrs_of.is_isomorphic(mrs_codec.decode(line), decoded(one))
        assert mrs_codec.decode(line).surface == one.text
    for one, line in zip(known, lines(folder / "logical-forms.eds"), strict=True):
        read = eds_codec.decode(line)
        assert read == delphin.eds.from_mrs(decoded(one))
        assert read.identifier == one.sentence
    for one, line in zip(known, lines(folder / "logical-forms.dmrs"), strict=True):
        read = dmrs_codec.decode(line)
        assert read == delphin.dmrs.from_mrs(decoded(one))
        assert (str(read.identifier), read.surface) == (one.sentence, one.text)


def test_dependencies_are_trees_over_all_words(tmp_path: Path) -> None:
    """Every sentence of the file has one root, and no word is above itself."""
    vistas(SUITE, tmp_path / "corpus", forms="conll")
    assert sorted(file.name for file in (tmp_path / "corpus").iterdir()) == ["dependencies.conllu", "sentences.csv"]
    known = accepted(SUITE)
    blocks = (tmp_path / "corpus" / "dependencies.conllu").read_text(encoding="utf-8").strip().split("\n\n")
    for one, block in zip(known, blocks, strict=True):
        assert f"# sent_id = {one.sentence}" in block
        rows = [line.split("\t") for line in block.splitlines() if not line.startswith("#")]
        assert all(len(row) == 10 for row in rows)
        heads = {int(row[0]): int(row[6]) for row in rows}
        assert list(heads.values()).count(0) == 1
        assert one.chosen is not None
        tree = one.chosen.tree()
        assert tree is not None
        assert " ".join(row[1] for row in rows) == " ".join(tree.words())
        for word in heads:
            above = [word]
            while above[-1]:
                above.append(heads[above[-1]])
                assert len(above) <= len(heads) + 1


def word(entry: str, place: int, form: str = "") -> Tree:
    return Tree(entry, place, place + 1, (form or entry,))


def test_heads_are_named_by_the_rule_by_the_table_or_guessed() -> None:
    """`Ines saw the robin.`: the verb heads the clause, by the rules' names; `crd` says nothing, so its first counts."""
    np = Tree("sp-hd_n_c", 2, 4, (word("the_1", 2, "the"), word("robin_n1", 3, "robin")))
    verb = Tree("hd-cmp_u_c", 1, 4, (Tree("v_pst_olr", 1, 2, (word("see_v1", 1, "saw"),)), np))
    clause = Tree("root_strict", 0, 4, (Tree("sb-hd_mc_c", 0, 4, (word("ines_n1", 0, "Ines"), verb)),))
    found = dependencies(clause, {})
    assert [one[:1] + one[2:] for one in found] == [
        ("Ines", 2, "sb-hd_mc_c"), ("saw", 0, "root"), ("the", 4, "sp-hd_n_c"), ("robin", 2, "hd-cmp_u_c"),
    ]  # fmt: skip
    pair = Tree("np-np_crd-t_c", 0, 2, (word("a", 0), word("b", 1)))
    assert head_of(pair, {}) is None
    assert [one.head for one in dependencies(pair, {})] == [0, 1]
    assert [one.head for one in dependencies(pair, {"np-np_crd-t_c": 1})] == [2, 0]
    assert head_of(pair, {"np-np_crd-t_c": 7}) is None


def test_brackets_in_words_are_escaped() -> None:
    tree = Tree("s", 0, 2, (word("bracket", 0, "("), word("two", 1, "[x]")))
    text = brackets(tree, {})
    assert text == "(s (bracket -LRB-) (two -LSB-x-RSB-))"
    assert parse_brackets(text)[0].words() == ("-LRB-", "-LSB-x-RSB-")


def test_two_corpora_of_brackets_agree_as_far_as_the_treebanks(tmp_path: Path) -> None:
    """Parseval of the written trees is that of the analyses, where both chose one."""
    places = [EXAMPLE / name / "diaries" / "SUITE-1-V1" for name in ("anna", "bruno")]
    both = compare(*places).sentences
    for name, place in zip("ab", places, strict=True):
        vistas(place, tmp_path / name, forms=["penn"])
    trees = {}
    for name in "ab":
        rows = list(csv.DictReader(lines(tmp_path / name / "sentences.csv")))
        kept = [row["sentence"] for row in rows if row["penn"] == "yes"]
        written = (parse_brackets(line)[0] for line in lines(tmp_path / name / "trees.mrg"))
        trees[name] = dict(zip(kept, written, strict=True))
    checked = 0
    for row in both:
        if row.parseval is not None:
            assert shared_spans(trees["a"][row.sentence], trees["b"][row.sentence]) == row.parseval
            checked += 1
    assert checked > 3


def test_the_command_writes_suites_and_says_what_was_guessed(tmp_path: Path) -> None:
    anna = str(EXAMPLE / "anna")
    told = run("vistas", anna, "-o", str(tmp_path / "c"), "--as", "conll").stdout
    assert "21 of 24 sentences were accepted" in " ".join(told.split())
    assert "det-noun (32)" in told
    assert (tmp_path / "c" / "letters" / "SUITE-2-V1" / "dependencies.conllu").is_file()
    heads = tmp_path / "heads.tsv"
    heads.write_text("det-noun\t2\nsubj-verb\t2\nverb-obj\t1\n", encoding="utf-8")
    found = json.loads(run("vistas", anna, "-o", str(tmp_path / "d"), "--heads", str(heads), "--json").stdout)
    assert found["n_accepted"] == 21
    assert found["guessed"].keys().isdisjoint({"det-noun", "subj-verb", "verb-obj"})


@pytest.mark.parametrize(
    ("table", "said"),
    [("det-noun\tnoun\n", "is no daughter"), ("det-noun\t0\n", "is no daughter"), ("x\n", "1 columns")],
)
def test_a_wrong_table_of_heads_is_one_line_and_nothing_is_written(tmp_path: Path, table: str, said: str) -> None:
    (tmp_path / "heads.tsv").write_text(table, encoding="utf-8")
    with pytest.raises(InputError, match=said):
        vistas(SUITE, tmp_path / "corpus", heads=tmp_path / "heads.tsv")
    assert [file.name for file in tmp_path.iterdir()] == ["heads.tsv"]


def test_what_cannot_be_written_is_said(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no vista 'pen'"):
        vistas(SUITE, tmp_path / "corpus", forms="pen")
    parsed = EXAMPLE.parent / "studies" / "treebank" / "profile"
    with pytest.raises(InputError, match="no sentence is accepted"):
        vistas(parsed, tmp_path / "corpus")
    assert not list(tmp_path.iterdir())
