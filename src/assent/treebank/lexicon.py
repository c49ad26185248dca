"""Which lexical type a lexical entry has: a grammar's lexicon (TDL, read by PyDelphin) or a table with two columns."""

from pathlib import Path
from typing import Any

from assent.errors import InputError
from assent.treebank.tables import delphin


def read_lexicon(path: str | Path) -> dict[str, str]:
    """Lexical entry -> lexical type, both in lower case, from a .tdl file or a .tsv with those two columns."""
    file = Path(path)
    if not file.is_file():
        raise InputError("there is no such lexicon", file=file)
    lexicon = _from_tdl(file) if file.suffix == ".tdl" else _from_table(file)
    if not lexicon:
        raise InputError("no lexical entry in it", file=file, hint="give a grammar's lexicon.tdl or entry<TAB>type")
    return lexicon


def _from_table(file: Path) -> dict[str, str]:
    """Rows of entry and type; a header naming the columns may stand first."""
    lexicon: dict[str, str] = {}
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except UnicodeDecodeError as error:
        raise InputError("not UTF-8 text", file=file, hint="convert it first") from error
    for row, line in enumerate(lines, start=1):
        cells = line.split("\t")
        if len(cells) != 2:
            raise InputError(f"{len(cells)} columns instead of 2", file=file, row=row, hint="write entry<TAB>type")
        lexicon[cells[0].lower()] = cells[1].lower()
    lexicon.pop("lexical_entry", None)
    return lexicon


def _from_tdl(file: Path) -> dict[str, str]:
    tdl = delphin("tdl")
    try:
        events = list(tdl.iterparse(str(file)))
    except (tdl.TDLSyntaxError, UnicodeDecodeError) as error:
        raise InputError(f"not TDL: {error}", file=file) from error
    definitions = [entry for kind, entry, _ in events if kind == "TypeDefinition"]
    return {str(entry.identifier).lower(): _supertype(entry) for entry in definitions if entry.supertypes}


def _supertype(entry: Any) -> str:
    return str(entry.supertypes[0]).lower()
