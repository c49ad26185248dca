"""Files that become the items of a study that is built: tables, texts, pictures, sounds, and archives of them."""

import io
import re
import shutil
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path, PurePosixPath
from typing import IO

from concordant.design.unit_pool import IMAGES, SOUNDS
from concordant.errors import InputError
from concordant.readers.table import read_table
from concordant.readers.writing import find_encoding, find_separator
from concordant.readers.zipped import opened, unpacked
from concordant.studio.drafts import WorkingDraft
from concordant.studio.items import MEDIA, TABLES, TEXTS, laid_out, media_of, take_rows
from concordant.studio.projects import rows_of

PROFILE = frozenset({"item", "parse", "result", "relations"})


def bring(draft: WorkingDraft, files: Sequence[tuple[str, IO[bytes]]]) -> WorkingDraft:
    """Take files in: a table or texts become the items, pictures and sounds are kept beside them."""
    found: list[tuple[str, list[list[str]]]] = []
    for name, content in files:
        plain = PurePosixPath(name.replace("\\", "/")).name or "file"
        ending = Path(plain).suffix.lower()
        if ending == ".zip":
            found += unzipped(draft, plain, content)
        elif ending in IMAGES | SOUNDS:
            _keep_medium(draft, plain, content)
        else:
            found.append((plain, _rows_in(draft, plain, content)))
    if len(found) > 1:
        names = ", ".join(name for name, _ in found)
        raise InputError(f"these are several tables: {names}", hint="bring one of them; nothing was changed")
    if found:
        return take_rows(draft, found[0][1], of=found[0][0])
    if "units" in draft.document:
        return laid_out(draft)
    media = [path.name for path in media_of(draft)]
    return take_rows(draft, [["id", "file"], *([Path(name).stem, name] for name in media)], of="") if media else draft


def paste(draft: WorkingDraft, text: str) -> WorkingDraft:
    """Take in texts, one on each line, or a table that was copied out of a spreadsheet."""
    if not text.strip():
        raise InputError("nothing was pasted", hint="write one text on each line, or paste a table with its header")
    return take_rows(draft, _split(text.replace("\r\n", "\n")), of="")


def _rows_in(draft: WorkingDraft, name: str, content: IO[bytes]) -> list[list[str]]:
    ending = Path(name).suffix.lower()
    file = draft.place / f"brought{ending if ending in TABLES else '.txt'}"
    try:
        with file.open("wb") as stream:
            shutil.copyfileobj(content, stream)
        if ending in TABLES:
            table = read_table(file)
            columns = [table.column(name).text() for name in table.names]
            return [list(table.names), *([str(cell or "") for cell in row] for row in zip(*columns, strict=True))]
        with file.open("rb") as stream:
            encoding, _ = find_encoding(name, stream.read(1 << 16), None, stream)
        return _split(file.read_bytes().decode(encoding))
    except InputError as error:
        raise InputError(str(error).replace(str(file), name), hint="") from error
    finally:
        file.unlink(missing_ok=True)


def _split(text: str) -> list[list[str]]:
    """The rows of a table, or the lines of a text as rows of one cell."""
    text = text.removeprefix("\ufeff")
    separator = None
    with suppress(InputError):
        separator = find_separator(text[: 1 << 16], "")
    rows = rows_of(text, separator or "\t")
    widths = Counter(map(len, rows))
    is_table = separator not in (None, " ") and len(widths) == 1
    if separator not in (None, " ") and not is_table and widths.most_common(1)[0][1] > 0.9 * len(rows):
        width = widths.most_common(1)[0][0]
        number = next(n for n, row in enumerate(rows, 1) if len(row) != width)
        what = f"row {number} has {len(rows[number - 1])} cells, the others have {width}"
        raise InputError(what, hint="quote texts that hold the separator; nothing was changed")
    return rows if is_table else [[line.strip().strip('"')] for line in text.splitlines() if line.strip()]


def unzipped(draft: WorkingDraft, name: str, content: IO[bytes]) -> list[tuple[str, list[list[str]]]]:
    """The tables in an archive; pictures and sounds are kept, the tables of a profile too."""
    archive = draft.place / "brought.zip"
    try:
        with archive.open("wb") as stream:
            shutil.copyfileobj(content, stream)
        with opened(archive) as whole:
            names = [one for one in whole.namelist() if not one.endswith("/") and not one.startswith("__MACOSX/")]
            if {PurePosixPath(one).name for one in names} >= PROFILE:
                for one in names:
                    _write(draft.folder / "profile" / PurePosixPath(one).name, unpacked(whole, one, archive))
                draft.changed({**draft.document, "units": {"profile": "profile"}}, files_changed=True)
                return []
            found = []
            for one in names:
                plain, ending = PurePosixPath(one).name, PurePosixPath(one).suffix.lower()
                inside = (
                    io.BytesIO(unpacked(whole, one, archive)) if ending in (*IMAGES, *SOUNDS, *TEXTS, *TABLES) else None
                )
                if inside is not None and ending in IMAGES | SOUNDS:
                    _keep_medium(draft, plain, inside)
                elif inside is not None:
                    found.append((plain, _rows_in(draft, plain, inside)))
            return found
    except InputError as error:
        raise InputError(str(error).replace(str(archive), name), hint="") from error
    finally:
        archive.unlink(missing_ok=True)


def _write(file: Path, content: bytes) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content)


def _keep_medium(draft: WorkingDraft, name: str, content: IO[bytes]) -> None:
    _write(draft.folder / MEDIA / re.sub(r"[^\w. -]", "_", name).lstrip("."), content.read())
