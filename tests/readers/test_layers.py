"""Documents of INCEpTION and WebAnno in all their forms: layers are chosen, curators are not raters."""

import json
from pathlib import Path

import pytest

from concordant.errors import InputError
from concordant.readers import read
from tests.readers.samples import WEBANNO, cas_files
from tests.readers.span_files import rows, write, zipped

HEAD = "#FORMAT=WebAnno TSV 3.3\n#T_SP=de.example.Name|value\n\n\n#Text=Anna in Rom.\n"
NAMES = HEAD + "1-1\t0-4\tAnna\tPER\t\n1-2\t5-7\tin\t_\t\n1-3\t8-11\tRom\tLOC\t\n"
OLD = (
    " # de.example.Name | value # de.example.Dep | kind | AttachTo=de.example.Name\n"
    "#id=1\n#text=Anna Berg in Rom\n"
    "1-1\tAnna\tB-PER\tB-x\t1-2\t\n1-2\tBerg\tI-PER\t_\t_\t\n1-3\tin\tO\t_\t_\t\n1-4\tRom\tB-LOC|B-CITY\t_\t_\t\n\n"
    "#id=2\n#text=Ja .\n1-1\tJa\tB-X\t_\t_\t\n1-2\t.\tB-X\t_\t_\t\n"
)


class TestChoosing:
    def test_several_layers_are_a_question_that_counts_their_spans(self, tmp_path: Path) -> None:
        file = write(tmp_path, {"ann.tsv": WEBANNO}) / "ann.tsv"
        with pytest.raises(InputError, match=r"there are 2 layers: Level \(2 spans\), Name \(2 spans\); say --layer"):
            read(file)
        table = read(file, layer="Name")
        assert rows(table) == [("ann", "ann", 0, 9, "PER"), ("ann", "ann", 13, 16, "LOC")]
        assert table.unused == {"layer Link": "relations are not compared", "layer Level": "another layer is read"}
        assert rows(read(file, layer="de.example.Name")) == rows(table)
        with pytest.raises(InputError, match=r"there is no layer 'Nam'; did you mean 'Name'"):
            read(file, layer="Nam")

    def test_several_features_are_a_question_too(self, tmp_path: Path) -> None:
        file = write(tmp_path, {"ann.tsv": WEBANNO}) / "ann.tsv"
        with pytest.raises(InputError, match=r"has 2 features: degree \(2 values\), mood \(1 value\); say --feature"):
            read(file, layer="Level")
        one = read(file, layer="Level", feature=("degree",))
        assert rows(one) == [("ann", "ann", 0, 9, "1"), ("ann", "ann", 5, 9, "2")]
        assert one.features["mood"].tolist() == ["free", ""]
        both = read(file, layer="Level", feature=("degree", "mood"))
        assert [row[4] for row in rows(both)] == ["degree=1+mood=free", "degree=2"]
        assert [row[4] for row in rows(read(file, layer="Level", feature=("none",)))] == ["Level", "Level"]
        with pytest.raises(InputError, match="the layer Level has no feature 'value'"):
            read(file, layer="Level", feature=("value",))

    def test_two_layers_of_one_short_name_are_told_apart(self, tmp_path: Path) -> None:
        content = NAMES.replace("#T_SP=de.example.Name|value\n", "#T_SP=a.Name|value\n#T_SP=b.Name|value\n")
        file = write(tmp_path, {"ann.tsv": content.replace("PER\t", "PER\tx\t")}) / "ann.tsv"
        with pytest.raises(InputError, match=r"there are 2 layers: a.Name \(2 spans\), b.Name \(1 span\)"):
            read(file)
        with pytest.raises(InputError, match=r"2 layers are called 'Name'; say a\.Name or b\.Name"):
            read(file, layer="Name")


class TestWebAnno:
    def test_curators_are_not_raters(self, tmp_path: Path) -> None:
        table = read(write(tmp_path, {f"story/{who}.tsv": NAMES for who in ("ann", "ben", "CURATION_USER")}))
        assert rows(table) == [("story", r, *span) for r in ("ann", "ben") for span in ((0, 4, "PER"), (8, 11, "LOC"))]
        assert table.unused == {"story/CURATION_USER.tsv": "a curated or gold version is not a rater"}

    def test_a_span_without_any_value_is_kept(self, tmp_path: Path) -> None:
        table = read(write(tmp_path, {"ann.tsv": NAMES.replace("LOC", "*")}) / "ann.tsv")
        assert rows(table) == [("ann", "ann", 0, 4, "PER"), ("ann", "ann", 8, 11, "")]

    def test_stacked_and_escaped_values(self, tmp_path: Path) -> None:
        content = NAMES.replace("PER", "a[1]|b[2]").replace("in\t_", "in\ta[1]").replace("LOC", r"x\|y\[1\]")
        table = read(write(tmp_path, {"ann.tsv": content}) / "ann.tsv")
        assert [row[2:] for row in rows(table)] == [(0, 4, "b"), (0, 7, "a"), (8, 11, "x|y[1]")]

    def test_positions_are_those_of_java(self, tmp_path: Path) -> None:
        lines = "1-1\t0-2\t😀\t_\t\n1-2\t3-7\tAnna\tPER\t\n1-2.1\t3-4\tA\t_\t\n1-3\t8-10\t😀\tX\t\n"
        table = read(write(tmp_path, {"ann.tsv": HEAD + lines}) / "ann.tsv")
        assert [row[2:] for row in rows(table)] == [(2, 6, "PER"), (7, 8, "X")]

    def test_roles_are_relations(self, tmp_path: Path) -> None:
        content = NAMES.replace("Name|value", "Name|value|ROLE_de.example.Name:links_de.example.Link|de.example.Name")
        content = (
            content.replace("PER\t", "PER\tr\t1-3\t").replace("LOC\t", "LOC\t_\t_\t").replace("_\t\n", "_\t_\t_\n")
        )
        table = read(write(tmp_path, {"ann.tsv": content}) / "ann.tsv")
        assert [row[4] for row in rows(table)] == ["PER", "LOC"]
        assert table.unused == {"feature links_de.example.Link of Name": "relations are not compared"}

    def test_version_1_has_tags_and_its_places_are_found(self, tmp_path: Path) -> None:
        table = read(write(tmp_path, {"ann.tsv": OLD}) / "ann.tsv")
        assert [row[2:] for row in rows(table)] == [
            (0, 9, "PER"), (13, 16, "CITY"), (13, 16, "LOC"), (17, 19, "X"), (20, 21, "X"),
        ]  # fmt: skip
        assert table.unused == {"layer Dep": "relations are not compared"}

    @pytest.mark.parametrize(
        ("content", "words"),
        [
            (OLD.replace("\tBerg", "\tTal"), "row 5: this token is not in its sentence"),
            (NAMES.replace("TSV 3.3", "TSV 2"), "row 1: this is WebAnno TSV 2; export it as WebAnno TSV 3.3"),
            (NAMES.replace("5-7", "5"), "row 7: this line is not a token with its place"),
            (NAMES.replace("5-7", "5-x"), "row 7: 'x' is not a position"),
        ],
    )
    def test_what_is_damaged_is_refused(self, tmp_path: Path, content: str, words: str) -> None:
        with pytest.raises(InputError, match=words):
            read(write(tmp_path, {"ann.tsv": content}) / "ann.tsv")

    def test_a_decoy_is_not_taken_for_it(self, tmp_path: Path) -> None:
        with pytest.raises(InputError, match="not WebAnno TSV 3 or 1"):
            read(write(tmp_path, {"story/ann.tsv": "a\tb\n"}), format="webanno")
        table = write(tmp_path, {"t.tsv": "text\trater\tbegin\tend\tcategory\nt\tann\t0\t4\tPER\n"}) / "t.tsv"
        assert rows(read(table)) == [("t", "ann", 0, 4, "PER")]


class TestXmi:
    def test_files_beside_their_type_system(self, tmp_path: Path) -> None:
        types, document = cas_files()
        write(tmp_path, {"story/TypeSystem.xml": types, "story/ann.xmi": document})
        assert rows(read(tmp_path, layer="NamedEntity")) == [("story", "ann", 8, 11, "LOC")]
        levels = read(tmp_path, layer="Level", feature=("degree",))
        assert rows(levels) == [("story", "ann", 0, 4, ""), ("story", "ann", 0, 11, "1")]
        assert levels.lengths == {"story": 12.0}
        assert levels.notes == ("the layer is Level", "the category is the feature degree")

    def test_folders_of_raters_are_known_by_the_texts(self, tmp_path: Path) -> None:
        other = cas_files()[1].replace(b"Anna in Rom.", b"Anna in Ulm.")
        files: dict[str, str | bytes] = {f"{r}/one.xmi": cas_files()[1] for r in ("earth", "mars")}
        write(tmp_path, {**files, "earth/two.xmi": other, "rwTypesystem.xml": cas_files()[0]})
        table = read(tmp_path, layer="NamedEntity")
        assert [row[:2] for row in rows(table)] == [("one", "earth"), ("one", "mars"), ("two", "earth")]

    def test_archives(self, tmp_path: Path) -> None:
        types, document = cas_files()
        (tmp_path / "story").mkdir()
        zipped(tmp_path / "story" / "ann.zip", {"TypeSystem.xml": types, "story.xmi": document})
        assert rows(read(tmp_path, layer="NamedEntity")) == [("story", "ann", 8, 11, "LOC")]

    def test_without_a_type_system_it_is_said(self, tmp_path: Path) -> None:
        table = read(write(tmp_path, {"ann.xmi": cas_files()[1]}) / "ann.xmi", layer="NamedEntity")
        assert rows(table) == [("ann", "ann", 8, 11, "LOC")]
        assert table.notes[0] == "without its type system every attribute is taken for a feature"

    def test_what_is_damaged_is_refused(self, tmp_path: Path) -> None:
        types, document = cas_files()
        with pytest.raises(InputError, match="the Level 0-40 is not in the text of 12 characters"):
            read(write(tmp_path, {"a.xmi": document.replace(b'end="4"', b'end="40"')}) / "a.xmi", layer="Level")
        changed = document.replace(b'begin="0" end="4"', b'begin="x" end="4"')
        with pytest.raises(InputError, match="Level x-4 has no position"):
            read(write(tmp_path, {"b.xmi": changed}) / "b.xmi", layer="Level")
        with pytest.raises(InputError, match="not XML"):
            read(write(tmp_path, {"c.xmi": document[:-20]}) / "c.xmi")
        with pytest.raises(InputError, match=r"the archive has no \.xmi"):
            read(zipped(tmp_path / "ann.zip", {"TypeSystem.xml": types}), format="xmi")
        with pytest.raises(InputError, match="not a whole zip archive"):
            read(write(tmp_path, {"bad.zip": "x"}) / "bad.zip", format="xmi")

    def test_a_decoy_is_refused(self, tmp_path: Path) -> None:
        with pytest.raises(InputError, match="not a UIMA document with a text"):
            read(write(tmp_path, {"a.xmi": "<svg/>"}) / "a.xmi", format="xmi")
        with pytest.raises(InputError, match="no format of spans is known"):
            read(tmp_path / "a.xmi", holds="spans")

    def test_entities_are_not_expanded(self, tmp_path: Path) -> None:
        bomb = '<!DOCTYPE x [<!ENTITY a "aa"><!ENTITY b "&a;&a;">]><xmi:XMI xmlns:xmi="http://www.omg.org/XMI">&b;</xmi:XMI>'
        with pytest.raises(InputError, match="declares entities"):
            read(write(tmp_path, {"a.xmi": bomb}) / "a.xmi")

    def test_an_archive_that_unpacks_to_too_much_is_refused(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        file = zipped(tmp_path / "ann.zip", {"story.xmi": cas_files()[1]})
        monkeypatch.setattr("concordant.readers.zipped.LIMIT", 100)
        with pytest.raises(InputError, match="this archive unpacks to more than"):
            read(file)


def cas_json(*, text: str = "😀 Anna in Rom.", as_map: bool = False) -> str:
    """A document of UIMA CAS JSON: a layer whose spans lie after a character of two places, and a relation."""
    found = [
        {"%ID": 1, "%TYPE": "uima.cas.Sofa", "sofaID": "_InitialView", "sofaString": text},
        {"%ID": 2, "%TYPE": "x.type.Token", "@sofa": 1, "begin": 3, "end": 7},
        {"%ID": 3, "%TYPE": "custom.Name", "@sofa": 1, "begin": 3, "end": 7, "value": "PER", "sure": True},
        {"%ID": 4, "%TYPE": "custom.Name", "@sofa": 1, "begin": 11, "end": 14, "value": "LOC"},
        {"%ID": 5, "%TYPE": "custom.Rel", "@sofa": 1, "begin": 3, "end": 7, "@Governor": 3, "@Dependent": 4},
    ]
    structures = {str(one["%ID"]): {k: v for k, v in one.items() if k != "%ID"} for one in found} if as_map else found
    return json.dumps({"%TYPES": {}, "%FEATURE_STRUCTURES": structures, "%VIEWS": {}})


class TestCasJson:
    @pytest.mark.parametrize("as_map", [False, True])
    def test_positions_are_counted_in_characters(self, tmp_path: Path, as_map: bool) -> None:
        file = write(tmp_path, {"ann.json": cas_json(as_map=as_map)}) / "ann.json"
        table = read(file, feature=("value",))
        assert [row[2:] for row in rows(table)] == [(2, 6, "PER"), (10, 13, "LOC")]
        assert table.features["sure"].tolist() == ["true", ""]
        assert table.lengths == {"ann": 14.0}
        assert table.unused["type Rel"] == "relations are not compared"

    def test_files_of_one_folder_are_raters(self, tmp_path: Path) -> None:
        table = read(write(tmp_path, {f"story/{r}.json": cas_json() for r in ("ann", "ben")}), feature=("value",))
        assert table.raters == ("ann", "ben")

    @pytest.mark.parametrize(
        ("old", "new", "words"),
        [
            ('"end": 14', '"end": 99', "the Name 11-99 is not in the text of 14 characters"),
            ('"end": 14', '"end": "x"', "custom.Name 11-x has no position"),
            ('"sofaString"', '"nothing"', "this document has no text"),
            ("]", "", "not JSON"),
        ],
    )
    def test_what_is_damaged_is_refused(self, tmp_path: Path, old: str, new: str, words: str) -> None:
        with pytest.raises(InputError, match=words):
            read(write(tmp_path, {"ann.json": cas_json().replace(old, new)}) / "ann.json", feature=("value",))

    def test_a_decoy_is_refused(self, tmp_path: Path) -> None:
        with pytest.raises(InputError, match="not UIMA CAS JSON"):
            read(write(tmp_path, {"ann.json": '{"a": [1]}'}) / "ann.json", format="cas_json")


class TestProject:
    SETTINGS = "exportedproject123.json"

    def test_annotators_are_raters_and_curators_are_not(self, tmp_path: Path) -> None:
        types, document = cas_files()
        inner = zipped(tmp_path / "inner.zip", {"TypeSystem.xml": types, "story.xmi": document}).read_bytes()
        names = NAMES.replace("de.example.Name", "de.tudarmstadt.ukp.dkpro.core.api.ner.type.NamedEntity")
        file = zipped(tmp_path / "project.zip", {
            self.SETTINGS: "{}", "annotation/story.txt/ann.tsv": names, "annotation/story.txt/ben.zip": inner,
            "annotation/story.txt/INITIAL_CAS.tsv": names, "curation/story.txt/CURATION_USER.tsv": names,
            "annotation_ser/story.txt/ann.ser": b"x",
        })  # fmt: skip
        table = read(file, layer="NamedEntity")
        assert [row[:4] for row in rows(table)] == [
            ("story.txt", "ann", 0, 4), ("story.txt", "ann", 8, 11), ("story.txt", "ben", 8, 11),
        ]  # fmt: skip
        assert {name for name, why in table.unused.items() if "not a rater" in why} == {
            "annotation/story.txt/INITIAL_CAS.tsv", "curation/story.txt/CURATION_USER.tsv",
        }  # fmt: skip

    def test_annotations_without_a_readable_form_are_counted(self, tmp_path: Path) -> None:
        file = zipped(tmp_path / "p.zip", {self.SETTINGS: "{}", "annotation/s.txt/ann.txt": "Anna."})
        table = read(file)
        assert (len(table), table.seen) == (0, frozenset({("s.txt", "ann")}))
        assert [number for number, _ in table.left_out] == [1]

    def test_one_annotator_in_another_form_is_refused(self, tmp_path: Path) -> None:
        files: dict[str, str | bytes] = {"annotation/s.txt/ann.txt": "Anna.", "annotation/s.txt/ben.tsv": NAMES}
        with pytest.raises(InputError, match=r"annotation/s.txt/ann.txt is plain text"):
            read(zipped(tmp_path / "p.zip", {self.SETTINGS: "{}", **files}))

    def test_a_damaged_one_and_a_decoy_are_refused(self, tmp_path: Path) -> None:
        with pytest.raises(InputError, match="this project has no annotations"):
            read(zipped(tmp_path / "p.zip", {self.SETTINGS: "{}", "annotation_ser/s/ann.ser": "x"}))
        with pytest.raises(InputError, match="only one column was found"):
            read(zipped(tmp_path / "q.zip", {"a.txt": "x"}), holds="spans")
