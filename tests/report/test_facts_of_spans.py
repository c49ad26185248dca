"""Reports of spans: what they hold, in every format, and what they say where something cannot be had."""

import re
from pathlib import Path

import pytest

import concordant
from concordant.errors import InputError
from concordant.measures.gamma import GammaOptions
from concordant.model.continuum import Continuum, continua
from concordant.model.spans import Mark, SpanTable
from concordant.report.document import Document, Drawing, Notice, Paragraph, Points, Section
from concordant.report.facts import SpanFacts, SpanReport, report_spans
from concordant.report.grid import Grid
from concordant.report.sections.alignments import MOST_SPANS, blocks
from tests.cli.test_main import EXAMPLES, run

SPANS = EXAMPLES / "spans.csv"
QUICK = {"samples": 20, "precision": "none"}


def table() -> SpanTable:
    marks = [
        Mark(text, rater, begin + shift, begin + 9 + shift, category, {"guideline": guideline})
        for guideline in ("I", "II")
        for text in ("story", "talk")
        for shift, rater in enumerate(("A", "B"))
        for begin, category in ((0.0, "x"), (20.0, "y"), (50.0, "x"))
    ]
    lone = Mark("poem", "A", 1.0, 5.0, "x", {"guideline": "I"})
    return SpanTable.from_marks("invented.csv", [*marks, lone])


def grids(document: Document) -> dict[str, Grid]:
    return {block.title: block for section in document.sections for block in section.blocks if isinstance(block, Grid)}


def named(document: Document, key: str) -> Section:
    (section,) = [section for section in document.sections if section.key == key]
    return section


def words(document: Document, key: str) -> str:
    return "\n".join(block.text for block in named(document, key).blocks if isinstance(block, Paragraph | Notice))


def test_the_example_has_every_text_with_disorders_sampler_and_signature() -> None:
    document = report_spans(concordant.read(SPANS), SpanReport(gamma=QUICK, independent=True))
    gamma = grids(document)["Mathet's gamma"]
    assert [row[0] for row in gamma.rows] == ["ferry", "lighthouse", "orchard", "well"]
    for row in gamma.rows:
        cells = dict(zip(gamma.headers, row, strict=True))
        observed, expected = cells["Observed disorder"], cells["Expected disorder"]
        assert isinstance(observed, float)
        assert isinstance(expected, float)
        assert cells["Value"] == pytest.approx(1 - observed / expected)
        assert (cells["Sampler"], cells["Samples"]) == ("shuffle", 20)
    (signatures,) = [block for block in named(document, "agreement").blocks if isinstance(block, Points)]
    assert all("|seed:1|" in line for line in map(str, signatures.items) if line.startswith("gamma"))
    assert sum(isinstance(block, Drawing) for block in named(document, "alignments").blocks) == 4
    assert "The raters worked independently" in words(document, "methods")


def test_undefined_values_say_why() -> None:
    alpha = grids(report_spans(concordant.read(SPANS), SpanReport(gamma=QUICK)))["Krippendorff's alpha_U"]
    cells = dict(zip(alpha.headers, alpha.rows[0], strict=True))
    assert cells["Value"] == "undefined"
    assert "alpha_U needs a partition" in str(cells["Why undefined"])


def test_slices_make_a_matrix_with_its_summary() -> None:
    chosen = SpanReport(by=("guideline",), measure=("gamma",), gamma=QUICK, notes=("read in haste",), title="Ours")
    document = report_spans(table(), chosen)
    shown = grids(document)["Mathet's gamma: texts by slices"]
    assert shown.headers == ("Text", "I", "II")
    assert [row[0] for row in shown.rows] == ["poem", "story", "talk", "Min", "Mean", "Max", "Stddev"]
    assert shown.rows[0][1:] == (None, None)
    assert document.title == "Ours"
    assert "agreement needs two" in str(grids(document)["Mathet's gamma"].rows)
    notices = words(document, "alignments")
    assert "There is no picture of the kind alignment: I · poem: there is a single rater (A)" in notices
    assert "The pictures show the first 4 of 5 texts" in notices


@pytest.mark.parametrize(
    ("options", "selection", "command"),
    [
        (GammaOptions(), {}, "DATA --where text=story"),
        (
            GammaOptions(alpha=2, delta_empty=0.5, zero_length="drop"),
            {"column_begin": "from", "where": "a=1;b=2"},
            "DATA --begin from --where a=1 --where b=2 --where text=story --alpha 2 --delta-empty 0.5 "
            "--zero-length drop",
        ),
        (
            GammaOptions(matrix="ordinal", order=("x", "y")),
            {"groups": "g=A h=B"},
            "DATA --raters A,B --where text=story --categorical ordinal --categories x,y",
        ),
    ],
)
def test_every_picture_has_words_and_its_command(
    options: GammaOptions, selection: dict[str, str], command: str
) -> None:
    text = next(text for text in continua(table()) if text.name == "story")
    (_, block) = blocks(SpanFacts(texts=[text], options=SpanReport(selection=selection), gamma=options))
    assert isinstance(block, Drawing)
    assert block.command == f"concordant align {command} -o alignment.svg"
    assert block.picture.alternative.startswith("12 spans of 2 raters (A 6, B 6); the best alignment")


def test_too_many_spans_are_not_drawn() -> None:
    marks = [Mark("t", rater, 10.0 * i, 10.0 * i + 5, "x") for rater in "AB" for i in range(MOST_SPANS)]
    (_, block) = blocks(
        SpanFacts(texts=continua(SpanTable.from_marks("", marks)), options=SpanReport(), gamma=GammaOptions())
    )
    assert isinstance(block, Notice)
    assert "2,000 spans are too many to be seen" in block.text


def test_a_single_continuum_is_enough(tmp_path: Path) -> None:
    text: Continuum = continua(table())[1]
    concordant.report(text, tmp_path / "one.md", gamma=QUICK, independent=False)
    said = (tmp_path / "one.md").read_text("utf-8")
    assert said.startswith("# Reliability report: spans\n")
    assert "did not work independently" in said


def test_what_does_not_measure_spans_is_refused() -> None:
    with pytest.raises(InputError, match="kappa does not measure spans"):
        report_spans(table(), SpanReport(measure=("kappa",)))
    with pytest.raises(InputError, match="there are no spans to report"):
        report_spans([], SpanReport())


@pytest.mark.parametrize("variant", ["mathet", "pygamma"])
def test_methods_name_the_conventions(variant: str) -> None:
    said = words(report_spans(table(), SpanReport(gamma={"variant": variant, "samples": 10})), "methods")
    assert f"the variant {variant}: alpha = 1, beta = 1, delta_empty = 1" in said
    assert ("within 0.02 of its value" in said) == (variant == "mathet")
    assert ("Units left alone count" in said) == (variant == "pygamma")


@pytest.mark.parametrize("ending", ["html", "xlsx", "tex", "md"])
def test_the_command_writes_every_format(tmp_path: Path, ending: str) -> None:
    goal = tmp_path / f"report.{ending}"
    done = run("report", SPANS, "-o", goal, "--samples", "20", "--precision", "none", "--independent")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"{goal} written\n"
    if ending == "html":
        _check_page(goal.read_text("utf-8"))
    elif ending == "xlsx":
        _check_workbook(goal)


def _check_page(page: str) -> None:
    drawn = page.partition('<section id="alignments"')[2].partition("<section ")[0]
    assert drawn.count("<svg") == 4
    assert "24 spans of 3 raters (Ida 8, Jon 8, Kim 8); the best alignment" in page
    assert not re.search(r'(?:src|href)="(?!#|data:)', page.replace("xlink:href", "href"))


def _check_workbook(goal: Path) -> None:
    from openpyxl import load_workbook

    book = load_workbook(goal)
    assert {"Agreement on spans", "Best alignments", "Methods paragraph"} <= set(book.sheetnames)
    assert isinstance(book["Agreement on spans"]["B2"].value, float)
