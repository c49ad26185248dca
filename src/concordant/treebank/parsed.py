"""What a grammar gave: all parses of each sentence, whether a profile lists them, packs them, or ACE printed them.

A packed forest (the `edge` table, of ACE's full forests) is unpacked as far as that can be borne: the choice among
parses looks at all of them at once. It holds no MRS, so its parses have no dependencies. What ACE prints is made a
profile first, so that there is one way to read and to write.
"""

import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from concordant.errors import InputError
from concordant.treebank.analyses import Analysis
from concordant.treebank.forest import PackedForest, read_packed
from concordant.treebank.profile import Annotation, Profile, read_profile
from concordant.treebank.relations import Tables, escape, read_text

MOST = 2_000  # parses of one sentence that are unpacked

RELATIONS = """\
item:
  i-id :integer :key
  i-input :string

parse:
  parse-id :integer :key
  i-id :integer :key
  readings :integer

result:
  parse-id :integer :key
  result-id :integer
  derivation :string
  mrs :string

tree:
  parse-id :integer :key
  t-version :integer
  t-active :integer :key
  t-author :string
  t-start :date
  t-end :date
  t-comment :string

decision:
  parse-id :integer :key
  t-version :integer
  d-state :integer
  d-type :integer
  d-key :string
  d-value :string
  d-start :integer
  d-end :integer
  d-date :date

preference:
  parse-id :integer :key
  t-version :integer
  result-id :integer
"""
"""The tables of a profile that is made here; the columns are those of [incr tsdb()] that are used."""


def read_parsed(path: str | Path, *, most: int | None = None) -> Profile:
    """A profile, or what ACE printed, with the parses of packed forests unpacked.

    Forests of more than `most` parses are left packed: their sentences count how many there are and list none.
    """
    with as_profile(Path(path)) as folder:
        profile = read_profile(folder)
        if not any(True for _ in Tables(folder).lines("edge")):
            return replace(profile, path=Path(path))
        forests = read_packed(folder, {})
        found = {id: unpacked(one, forests, MOST if most is None else most) for id, one in profile.annotations.items()}
        return replace(profile, path=Path(path), annotations=found, packed=frozenset(forests))


def unpacked(annotation: Annotation, forests: Mapping[int, PackedForest], most: int) -> Annotation:
    """The annotation with all analyses of its forest, if it has one."""
    forest = forests.get(annotation.parse)
    if forest is None:
        return annotation
    derivations = forest.derivations() if forest.n_analyses <= most else ()
    analyses = tuple(Analysis(number, escape(text)) for number, text in enumerate(derivations))
    return replace(annotation, n_parses=forest.n_analyses, analyses=analyses)


@contextmanager
def as_profile(path: Path) -> Iterator[Path]:
    """The folder of a profile; of a file with what ACE printed one is made, and removed after."""
    if not path.is_file():
        yield path
        return
    with tempfile.TemporaryDirectory() as folder:
        write_ace(path, Path(folder))
        yield Path(folder)


def read_ace(path: Path) -> list[tuple[str, list[tuple[str, str]]]]:
    """The sentences that ACE was given, each with the MRS and the derivation of every parse.

    ACE prints `SENT: ` (or `SKIP: `, without a parse) before a sentence, then `MRS ;  derivation` for each parse.
    """
    found: list[tuple[str, list[tuple[str, str]]]] = []
    for row, line in enumerate(read_text(path, "output of ACE").splitlines(), start=1):
        head, _, rest = line.partition(": ")
        if head in ("SENT", "SKIP"):
            found.append((rest.strip(), []))
        elif line.startswith(("[", "(")):
            mrs, mark, derivation = line.partition(" ;  ")
            if not found or not mark or not derivation.lstrip().startswith("("):
                what = "a parse without its sentence" if not found else "a parse without a derivation"
                hint = "run ACE without --tsdb-stdout, -T and -1f, so that it prints SENT:, MRS and derivation"
                raise InputError(what, file=path, row=row, hint=hint)
            found[-1][1].append((mrs.strip(), derivation.strip()))
    if not any(parses for _, parses in found):
        hint = "name the folder of a profile, or a file with what ACE printed: SENT:, then MRS ;  derivation"
        raise InputError("no parses in it", file=path, hint=hint)
    return found


def write_ace(path: Path, folder: Path) -> None:
    """A profile of what ACE printed: sentences are numbered from 1."""
    sentences = list(enumerate(read_ace(path), start=1))
    tables: dict[str, list[tuple[object, ...]]] = {
        "item": [(number, text) for number, (text, _) in sentences],
        "parse": [(number, number, len(parses)) for number, (_, parses) in sentences],
        "result": [
            (number, result, derivation, mrs)
            for number, (_, parses) in sentences
            for result, (mrs, derivation) in enumerate(parses)
        ],
    }
    (folder / "relations").write_text(RELATIONS, encoding="utf-8")
    for name, rows in tables.items():
        lines = ("@".join(escape(str(cell)) for cell in row) for row in rows)
        (folder / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
