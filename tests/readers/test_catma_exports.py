"""CATMA's downloads: collections as TEI XML, results of a query as CSV. The samples are invented."""

from pathlib import Path

import pytest

import concordant
from concordant.errors import InputError
from concordant.readers import find_format
from tests.readers.exported import write

TEI = """<?xml version="1.0" encoding="UTF-8"?>
<TEI xmlns="http://www.tei-c.org/ns/1.0" xml:lang="en"><teiHeader><fileDesc>
<titleStmt><title>{title}</title><author>{author}</author></titleStmt>
<sourceDesc><p/><ab><fs xml:id="CATMA_TECH_DESC"><f name="version"><string>5</string></f></fs></ab></sourceDesc>
</fileDesc><encodingDesc><fsdDecl xml:id="CATMA_S" n="Speech 2024-06-09T10:54:11.000+0200">
<fsDecl xml:id="CATMA_T1" n="2024" type="CATMA_T1"><fsDescr>said</fsDescr></fsDecl>
<fsDecl xml:id="CATMA_T2" n="2024" type="CATMA_T2" baseTypes="CATMA_T1"><fsDescr>direct</fsDescr></fsDecl>
</fsdDecl></encodingDesc></teiHeader><text><body><ab type="catma">
<ptr target="catma://CATMA_D#char=0,3" type="inclusion"/>
<seg ana="#CATMA_A"><ptr target="catma://CATMA_D#char=3,6" type="inclusion"/></seg>
<seg ana="#CATMA_A #CATMA_B"><ptr target="catma://CATMA_D#char=6,9" type="inclusion"/></seg>
<ptr target="catma://CATMA_D#char=9,12" type="inclusion"/>
<seg ana="#CATMA_B"><ptr target="catma://CATMA_D#char=12,14" type="inclusion"/></seg>
<ptr target="catma://CATMA_D#char=14,20" type="inclusion"/></ab></body>
<fs xml:id="CATMA_A" type="CATMA_T1"><f name="catma_displaycolor"><string>-1</string></f>{who}</fs>
<fs xml:id="CATMA_B" type="CATMA_T2"><f name="mood"><vRange><vColl><string>sad</string><string>glad</string>
</vColl></vRange></f>{who}</fs></text></TEI>
"""
NAMES = (
    "Query ID;Document ID;Document Name;Document length;Keyword;Keyword in context;Start offset;End offset;"
    "Collection ID;Collection Name;Tag;Tag Version;Tag Color;Annotation ID"
)
COMMENTS = "Comment ID;Comment/Reply;Comment Author;Reply count;Reply ID"


def tei(title: str, author: str = "", who: str = "") -> str:
    """A collection."""
    name = f'<f name="catma_markupauthor"><string>{who}</string></f>' if who else ""
    return TEI.format(title=title, author=author, who=name)


def row(begin: int, end: int, collection: str, tag: str, key: str, *more: str) -> str:
    """A row of a result, which ends where it has nothing more to say."""
    cells = ["q", "D1", "Tale", "40", "word", "a word here", begin, end, "C", collection, tag, "2024", "#f00", key]
    return ";".join(map(str, [*cells, *more]))


def rows(table: concordant.SpanTable) -> list[tuple[str, str, float, float, str]]:
    """Text, rater, begin, end and category of each span."""
    columns = (table.text, table.rater, table.begin, table.end, table.category)
    return list(zip(*(column.tolist() for column in columns), strict=True))


def test_collections_in_tei(tmp_path: Path) -> None:
    for name in ("ann", "ben"):
        write(tmp_path / f"{name}.xml", tei(name.title(), "", name))
    table = concordant.read(tmp_path)
    assert rows(table)[:2] == [("CATMA_D", "ann", 3, 9, "said"), ("CATMA_D", "ann", 6, 14, "said/direct")]
    assert (table.raters, table.lengths) == (("ann", "ben"), {"CATMA_D": 20})
    assert table.features["mood"].tolist()[1] == "glad+sad"
    assert table.notes[:2] == ("raters are the authors of the collections", "2 discontinuous annotations taken whole")
    assert find_format(tmp_path / "ann.xml").format.name == "catma_exports"


def test_two_collections_of_one_author_and_a_gold_one(tmp_path: Path) -> None:
    for name in ("first", "second", "gold"):
        write(tmp_path / f"{name}.xml", tei(name, "Ann"))
    table = concordant.read(tmp_path)
    assert table.raters == ("first", "second")
    assert table.unused == {"collection gold": "a curated or gold version is not a rater"}


def test_a_text_within_the_tei(tmp_path: Path) -> None:
    block = '<ab type="catma">One <seg ana="#CATMA_A">two</seg> and <seg ana="#CATMA_A #CATMA_B">x</seg>.</ab>'
    begin, end = TEI.index("<ab type"), TEI.index("</body>")
    text = (TEI[:begin] + block + TEI[end:]).format(title="t", author="Ann", who="")
    assert rows(concordant.read(write(tmp_path / "t.xml", text))) == [
        ("t", "Ann", 4, 13, "said"),
        ("t", "Ann", 12, 13, "said/direct"),
    ]


@pytest.mark.parametrize("layout", ["rows", "columns"])
def test_results_as_csv(tmp_path: Path, layout: str) -> None:
    if layout == "rows":  # one row for each property, and for each segment
        names = f"{NAMES};Property ID;Property Name;Property Value;{COMMENTS}"
        lines = [row(1, 5, "ann", "/said", "A", "P", "mood", "sad"), row(1, 5, "ann", "/said", "A", "P", "tone", "low")]
        lines += [
            row(1, 5, "ben", "/said", "B", "P", "mood", "glad"),
            row(7, 9, "ben", "/said", "B", "P", "mood", "glad"),
        ]
        lines += [row(20, 24, "ben", "/said/direct", "C", "", "", ""), "q;D1;Tale;40;word;a word;30;34"]
    else:
        names = f"{NAMES};mood;tone;{COMMENTS}"
        lines = [row(1, 5, "ann", "/said", "A", "sad", "low"), row(1, 5, "ben", "/said", "B", "glad", "")]
        lines += [row(7, 9, "ben", "/said", "B", "glad", ""), row(20, 24, "ben", "/said/direct", "C", "", "")]
        lines += ["q;D1;Tale;40;word;a word;30;34"]
    table = concordant.read(write(tmp_path / "t.csv", "\n".join((names, *lines)) + "\n"))
    assert rows(table) == [
        ("Tale", "ann", 1, 5, "said"),
        ("Tale", "ben", 1, 9, "said"),
        ("Tale", "ben", 20, 24, "said/direct"),
    ]
    assert table.features["mood"].tolist() == ["sad", "glad", ""]
    assert table.lengths == {"Tale": 40}
    assert table.left_out == ((1, "rows without an annotation (comments, words)"),)


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ('type="CATMA_T2"><f', 'type="CATMA_T9"><f', "unknown tag 'CATMA_T9'"),
        ("#char=3,6", "#line=3", "names no characters"),
        ("</TEI>", "", "not XML"),
        ('<seg ana="#CATMA_A"', "<seg", None),
        ("</titleStmt>", "</titleStmt><!-- x -->", None),
    ],
)
def test_a_damaged_one(tmp_path: Path, old: str, new: str, what: str | None) -> None:
    file = write(tmp_path / "t.xml", tei("t", "Ann").replace(old, new))
    if what is None:
        assert len(concordant.read(file)) == 2
        return
    with pytest.raises(InputError, match=what):
        concordant.read(file)


def test_damaged_tables_and_decoys(tmp_path: Path) -> None:
    names = f"{NAMES};{COMMENTS}"
    with pytest.raises(InputError, match=r"row 2: an offset is no number"):
        concordant.read(
            write(tmp_path / "t.csv", f"{names}\n{row(1, 5, 'ann', '/said', 'A').replace(';1;5;', ';x;5;')}\n")
        )
    with pytest.raises(InputError, match="no annotations in it"):
        concordant.read(write(tmp_path / "w.csv", f"{names}\nq;D1;Tale;40;word;a word;30;34\n"))
    decoy = write(tmp_path / "d.csv", "unit;rater;value;Tag;Start offset\na;x;1;b;2\na;y;2;b;2\n")
    assert find_format(decoy).format.name == "table"
    with pytest.raises(InputError, match="no format of data"):
        concordant.read(
            write(tmp_path / "other.xml", "<TEI><teiHeader/><text><body><p>A poem.</p></body></text></TEI>")
        )
    with pytest.raises(InputError, match="no annotation collection"):
        concordant.read(tmp_path / "other.xml", format="catma_exports")
    with pytest.raises(InputError, match="there is no column 'annotation id'"):
        concordant.read(decoy, format="catma_exports")
