"""Data of R (.rds, .RData), read by the package rdata: data frames and matrices; ordered factors keep their order."""

import bz2
import gzip
import lzma
import warnings
import zlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from concordant.choices import choice
from concordant.errors import InputError, MissingExtra, nearest
from concordant.model.columns import encode
from concordant.model.study import Study
from concordant.readers.format import SURE, Format
from concordant.readers.judgement_table import judgements_of
from concordant.readers.layout import TableOptions
from concordant.readers.table import Table

MOST_UNPACKED = 1 << 30  # bytes
BROKEN = (EOFError, OSError, lzma.LZMAError, zlib.error)
PACKED: Mapping[bytes, Callable[..., Any]] = {b"\x1f\x8b": gzip.open, b"BZ": bz2.open, b"\xfd7": lzma.open}
ONE, SEVERAL = (b"X\n\x00\x00", b"A\n2\n", b"A\n3\n"), (b"RDX2\n", b"RDX3\n", b"RDA2\n", b"RDA3\n")


class ROptions(TableOptions):
    """Which columns are what, and which object of the file is read."""

    object: str | None = choice(None, "Which object of the file is read, if several hold a table.")


def read(path: str | Path, options: ROptions) -> Study:
    """The judgements of a data frame or a matrix."""
    file = Path(path)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        found = objects_of(file)
    tables = {name: one for name, one in found.items() if hasattr(one, "columns") or getattr(one, "ndim", 0) == 2}
    if not tables:
        kinds = ", ".join(f"{name} ({type(one).__name__})" for name, one in list(found.items())[:4])
        raise InputError(f"there is no data frame and no matrix in it, but {kinds}", file=file, hint="save one of them")
    chosen = options.object or (next(iter(tables)) if len(tables) == 1 else None)
    if chosen is None:
        hint = " or ".join(f"--read object={name}" for name in list(tables)[:2])
        raise InputError(f"{len(tables)} objects hold a table: {', '.join(tables)}", file=file, hint=f"say {hint}")
    if chosen not in tables:
        raise InputError(f"there is no table {chosen!r}", file=file, hint=nearest(chosen, list(tables)))
    left = [name for name in found if name != chosen]
    notes = [f"object {chosen!r} was read; not read: {', '.join(left[:6])}"] if left else []
    notes += [f"R's data: {message}" for message in dict.fromkeys(str(one.message) for one in told)]
    table = table_of(tables[chosen], file)
    own = {one.name: getattr(options, one.name) for one in TableOptions.described()}
    return judgements_of(table._replace(notes=(*notes, *table.notes)), TableOptions.of("a table", own))


def table_of(thing: Any, file: Path) -> Table:
    """A data frame or a matrix as a table; columns of a matrix without names are raters by their number."""
    from concordant.readers.frames import as_table

    if hasattr(thing, "columns"):
        return as_table(thing)._replace(file=str(file))
    cells = np.asarray(thing)
    known = [str(name) for name in thing.coords[thing.dims[1]].values] if getattr(thing, "coords", None) else []
    names = known or [f"rater {place}" for place in range(1, cells.shape[1] + 1)]
    columns = {name: encode(cells[:, place]) for place, name in enumerate(names)}
    note = () if known else ("the columns have no names: raters are numbered",)
    return Table(str(file), columns, tuple(names), np.arange(1, len(cells) + 1), note)


def objects_of(file: Path) -> Mapping[str, Any]:
    """The objects in a file by their names; the only one of an .rds file is called like the file."""
    try:
        import rdata
    except ModuleNotFoundError:
        raise MissingExtra("reading data of R", "statistics") from None
    refuse_large(file)
    try:
        if start_of(file).startswith(SEVERAL):
            return dict(rdata.read_rda(file))
        return {file.stem: rdata.read_rds(file)}
    except (
        ValueError,
        TypeError,
        KeyError,
        IndexError,
        EOFError,
        OSError,
        RuntimeError,
        lzma.LZMAError,
        zlib.error,
    ) as error:
        what = f"the file cannot be read: {error or type(error).__name__}"
        raise InputError(what, file=file, hint="save it from R again, or as CSV") from None


def refuse_large(file: Path) -> None:
    """Refuse a file that unpacks to more than MOST_UNPACKED bytes; it is unpacked piece by piece."""
    size = 0
    try:
        with opened(file) as stream:
            while piece := stream.read(1 << 24):
                size += len(piece)
                if size > MOST_UNPACKED:
                    what = f"the file unpacks to more than {MOST_UNPACKED >> 30} GB"
                    raise InputError(what, file=file, hint="save the table as CSV or Parquet")
    except BROKEN as error:
        raise InputError(f"the file breaks off: {error}", file=file, hint="save it from R again") from None


def opened(file: Path) -> Any:
    """The file unpacked, as its first bytes say."""
    with file.open("rb") as stream:
        begin = stream.read(2)
    return PACKED.get(begin, open)(file, "rb")


def start_of(file: Path) -> bytes:
    """The first bytes of the unpacked file; none if it cannot be unpacked."""
    try:
        with opened(file) as stream:
            return bytes(stream.read(8))
    except BROKEN:
        return b""


FORMAT = Format(
    name="r_data",
    holds="judgements",
    help="Data of R: a data frame or a matrix in .rds or .RData.",
    read=read,
    options=ROptions,
    sniff=lambda path, head: SURE * (path.is_file() and start_of(path).startswith((*ONE, *SEVERAL))),
)
