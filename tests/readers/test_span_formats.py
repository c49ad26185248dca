"""Every format of spans gives the same kind of table."""

import json
from pathlib import Path
from typing import ClassVar

import polars as pl
import pytest

from concordant.errors import InputError
from concordant.model.continuum import continua
from concordant.model.spans import SpanTable
from concordant.readers import find_format, read
from concordant.uncertainty.estimate import measure
from tests.readers.samples import EAF, GRID, SHORT


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
        table = read(write(tmp_path, {"spans.csv": LONG}) / "spans.csv", holds="spans")
        assert rows(table) == [("t", "Ann", 0, 4, "PER"), ("t", "Ben", 5, 9, "")]
        assert table.features["speaker"].tolist() == ["x", ""]
        assert table.notes == ()

    def test_usual_names_are_found_and_said(self, tmp_path: Path) -> None:
        content = LONG.replace("rater", "annotator").replace("begin", "start").replace("category", "label")
        table = read(write(tmp_path, {"s.csv": content}) / "s.csv", holds="spans")
        assert len(table) == 2
        assert "the column 'annotator' is taken as the rater (say --rater to change it)" in table.notes

    def test_columns_are_named(self, tmp_path: Path) -> None:
        file = write(tmp_path, {"s.csv": "who;a;z\nAnn;1;2\nBen;2;3\n"}) / "s.csv"
        assert rows(read(file, rater="who", begin="a", end="z", holds="spans"))[0] == ("s", "Ann", 1, 2, "")

    def test_parquet(self, tmp_path: Path) -> None:
        pl.DataFrame({"rater": ["Ann"], "begin": [1.5], "end": [2], "category": ["x"]}).write_parquet(
            tmp_path / "s.parquet"
        )
        assert rows(read(tmp_path / "s.parquet", holds="spans")) == [("s", "Ann", 1.5, 2, "x")]

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
            read(write(tmp_path, {"s.csv": content}) / "s.csv", holds="spans")


class TestBrat:
    FILES: ClassVar = {
        "ann/t.ann": "T1\tPER 0 4\tAnna\nT2\tLOC 5 7;9 11\tin Rom\nA1\tSure T2 low\nA2\tNegated T1\nR1\trel Arg1:T1 Arg2:T2\n#1\tNote T1\thm\n",
        "ann/t.txt": "Anna in Rom.",
        "ben/t.ann": "T1\tPER 0 4\tAnna\n",
        "ben/t.txt": "Anna in Rom.",
    }

    def test_raters_are_folders(self, tmp_path: Path) -> None:
        table = read(write(tmp_path, self.FILES), holds="spans")
        assert rows(table) == [("t", "ann", 0, 4, "PER"), ("t", "ann", 5, 11, "LOC"), ("t", "ben", 0, 4, "PER")]
        assert table.features["Sure"].tolist() == ["", "low", ""]
        assert table.features["Negated"].tolist() == ["true", "", ""]
        assert table.lengths == {"t": 12.0}

    def test_an_annotation_without_a_span_is_refused(self, tmp_path: Path) -> None:
        with pytest.raises(InputError, match="row 1: this annotation has no span"):
            read(write(tmp_path, {"ann/t.ann": "T1\tPER\n"}), holds="spans")

    def test_a_position_that_is_none_is_refused(self, tmp_path: Path) -> None:
        with pytest.raises(InputError, match="row 1: 'x' is not a position"):
            read(write(tmp_path, {"ann/t.ann": "T1\tPER 0 x\tA\n"}), holds="spans")


class TestConll:
    def test_tags_become_spans_in_tokens(self, tmp_path: Path) -> None:
        content = "# a comment\nAnna B-PER\nBerg I-PER\nB-PER B-PER\n\nin O\nRom I-LOC\nx S-LOC\n"
        table = read(write(tmp_path, {"ann/t.conll": content, "ben/t.conll": "a O\n" * 6}), holds="spans")
        assert rows(table) == [
            ("t", "ann", 0, 2, "PER"), ("t", "ann", 2, 3, "PER"), ("t", "ann", 4, 5, "LOC"), ("t", "ann", 5, 6, "LOC"),
        ]  # fmt: skip

    def test_an_unknown_tag_is_refused(self, tmp_path: Path) -> None:
        with pytest.raises(InputError, match="row 1: 'PER' is not a BIO tag"):
            read(write(tmp_path, {"ann/t.conll": "Anna PER\n"}), holds="spans")

    def test_raters_must_have_the_same_tokens(self, tmp_path: Path) -> None:
        with pytest.raises(InputError, match="1 tokens, where another rater's file of 't' has 2"):
            read(write(tmp_path, {"ann/t.conll": "a O\nb O\n", "ben/t.conll": "a O\n"}), holds="spans")


class TestRttm:
    def test_speakers_are_categories(self, tmp_path: Path) -> None:
        content = ";; comment\nSPEAKER talk 1 0.5 2.25 <NA> <NA> Mum <NA> <NA>\n\n"
        table = read(write(tmp_path, {"ann.rttm": content, "ben.rttm": content}), holds="spans")
        assert rows(table) == [("talk", "ann", 0.5, 2.75, "Mum"), ("talk", "ben", 0.5, 2.75, "Mum")]

    def test_a_short_line_is_refused(self, tmp_path: Path) -> None:
        with pytest.raises(InputError, match="row 1: this line has fewer than 8 fields"):
            read(write(tmp_path, {"ann.rttm": "SPEAKER talk 1 0.5\n"}), holds="spans")

    def test_turns_that_follow_one_another_do_not_overlap(self, tmp_path: Path) -> None:
        line = "SPEAKER talk 1 {} {} <NA> <NA> Mum <NA> <NA>\n"
        content = line.format(0.1, 0.2) + line.format(0.3, 0.4)  # 0.1 + 0.2 > 0.3
        table = read(write(tmp_path, {"ann.rttm": content}), holds="spans")
        assert (table.end.tolist(), table.positions) == ([0.3, 0.7], "time")


class TestTextGrid:
    def test_tiers_of_one_file_are_raters_if_that_is_said(self, tmp_path: Path) -> None:
        table = read(write(tmp_path, {"t.TextGrid": GRID}) / "t.TextGrid", tiers="raters")
        assert rows(table) == [("t", "Ann", 0, 1.25, 'say "hi"'), ("t", "Ben", 0, 1.5, "x")]
        assert table.lengths == {"t": 3.5}
        assert "tier" not in table.features

    def test_otherwise_they_are_layers_of_one_rater_and_that_is_said(self, tmp_path: Path) -> None:
        table = read(write(tmp_path, {"t.TextGrid": GRID}) / "t.TextGrid")
        assert table.raters == ("t",)
        assert table.features["tier"].tolist() == ["Ann", "Ben"]
        [note] = table.notes
        assert note == "2 tiers are taken for layers of one rater; if each is a rater, say --read tiers=raters"
        assert table.left_out == ((1, "points have no extent"),)
        assert read(tmp_path / "t.TextGrid", tiers="layers").notes == ()

    @pytest.mark.parametrize("names", [("rater 1", "rater 2"), ("Annotator_A", "Annotator_B"), ("coder", "judge")])
    def test_tiers_called_rater_are_raters(self, tmp_path: Path, names: tuple[str, str]) -> None:
        grid = GRID.replace('"Ann"', f'"{names[0]}"').replace('"Ben"', f'"{names[1]}"')
        table = read(write(tmp_path, {"t.TextGrid": grid}) / "t.TextGrid")
        assert table.raters == names
        assert table.notes == ("each tier is a rater, as the tiers' names say",)

    def test_a_tier_of_raters_remarks_is_none(self, tmp_path: Path) -> None:
        grid = GRID.replace('"Ann"', '"rater comments"').replace('"Ben"', '"judgement"')
        assert read(write(tmp_path, {"t.TextGrid": grid}) / "t.TextGrid").raters == ("t",)

    def test_tiers_in_folders_are_features_in_either_form(self, tmp_path: Path) -> None:
        write(tmp_path, {"ann/t.TextGrid": SHORT})
        (tmp_path / "ben").mkdir()
        (tmp_path / "ben" / "t.TextGrid").write_bytes(SHORT.encode("utf-16"))
        table = read(tmp_path, holds="spans")
        assert rows(table) == [("t", "ann", 0, 1.5, "x"), ("t", "ben", 0, 1.5, "x")]
        assert table.features["tier"].tolist() == ["words", "words"]

    @pytest.mark.parametrize(("content", "words"), [("hello", "not a TextGrid"), (SHORT[:-14], "breaks off")])
    def test_what_is_none_is_refused(self, tmp_path: Path, content: str, words: str) -> None:
        with pytest.raises(InputError, match=words):
            read(write(tmp_path, {"t.TextGrid": content}) / "t.TextGrid", holds="spans")

    def test_an_unknown_encoding_is_refused(self, tmp_path: Path) -> None:
        (tmp_path / "t.TextGrid").write_bytes(GRID.replace("Ann", "Jörg").encode("latin-1"))
        with pytest.raises(InputError, match="not utf-8-sig at byte"):
            read(tmp_path / "t.TextGrid", holds="spans")


UNALIGNED = """<?xml version="1.0" encoding="UTF-8"?>
<ANNOTATION_DOCUMENT><TIME_ORDER>
<TIME_SLOT TIME_SLOT_ID="ts1" TIME_VALUE="1000"/><TIME_SLOT TIME_SLOT_ID="ts2"/><TIME_SLOT TIME_SLOT_ID="ts3"/>
<TIME_SLOT TIME_SLOT_ID="ts4" TIME_VALUE="4000"/></TIME_ORDER><TIER TIER_ID="words">
<ANNOTATION><ALIGNABLE_ANNOTATION ANNOTATION_ID="a1" TIME_SLOT_REF1="ts1" TIME_SLOT_REF2="ts2">
<ANNOTATION_VALUE>one</ANNOTATION_VALUE></ALIGNABLE_ANNOTATION></ANNOTATION>
<ANNOTATION><ALIGNABLE_ANNOTATION ANNOTATION_ID="a2" TIME_SLOT_REF1="ts2" TIME_SLOT_REF2="ts3">
<ANNOTATION_VALUE>two</ANNOTATION_VALUE></ALIGNABLE_ANNOTATION></ANNOTATION>
<ANNOTATION><ALIGNABLE_ANNOTATION ANNOTATION_ID="a3" TIME_SLOT_REF1="ts3" TIME_SLOT_REF2="ts4">
<ANNOTATION_VALUE>three</ANNOTATION_VALUE></ALIGNABLE_ANNOTATION></ANNOTATION></TIER></ANNOTATION_DOCUMENT>
"""


class TestElan:
    def test_the_annotator_of_a_tier_is_the_rater(self, tmp_path: Path) -> None:
        table = read(write(tmp_path, {"t.eaf": EAF}) / "t.eaf")
        assert rows(table) == [("t", "Ann", 0, 1.5, "hello"), ("t", "t", 0, 1.5, "greeting")]
        assert table.features["tier"].tolist() == ["words", "Ben"]
        assert read(tmp_path / "t.eaf", tiers="raters").raters == ("Ben", "words")

    def test_slots_without_a_time_are_spread_and_counted(self, tmp_path: Path) -> None:
        table = read(write(tmp_path, {"t.eaf": UNALIGNED}) / "t.eaf")
        assert [row[2:] for row in rows(table)] == [(1, 2, "one"), (2, 3, "two"), (3, 4, "three")]
        assert table.notes == ("time slots without a time: 2, spread evenly between their neighbours",)

    def test_folders_are_raters_where_no_annotator_is_named(self, tmp_path: Path) -> None:
        table = read(write(tmp_path, {"zoe/t.eaf": EAF}), holds="spans")
        assert [row[1] for row in rows(table)] == ["Ann", "zoe"]

    @pytest.mark.parametrize(
        ("old", "new", "words"),
        [
            ("</ANNOTATION_DOCUMENT>", "", "not XML"),
            ('TIME_VALUE="1500"', "", "does not begin and end with a time"),
            ('TIME_SLOT_REF2="ts2"', 'TIME_SLOT_REF2="ts9"', "time slot 'ts9', which is not there"),
            ('TIME_VALUE="1500"', 'TIME_VALUE="soon"', "'soon' is not a position"),
            ('ANNOTATION_REF="a1"', 'ANNOTATION_REF="a9"', "'a2' refers to none"),
            ('ANNOTATION_REF="a1"', 'ANNOTATION_REF="a2"', "'a2' refers to none"),
        ],
    )
    def test_what_is_broken_is_refused(self, tmp_path: Path, old: str, new: str, words: str) -> None:
        with pytest.raises(InputError, match=words):
            read(write(tmp_path, {"t.eaf": EAF.replace(old, new)}) / "t.eaf", holds="spans")


EXB = """<?xml version="1.0" encoding="UTF-8"?>
<basic-transcription><basic-body><common-timeline>
<tli id="T0" time="0.5"/><tli id="T1"/><tli id="T2" time="1.5"/></common-timeline>
<tier id="TIE0" speaker="S1" category="v" type="t" display-name="S1 [v]">
<event start="T0" end="T1">good <ud/>morning</event><event start="T1" end="T2">hello</event></tier>
<tier id="TIE1" speaker="S2" category="v" type="t"><event start="T1" end="T2">yes</event></tier>
</basic-body></basic-transcription>
"""


class TestExmaralda:
    def test_events_on_the_time_line(self, tmp_path: Path) -> None:
        table = read(write(tmp_path, {"t.exb": EXB}) / "t.exb")
        assert rows(table) == [
            ("t", "t", 0.5, 1, "good morning"),
            ("t", "t", 1, 1.5, "hello"),
            ("t", "t", 1, 1.5, "yes"),
        ]
        assert table.features["speaker"].tolist() == ["S1", "S1", "S2"]
        assert table.features["tier"].tolist() == ["S1 [v]", "S1 [v]", "TIE1"]
        assert table.notes[0] == "points without a time: 1, spread evenly between their neighbours"

    def test_raters_have_folders(self, tmp_path: Path) -> None:
        table = read(write(tmp_path, {"ann/t.exb": EXB, "ben/t.exb": EXB}))
        assert table.raters == ("ann", "ben")
        assert set(table.text.tolist()) == {"t"}

    def test_without_any_time_positions_are_steps(self, tmp_path: Path) -> None:
        steps = EXB.replace(' time="0.5"', "").replace(' time="1.5"', "")
        table = read(write(tmp_path, {"t.exb": steps}) / "t.exb")
        assert table.end.tolist() == [1, 2, 2]
        assert table.notes[0] == "no point of the time line has a time: steps"

    @pytest.mark.parametrize(
        ("old", "new", "words"),
        [
            ("</basic-body>", "", "not XML"),
            ("<tli ", "<other ", "no time line"),
            ('end="T2">yes', 'end="T7">yes', "from 'T1' to 'T7' is not on the time line"),
            (' time="1.5"', "", "does not begin and end with a time"),
            ('time="1.5"', 'time="late"', "'late' is not a position"),
        ],
    )
    def test_what_is_broken_is_refused(self, tmp_path: Path, old: str, new: str, words: str) -> None:
        with pytest.raises(InputError, match=words):
            read(write(tmp_path, {"t.exb": EXB.replace(old, new)}) / "t.exb")


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
        table = read(write(tmp_path, {"export.json": content}) / "export.json", holds="spans")
        assert rows(table) == [("7", name, 0, 4, "B+PER") for name in ("2", "a@example.org", "unknown")]
        assert table.lengths == {"7": 12.0}

    @pytest.mark.parametrize(
        ("content", "words"),
        [("[", "not JSON"), ("{}", "not a list of tasks"), (json.dumps([task(end=4)]), "'7' has no start and end")],
    )
    def test_what_is_none_is_refused(self, tmp_path: Path, content: str, words: str) -> None:
        with pytest.raises(InputError, match=words):
            read(write(tmp_path, {"export.json": content}) / "export.json", format="label_studio")


class TestDoccano:
    def test_files_are_raters(self, tmp_path: Path) -> None:
        first = '{"id": 1, "text": "Anna in Rom.", "label": [[0, 4, "PER"]]}\n\n'
        second = (
            '{"id": 1, "text": "Anna in Rom.", "entities": [{"start_offset": 8, "end_offset": 11, "label": "LOC"}]}\n'
        )
        table = read(write(tmp_path, {"ann.jsonl": first, "ben.jsonl": second}), holds="spans")
        assert rows(table) == [("1", "ann", 0, 4, "PER"), ("1", "ben", 8, 11, "LOC")]
        assert table.lengths == {"1": 12.0}

    @pytest.mark.parametrize(
        ("line", "words"),
        [("{", "row 1: not JSON"), ("[1]", "not an object"), ('{"label": [[1, 2]]}', "not \\[begin, end, category\\]")],
    )
    def test_what_is_none_is_refused(self, tmp_path: Path, line: str, words: str) -> None:
        with pytest.raises(InputError, match=words):
            read(write(tmp_path, {"ann.jsonl": line + "\n"}), holds="spans")


class TestFinding:
    def test_unknown_formats_and_files_are_refused(self, tmp_path: Path) -> None:
        with pytest.raises(InputError, match="no such file or folder"):
            read(tmp_path / "nothing", holds="spans")
        with pytest.raises(InputError, match="no such file or folder"):
            read(tmp_path / "nothing", format="brat", holds="spans")
        with pytest.raises(InputError, match="no format of spans"):
            read(write(tmp_path, {"x.docx": ""}) / "x.docx", holds="spans")
        with pytest.raises(InputError, match="did you mean 'brat'"):
            read(tmp_path, format="brad", holds="spans")
        with pytest.raises(InputError, match=r"the format brat has no option .rater.; it has folders"):
            read(tmp_path, format="brat", rater="x", holds="spans")
        with pytest.raises(InputError, match=r"there is no file ending in \.ann"):
            read(tmp_path, format="brat", holds="spans")

    def test_standard_input_is_a_table(self) -> None:
        assert find_format("-", holds="spans").format.name == "long"

    def test_text_that_is_not_utf8_is_refused(self, tmp_path: Path) -> None:
        (tmp_path / "t.ann").write_bytes("T1\tPER 0 4\tJörg\n".encode("latin-1"))
        with pytest.raises(InputError, match="not UTF-8 at byte"):
            read(tmp_path / "t.ann", holds="spans")


def test_a_rater_who_marked_nothing_in_a_text_is_not_forgotten(tmp_path: Path) -> None:
    for rater, annotation in (("ann", "T1\tName 0 3\tIda\n"), ("ben", "T1\tName 0 3\tIda\n"), ("cem", "")):
        (tmp_path / rater).mkdir()
        (tmp_path / rater / "story.ann").write_text(annotation)
        (tmp_path / rater / "story.txt").write_text("Ida came home.")
    (continuum,) = continua(read(tmp_path, format="brat", holds="spans"))
    assert continuum.raters == ("ann", "ben", "cem")
    assert "cem" in str(measure(continuum, "gamma", seed=1).reason)


def test_a_folder_of_a_format_that_is_one_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "tasks.json").write_text("[]")
    with pytest.raises(InputError, match="this is a folder"):
        read(tmp_path, holds="spans")
