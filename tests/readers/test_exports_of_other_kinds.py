"""Other exports of tools that are known already: other versions, other settings, packed. The samples are invented."""

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

import concordant
from concordant.errors import InputError
from concordant.readers import find_format
from tests.readers.exported import cells, study_of, write


def rows(table: concordant.SpanTable) -> list[tuple[str, str, float, float, str]]:
    """Text, rater, begin, end and category of each span."""
    columns = (table.text, table.rater, table.begin, table.end, table.category)
    return list(zip(*(column.tolist() for column in columns), strict=True))


def span(begin: Any, end: Any, label: str, kind: str = "labels", **more: Any) -> dict[str, Any]:
    """The value of a span of Label Studio."""
    return {"start": begin, "end": end, kind: [label], **more}


def task(number: int, data: dict[str, Any], *results: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    """A task, annotated by 1, 2 …"""
    annotations = [{"completed_by": who, "result": result} for who, result in enumerate(results, start=1)]
    return {"id": number, "data": data, "annotations": annotations, **more}


def result(value: dict[str, Any], kind: str = "labels", control: str = "ner") -> dict[str, Any]:
    return {"from_name": control, "to_name": "text", "type": kind, "value": value}


class TestLabelStudio:
    TEXT = "Ä😀 Rom"

    def test_offsets_in_utf_16_and_whoever_marked_nothing(self, tmp_path: Path) -> None:
        marked = [result(span(4, 7, "LOC", text="Rom")), {"type": "relation"}]
        chosen = [result({"choices": ["x"]}, "choices", "mood")]
        file = write(
            tmp_path / "a.json", [task(1, {"text": self.TEXT}, marked, chosen, predictions=[{"result": marked}])]
        )
        table = concordant.read(file)
        assert rows(table) == [("1", "1", 3, 6, "LOC")]
        assert table.seen == frozenset({("1", "1"), ("1", "2")})
        assert {why: n for n, why in table.left_out} == {
            "relations are not compared": 1,
            "answers that are no spans (choices, ratings: --format label_studio_choices)": 1,
            "predictions: a model is not a rater": 1,
        }

    def test_controls_are_layers(self, tmp_path: Path) -> None:
        marked = [result(span(0, 1, "A")), result(span(0, 2, "B"), control="tone")]
        file = write(tmp_path / "a.json", [task(1, {"text": "abc"}, marked)])
        with pytest.raises(InputError, match=r"2 layers: ner \(1 span\), tone \(1 span\)"):
            concordant.read(file)
        assert rows(concordant.read(file, layer="tone")) == [("1", "1", 0, 2, "B")]

    def test_an_earlier_annotation_of_one_rater_does_not_double_spans(self, tmp_path: Path) -> None:
        made = task(1, {"text": "abc"}, [result(span(0, 1, "A"))], [result(span(0, 2, "B"))])
        made["annotations"][1]["completed_by"] = 1
        table = concordant.read(write(tmp_path / "a.json", [made]))
        assert rows(table) == [("1", "1", 0, 2, "B")]
        assert table.left_out == ((1, "an earlier annotation of the same task by the same annotator"),)

    def test_turns_of_a_dialogue(self, tmp_path: Path) -> None:
        data = {"dialogue": [{"author": "A", "text": "Good day."}, {"author": "B", "text": "Hello."}]}
        value = span("1", "1", "GREETING", "paragraphlabels", startOffset=0, endOffset=5)
        page = span(
            "/p[1]",
            "/p[1]",
            "NAME",
            "hypertextlabels",
            globalOffsets={"start": 2, "end": 4},
            startOffset=1,
            endOffset=3,
        )
        file = write(
            tmp_path / "a.json", [task(1, data, [result(value, "paragraphlabels"), result(page, "hypertextlabels")])]
        )
        assert [one[2:] for one in rows(concordant.read(file))] == [(10, 15, "GREETING"), (2, 4, "NAME")]

    @pytest.mark.parametrize("ending", ["json", "csv"])
    def test_spans_in_rows(self, tmp_path: Path, ending: str) -> None:
        one, other = [span(0, 4, "PER", text="Anna")], [span(0, 4, "PER"), span(8, 11, "LOC")]
        records = [
            {"id": 1, "text": "Anna in Rom", "ner": found, "annotator": who, "annotation_id": who, "lead_time": 2.0}
            for who, found in ((1, one), (2, other))
        ]
        if ending == "json":
            file = write(tmp_path / "a.json", records)
        else:
            lines = [
                ",".join(
                    '"' + (json.dumps(cell) if name == "ner" else str(cell)).replace('"', '""') + '"'
                    for name, cell in record.items()
                )
                for record in records
            ]
            file = write(tmp_path / "a.csv", "\n".join([",".join(records[0]), *lines]) + "\n")
        assert find_format(file).format.name == "label_studio"
        assert rows(concordant.read(file)) == [
            ("1", "1", 0, 4, "PER"),
            ("1", "2", 0, 4, "PER"),
            ("1", "2", 8, 11, "LOC"),
        ]


def test_a_review_of_prodigy_is_its_annotators_versions(tmp_path: Path) -> None:
    def version(answer: str, *sessions: str) -> dict[str, Any]:
        return {"text": "t", "label": "X", "answer": answer, "sessions": list(sessions)}

    review = {"text": "t", "label": "X", "answer": "accept", "_view_id": "review", "_session_id": "r-carla"}
    lines = [
        review | {"_input_hash": 1, "versions": [version("accept", "d-anna"), version("reject", "d-ben")]},
        review | {"_input_hash": 2, "versions": [version("accept", "d-anna", "d-ben")]},
    ]
    study = study_of(write(tmp_path / "a.jsonl", lines))
    assert cells(study) == [
        ("1", "anna", "accept"),
        ("1", "ben", "reject"),
        ("2", "anna", "accept"),
        ("2", "ben", "accept"),
    ]
    assert study.left_out == ((2, "a reviewer's decision is not a rater's judgement"),)


def test_a_review_of_spans(tmp_path: Path) -> None:
    versions = [
        {"text": "abc", "answer": "accept", "spans": [{"start": 0, "end": 1, "label": "A"}], "sessions": ["anna"]},
        {"text": "abc", "answer": "accept", "spans": [], "sessions": ["ben"]},
    ]
    line = {"text": "abc", "_input_hash": 1, "answer": "accept", "spans": [], "tokens": [], "versions": versions}
    table = concordant.read(write(tmp_path / "a.jsonl", [line | {"_view_id": "review"}]))
    assert rows(table) == [("1", "anna", 0, 1, "A")]
    assert table.seen == frozenset({("1", "anna"), ("1", "ben")})


class TestPacked:
    """A folder as a .zip is read like the folder."""

    @staticmethod
    def packed(file: Path, names: dict[str, str]) -> Path:
        with zipfile.ZipFile(file, "w") as archive:
            for name, text in names.items():
                archive.writestr(name, text)
        return file

    def test_files_of_doccano(self, tmp_path: Path) -> None:
        line = '{{"id": {}, "text": "t", "label": ["{}"], "Comments": []}}\n'
        names = {f"{who}.jsonl": line.format(1, label) for who, label in (("anna", "p"), ("ben", "n"))}
        names["unknown.jsonl"] = line.format(2, "").replace('""', "")
        study = concordant.read(self.packed(tmp_path / "d.zip", names))
        assert cells(study) == [("1", "anna", "p"), ("1", "ben", "n")]
        assert study.left_out == ((1, "texts that nobody labelled"),)
        assert study.name == str(tmp_path / "d.zip")

    def test_spans_of_doccano(self, tmp_path: Path) -> None:
        line = '{"id": 1, "text": "abc", "label": [[0, 1, "A"]]}\n'
        table = concordant.read(
            self.packed(tmp_path / "d.zip", dict.fromkeys(("x/anna.jsonl", "x/ben.jsonl", "x/unknown.jsonl"), line))
        )
        assert (table.raters, table.left_out) == (("anna", "ben"), ((1, "texts that nobody labelled"),))

    def test_one_table_and_what_the_system_adds(self, tmp_path: Path) -> None:
        names = {
            "r.csv": "unit,A,B\n1,x,y\n2,y,y\n3,x,x\n",
            "__MACOSX/._r.csv": "junk",
            ".DS_Store": "junk",
            "../../evil.csv": "a",
        }
        file = self.packed(tmp_path / "r.zip", names)
        assert concordant.read(file).raters == ("A", "B")
        assert not (tmp_path.parent / "evil.csv").exists()

    def test_mistakes_name_the_archive(self, tmp_path: Path) -> None:
        with pytest.raises(InputError, match=r"d\.zip.*row 3: 2 cells instead of 3") as caught:
            concordant.read(self.packed(tmp_path / "d.zip", {"r.csv": "unit,A,B\n1,x,y\n2,y\n"}))
        assert "tmp/tmp" not in str(caught.value)
        with pytest.raises(InputError, match="holds no files"):
            concordant.read(self.packed(tmp_path / "e.zip", {}))
        (tmp_path / "bad.zip").write_bytes(b"PK\x03\x04 and no more")
        with pytest.raises(InputError, match="not a whole zip archive"):
            concordant.read(tmp_path / "bad.zip")


@pytest.mark.parametrize("name", ["annotated_instances.tsv", "other.tsv"])
def test_a_table_of_potato(tmp_path: Path, name: str) -> None:
    lines = [
        "user\tinstance_id\ttext\tmood:::good\tmood:::bad",
        "anna\t1\tx\t1\t",
        "ben\t1\tx\t\t1",
        "anna\t2\ty\t1\t",
        "ben\t2\ty\t1\t",
    ]
    file = write(tmp_path / name, "\n".join(lines) + "\n")
    study = study_of(file)
    assert cells(study) == [("1", "anna", "good"), ("1", "ben", "bad"), ("2", "anna", "good"), ("2", "ben", "good")]
    if name.startswith("annotated"):
        assert cells(study_of(tmp_path, format="potato")) == cells(study)
