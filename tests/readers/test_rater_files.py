"""Folders are raters or texts: what is in the files tells, or the user is asked."""

from pathlib import Path

import pytest

from concordant.errors import InputError
from concordant.readers import read
from tests.readers.span_files import rows, write

A, B = "Ida came home.", "Jon stayed."
MARK = "T1\tName 0 3\tIda\n"


def corpus(*, texts: dict[str, str], paths: list[str]) -> dict[str, str | bytes]:
    """Files of brat at these paths; the text is that of the path's key."""
    files: dict[str, str | bytes] = {}
    for path in paths:
        key = next(key for key in texts if key in path)
        files |= {f"{path}.ann": MARK, f"{path}.txt": texts[key]}
    return files


class TestOrder:
    def test_files_of_one_name_with_one_text_make_folders_raters(self, tmp_path: Path) -> None:
        files = corpus(texts={"one": A, "two": B}, paths=["ann/one", "ann/two", "ben/one", "ben/two"])
        table = read(write(tmp_path, files))
        assert rows(table) == [(t, r, 0, 3, "Name") for t in ("one", "two") for r in ("ann", "ben")]
        assert table.notes == ("folders are the raters: files of one name hold the same text",)

    def test_files_of_one_folder_with_one_text_make_files_raters(self, tmp_path: Path) -> None:
        files = corpus(texts={"one": A, "two": B}, paths=["one/ann", "one/ben", "two/ann", "two/ben"])
        table = read(write(tmp_path, files))
        assert rows(table) == [(t, r, 0, 3, "Name") for t in ("one", "two") for r in ("ann", "ben")]
        assert table.notes == ("files are the raters: files of one folder hold the same text",)

    def test_nothing_that_tells_is_a_question(self, tmp_path: Path) -> None:
        files: dict[str, str | bytes] = {f"{a}/{b}.ann": MARK for a in ("x", "y") for b in ("p", "q")}
        write(tmp_path, files)
        with pytest.raises(InputError, match="nothing tells which; say --folders raters, or --folders texts"):
            read(tmp_path)
        assert set(read(tmp_path, folders="raters").raters) == {"x", "y"}
        assert set(read(tmp_path, folders="texts").raters) == {"p", "q"}

    def test_one_text_for_everybody_is_a_question(self, tmp_path: Path) -> None:
        files = corpus(texts={"": A}, paths=["x/p", "x/q", "y/p", "y/q"])
        with pytest.raises(InputError, match="folders can be raters or texts"):
            read(write(tmp_path, files))

    def test_folders_with_one_file_of_one_name_are_raters(self, tmp_path: Path) -> None:
        table = read(write(tmp_path, {"x/t.ann": MARK, "y/t.ann": MARK}))
        assert table.raters == ("x", "y")
        assert table.notes == ("folders are the raters: each holds a file of the same name",)

    def test_different_texts_in_one_folder_are_one_raters(self, tmp_path: Path) -> None:
        table = read(write(tmp_path / "ann", corpus(texts={"one": A, "two": B}, paths=["one", "two"])))
        assert rows(table) == [("one", "ann", 0, 3, "Name"), ("two", "ann", 0, 3, "Name")]

    def test_one_name_for_different_texts_makes_files_raters(self, tmp_path: Path) -> None:
        table = read(write(tmp_path, corpus(texts={"one": A, "two": B}, paths=["one/ann", "two/ann"])))
        assert rows(table) == [("one", "ann", 0, 3, "Name"), ("two", "ann", 0, 3, "Name")]


def test_names_come_from_the_part_of_the_paths_that_differs(tmp_path: Path) -> None:
    files = corpus(texts={"t1": A, "t2": B}, paths=[f"all/{r}/corpus/{t}" for r in "AB" for t in ("t1", "t2")])
    assert [row[:2] for row in rows(read(write(tmp_path, files)))] == [
        ("t1", "A"), ("t1", "B"), ("t2", "A"), ("t2", "B"),
    ]  # fmt: skip


def test_folders_in_a_raters_folder_are_part_of_the_text(tmp_path: Path) -> None:
    paths = ["ann/news/t1", "ann/blog/t1", "ben/news/t1", "ben/blog/t1"]
    table = read(write(tmp_path, corpus(texts={"news": A, "blog": B}, paths=paths)))
    assert {row[:2] for row in rows(table)} == {(t, r) for t in ("news/t1", "blog/t1") for r in ("ann", "ben")}


def test_a_gold_version_is_not_a_rater_and_other_files_are_named(tmp_path: Path) -> None:
    files = corpus(texts={"one": A}, paths=["ann/one", "ben/one", "gold/one"])
    table = read(write(tmp_path, {**files, "ann/sheet.xlsx": b"PK"}))
    assert table.raters == ("ann", "ben")
    assert table.unused == {
        "ann/sheet.xlsx": "not a file of this format",
        "gold/one.ann": "a curated or gold version is not a rater",
    }


def test_a_gold_version_alone_is_read(tmp_path: Path) -> None:
    assert read(write(tmp_path, {"gold.ann": MARK}) / "gold.ann").raters == ("gold",)


class TestBrat:
    def test_a_discontinuous_span_is_one_and_counted(self, tmp_path: Path) -> None:
        table = read(write(tmp_path, {"t.ann": "T1\tLOC 5 7;9 11\tin Rom\nT2\tPER 0 2;2 4\tAnna\n"}) / "t.ann")
        assert rows(table) == [("t", "t", 0, 4, "PER"), ("t", "t", 5, 11, "LOC")]
        assert table.notes == ("1 discontinuous span of 't' by 't' taken whole",)

    def test_what_is_no_span_is_counted(self, tmp_path: Path) -> None:
        content = MARK + "R1\trel Arg1:T1 Arg2:T1\t\nR2\trel Arg1:T1 Arg2:T1\t\n#1\tAnnotatorNotes T1\thm\n"
        table = read(write(tmp_path, {"t.ann": content}) / "t.ann")
        assert table.left_out == ((2, "a relation is not a span"), (1, "a comment of an annotator is not a span"))

    @pytest.mark.parametrize(
        ("content", "words"),
        [
            (MARK + "hello\n", "row 2: 'hello' is no annotation of brat"),
            (MARK + "T2\tPER 4\tx\n", "row 2: this annotation has no span"),
            (MARK + "T2\tPER 4 2\tx\n", "row 2: this span begins after its end"),
        ],
    )
    def test_what_is_damaged_is_refused(self, tmp_path: Path, content: str, words: str) -> None:
        with pytest.raises(InputError, match=words):
            read(write(tmp_path, {"t.ann": content}) / "t.ann")

    def test_a_decoy_is_not_taken_for_brat(self, tmp_path: Path) -> None:
        with pytest.raises(InputError, match="no format of spans is known"):
            read(write(tmp_path, {"t.ann": "<xml/>"}) / "t.ann", holds="spans")
