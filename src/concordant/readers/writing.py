"""How a text that holds a table is written: its encoding, what separates columns, what stands above the table."""

import codecs
import csv
import re
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import takewhile
from typing import BinaryIO

from concordant.errors import InputError

PAGE = re.compile(rb"(?:\xef\xbb\xbf)?\s*(?:(%PDF-)|<!doctype html|<html)", re.IGNORECASE)
SENTENCE = re.compile(r"\w{2,}[).]*[.!?][\"')\]]*\s*$")
SEPARATORS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "vertical bar"}
BOMS = (
    *((codecs.BOM_UTF32_LE, "utf-32"), (codecs.BOM_UTF32_BE, "utf-32"), (codecs.BOM_UTF8, "utf-8-sig")),
    *((codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16")),
)


def find_encoding(file: str, head: bytes, declared: str | None, stream: BinaryIO) -> tuple[str, list[str]]:
    """The encoding of a file and a note if it is not UTF-8. Binary files are refused."""
    if not head.strip():
        raise InputError("the file is empty", file=file, hint="it needs a header line and at least one row")
    if page := PAGE.match(head):
        what = "a PDF" if page.group(1) else "a web page, perhaps one that asks to sign in"
        raise InputError(f"this is {what}, not a table", file=file, hint="download or export the table itself")
    if declared is not None:
        try:
            codecs.getincrementaldecoder(declared)().decode(head)
        except LookupError:
            raise InputError(f"unknown encoding {declared!r}", hint="utf-8, cp1252, latin-1, utf-16 …") from None
        except UnicodeDecodeError as error:
            what = f"the file is not in {declared} (byte {error.start})"
            raise InputError(what, file=file, hint="leave out --encoding") from None
        return declared, []
    for bom, name in BOMS:
        if head.startswith(bom):
            return name, [] if name == "utf-8-sig" else [f"the file is in {name.upper()}"]
    for name, ends in (("utf-16-le", head[1:400:2]), ("utf-16-be", head[0:400:2])):
        if len(ends) > 4 and ends.count(0) > 0.7 * len(ends):
            return name, ["the file is in UTF-16"]
    if b"\0" in head:
        raise InputError("this is not a text file", file=file, hint="give CSV, TSV, XLSX, Parquet or JSONL")
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        for chunk in chunks_of(stream):
            decoder.decode(chunk)
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return "cp1252", ["the file is not UTF-8 and was read as Windows-1252 (say --encoding to change that)"]
    return "utf-8", []


def chunks_of(stream: BinaryIO) -> Iterator[bytes]:
    """The file piece by piece."""
    stream.seek(0)
    return iter(partial(stream.read, 1 << 24), b"")


def find_separator(text: str, file: str) -> str:
    """The separator that splits the first lines into the same number of columns, the most if several do.

    Where none does, it is the one that splits the header: the row that differs is refused when it is read.
    """
    lines, found = text.splitlines()[:20], {}
    for separator in SEPARATORS:
        widths = [len(row) for row in csv.reader(lines[: len(lines) - (len(lines) > 2)], delimiter=separator) if row]
        width = widths[0] if widths else 1
        found[separator] = (width > 1 and widths.count(width) >= 0.8 * len(widths), width)
    best = max(found, key=lambda separator: found[separator])
    if found[best][1] == 1:
        words = [len(line.split()) for line in lines[: len(lines) - (len(lines) > 2)] if line.strip()]
        if are_rows_of_r(lines) and len({words[0] + 1, *words[1:]}) == 1:
            return " "
        if len(set(words)) == 1 and words[0] > 1 and len(lines) > 1:
            return " "
        for separator in SEPARATORS:
            widths = [line.count(separator) for line in lines]
            first = next((place for place, width in enumerate(widths) if width), len(lines))
            if len(lines) - first > 2 and len({*widths[first:]}) == 1:
                what = f"row 1 has one cell, and those from row {first + 1} on have {widths[first] + 1}"
                raise InputError(what, file=file, row=1, hint="delete the lines above the names of the columns")
        hint = "separate columns by comma, semicolon, tab or |, or say --separator"
        raise InputError("only one column was found", file=file, row=1, hint=hint)
    if not found[best][0] and SENTENCE.search(lines[0]):
        what = "this looks like running text, not a table: its lines are split into different numbers of cells"
        raise InputError(what, file=file, hint="name the file with the judgements")
    return best


def are_rows_of_r(lines: Sequence[str]) -> bool:
    """Whether every line begins with a quotation mark, as R's write.table writes names of rows and columns."""
    return len(lines) > 1 and all(line.startswith('"') for line in lines if line.strip())


def preamble(text: str) -> tuple[int, str | None]:
    """How many lines stand above the table: `sep=;` of Excel, which tells the separator, or comments (#)."""
    lines = text.splitlines()
    told = re.fullmatch(r'"?sep=(.)"?', lines[0].strip("\ufeff")) if lines else None
    if told:
        return 1, told.group(1)
    of_comments = takewhile(lambda line: line.startswith("#") and not re.search(r"[,;\t|]", line), lines[:100])
    return len(list(of_comments)), None


def has_names_of_rows(text: str, separator: str) -> bool:
    """Whether each row has one cell more than the header, as R writes rows with names."""
    lines = text.splitlines()[:20]
    rows = [len(row) for row in csv.reader(lines[: len(lines) - (len(lines) > 2)], delimiter=separator) if row]
    return are_rows_of_r(lines) and len({rows[0] + 1, *rows[1:]}) == 1
