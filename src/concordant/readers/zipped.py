"""Zip archives as other programs export them, and files packed by gzip, unpacked in memory up to a limit."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from concordant.errors import InputError

if TYPE_CHECKING:
    from zipfile import ZipFile

GZIP = ".gz"
LIMIT = 1 << 30
"""Bytes that the files of an archive may unpack to."""
MOST_FILES = 10_000
"""Files that an archive may unpack to."""


def damages() -> tuple[type[Exception], ...]:
    """What unpacking a damaged archive may end in."""
    import zlib
    from zipfile import BadZipFile

    return (BadZipFile, zlib.error, EOFError, NotImplementedError, OSError, UnicodeDecodeError)


def names_in(file: Path) -> list[str]:
    """The names in an archive; none if it is no whole one."""
    from zipfile import ZipFile, is_zipfile

    try:
        if not is_zipfile(file):
            return []
        with ZipFile(file) as archive:
            return archive.namelist()
    except damages():
        return []


@contextmanager
def opened(file: Path) -> "Iterator[ZipFile]":
    """An archive whose files say that they stay below the limit together; `unpacked` holds them to it."""
    from zipfile import ZipFile

    try:
        with ZipFile(file) as archive:
            if sum(entry.file_size for entry in archive.infolist()) > LIMIT:
                raise too_large(file)
            yield archive
    except damages() as error:
        raise InputError(f"this is not a whole zip archive: {error}", file=file, hint="export it again") from error
    except RuntimeError as error:  # what zipfile says of passwords
        raise InputError(f"the archive cannot be opened: {error}", file=file, hint="export it without one") from error


def unpacked(archive: "ZipFile", name: str, file: Path) -> bytes:
    """One file of an archive, whatever size it claims to have."""
    with archive.open(name) as stream:
        content = stream.read(LIMIT + 1)
    if len(content) > LIMIT:
        raise too_large(file)
    return content


def unpack_into(folder: Path, file: Path) -> None:
    """The files of an archive below a folder, but for those that a system hides."""
    with opened(file) as archive:
        if (n := len(archive.infolist())) > MOST_FILES:
            what = f"this archive holds {n:,} files, and at most {MOST_FILES:,} are unpacked"
            raise InputError(what, file=file, hint="pack those that hold judgements")
        for entry in archive.infolist():
            parts = PurePosixPath(entry.filename).parts
            if entry.is_dir() or ".." in parts or any(part.startswith((".", "__MACOSX")) for part in parts):
                continue
            target = folder.joinpath(*(part for part in parts if part != "/"))
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(unpacked(archive, entry.filename, file))


def ungzipped(file: Path) -> bytes:
    """What a file packed by gzip holds."""
    import gzip

    try:
        with gzip.open(file) as stream:
            content = stream.read(LIMIT + 1)
    except damages() as error:
        raise InputError(f"this is not a whole gzip file: {error}", file=file, hint="pack it again") from error
    if len(content) > LIMIT:
        raise too_large(file)
    return content


@contextmanager
def as_folder(file: Path) -> "Iterator[Path]":
    """A packed folder as a folder that stays while it is read, or as the only file in it; mistakes name the archive."""
    from tempfile import TemporaryDirectory

    with TemporaryDirectory() as place:
        folder = Path(place) / file.stem
        folder.mkdir()
        if file.suffix.casefold() == GZIP:
            (folder / file.stem).write_bytes(ungzipped(file))
        else:
            unpack_into(folder, file)
        inside = [one for one in folder.rglob("*") if one.is_file()]
        if not inside:
            raise InputError("the archive holds no files", file=file, hint="export it again")
        try:
            yield inside[0] if len(inside) == 1 else folder
        except InputError as error:
            raise InputError(str(error).replace(str(folder), str(file))) from None


def too_large(file: Path) -> InputError:
    """The complaint about an archive that unpacks to more than is read."""
    hint = "unpack it and name the files"
    return InputError(f"this archive unpacks to more than {LIMIT >> 20:,} MB", file=file, hint=hint)
