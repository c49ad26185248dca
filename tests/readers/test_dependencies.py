"""Dependency trees in CoNLL-U, and CGELBank's trees."""

from pathlib import Path

import pytest

import concordant
from concordant.errors import InputError
from concordant.readers import find_format

Row = tuple[str, str, int, str]
ANNA: list[Row] = [
    ("The", "DET", 2, "det"),
    ("cat", "NOUN", 3, "nsubj"),
    ("sat", "VERB", 0, "root"),
    (".", "PUNCT", 3, "punct"),
]
BEN: list[Row] = [
    ("The", "DET", 2, "det"),
    ("cat", "NOUN", 3, "obj"),
    ("sat", "VERB", 0, "root"),
    (".", "PUNCT", 2, "punct"),
]


def sentence(rows: list[Row], name: str = "") -> str:
    """A sentence in CoNLL-U, with a word of two tokens and an empty node that count nowhere."""
    lines = [f"{i}\t{w}\t{w.lower()}\t{p}\t_\t_\t{h}\t{d}\t_\t_" for i, (w, p, h, d) in enumerate(rows, 1)]
    first = [f"# sent_id = {name}"] if name else []
    return "\n".join([*first, "# text = …", "1-2\tThecat" + "\t_" * 8, *lines, "4.1\t_" + "\t_" * 8, "", ""])


def files(tmp_path: Path, **texts: str) -> list[Path]:
    for name, text in texts.items():
        (tmp_path / f"{name}.conllu").write_text(text, encoding="utf-8")
    return [tmp_path / f"{name}.conllu" for name in texts]


def test_uas_and_las(tmp_path: Path) -> None:
    paths = files(
        tmp_path, anna=sentence(ANNA, "a") + sentence(ANNA, "b"), ben=sentence(BEN, "a") + sentence(ANNA, "b")
    )
    found = {one.question: one.value for one in concordant.measure(paths, "percent", ci="none")}
    assert found == {"head": 7 / 8, "relation": 7 / 8, "upos": 1.0, "head and relation": 6 / 8}
    study = concordant.read(*paths)
    assert study.raters == ("anna", "ben")
    assert list(study.clusters) == ["sentences"]


def test_a_folder_and_a_curator(tmp_path: Path) -> None:
    files(tmp_path, anna=sentence(ANNA), ben=sentence(BEN), curator=sentence(BEN))
    study = concordant.read(tmp_path)
    assert study.raters == ("anna", "ben")
    assert "curator.conllu" in study.unused
    paths = [tmp_path / f"{name}.conllu" for name in ("anna", "ben", "curator")]
    assert concordant.read(*paths).raters == ("anna", "ben")


def test_other_tokens_are_left_out_and_counted(tmp_path: Path) -> None:
    other: list[Row] = [("Thecat", "NOUN", 2, "nsubj"), ("sat", "VERB", 0, "root")]
    paths = files(
        tmp_path, anna=sentence(ANNA, "a") + sentence(ANNA, "b"), ben=sentence(other, "a") + sentence(BEN, "b")
    )
    study = concordant.read(*paths)
    assert (len(study.unit.labels), study.left_out[0][0]) == (4, 4)
    with pytest.raises(InputError, match="no sentence has the same tokens"):
        concordant.read(*files(tmp_path, x=sentence(ANNA), y=sentence(other)))


@pytest.mark.parametrize(
    ("text", "what"),
    [
        (sentence(ANNA).replace("\t2\tdet", "\tx\tdet"), "no token of CoNLL-U"),
        (sentence(ANNA).replace("\t2\tdet", "\t9\tdet"), "token 1 has the head 9 of 4 tokens"),
        (sentence(ANNA, "a") + sentence(ANNA, "a"), "two sentences have the sent_id 'a'"),
    ],
)
def test_damaged_files(tmp_path: Path, text: str, what: str) -> None:
    with pytest.raises(InputError, match=what):
        concordant.read(*files(tmp_path, anna=sentence(ANNA), ben=text), format="conllu")


def test_a_decoy(tmp_path: Path) -> None:
    (tmp_path / "t.conllu").write_text("\t".join("abcdefghij") + "\n" + "\t".join("1234567890") + "\n")
    with pytest.raises(InputError):
        concordant.read(tmp_path / "t.conllu", format="conllu")
    (tmp_path / "t.conll").write_text("Anna B-PER\nlacht O\n")
    assert find_format(tmp_path / "t.conll").format.name == "conll"


CGEL = """# sent_id = 1
# text = she (Ana) left
(Clause
    :Subj (NP
        :Head (x / N_pro :t "she" :l "she"))
    :Supplement (N :t "(Ana)")
    :Head (VP
        :Head (V :t "{}")
        :Comp (x / GAP)))
"""


class TestCgel:
    def test_files_of_annotators(self, tmp_path: Path) -> None:
        for name, verb in (("anna", "left"), ("ben", "left"), ("adjudicated", "left")):
            (tmp_path / f"pilot.{name}.cgel").write_text(CGEL.format(verb))
        found = concordant.read(tmp_path)
        assert (found.raters, list(found.unused)) == (("anna", "ben"), ["pilot.adjudicated.cgel"])
        ((tree, _),) = found.sentences
        assert tree.words() == ("she", "-LRB-Ana-RRB-", "left")
        assert [node.label for node in tree.nodes()] == [
            "Clause",
            "NP-Subj",
            "N_pro-Head",
            "N-Supplement",
            "VP-Head",
            "V-Head",
            "GAP-Comp",
        ]
        assert concordant.measure(found, "parseval", ci="none").value == 1

    def test_one_annotator_and_a_damaged_file(self, tmp_path: Path) -> None:
        (tmp_path / "a.anna.cgel").write_text(CGEL)
        (tmp_path / "a.ben.cgel").write_text(CGEL.rstrip()[:-1])
        alone = concordant.read(tmp_path / "a.anna.cgel")  # one rater is enough to look at
        assert alone.raters == ("a.anna",)
        with pytest.raises(InputError, match="trees of one rater only"):
            concordant.measure(alone, "parseval")
        with pytest.raises(InputError, match="never closed"):
            concordant.read(tmp_path)

    def test_a_decoy(self, tmp_path: Path) -> None:
        (tmp_path / "t.cgel").write_text("unit,rater,value\na,x,1\na,y,2\n")
        assert find_format(tmp_path / "t.cgel").format.name == "table"


class TestTrees:
    """Sentences as units: alpha over tree edit distances (Skjærholt 2014)."""

    def test_alpha_by_hand(self, tmp_path: Path) -> None:
        paths = files(
            tmp_path, anna=sentence(ANNA, "a") + sentence(ANNA, "b"), ben=sentence(BEN, "a") + sentence(ANNA, "b")
        )
        study = concordant.read(*paths, units="sentences")
        first, second = "(TOP (root (nsubj (det)) (punct)))", "(TOP (root (obj (det) (punct))))"
        assert sorted(set(study.value.text().tolist())) == [first, second]
        found = concordant.measure(study, "alpha", distance="tree_edit", ci="none")
        # nsubj is deleted, and obj inserted above det and punct: 2; three trees of one kind, one of the other
        assert found.observed == pytest.approx(2 * 2 / 4)
        assert found.expected == pytest.approx(2 * 2 * 3 / (4 * 3))
        assert found.value == pytest.approx(0.0)
        assert found.name == "Krippendorff's alpha (tree edit)"
        assert any("Skjærholt 2014" in note for note in study.notes)

    def test_a_sentence_without_heads_and_other_tokens(self, tmp_path: Path) -> None:
        other: list[Row] = [("Thecat", "NOUN", 2, "nsubj"), ("sat", "VERB", 0, "root")]
        blank = sentence(ANNA, "a").replace("\t2\tdet", "\t_\t_")
        paths = files(tmp_path, anna=blank + sentence(ANNA, "b"), ben=sentence(BEN, "a") + sentence(other, "b"))
        study = concordant.read(*paths, units="sentences")
        assert study.value.n_blank == 1
        assert study.left_out == ((1, "sentences that annotators tokenized differently"),)

    def test_heads_in_a_circle(self, tmp_path: Path) -> None:
        circle: list[Row] = [("a", "X", 2, "dep"), ("b", "X", 1, "dep"), ("c", "X", 0, "root")]
        with pytest.raises(InputError, match="the heads of sentence 'a' go in a circle"):
            concordant.read(*files(tmp_path, anna=sentence(circle), ben=sentence(circle)), units="sentences")
