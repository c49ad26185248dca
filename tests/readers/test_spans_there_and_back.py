"""Spans written in any format that a program here can write, and read back, are the same spans."""

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import concordant
from concordant.model.continuum import continua
from concordant.model.spans import Mark, SpanTable
from concordant.readers import find_format, formats
from tests.readers.span_tools import APART, WRITERS

CATEGORIES = st.lists(
    st.text(st.characters(codec="utf-8", categories=("Lu", "Ll")), min_size=1, max_size=6), min_size=1, max_size=4
)
SIGNS = "ab é ß😀ñ 漢, .”"

Marked = tuple[list[Mark], dict[str, str]]


@st.composite
def marked(draw: st.DrawFn, *, are_apart: bool) -> Marked:
    """Up to three texts that two or three raters marked; spans of one rater may overlap where the format has that."""
    n = draw(st.integers(1, 3))
    texts = {str(1001 + i): f"{i} {draw(st.text(SIGNS, min_size=12, max_size=30))}" for i in range(n)}  # no two alike
    categories, marks = draw(CATEGORIES), list[Mark]()
    for name, text in texts.items():
        for rater in ("Ann", "Ben", "Cem")[: draw(st.integers(2, 3))]:
            ends = st.lists(st.integers(0, len(text)), min_size=2, max_size=6, unique=True).map(sorted)
            places = draw(ends)
            pairs = list(zip(places[::2], places[1::2], strict=False))
            if not are_apart:
                pairs += [(places[0], places[-1])] * (len(places) > 2)
            marks += [Mark(name, rater, float(a), float(b), draw(st.sampled_from(categories))) for a, b in pairs]
    return marks, texts


def digests(table: SpanTable) -> list[tuple[tuple[str, ...], str]]:
    """The raters and the fingerprint of each text, in the order of their names."""
    return [(one.raters, one.fingerprint) for one in continua(table)]


@pytest.mark.parametrize("name", WRITERS)
@given(data=st.data())
@settings(max_examples=15, deadline=None)
def test_the_same_spans_come_back(name: str, data: st.DataObject) -> None:
    ending, write = WRITERS[name]
    format = name.partition(",")[0]
    marks, texts = data.draw(marked(are_apart=format in APART))
    with TemporaryDirectory() as folder:
        place = Path(folder) / f"t{ending}"
        write(marks, texts, place)
        assert find_format(place).format.name == format
        read = concordant.read(place)
        assert isinstance(read, SpanTable)
        assert digests(read) == digests(SpanTable.from_marks("t", marks, lengths={}))


DOCUMENTS = {
    *(
        "cas_json",
        "catma",
        "catma_exports",
        "elan",
        "exmaralda",
        "folia",
        "gate",
        "mmax2",
        "qdpx",
        "tagtog",
        "textgrid",
    ),
    *("webanno", "webanno_project", "xmi"),
}
"""Formats of whole documents with layers, tiers and types, of which their own tests hold some as the tools write them."""


def test_every_other_format_of_spans_is_one_of_documents() -> None:
    written = {name.partition(",")[0] for name in WRITERS}
    assert written | DOCUMENTS == {name for name, one in formats().items() if one.holds == "spans"}
    assert not written & DOCUMENTS
