"""Treebanks in brackets, one file per rater."""

from pathlib import Path

import pytest

from assent.errors import InputError
from assent.treebank.bracketed import read_bracketed
from assent.treebank.trees import Bracketing


def files(folder: Path, *texts: str) -> list[Path]:
    paths = [folder / f"rater{number}.mrg" for number in range(len(texts))]
    for path, text in zip(paths, texts, strict=True):
        path.write_text(text, encoding="utf-8")
    return paths


def test_three_raters_are_compared_in_pairs(tmp_path: Path) -> None:
    corpus = read_bracketed(files(tmp_path, "(S (A a) (B b))", "(S (A a) (B b))", "(S (A a) (C b))"))
    assert corpus.raters == ("rater0", "rater1", "rater2")
    [counts] = corpus.parseval()
    assert counts is not None
    assert (counts.both, counts.a) == (3 + 2 + 2, 9)


def test_other_words_cannot_be_compared(tmp_path: Path) -> None:
    corpus = read_bracketed(files(tmp_path, "(S (A a)) (S (A a))", "(S (A a)) (S (A b))"))
    assert [counts is None for counts in corpus.parseval()] == [False, True]
    assert [counts is None for counts in corpus.leaf_ancestor()] == [False, True]


def test_options_reach_parseval(tmp_path: Path) -> None:
    paths = files(tmp_path, "(S (A a) (B b))", "(S (A a) (C b))")
    [counts] = read_bracketed(paths, Bracketing(preterminals=False)).parseval()
    assert counts is not None
    assert counts.f == 1


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        (("(S a)",), "one rater only"),
        (("(S a)", "(S a) (S b)"), "2 trees, and .* has 1"),
        (("(S a)", ""), "no tree in it"),
    ],
)
def test_refusals(tmp_path: Path, texts: tuple[str, ...], message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_bracketed(files(tmp_path, *texts))


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    [good] = files(tmp_path, "(S a)")
    (tmp_path / "bad.mrg").write_bytes(b"(S \xff)")
    with pytest.raises(InputError, match="not UTF-8"):
        read_bracketed([good, tmp_path / "bad.mrg"])
    with pytest.raises(InputError, match="no such file"):
        read_bracketed([good, tmp_path / "none.mrg"])
