"""Files of SAS, written by the library that pyreadstat brings; its Python part reads them only."""

import ctypes
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pyreadstat._readstat_writer

TEXT, NUMBER = 0, 5  # types of ReadStat
WIDTH = 64  # bytes of a text


def write_sas7bdat(columns: Mapping[str, Sequence[Any]], file: Path) -> None:
    """A file with these columns: texts, numbers, None, and letters in bytes, which are missing for a reason (.A)."""
    library = ctypes.CDLL(pyreadstat._readstat_writer.__file__)
    for name in ("readstat_writer_init", "readstat_add_variable"):
        getattr(library, name).restype = ctypes.c_void_p
    written = bytearray()

    def keep(data: int, n: int, _: Any) -> int:
        written.extend(ctypes.string_at(data, n))
        return n

    kept = ctypes.CFUNCTYPE(ctypes.c_ssize_t, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p)(keep)
    writer = ctypes.c_void_p(library.readstat_writer_init())
    library.readstat_set_data_writer(writer, kept)
    variables = []
    for name, cells in columns.items():
        is_text = any(isinstance(cell, str) for cell in cells)
        kind, width = (TEXT, WIDTH) if is_text else (NUMBER, 8)
        added = library.readstat_add_variable(writer, name.encode(), kind, ctypes.c_size_t(width))
        variables.append(ctypes.c_void_p(added))
    rows = list(zip(*columns.values(), strict=True))
    done = [library.readstat_begin_writing_sas7bdat(writer, None, ctypes.c_long(len(rows)))]
    for row in rows:
        library.readstat_begin_row(writer)
        done += [_insert(library, writer, variable, cell) for variable, cell in zip(variables, row, strict=True)]
        done.append(library.readstat_end_row(writer))
    done.append(library.readstat_end_writing(writer))
    library.readstat_writer_free(writer)
    assert not any(done), done
    file.write_bytes(bytes(written))


def _insert(library: Any, writer: ctypes.c_void_p, variable: ctypes.c_void_p, cell: Any) -> int:
    """Write a cell, and give the number of what went wrong, 0 if nothing."""
    if cell is None or cell != cell:
        return int(library.readstat_insert_missing_value(writer, variable))
    if isinstance(cell, str):
        return int(library.readstat_insert_string_value(writer, variable, cell.encode()))
    if isinstance(cell, bytes):
        return int(library.readstat_insert_tagged_missing_value(writer, variable, ctypes.c_char(cell)))
    return int(library.readstat_insert_double_value(writer, variable, ctypes.c_double(cell)))
