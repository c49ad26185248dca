"""Every format of spans gives the same kind of table."""

import json
from pathlib import Path
from typing import ClassVar
from zipfile import ZipFile

import polars as pl
import pytest

from assent.errors import InputError
from assent.model.continuum import continua
from assent.model.spans import SpanTable
from assent.readers.spans import find_format, read_spans
from assent.uncertainty.estimate import measure
from tests.readers.spans.samples import EAF, GRID, SHORT, WEBANNO, cas_files


def write(root: Path, files: dict[str, str]) -> Path:
    for name, content in files.items():
        file = root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content, encoding="utf-8", newline="")
    return root


def rows(table: SpanTable) -> list[tuple[str, str, float, float, str]]:
    columns = (table.text, table.rater, table.begin, table.end, table.category)
    return sorted(zip(*(column.tolist() for column in columns), strict=True))


LONG = "text,rater,begin,end,category,speaker\nt,Ann,0,4,PER,x\nt,Ben,5,9,,\n"


class TestLong:
    def test_a_csv(self, tmp_path: Path) -> None:
        table = read_spans(write(tmp_path, {"spans.csv": LONG}) / "spans.csv")
        assert rows(table) == [("t", "Ann", 0, 4, "PER"), ("t", "Ben", 5, 9, "")]
        assert table.features["speaker"].tolist() == ["x", ""]
        assert table.notes == ()

    def test_usual_names_are_found_and_said(self, tmp_path: Path) -> None:
        content = LONG.replace("rater", "annotator").replace("begin", "start").replace("category", "label")
        table = read_spans(write(tmp_path, {"s.csv": content}) / "s.csv")
        assert len(table) == 2
        assert "the column 'annotator' is taken as the rater (say --rater to change it)" in table.notes

    def test_columns_are_named(self, tmp_path: Path) -> None:
        file = write(tmp_path, {"s.csv": "who;a;z\nAnn;1;2\nBen;2;3\n"}) / "s.csv"
        assert rows(read_spans(file, rater="who", begin="a", end="z"))[0] == ("s", "Ann", 1, 2, "")

    def test_parquet(self, tmp_path: Path) -> None:
        pl.DataFrame({"rater": ["Ann"], "begin": [1.5], "end": [2], "category": ["x"]}).write_parquet(
            tmp_path / "s.parquet"
        )
        assert rows(read_spans(tmp_path / "s.parquet")) == [("s", "Ann", 1.5, 2, "x")]

    @pytest.mark.parametrize(
        ("content", "words"),
        [
            ("rater,begin\nAnn,1\n", "there is no column 'end'; the columns are rater, begin; name it with --end"),
            ("rater,begin,end\nAnn,1,x\n", r"row 2, column 'end': 'x' is not a position"),
            ("rater,begin,end\n,1,2\n", r"row 2, column 'rater': the cell is empty"),
            ("rater,begin,end\nAnn,1,2\nAnn,4,3\n", "row 3: the span 4-3 of rater 'Ann' in 's' begins after its end"),
            ("rater,begin,end\nAnn,-1,2\n", "row 2: the span -1-2 of rater 'Ann' in 's' begins before 0"),
        ],
    )
    def test_what_cannot_be_is_one_clear_line(self, tmp_path: Path, content: str, words: str) -> None:
        with pytest.raises(InputError, match=words):
            read_spans(write(tmp_path, {"s.csv": content}) / "s.csv")


class TestBrat:
    FILES: ClassVar = {
        "ann/t.ann": "T1\tPER 0 4\tAnna\nT2\tLOC 5 7;9 11\tin Rom\nA1\tSure T2 low\nA2\tNegated T1\nR1\trel Arg1:T1 Arg2:T2\n#1\tNote T1\thm\n",
        "ann/t.txt": "Anna in Rom.",
        "ben/t.ann": "T1\tPER 0 4\tAnna\n",
        "ben/t.txt": "Anna in Rom.",
    }

    def test_raters_are_folders(self, tmp_path: Path) -> None:
        table = read_spans(write(tmp_path, self.FILES))
        assert rows(table) == [("t", "ann", 0, 4, "PER"), ("t", "ann", 5, 11, "LOC"), ("t", "ben", 0, 4, "PER")]
        assert table.features["Sure"].tolist() == ["", "low", ""]
        assert table.features["Negated"].tolist() == ["true", "", ""]
        assert table.lengths == {"t": 12.0}

    def test_an_annotation_without_a_span_is_refused(self, tmp_path: Path) -> None:
        with pytest.raises(InputError, match="row 1: this annotation has no span"):
            read_spans(write(tmp_path, {"ann/t.ann": "T1\tPER\n"}))

    def test_a_position_that_is_none_is_refused(self, tmp_path: Path) -> None:
        with pytest.raises(InputError, match="row 1: 'x' is not a position"):
            read_spans(write(tmp_path, {"ann/t.ann": "T1\tPER 0 x\tA\n"}))


class TestConll:
    def test_tags_become_spans_in_tokens(self, tmp_path: Path) -> None:
        content = "# a comment\nAnna B-PER\nBerg I-PER\nB-PER B-PER\n\nin O\nRom I-LOC\nx S-LOC\n"
        table = read_spans(write(tmp_path, {"ann/t.conll": content, "ben/t.conll": "a O\n" * 6}))
        assert rows(table) == [
            ("t", "ann", 0, 2, "PER"), ("t", "ann", 2, 3, "PER"), ("t", "ann", 4, 5, "LOC"), ("t", "ann", 5, 6, "LOC"),
        ]  # fmt: skip

    def test_an_unknown_tag_is_refused(self, tmp_path: Path) -> None:
        with pytest.raises(InputError, match="row 1: 'PER' is not a BIO tag"):
            read_spans(write(tmp_path, {"ann/t.conll": "Anna PER\n"}))

    def test_raters_must_have_the_same_tokens(self, tmp_path: Path) -> None:
        with pytest.raises(InputError, match="1 tokens, where another rater's file of 't' has 2"):
            read_spans(write(tmp_path, {"ann/t.conll": "a O\nb O\n", "ben/t.conll": "a O\n"}))


class TestRttm:
    def test_speakers_are_categories(self, tmp_path: Path) -> None:
        content = ";; comment\nSPEAKER talk 1 0.5 2.25 <NA> <NA> Mum <NA> <NA>\n\n"
        table = read_spans(write(tmp_path, {"ann.rttm": content, "ben.rttm": content}))
        assert rows(table) == [("talk", "ann", 0.5, 2.75, "Mum"), ("talk", "ben", 0.5, 2.75, "Mum")]

    def test_a_short_line_is_refused(self, tmp_path: Path) -> None:
        with pytest.raises(InputError, match="row 1: this line has fewer than 8 fields"):
            read_spans(write(tmp_path, {"ann.rttm": "SPEAKER talk 1 0.5\n"}))


class TestTextGrid:
    def test_tiers_of_one_file_are_raters(self, tmp_path: Path) -> None:
        table = read_spans(write(tmp_path, {"t.TextGrid": GRID}) / "t.TextGrid")
        assert rows(table) == [("t", "Ann", 0, 1.25, 'say "hi"'), ("t", "Ben", 0, 1.5, "x")]
        assert table.lengths == {"t": 3.5}

    def test_tiers_in_folders_are_features_in_either_form(self, tmp_path: Path) -> None:
        write(tmp_path, {"ann/t.TextGrid": SHORT})
        (tmp_path / "ben").mkdir()
        (tmp_path / "ben" / "t.TextGrid").write_bytes(SHORT.encode("utf-16"))
        table = read_spans(tmp_path)
        assert rows(table) == [("t", "ann", 0, 1.5, "x"), ("t", "ben", 0, 1.5, "x")]
        assert table.features["tier"].tolist() == ["words", "words"]

    @pytest.mark.parametrize(("content", "words"), [("hello", "not a TextGrid"), (SHORT[:-14], "breaks off")])
    def test_what_is_none_is_refused(self, tmp_path: Path, content: str, words: str) -> None:
        with pytest.raises(InputError, match=words):
            read_spans(write(tmp_path, {"t.TextGrid": content}) / "t.TextGrid")

    def test_an_unknown_encoding_is_refused(self, tmp_path: Path) -> None:
        (tmp_path / "t.TextGrid").write_bytes(GRID.replace("Ann", "Jörg").encode("latin-1"))
        with pytest.raises(InputError, match="not utf-8-sig at byte"):
            read_spans(tmp_path / "t.TextGrid")


class TestElan:
    def test_annotators_or_tiers_are_raters(self, tmp_path: Path) -> None:
        table = read_spans(write(tmp_path, {"t.eaf": EAF}) / "t.eaf")
        assert rows(table) == [("t", "Ann", 0, 1.5, "hello"), ("t", "Ben", 0, 1.5, "greeting")]
        assert table.features["tier"].tolist() == ["words", ""]

    def test_folders_are_raters_where_no_annotator_is_named(self, tmp_path: Path) -> None:
        table = read_spans(write(tmp_path, {"zoe/t.eaf": EAF}))
        assert [row[1] for row in rows(table)] == ["Ann", "zoe"]

    @pytest.mark.parametrize(
        ("old", "new", "words"),
        [
            ("</ANNOTATION_DOCUMENT>", "", "not XML"),
            ('TIME_VALUE="1500"', "", "'a1' has no times"),
            ('TIME_VALUE="1500"', 'TIME_VALUE="soon"', "'soon' is not a position"),
            ('ANNOTATION_REF="a1"', 'ANNOTATION_REF="a9"', "'a2' refers to none"),
            ('ANNOTATION_REF="a1"', 'ANNOTATION_REF="a2"', "'a2' refers to none"),
        ],
    )
    def test_what_is_broken_is_refused(self, tmp_path: Path, old: str, new: str, words: str) -> None:
        with pytest.raises(InputError, match=words):
            read_spans(write(tmp_path, {"t.eaf": EAF.replace(old, new)}) / "t.eaf")


def task(**value: object) -> dict[str, object]:
    result = [{"type": "labels", "value": value}, {"type": "choices", "value": {}}]
    return {
        "id": 7,
        "data": {"text": "Anna in Rom."},
        "annotations": [
            {"completed_by": {"email": "a@example.org"}, "result": result},
            {"completed_by": 2, "result": result},
            {"result": result},
            {"completed_by": 3, "was_cancelled": True, "result": result},
        ],
    }


class TestLabelStudio:
    def test_completed_by_is_the_rater(self, tmp_path: Path) -> None:
        content = json.dumps([task(start=0, end=4, labels=["PER", "B"])])
        table = read_spans(write(tmp_path, {"export.json": content}) / "export.json")
        assert rows(table) == [("7", name, 0, 4, "B+PER") for name in ("2", "a@example.org", "unknown")]
        assert table.lengths == {"7": 12.0}

    @pytest.mark.parametrize(
        ("content", "words"),
        [("[", "not JSON"), ("{}", "not a list of tasks"), (json.dumps([task(end=4)]), "'7' has no start and end")],
    )
    def test_what_is_none_is_refused(self, tmp_path: Path, content: str, words: str) -> None:
        with pytest.raises(InputError, match=words):
            read_spans(write(tmp_path, {"export.json": content}) / "export.json")


class TestDoccano:
    def test_files_are_raters(self, tmp_path: Path) -> None:
        first = '{"id": 1, "text": "Anna in Rom.", "label": [[0, 4, "PER"]]}\n\n'
        second = (
            '{"id": 1, "text": "Anna in Rom.", "entities": [{"start_offset": 8, "end_offset": 11, "label": "LOC"}]}\n'
        )
        table = read_spans(write(tmp_path, {"ann.jsonl": first, "ben.jsonl": second}))
        assert rows(table) == [("1", "ann", 0, 4, "PER"), ("1", "ben", 8, 11, "LOC")]
        assert table.lengths == {"1": 12.0}

    @pytest.mark.parametrize(
        ("line", "words"),
        [("{", "row 1: not JSON"), ("[]", "not an object"), ('{"label": [[1, 2]]}', "not \\[begin, end, category\\]")],
    )
    def test_what_is_none_is_refused(self, tmp_path: Path, line: str, words: str) -> None:
        with pytest.raises(InputError, match=words):
            read_spans(write(tmp_path, {"ann.jsonl": line + "\n"}))


class TestWebAnno:
    def test_layers_are_columns(self, tmp_path: Path) -> None:
        table = read_spans(write(tmp_path, {"story/ann.tsv": WEBANNO}))
        assert rows(table) == [
            ("story", "ann", 0, 9, "PER"),
            ("story", "ann", 0, 9, "degree=1+mood=free"),
            ("story", "ann", 5, 9, "degree=2"),
            ("story", "ann", 13, 16, "LOC"),
        ]
        assert set(table.features["layer"].tolist()) == {"webanno.custom.Level", "de.example.Name"}

    def test_another_tsv_is_refused(self, tmp_path: Path) -> None:
        with pytest.raises(InputError, match="not WebAnno TSV 3"):
            read_spans(write(tmp_path, {"story/ann.tsv": "a\tb\n"}), format="webanno")


class TestXmi:
    EXPECTED: ClassVar = [
        ("story", "ann", 0, 4, "Level"),
        ("story", "ann", 0, 11, "degree=1+mood=free"),
        ("story", "ann", 8, 11, "LOC"),
    ]

    def test_files_beside_their_type_system(self, tmp_path: Path) -> None:
        types, document = cas_files()
        (tmp_path / "story").mkdir()
        (tmp_path / "story" / "TypeSystem.xml").write_bytes(types)
        (tmp_path / "story" / "ann.xmi").write_bytes(document)
        table = read_spans(tmp_path)
        assert rows(table) == self.EXPECTED
        assert table.lengths == {"story": 12.0}

    def test_archives(self, tmp_path: Path) -> None:
        types, document = cas_files()
        (tmp_path / "story").mkdir()
        with ZipFile(tmp_path / "story" / "ann.zip", "w") as archive:
            archive.writestr("TypeSystem.xml", types)
            archive.writestr("story.xmi", document)
        assert rows(read_spans(tmp_path)) == self.EXPECTED

    def test_a_missing_type_system_is_refused(self, tmp_path: Path) -> None:
        (tmp_path / "story").mkdir()
        (tmp_path / "story" / "ann.xmi").write_bytes(cas_files()[1])
        with pytest.raises(InputError, match=r"no TypeSystem.xml beside"):
            read_spans(tmp_path)
        with ZipFile(tmp_path / "ann.zip", "w") as archive:
            archive.writestr("other", "x")
        with pytest.raises(InputError, match=r"no TypeSystem.xml or no .xmi"):
            read_spans(tmp_path / "ann.zip")
        (tmp_path / "bad.zip").write_text("x")
        with pytest.raises(InputError, match="not a zip archive"):
            read_spans(tmp_path / "bad.zip")

    def test_a_span_past_the_end_is_refused(self, tmp_path: Path) -> None:
        types, document = cas_files()
        (tmp_path / "TypeSystem.xml").write_bytes(types)
        (tmp_path / "ann.xmi").write_bytes(document.replace(b'end="4"', b'end="40"'))
        with pytest.raises(InputError, match=r"Not mapping external offset \[40\]"):
            read_spans(tmp_path / "ann.xmi")


class TestFinding:
    def test_unknown_formats_and_files_are_refused(self, tmp_path: Path) -> None:
        with pytest.raises(InputError, match="no such file or folder"):
            read_spans(tmp_path / "nothing")
        with pytest.raises(InputError, match="no such file or folder"):
            read_spans(tmp_path / "nothing", format="brat")
        with pytest.raises(InputError, match="no format of spans"):
            read_spans(write(tmp_path, {"x.docx": ""}) / "x.docx")
        with pytest.raises(InputError, match="did you mean 'brat'"):
            read_spans(tmp_path, format="brad")
        with pytest.raises(InputError, match="has no columns to name"):
            read_spans(tmp_path, format="brat", rater="x")
        with pytest.raises(InputError, match=r"there is no file ending in \.ann"):
            read_spans(tmp_path, format="brat")

    def test_standard_input_is_a_table(self) -> None:
        assert find_format("-") == "long"

    def test_text_that_is_not_utf8_is_refused(self, tmp_path: Path) -> None:
        (tmp_path / "t.ann").write_bytes("T1\tPER 0 4\tJörg\n".encode("latin-1"))
        with pytest.raises(InputError, match="not UTF-8 at byte"):
            read_spans(tmp_path / "t.ann")


def test_a_rater_who_marked_nothing_in_a_text_is_not_forgotten(tmp_path: Path) -> None:
    for rater, annotation in (("ann", "T1\tName 0 3\tIda\n"), ("ben", "T1\tName 0 3\tIda\n"), ("cem", "")):
        (tmp_path / rater).mkdir()
        (tmp_path / rater / "story.ann").write_text(annotation)
        (tmp_path / rater / "story.txt").write_text("Ida came home.")
    (continuum,) = continua(read_spans(tmp_path, format="brat"))
    assert continuum.raters == ("ann", "ben", "cem")
    assert "cem" in str(measure(continuum, "gamma", seed=1).reason)


def test_a_folder_of_a_format_that_is_one_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "tasks.json").write_text("[]")
    with pytest.raises(InputError, match="this is a folder"):
        read_spans(tmp_path)
