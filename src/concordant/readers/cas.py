"""Documents of UIMA, which INCEpTION, WebAnno and Athen write: a text and annotations of many types upon it.

Positions are those of Java, in UTF-16; here they are counted in characters. Types that divide a text (tokens,
sentences) or describe it are no layers, and types that join two annotations are relations.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

import numpy as np

from concordant.errors import InputError
from concordant.readers.layers import Annotation, Document, short

DIVISIONS = ("Token", "Sentence", "Paragraph", "Div", "Heading", "Document", "TeiType", "Text")
"""How the names of types end that divide a text."""
DESCRIPTIONS = frozenset({
    "DocumentAnnotation", "DocumentMetaData", "TagDescription", "TagsetDescription", "Metadata", "Sofa", "View",
    "CASMetadata", "XmiElement", "XmlElement", "Trim",
})  # fmt: skip
DIVIDES, DESCRIBES = "a division of the text, not a mark", "a description of the text, not a mark"
RELATES = "relations are not compared"
MAIN = {"NamedEntity": "value", "POS": "PosValue", "Lemma": "value", "Chunk": "chunkValue", "Stem": "value"}
"""The feature that is the label in layers of DKPro."""
ENDS = frozenset({"Governor", "Dependent", "source", "target", "first", "next"})


class Structure(NamedTuple):
    """One annotation of a type: plain features are values, those that point to others are links."""

    type: str
    begin: int
    end: int
    values: Mapping[str, str]
    links: frozenset[str] = frozenset()

    @property
    def is_relation(self) -> bool:
        """Whether it joins two annotations."""
        return bool(self.links & ENDS) or {"Governor", "Dependent"} <= self.values.keys()


def document_of(text: str, structures: Iterable[Structure], file: Path | str) -> Document:
    """The layers of a document."""
    spans, unused = [], dict[str, str]()
    to_characters = characters(text)
    length = int(to_characters[-1])
    for one in structures:
        name = short(one.type)
        reason = DIVIDES if name.endswith(DIVISIONS) else DESCRIBES if name in DESCRIPTIONS else None
        reason = RELATES if one.is_relation else reason
        if reason is not None:
            unused[f"type {name}"] = reason
            continue
        unused |= {f"feature {link} of {name}": RELATES for link in one.links}
        if not 0 <= one.begin <= one.end < len(to_characters):
            what = f"the {name} {one.begin}-{one.end} is not in the text of {length} characters"
            raise InputError(what, file=file, hint="export it again")
        values = {key: value for key, value in one.values.items() if value.strip()}
        spans.append(Annotation(one.type, to_characters[one.begin], to_characters[one.end], values))
    spans.sort(key=lambda span: (span.layer, span.begin, span.end))
    main = {layer: MAIN[short(layer)] for layer in {span.layer for span in spans} if short(layer) in MAIN}
    return Document(spans, float(length), unused, main=main)


def characters(text: str) -> list[float]:
    """For every position in UTF-16, up to the end, the position in characters.

    >>> characters("a😀b")
    [0.0, 1.0, 1.0, 2.0, 3.0]
    """
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    places: list[float] = np.repeat(np.arange(len(codes)), 1 + (codes > 0xFFFF)).astype(float).tolist()
    return [*places, float(len(codes))]
