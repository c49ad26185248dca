"""Damaged files of every kind: each command succeeds or says one clear line, and never ends in a traceback."""

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import polars as pl
import pytest

from concordant.cli import program
from concordant.errors import ConcordantError
from tests.readers.samples import EAF, GRID, SHORT, WEBANNO, cas_files

EXAMPLES = Path(__file__).parents[2] / "src" / "concordant" / "examples" / "data"
MEASURE = ("measure", "{}", "--resamples", "3", "--seed", "1")
GAMMA = ("measure", "{}", "--measure", "gamma", "--samples", "3", "--precision", "none", "--seed", "1")
TASK: Any = {
    "id": 1,
    "data": {"text": "Ida saw Rome"},
    "annotations": [
        {"completed_by": 2, "result": [{"type": "labels", "value": {"start": 0, "end": 3, "labels": ["PER"]}}]}
    ],
}
RECORD: Any = {
    "id": 1,
    "text": "Ida saw Rome",
    "label": [[0, 3, "PER"]],
    "entities": [{"start_offset": 8, "end_offset": 12, "label": "LOC"}],
}
ROW: Any = {"unit": "a", "rater": "Ida", "value": 3}


def example(name: str) -> bytes:
    """The first lines of a bundled file."""
    return b"".join((EXAMPLES / name).read_bytes().splitlines(keepends=True)[:40])


def parquet(folder: Path) -> bytes:
    """The bundled ratings as Parquet."""
    pl.read_csv(EXAMPLES / "ratings.csv").head(40).write_parquet(folder / "ratings.parquet")
    return (folder / "ratings.parquet").read_bytes()


KINDS: dict[str, tuple[bytes, tuple[str, ...]]] = {
    "ratings.csv": (example("ratings.csv"), (*MEASURE, "--level", "ordinal")),
    "ratings.jsonl": (json.dumps(ROW).encode(), MEASURE),
    "classes.csv": (example("classes.csv"), (*MEASURE, "--level", "set", "--ci", "none")),
    "pairs.csv": (example("pairs.csv"), ("weights", "{}")),
    "published.csv": (example("published.csv"), ("recheck", "{}")),
    "contingency.csv": (b",a,b\na,10,2\nb,3,20\n", (*MEASURE, "--format", "contingency")),
    "matrix.csv": (
        b",dream,embedded,frame\ndream,0,1,1\nembedded,1,0,1\nframe,1,1,0\n",
        ("measure", str(EXAMPLES / "spans.csv"), *GAMMA[2:], "--categorical", "{}"),
    ),
    "gold.mrg": (
        b"(S (NP (D the) (N cat)) (VP (V sat)))\n",
        ("measure", "{}", "{}", "--format", "trees", "--ci", "none"),
    ),
    "spans.csv": (example("spans.csv"), GAMMA),
    "words.textgrid": (GRID.encode(), GAMMA),
    "short.textgrid": (SHORT.encode(), GAMMA),
    "speech.eaf": (EAF.encode(), GAMMA),
    "text/ida.tsv": (WEBANNO.encode(), GAMMA),
    "ida/text.ann": (b"T1\tPER 0 4\tAnna\nT2\tORG 5 9;10 12\tRome is\n", GAMMA),
    "ida.conll": (b"Anna\tB-PER\nsaw\tI-PER\nRome\tO\n\nx\tO\n", GAMMA),
    "talk.rttm": (b"SPEAKER f 1 0.0 1.5 <NA> <NA> s1 <NA> <NA>\n", GAMMA),
    "tasks.json": (json.dumps([TASK]).encode(), GAMMA),
    "ida.jsonl": (json.dumps(RECORD).encode(), GAMMA),
}


def damaged(content: bytes) -> Iterator[bytes]:
    """The file as it is, cut, in other encodings, with other numbers, with bytes changed at random."""
    yield content
    yield from (b"", b"\0" * 50, b"42", b"[1, [2]]", b'{"a": {"b": null}}', bytes(range(256)), b"\xff\xfe\xff")
    yield from (content[: len(content) // 2], content[:-3], content.split(b"\n")[0] + b"\n", content + content)
    yield from (content.replace(b"n", b"\xe9", 3), content.replace(b"n", b"\x81", 3))
    yield from (content.decode().encode("utf-16"), b"\xef\xbb\xbf" + content)
    yield from (content.replace(b"\n", end) for end in (b"\r\n", b"\r", b"\n\n"))
    for digit in (b"0", b"1", b"4"):
        yield from (content.replace(digit, word, 3) for word in (b"-7", b"x", b"1e400", b"nan", b"0-0"))
    yield content.replace(b"a", b"<script>alert(1)</script>", 2)
    chance = random.Random(content)
    for _ in range(30):
        changed = bytearray(content)
        for _ in range(3):
            at = chance.randrange(len(changed))
            changed[at : at + chance.randrange(12)] = chance.choice(
                [b"", b"\n", b",", b"\t", b'"', b"<", b"{", b"\xfe"]
            )
        yield bytes(changed)


def reshaped(whole: Any) -> Iterator[Any]:
    """A document with each of its parts replaced by parts of other kinds."""
    yield from (None, 7, "x", [], {}, [1], {"a": 1}, True)
    parts = whole.items() if isinstance(whole, dict) else enumerate(whole) if isinstance(whole, list) else ()
    for place, part in parts:
        for changed in reshaped(part):
            copy = whole.copy()
            copy[place] = changed
            yield copy


def outcome(words: tuple[str, ...], path: Path) -> str:
    """What the command said: nothing, or the one line of an expected error."""
    try:
        program([word.replace("{}", str(path)) for word in words], prog_name="concordant", standalone_mode=False)
    except ConcordantError as error:
        return str(error)
    except click.ClickException as error:
        return error.format_message()
    except SystemExit as end:
        return f"exit {end.code}"
    return ""


@pytest.mark.parametrize("name", KINDS)
def test_no_damage_ends_in_a_traceback(name: str, tmp_path: Path) -> None:
    content, words = KINDS[name]
    path = tmp_path / name
    path.parent.mkdir(parents=True, exist_ok=True)
    for damage in damaged(content):
        path.write_bytes(damage)
        assert len(outcome(words, path).splitlines()) <= 1, damage


def test_no_damage_to_parquet_ends_in_a_traceback(tmp_path: Path) -> None:
    content = parquet(tmp_path)
    for size in (0, 4, len(content) // 2, len(content) - 5):
        (tmp_path / "cut.parquet").write_bytes(content[:size])
        assert "cut.parquet" in outcome(MEASURE, tmp_path / "cut.parquet")


@pytest.mark.parametrize("part", [0, 1], ids=["types", "document"])
def test_no_damage_to_uima_ends_in_a_traceback(part: int, tmp_path: Path) -> None:
    names = ("TypeSystem.xml", "ida.xmi")
    for name, content in zip(names, cas_files(), strict=True):
        (tmp_path / name).write_bytes(content)
    for damage in damaged(cas_files()[part]):
        (tmp_path / names[part]).write_bytes(damage)
        outcome(GAMMA, tmp_path / "ida.xmi")


@pytest.mark.parametrize(
    ("name", "whole", "words"),
    [("tasks.json", [TASK], GAMMA), ("ida.jsonl", RECORD, GAMMA), ("ratings.jsonl", ROW, MEASURE)],
)
def test_json_of_any_shape_is_read_or_refused(name: str, whole: Any, words: tuple[str, ...], tmp_path: Path) -> None:
    for changed in reshaped(whole):
        (tmp_path / name).write_text(json.dumps(changed))
        outcome(words, tmp_path / name)
