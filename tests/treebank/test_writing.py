"""Profiles that we write: every discriminant with its state and date, read back by our reader."""

import gzip
import shutil
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from assent.errors import InputError
from assent.treebank.choosing import Choosing
from assent.treebank.discriminants import Discriminant
from assent.treebank.parses import Parses
from assent.treebank.profile import read_profile
from assent.treebank.tables import Tables
from assent.treebank.writing import Treebanked, folder_written_whole, write_profile
from tests.treebank.made import EXAMPLE
from tests.treebank.test_parses import LEXICON, SUITE

MORNING = datetime(2026, 3, 2, 9, 30, tzinfo=UTC)


def treebanked(sentence: str, *moves: str, comment: str = "") -> Treebanked:
    parses = Parses(read_profile(SUITE).annotations[sentence].analyses, LEXICON)
    value = Choosing(parses).after(moves).as_value()
    dates = dict.fromkeys(value["states"], MORNING)
    return Treebanked(
        value=value, dates=dates, begun=MORNING, ended=MORNING + timedelta(minutes=1), author="Ana", comment=comment
    )


def test_what_was_decided_is_read_back(tmp_path: Path) -> None:
    done = {
        "1": treebanked("1", "no lexical type v_cut_le [1-2]", "yes constituent verb-mod [1-7]"),
        "2": treebanked("2", "select 3"),
        "3": treebanked("3", "yes constituent verb-mod [1-7]", "reject", comment="an @ and a\\backslash"),
        "4": treebanked("4", "yes constituent verb-mod [1-7]"),
        "11": treebanked("11"),
    }
    write_profile(SUITE, tmp_path / "ana", done)
    found = read_profile(tmp_path / "ana")
    assert (found.broken, found.author) == ((), "Ana")
    read = {id: (one.status, one.chosen.result if one.chosen else None) for id, one in found.annotations.items()}
    assert {id: read[id] for id in done} == {
        "1": ("accepted", 0), "2": ("accepted", 3), "3": ("rejected", None), "4": ("undecided", None), "11": ("accepted", 0),
    }  # fmt: skip
    assert read["5"] == ("undecided", None), "a sentence that nobody came to"
    assert found.annotations["3"].comment == "an @ and a\\backslash"
    for id, one in done.items():
        states = {Discriminant.named(name): state for name, state in one.value["states"].items()}
        decided = {key for key, state in states.items() if state not in ("open", "yes shared")}
        assert {decision.discriminant for decision in found.annotations[id].decisions} == decided


def test_every_discriminant_is_in_the_table_shared_ones_void(tmp_path: Path) -> None:
    one = treebanked("1", "reject")
    write_profile(SUITE, tmp_path / "ana", {"1": one})
    columns = ("d-state", "d-type", "d-key", "d-date")
    rows = [cells for _, cells in Tables(tmp_path / "ana").rows("decision", columns)]
    assert rows[0] == ["-1", "5", "", "2-mar-2026 09:31:00"]
    assert len(rows) == 1 + len(one.value["states"])
    assert {state for state, *_ in rows[1:]} == {"5"}
    assert {date for *_, date in rows[1:]} == {"2-mar-2026 09:30:00"}


def test_a_twig_keeps_its_parts(tmp_path: Path) -> None:
    """The `@` between the parts of a twig is what separates the cells of a table."""
    write_profile(SUITE, tmp_path / "ana", {"1": treebanked("1", "select 0")})
    text = (tmp_path / "ana" / "decision").read_text(encoding="utf-8")
    assert "bare-name\\sn_name_le" in text


def test_zipped_tables_and_a_schema_without_decisions(tmp_path: Path) -> None:
    source = tmp_path / "parsed"
    source.mkdir()
    relations = (SUITE / "relations").read_text(encoding="utf-8")
    (source / "relations").write_text(relations[: relations.index("tree:")], encoding="utf-8")
    for name in ("item", "parse", "result"):
        (source / f"{name}.gz").write_bytes(gzip.compress((SUITE / name).read_bytes()))
    write_profile(source, tmp_path / "ana", {"1": treebanked("1", "select 2")})
    found = read_profile(tmp_path / "ana")
    chosen = found.annotations["1"].chosen
    assert chosen is not None
    assert (chosen.result, found.broken) == (2, ())
    assert "2-mar-2026 09:30:00@2-mar-2026 09:31:00" in (tmp_path / "ana" / "tree").read_text(encoding="utf-8")


def test_decisions_of_the_source_are_not_taken_over(tmp_path: Path) -> None:
    write_profile(EXAMPLE / "anna" / "letters" / "SUITE-1-V1", tmp_path / "ana", {"1": treebanked("1", "select 0")})
    found = read_profile(tmp_path / "ana")
    assert {id for id, one in found.annotations.items() if one.has_trace} == {"1"}


def test_a_folder_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be written"), folder_written_whole(tmp_path / "goal") as beside:
        (beside / "no" / "such").write_text("half", encoding="utf-8")
    assert list(tmp_path.iterdir()) == []
    with folder_written_whole(tmp_path / "goal") as beside:
        (beside / "whole").write_text("whole", encoding="utf-8")
    assert (tmp_path / "goal" / "whole").exists()
    with pytest.raises(InputError, match="is there already"), folder_written_whole(tmp_path / "goal"):
        pass
    with pytest.raises(InputError, match="cannot be written"), folder_written_whole(tmp_path / "no" / "such"):
        pass
    shutil.rmtree(tmp_path / "goal")
