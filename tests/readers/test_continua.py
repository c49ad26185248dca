"""Positions in tokens, lengths of texts."""

from pathlib import Path

import pytest

from concordant.errors import InputError
from concordant.model.spans import Mark, SpanTable
from concordant.readers.continua import in_characters, in_tokens

TEXT = "It's late, Anna said."  # It's | late | , | Anna | said | .


def table(*spans: tuple[float, float], text: str = "t") -> SpanTable:
    return SpanTable.from_marks("spans.csv", [Mark(text, "r", begin, end, "x") for begin, end in spans])


def test_a_span_covers_every_token_it_touches(tmp_path: Path) -> None:
    (tmp_path / "t.txt").write_text(TEXT)
    found = in_tokens(table((0, 9), (2, 6), (11, 20), (4, 4), (0, 21)), tmp_path)
    assert list(zip(found.begin.tolist(), found.end.tolist(), strict=True)) == [(0, 2), (0, 2), (3, 5), (1, 1), (0, 6)]
    assert found.lengths == {"t": 6.0}
    assert "positions are tokens" in found.notes


def test_a_single_text_may_be_a_file(tmp_path: Path) -> None:
    (tmp_path / "any.txt").write_text(TEXT)
    assert in_tokens(table((0, 9)), tmp_path / "any.txt").end.tolist() == [2]
    two = SpanTable.from_marks("spans.csv", [Mark(name, "r", 0, 1, "x") for name in "ab"])
    with pytest.raises(InputError, match="one file cannot be several texts"):
        in_tokens(two, tmp_path / "any.txt")


def test_what_does_not_fit_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no text 't'"):
        in_tokens(table((0, 9)), tmp_path)
    (tmp_path / "t.txt").write_text("short")
    with pytest.raises(InputError, match="the span 0-9 ends past the end of 't' \\(5 characters\\)"):
        in_tokens(table((0, 9)), tmp_path)


def test_texts_say_how_long_they_are(tmp_path: Path) -> None:
    (tmp_path / "t.txt").write_text(TEXT)
    found = in_characters(table((0, 9)), tmp_path)
    assert (found.lengths, found.end.tolist()) == ({"t": 21.0}, [9])
    with pytest.raises(InputError, match="the span 0-22 ends past the end"):
        in_characters(table((0, 22)), tmp_path)
    with pytest.raises(InputError, match="times, not characters; leave out --texts"):
        in_characters(table((0.5, 2)), tmp_path)
