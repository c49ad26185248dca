"""Small files and what was read of them, for the tests of formats of spans."""

from pathlib import Path
from zipfile import ZipFile

from concordant.model.spans import SpanTable


def write(root: Path, files: dict[str, str | bytes]) -> Path:
    """Write files below a folder, which is given back."""
    for name, content in files.items():
        file = root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
    return root


def zipped(file: Path, files: dict[str, str | bytes]) -> Path:
    """Write an archive, which is given back."""
    with ZipFile(file, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return file


def rows(table: SpanTable) -> list[tuple[str, str, float, float, str]]:
    """The spans of a table in an order of their own."""
    columns = (table.text, table.rater, table.begin, table.end, table.category)
    return sorted(zip(*(column.tolist() for column in columns), strict=True))
