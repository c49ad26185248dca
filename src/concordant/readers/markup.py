"""XML as other programs write it: parsed whole, without entities of its own and without looking anything up."""

import re
from pathlib import Path
from typing import TYPE_CHECKING

from concordant.errors import InputError

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

VERSION = re.compile(rb"""^(\s*<\?xml[^>]*version=)(["'])1\.1\2""")


def root_of(content: bytes, file: Path | str) -> "Element":
    """The root of an XML document. One that declares entities is refused: they can unpack to any size."""
    from xml.etree import ElementTree

    if any("<!ENTITY".encode(code) in content for code in ("utf-8", "utf-16-le", "utf-16-be")):
        raise InputError("this XML declares entities, which are not read", file=file, hint="export it without them")
    try:
        return ElementTree.fromstring(VERSION.sub(rb"\1\g<2>1.0\2", content.removeprefix(b"\xef\xbb\xbf"), count=1))
    except (ElementTree.ParseError, ValueError, LookupError) as error:
        raise InputError(f"not XML: {error}", file=file, hint="export it again") from error


def local(tag: object) -> str:
    """A tag without its namespace; comments and instructions have none.

    >>> local("{urn:x}Code")
    'Code'
    """
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def children(element: "Element", name: str) -> "list[Element]":
    """The children of an element that are called so, whatever their namespace."""
    return [child for child in element if local(child.tag) == name]
