"""Spans of doccano, Prodigy, Labelbox, GATE, FoLiA, MMAX2, REFI-QDA and CATMA: a good file, a damaged one, a decoy."""

import json
from pathlib import Path
from typing import Any

import pytest

from concordant.errors import InputError
from concordant.readers import read
from tests.readers.span_files import rows, write, zipped


def lines(*records: object) -> str:
    return "".join(json.dumps(record) + "\n" for record in records)


class TestDoccano:
    TEXT = "Anna in Rom."

    def test_users_are_raters_where_they_are_named(self, tmp_path: Path) -> None:
        spans = [{"label": 3, "start_offset": 0, "end_offset": 4, "user": user} for user in (1, 2)]
        content = lines({"id": 7, "text": self.TEXT, "annotations": spans, "annotation_approver": "boss"})
        table = read(write(tmp_path, {"all.jsonl": content}) / "all.jsonl")
        assert rows(table) == [("7", "1", 0, 4, "3"), ("7", "2", 0, 4, "3")]
        assert table.notes == ("categories are doccano's numbers of labels",)
        assert table.unused == {"annotation_approver": "who approved is not a rater"}

    @pytest.mark.parametrize("key", ["label", "labels"])
    def test_triples_of_one_rater(self, tmp_path: Path, key: str) -> None:
        content = lines({"id": 1, "text": "x", key: []}, {"id": 2, "text": self.TEXT, key: [[0, 4, "PER"]]})
        table = read(write(tmp_path, {"ann.jsonl": content}) / "ann.jsonl")
        assert rows(table) == [("2", "ann", 0, 4, "PER")]
        assert table.seen == {("1", "ann"), ("2", "ann")}

    def test_a_list_in_one_file(self, tmp_path: Path) -> None:
        record = {"id": 1, "text": self.TEXT, "entities": [{"start_offset": 8, "end_offset": 11, "label": "LOC"}]}
        assert rows(read(write(tmp_path, {"ann.json": json.dumps([record])}) / "ann.json")) == [
            ("1", "ann", 8, 11, "LOC")
        ]

    def test_a_span_past_the_text_is_refused(self, tmp_path: Path) -> None:
        content = lines({"id": 1, "text": self.TEXT, "label": [[0, 99, "PER"]]})
        with pytest.raises(InputError, match="the span 0-99 of rater 'ann' in '1' ends past the text's end"):
            read(write(tmp_path, {"ann.jsonl": content}) / "ann.jsonl")

    def test_labels_of_whole_texts_are_no_spans(self, tmp_path: Path) -> None:
        file = write(tmp_path, {"ann.jsonl": lines({"id": 1, "text": self.TEXT, "label": ["good"]})}) / "ann.jsonl"
        with pytest.raises(InputError, match="there is no column 'rater'"):
            read(file, holds="spans")


def answer(rater: str, *spans: tuple[int, int, str], said: str | None = "accept", **more: Any) -> dict[str, Any]:
    marked = [{"start": begin, "end": end, "label": label} for begin, end, label in spans]
    return {"text": "Anna in Rom.", "_input_hash": 5, "_annotator_id": rater, "spans": marked, "answer": said, **more}


class TestProdigy:
    def test_accepted_spans_of_annotators(self, tmp_path: Path) -> None:
        content = lines(
            answer("ann", (0, 4, "PER")), answer("ben", (8, 11, "LOC")), answer("cem", (0, 4, "PER"), said="reject"),
            answer("dan", said=None), answer("ann", (0, 4, "PER"), (8, 11, "LOC")), answer("eva"),
        )  # fmt: skip
        table = read(write(tmp_path, {"ner.jsonl": content}) / "ner.jsonl")
        assert rows(table) == [("5", "ann", 0, 4, "PER"), ("5", "ann", 8, 11, "LOC"), ("5", "ben", 8, 11, "LOC")]
        assert table.seen == {("5", "ann"), ("5", "ben"), ("5", "eva")}
        assert {reason for _, reason in table.left_out} == {
            "rejected by the annotator", "a text without an answer", "an earlier answer to the same text",
        }  # fmt: skip

    def test_spans_proposed_one_at_a_time_are_put_together(self, tmp_path: Path) -> None:
        said = [answer("ann", span, _view_id="ner") for span in ((0, 4, "PER"), (8, 11, "LOC"), (8, 11, "LOC"))]
        assert len(read(write(tmp_path, {"ner.jsonl": lines(*said)}) / "ner.jsonl")) == 2

    def test_a_damaged_one_is_refused(self, tmp_path: Path) -> None:
        content = lines(answer("ann", (0, 4, "PER"))).replace('"end": 4, ', "")
        with pytest.raises(InputError, match="row 1: a span has no start and end"):
            read(write(tmp_path, {"ner.jsonl": content}) / "ner.jsonl")

    def test_choices_are_no_spans(self, tmp_path: Path) -> None:
        content = lines({"text": "x", "_input_hash": 1, "options": [], "accept": ["a"], "answer": "accept"})
        with pytest.raises(InputError):
            read(write(tmp_path, {"c.jsonl": content}) / "c.jsonl", holds="spans")


class TestLabelbox:
    OBJECTS: tuple[dict[str, Any], ...] = (
        {"title": "PER", "data": {"location": {"start": 0, "end": 3}},
         "classifications": [{"title": "sure", "answer": {"title": "yes"}}]},
        {"title": "box", "bbox": {"top": 1}},
    )  # fmt: skip

    def first(self, *objects: object) -> str:
        label = {"objects": objects, "classifications": [{"title": "tone"}]}
        record = {"DataRow ID": "r1", "External ID": "t", "Created By": "ann", "Label": label, "Skipped": False}
        return json.dumps([record, {**record, "Created By": "ben", "Skipped": True}])

    def test_objects_of_form_1(self, tmp_path: Path) -> None:
        table = read(write(tmp_path, {"x.json": self.first(*self.OBJECTS)}) / "x.json")
        assert rows(table) == [("t", "ann", 0, 4, "PER")]
        assert table.features["sure"].tolist() == ["yes"]
        assert sorted(table.left_out) == [
            (1, "a classification of a whole text is not a span"),
            (1, "an object without a place in a text (a box, a mask …)"),
        ]
        assert table.notes == ("ends are taken as the place of the last character",)

    def test_objects_of_form_2(self, tmp_path: Path) -> None:
        label = {"annotations": {"objects": [{"name": "PER", "location": {"start": 0, "end": 3}}]}}
        labels = [{**label, "label_details": {"created_by": rater}} for rater in ("ann", "ben")]
        content = lines({"data_row": {"id": "r1"}, "projects": {"p": {"labels": labels}}})
        assert rows(read(write(tmp_path, {"x.ndjson": content}) / "x.ndjson")) == [
            ("r1", "ann", 0, 4, "PER"), ("r1", "ben", 0, 4, "PER"),
        ]  # fmt: skip

    def test_damaged_ones_are_refused(self, tmp_path: Path) -> None:
        with pytest.raises(InputError, match="an object has no start and end"):
            read(write(tmp_path, {"x.json": self.first({"data": {"location": {"start": 0}}})}) / "x.json")
        with pytest.raises(InputError, match="not a label of Labelbox"):
            read(write(tmp_path, {"y.json": '[{"a": 1}]'}) / "y.json", format="labelbox")

    def test_labels_without_places_are_a_decoy(self, tmp_path: Path) -> None:
        with pytest.raises(InputError, match=r"not as Label Studio|not a list|no format of spans"):
            read(write(tmp_path, {"x.json": self.first().strip("[]")}) / "x.json", holds="spans")


def gate(first: str = "PER", second: str = "PER", node: int = 4, name: str = "ben") -> str:
    """A GATE document with the sets ann and another one."""

    def of(rater: str, kind: str) -> str:
        feature = "<Feature><Name>sure</Name><Value className='java.lang.String'>yes</Value></Feature>"
        return (
            f'<AnnotationSet Name="{rater}"><Annotation Id="1" Type="{kind}" StartNode="0" EndNode="{node}">{feature}'
            "</Annotation></AnnotationSet>"
        )

    text = '<TextWithNodes><Node id="0"/>Anna<Node id="4"/> in Rom.</TextWithNodes>'
    return f'<?xml version="1.0"?><GateDocument>{text}{of("ann", first)}{of(name, second)}</GateDocument>'


class TestGate:
    def test_sets_with_common_types_are_raters(self, tmp_path: Path) -> None:
        table = read(write(tmp_path, {"t.xml": gate()}) / "t.xml")
        assert rows(table) == [("t", "ann", 0, 4, "PER"), ("t", "ben", 0, 4, "PER")]
        assert table.lengths == {"t": 12.0}
        assert table.features["sure"].tolist() == ["yes", "yes"]
        assert "annotation sets are the raters: they have types in common" in table.notes

    def test_other_sets_are_a_question(self, tmp_path: Path) -> None:
        file = write(tmp_path, {"t.xml": gate(second="Token")}) / "t.xml"
        with pytest.raises(InputError, match=r"there are 2 layers: ann \(1 span\), ben \(1 span\)"):
            read(file)
        assert rows(read(file, layer="ben")) == [("t", "t", 0, 4, "Token")]
        assert read(file, sets="raters").raters == ("ann", "ben")

    @pytest.mark.parametrize("name", ["Key", "Original markups"])
    def test_gold_and_markup_are_no_raters(self, tmp_path: Path, name: str) -> None:
        table = read(write(tmp_path, {"t.xml": gate(name=name)}) / "t.xml")
        assert rows(table) == [("t", "t", 0, 4, "PER")]
        assert f"set {name}" in table.unused

    def test_damaged_ones_and_decoys_are_refused(self, tmp_path: Path) -> None:
        with pytest.raises(InputError, match="has the node '9' that the text has not"):
            read(write(tmp_path, {"t.xml": gate(node=9)}) / "t.xml")
        with pytest.raises(InputError, match="this GATE document has no text"):
            read(write(tmp_path, {"u.xml": "<GateDocument/>"}) / "u.xml")
        with pytest.raises(InputError, match="this is not a GATE document"):
            read(write(tmp_path, {"v.xml": "<x/>"}) / "v.xml", format="gate")


FOLIA = """<?xml version="1.0"?>
<FoLiA xmlns="http://ilk.uvt.nl/folia"><metadata><provenance><processor xml:id="p" name="ann" type="manual"/></provenance>
</metadata><text><s><w xml:id="w1"><t>Anna</t></w><w xml:id="w2"><t>in</t></w><w xml:id="w3" space="no"><t>Rom</t></w>
<w xml:id="w4"><t>.</t></w><entities><entity class="per"><wref id="w1"/></entity></entities>
<altlayers><entities><entity class="odd"><wref id="w1"/><wref id="w3"/></entity></entities></altlayers>
<dependencies/></s></text></FoLiA>"""


class TestFolia:
    def test_alternatives_are_readings(self, tmp_path: Path) -> None:
        table = read(write(tmp_path, {"t.folia.xml": FOLIA}) / "t.folia.xml")
        assert [row[1:] for row in rows(table)] == [("ann", 0, 4, "per"), ("ann (alternative 1)", 0, 11, "odd")]
        assert list(table.lengths.values()) == [12.0]
        assert table.unused == {"layer dependencies": "relations are not compared"}
        assert table.notes == ("1 discontinuous span taken whole", "alternatives are read as raters of their own")

    def test_damaged_ones_and_decoys_are_refused(self, tmp_path: Path) -> None:
        with pytest.raises(InputError, match="refers to the word 'w9', which there is not"):
            read(write(tmp_path, {"t.xml": FOLIA.replace('<wref id="w3"/>', '<wref id="w9"/>')}) / "t.xml")
        with pytest.raises(InputError, match="has no words"):
            read(write(tmp_path, {"u.xml": FOLIA.replace('<wref id="w1"/></entity></e', "</entity></e")}) / "u.xml")
        with pytest.raises(InputError, match="this is not a FoLiA document"):
            read(write(tmp_path, {"v.xml": "<x/>"}) / "v.xml", format="folia")


class TestMmax2:
    def project(self, span: str = "word_1..word_2,word_4") -> dict[str, str | bytes]:
        words = "".join(f'<word id="word_{n}">x</word>' for n in range(1, 5))
        level = (
            f'<markables><markable id="m" span="{span}" mood="good" topic_ref="empty" mmax_level="tone"/></markables>'
        )
        files: dict[str, str | bytes] = {"base/t.words.xml": f"<!DOCTYPE words SYSTEM 'w.dtd'><words>{words}</words>"}
        for rater in ("ann", "ben"):
            files[f"{rater}/t.mmax"] = "<mmax_project><words>t.words.xml</words></mmax_project>"
            files[f"{rater}/marks/t_tone_level.xml"] = level
        return files

    def test_markables_are_spans_of_words(self, tmp_path: Path) -> None:
        table = read(write(tmp_path, self.project()))
        assert rows(table) == [("t", "ann", 0, 4, "good"), ("t", "ben", 0, 4, "good")]
        assert table.lengths == {"t": 4.0}
        assert table.unused == {"attribute topic_ref of tone": "relations are not compared"}
        assert "1 discontinuous span of all layers taken whole" in table.notes

    def test_damaged_ones_and_decoys_are_refused(self, tmp_path: Path) -> None:
        with pytest.raises(InputError, match="a markable has the word 'word_9', which there is not"):
            read(write(tmp_path / "a", self.project("word_9")))
        without = {name: text for name, text in self.project().items() if not name.startswith("base")}
        with pytest.raises(InputError, match=r"there is no t\.words\.xml, which holds the words"):
            read(write(tmp_path / "b", without))
        with pytest.raises(InputError, match="names no file of words"):
            read(write(tmp_path, {"x.mmax": "<mmax_project/>"}) / "x.mmax")
        with pytest.raises(InputError, match="no format of spans"):
            read(write(tmp_path, {"y.mmax": "<x/>"}) / "y.mmax", holds="spans")


QDE = """<?xml version="1.0"?><Project xmlns="urn:QDA-XML:project:1.0"><Users><User guid="u1" name="Ann"/></Users>
<CodeBook><Codes><Code guid="c1" name="Food"><Code guid="c2" name="Milk"/></Code></Codes></CodeBook><Sources>
<TextSource guid="s1" name="talk" plainTextPath="internal://s1.txt">
<PlainTextSelection guid="p1" startPosition="0" endPosition="4">
<Coding creatingUser="u1"><CodeRef targetGUID="c2"/></Coding></PlainTextSelection>
<PlainTextSelection guid="p2" startPosition="5" endPosition="7"/></TextSource>
<PictureSource name="photo"><PictureSelection><Coding creatingUser="u1"><CodeRef targetGUID="c1"/></Coding>
</PictureSelection></PictureSource></Sources></Project>"""


class TestQdpx:
    def test_codings_of_passages_are_spans(self, tmp_path: Path) -> None:
        table = read(zipped(tmp_path / "p.qdpx", {"project.qde": QDE, "sources/s1.txt": "Anna in Rom."}))
        assert rows(table) == [("talk", "Ann", 0, 4, "Food/Milk")]
        assert table.lengths == {"talk": 12.0}
        assert table.left_out == (
            (1, "a passage without a code"), (1, "a coding of something else than a passage of a text"),
        )  # fmt: skip

    def test_damaged_ones_and_decoys_are_refused(self, tmp_path: Path) -> None:
        with pytest.raises(InputError, match="the passage 'p1' has no start and end"):
            read(zipped(tmp_path / "a.qdpx", {"p.qde": QDE.replace('startPosition="0"', "")}))
        with pytest.raises(InputError, match="a coding has no code of the project"):
            read(zipped(tmp_path / "b.qdpx", {"p.qde": QDE.replace('targetGUID="c2"', 'targetGUID="c9"')}))
        with pytest.raises(InputError, match="this archive has no project"):
            read(zipped(tmp_path / "c.qdpx", {"a.txt": "x"}), format="qdpx")
        with pytest.raises(InputError, match="no format of spans"):
            read(write(tmp_path, {"d.qdpx": "x"}) / "d.qdpx", holds="spans")


def catma(*segments: tuple[int, int]) -> dict[str, str | bytes]:
    """A project with collections of two users and a gold one."""
    items = [{"source": "D_1", "selector": {"start": b, "end": e}} for b, e in segments]
    properties = {"user": {"P1": ["sad", "glad"], "P2": ["x"]}, "system": {}}
    body = {"tagset": "tagsets/T_1", "tag": "tagsets/T_1/G_2", "properties": properties}
    names = {"P1": {"name": "mood"}, "P2": {"name": "voice"}}
    files: dict[str, str | bytes] = {
        "documents/D_1/D_1.txt": "😀 Anna in Rom.",
        "documents/D_1/header.json": json.dumps({"gitContentInfoSet": {"title": "story"}}),
        "tagsets/T_1/header.json": json.dumps({"name": "events"}),
        "tagsets/T_1/G_1/propertydefs.json": json.dumps({"name": "event", "parentUuid": ""}),
        "tagsets/T_1/G_1/G_2/propertydefs.json": json.dumps(
            {"name": "state", "parentUuid": "G_1", "userDefinedPropertyDefinitions": names}
        ),
    }
    for name, user in (("first", "ann"), ("second", "ben"), ("gold_annotation", "ann")):
        header = {"name": name, "responsibleUser": user, "sourceDocumentId": "D_1"}
        files[f"collections/{name}/header.json"] = json.dumps(header)
        files[f"collections/{name}/annotations/0.json"] = json.dumps([{"body": body, "target": {"items": items}}])
    return files


class TestCatma:
    def test_an_annotation_is_one_span_however_many_properties(self, tmp_path: Path) -> None:
        table = read(write(tmp_path, catma((3, 5), (5, 7))))
        assert rows(table) == [("story", "ann", 2, 6, "event/state"), ("story", "ben", 2, 6, "event/state")]
        assert table.features["mood"].tolist() == ["glad+sad", "glad+sad"]
        assert table.lengths == {"story": 14.0}
        assert table.unused == {"collection gold_annotation": "a curated or gold version is not a rater"}
        assert not any("discontinuous" in note for note in table.notes)

    def test_segments_apart_are_one_span_and_counted(self, tmp_path: Path) -> None:
        table = read(write(tmp_path, catma((11, 14), (3, 7))))
        assert rows(table)[0][2:4] == (2, 13)
        assert "1 discontinuous annotation of first taken whole" in table.notes

    def test_collections_are_raters_where_users_have_several(self, tmp_path: Path) -> None:
        files = catma((3, 7))
        files["collections/second/header.json"] = str(files["collections/second/header.json"]).replace("ben", "ann")
        assert read(write(tmp_path, files)).raters == ("first", "second")

    def test_damaged_ones_and_decoys_are_refused(self, tmp_path: Path) -> None:
        with pytest.raises(InputError, match="an annotation is not as CATMA writes it"):
            read(write(tmp_path / "a", catma((3, 99))))
        with pytest.raises(InputError, match="this collection names no document"):
            read(write(tmp_path / "b", {**catma((3, 7)), "collections/first/header.json": "{}"}))
        with pytest.raises(InputError, match="not JSON"):
            read(write(tmp_path / "c", {**catma((3, 7)), "collections/first/header.json": "{"}))
        with pytest.raises(InputError, match="there are no collections"):
            read(write(tmp_path / "d", {"collections/x.txt": "x"}), format="catma")
