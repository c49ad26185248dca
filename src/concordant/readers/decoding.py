"""Text that was read in the wrong encoding before it came here: `JÃ¶rg` is probably Jörg, and that is said."""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from concordant.digits import counted
from concordant.model.many_labels import MANY
from concordant.model.spans import SpanTable
from concordant.model.study import Study

WRONG = re.compile("[ÂÃÄÅÐÑÎÏâ][\x80-\xbf\u0152-\u2122\u02c6\u02dc]")
"""The first two bytes of a letter beyond ASCII in UTF-8, as Windows-1252 shows them."""
SINGLE = {byte: bytes([byte]).decode("latin-1") for byte in (0x81, 0x8D, 0x8F, 0x90, 0x9D)}  # not in Windows-1252
LONGEST = 40  # characters of a name in a note


def rightly(text: str) -> str | None:
    """What a text says whose UTF-8 was read as Windows-1252; None if it was not, as far as one can tell.

    >>> rightly("J\\u00c3\\u00b6rg"), rightly("Jörg"), rightly("donâ€™t")
    ('Jörg', None, 'don’t')
    """
    if not WRONG.search(text):
        return None
    single = {char: byte for byte, char in SINGLE.items()}
    try:
        raw = b"".join(bytes([single[c]]) if c in single else c.encode("cp1252") for c in text)
        return raw.decode("utf-8")
    except UnicodeError:
        return None


def with_decoding_told(data: Any) -> Any:
    """Judgements or spans with a note about names and values that were decoded wrongly; nothing is changed."""
    found = {text: right for text in dict.fromkeys(_names(data)) if (right := rightly(text)) is not None}
    if not found:
        return data
    text, right = next(iter(found.items()))
    more = f", and {counted(len(found) - 1, 'name')} more alike" if len(found) > 1 else ""
    note = f"{text[:LONGEST]!r} was decoded wrongly before it came here: probably {right[:LONGEST]!r}{more}"
    return replace(data, notes=(*data.notes, f"{note} (export it again as UTF-8)"))


def _names(data: Any) -> Iterator[str]:
    """Who judged, what was said, what was judged; thousands of units are not looked at."""
    if isinstance(data, SpanTable):
        for texts in (data.rater, data.category, data.text):
            yield from dict.fromkeys(texts.tolist())
    if isinstance(data, Study):
        for column in (data.rater, data.value, data.question, data.unit):
            if column is not None and column.numbers is None and len(column.labels) <= MANY:
                yield from column.labels
