"""What is in a file is found out, and what cannot be told is asked."""

import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

import concordant
from concordant import readers
from concordant.errors import InputError
from concordant.model.spans import SpanTable
from concordant.model.study import Study
from concordant.readers import find_format, formats, read
from concordant.registry import parts
from concordant.treebank.comparison import Comparison
from concordant.treebank.trees import BracketedCorpus
from tests.treebank.made import EXAMPLE

JUDGED = "unit,rater,value\na,x,1\na,y,2\n"
SPANS = "text,rater,begin,end,category\nt,Ida,0,4,A\nt,Jon,1,4,B\n"
TREE = "(S (NP (D the) (N cat)) (VP (V sat)))\n"


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("name", "content", "format"),
    [
        ("a.csv", JUDGED, "table"),
        ("a.txt", "sentence,annotator,label\ns,A,x\n", "table"),
        ("a.dat", JUDGED, "table"),
        ("a.csv", SPANS, "long"),
        ("a.tsv", SPANS.replace(",", "\t"), "long"),
        ("a.csv", '"Rater";"Begin";"End"\nIda;1;2\n', "long"),
        ("a.jsonl", '{"rater": "Ida", "begin": 1, "end": 2}\n', "long"),
        ("a.jsonl", '{"unit": "a", "rater": "x", "value": 1}\n', "table"),
        ("a.jsonl", '{"unit": "a", "rater": "x", "labels": ["B", "E"]}\n', "table"),
        ("a.jsonl", '[1]\nnot JSON\n{"id": 1, "text": "Ida", "label": [[0, 3, "PER"]]}\n', "doccano"),
        ("a.jsonl", '{"id": 1, "text": "Ida", "entities": []}\n', "doccano"),
        ("a.tsv", "#FORMAT=WebAnno TSV 3.3\n", "webanno"),
        ("a.ann", "T1\tPER 0 4\tAnna\n", "brat"),
        ("a.json", "[]", "label_studio"),
        ("a.mrg", TREE, "trees"),
        ("a.parsed", f"\n {TREE}", "trees"),
        ("a.csv", TREE, "table"),
    ],
)
def test_what_a_file_holds_is_found_out(tmp_path: Path, name: str, content: str, format: str) -> None:
    assert find_format(write(tmp_path / name, content)).format.name == format


def test_every_kind_comes_as_what_it_is(tmp_path: Path) -> None:
    assert isinstance(read(write(tmp_path / "a.csv", JUDGED)), Study)
    assert isinstance(concordant.read(write(tmp_path / "b.csv", SPANS)), SpanTable)
    trees = read(write(tmp_path / "c.mrg", TREE), write(tmp_path / "d.mrg", TREE))
    assert isinstance(trees, BracketedCorpus)
    assert isinstance(read(EXAMPLE / "anna"), Study)
    assert read(EXAMPLE / "anna", EXAMPLE / "bruno").raters == ("anna", "bruno")
    assert isinstance(read(EXAMPLE / "anna", EXAMPLE / "bruno", format="profiles", edm=False), Comparison)
    assert isinstance(read(EXAMPLE / "anna", EXAMPLE / "bruno", format="trees"), Comparison)
    with pytest.raises(InputError, match="1 treebanks; profiles are compared two by two"):
        read(EXAMPLE / "anna", format="profiles")


@pytest.mark.parametrize("ending", ["xlsx", "parquet"])
def test_workbooks_of_spans_are_spans(tmp_path: Path, ending: str) -> None:
    frame, path = pl.DataFrame({"rater": ["Ida"], "begin": [1], "end": [2]}), tmp_path / f"a.{ending}"
    getattr(frame, {"parquet": "write_parquet", "xlsx": "write_excel"}[ending])(path)
    assert isinstance(read(path), SpanTable)


class TestQuestions:
    BOTH = "unit,rater,value,begin,end\na,Ida,1,0,4\na,Jon,2,1,4\n"

    def test_two_readers_that_are_as_sure(self, tmp_path: Path) -> None:
        path = write(tmp_path / "both.csv", self.BOTH)
        with pytest.raises(InputError, match="say --format table or --format long"):
            read(path)
        assert isinstance(read(path, format="table"), Study)
        assert isinstance(read(path, format="long"), SpanTable)
        assert isinstance(read(path, holds="judgements"), Study)
        assert isinstance(read(path, holds="spans"), SpanTable)

    def test_counts_of_two_raters_may_be_two_raters(self, tmp_path: Path) -> None:
        path = write(tmp_path / "square.csv", ",a,b\na,10,2\nb,3,20\n")
        with pytest.raises(InputError, match=r"this can be read as contingency \(A table of counts\) or table"):
            read(path)
        assert read(path, format="contingency").judgements().n_judgements == 70

    def test_separators_and_encodings_that_are_named_are_used(self, tmp_path: Path) -> None:
        path = write(tmp_path / "odd.csv", SPANS.replace(",", ":"))
        assert len(read(path, separator=":")) == 2
        path.write_bytes(SPANS.replace("Ida", "Jörg").encode("utf-16-le"))
        assert read(path, encoding="utf-16-le").raters == ("Jon", "Jörg")


class TestOptions:
    def test_those_a_format_does_not_have_are_refused(self, tmp_path: Path) -> None:
        path = write(tmp_path / "a.csv", SPANS)
        with pytest.raises(InputError, match="the format long has no option 'unit'; it has text, rater, begin"):
            read(path, unit="text")
        with pytest.raises(InputError, match="the format tsdb has no option 'level'; it has none"):
            read(EXAMPLE / "anna", level="nominal")
        with pytest.raises(InputError, match="the format long holds spans, not judgements"):
            read(path, format="long", holds="judgements")
        with pytest.raises(InputError, match="unknown encoding 'klingon'"):
            read(path, encoding="klingon")

    def test_rows_and_raters_are_chosen(self, tmp_path: Path) -> None:
        path = write(tmp_path / "a.csv", "unit,rater,value,genre\na,x,1,p\na,y,2,p\nb,x,2,q\nb,z,2,q\n")
        assert read(path, where={"genre": ["p", "q"]}, raters=["y"], attributes=[]).n_rows == 1
        assert list(read(path, attributes=[], where=[("genre", ["q"])]).attributes) == ["genre"]
        square = write(tmp_path / "b.csv", ",a,b\na,10,2\nb,3,20\n")
        assert read(square, format="contingency", raters=["rows"]).raters == ("rows",)
        with pytest.raises(InputError, match="no such column"):
            read(square, format="contingency", attributes=["genre"])
        trees = [write(tmp_path / name, TREE) for name in ("c.mrg", "d.mrg")]
        with pytest.raises(InputError, match="trees in brackets have no rows to choose from"):
            read(*trees, where={"genre": ["p"]})


def test_a_name_that_is_nearly_right(tmp_path: Path) -> None:
    write(tmp_path / "ratings.csv", JUDGED)
    with pytest.raises(InputError, match=r"no such file or folder; did you mean 'ratings.csv'"):
        read(tmp_path / "ratinsg.csv")


def test_every_format_says_what_it_is() -> None:
    for name, known in formats().items():
        assert known.name == name
        assert known.help.endswith(".")
        assert all(one.help for one in known.options.described()), name


def test_measuring_a_small_table_loads_no_heavy_library(tmp_path: Path) -> None:
    path = write(tmp_path / "a.csv", JUDGED)
    heavy = "polars,cassis,delphin,fastexcel,openpyxl,pandas,sqlalchemy,xml.etree.ElementTree,narwhals"
    script = (
        "import sys; from concordant.cli import main; sys.argv = ['x', 'measure', sys.argv[1], '--measure', 'alpha']\n"
        f"try: main()\nfinally: print([name for name in '{heavy}'.split(',') if name in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", script, str(path)], capture_output=True, text=True, check=False)
    assert "alpha" in done.stdout
    assert done.stderr.strip().splitlines()[-1] == "[]"


def test_a_module_of_several_formats_is_seen_by_the_endings_of_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = (
        "from concordant.readers.format import Format\n"
        'FORMAT = (Format("one", "spans", "One.", print, endings=(".one",)),\n'
        '          Format("two", "spans", "Two.", print, endings=(".two", ".one")))\n'
    )
    write(tmp_path / "pair_of_formats.py", text)
    monkeypatch.setattr(readers, "__path__", [*readers.__path__, str(tmp_path)])
    parts.cache_clear()
    assert {"one", "two"} <= set(formats())
    assert {"one", "two"} <= set(formats(Path("a.two")))
    assert not {"one", "two"} & set(formats(Path("a.csv")))
    parts.cache_clear()
