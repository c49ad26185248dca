"""Reading profiles, orderly and not.

Profiles that we write: every discriminant with its state and date, read back by our reader.
"""

import gzip
import shutil
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from concordant.errors import InputError
from concordant.treebank.disambiguation import Choosing, Parses
from concordant.treebank.discriminants import CONSTITUENT, TWIG, Discriminant
from concordant.treebank.profile import Annotation, read_profile
from concordant.treebank.relations import Tables
from concordant.treebank.written import Treebanked, folder_written_whole, write_profile
from tests.treebank.made import EXAMPLE, one_sentence
from tests.treebank.made import write_profile as make_profile
from tests.treebank.test_disambiguation import LEXICON, SUITE

Rows = Sequence[Sequence[Any]]


def annotated(path: Path, **tables: Rows) -> Annotation:
    return read_profile(make_profile(path, one_sentence(**tables))).annotations["1"]


def test_the_example_profile() -> None:
    profile = read_profile(EXAMPLE / "anna" / "letters" / "SUITE-1-V1")
    assert len(profile.annotations) == 11
    assert profile.author == "anna"
    first = profile.annotations["1"]
    assert (first.text, first.status, first.n_parses) == ("Ines saw the robin with the mirror.", "accepted", 4)
    assert first.chosen is not None
    assert first.chosen.result == 1
    assert profile.broken == ()


def test_plain_and_zipped_tables_read_the_same(tmp_path: Path) -> None:
    tables = one_sentence(decisions=[(1, 1, 3, "np", 0, 1)], trees=[(1, 1, 1, "x", "")], preferences=[(1, 1, 0)])
    plain = read_profile(make_profile(tmp_path / "plain", tables))
    zipped = read_profile(make_profile(tmp_path / "zipped", tables, zipped=True))
    assert plain.annotations == zipped.annotations


class TestStatus:
    @pytest.mark.parametrize(
        ("active", "status"), [(0, "rejected"), (1, "accepted"), (3, "undecided"), (-1, "undecided")]
    )
    def test_t_active(self, tmp_path: Path, active: int, status: str) -> None:
        assert annotated(tmp_path, trees=[(1, 1, active, "x", "")]).status == status

    def test_the_last_version_of_tree_counts(self, tmp_path: Path) -> None:
        found = annotated(tmp_path, trees=[(1, 2, 0, "x", "no"), (1, 1, 1, "x", "yes")])
        assert (found.status, found.comment) == ("rejected", "no")

    def test_a_preference_followed_by_a_rejection_does_not_count(self, tmp_path: Path) -> None:
        found = annotated(tmp_path, preferences=[(1, 1, 0)], decisions=[(2, -1, 5, "", 0, 0)])
        assert (found.status, found.chosen) == ("rejected", None)

    def test_a_rejection_followed_by_a_preference_does_not_count(self, tmp_path: Path) -> None:
        found = annotated(tmp_path, preferences=[(1, 2, 0)], decisions=[(1, -1, 5, "", 0, 0)])
        assert found.status == "accepted"

    def test_nothing_anywhere_leaves_no_trace(self, tmp_path: Path) -> None:
        found = annotated(tmp_path)
        assert (found.status, found.has_trace) == ("undecided", False)

    def test_minus_one_with_type_4_is_a_selection_not_a_rejection(self, tmp_path: Path) -> None:
        found = annotated(tmp_path, preferences=[(1, 1, 0)], decisions=[(1, -1, 4, "", 0, 0)])
        assert (found.status, found.decisions) == ("accepted", ())


class TestDecisions:
    def test_the_last_version_counts_in_any_order(self, tmp_path: Path) -> None:
        found = annotated(tmp_path, decisions=[(2, 1, 3, "new", 0, 1), (1, 2, 3, "old", 0, 1)])
        assert [one.discriminant.key for one in found.decisions] == ["new"]

    def test_version_minus_one_is_a_version(self, tmp_path: Path) -> None:
        found = annotated(tmp_path, decisions=[(-1, 1, 3, "np", 0, 1)], trees=[(1, 1, 1, "x", "")])
        assert len(found.decisions) == 1

    def test_escaped_at_sign_and_capitals(self, tmp_path: Path) -> None:
        found = annotated(tmp_path, decisions=[(1, 1, 7, r"NP_frag\snp_rule", 0, 2)])
        assert found.decisions[0].discriminant == Discriminant(TWIG, "np_frag@np_rule", 0, 2)

    def test_void_lines_decide_nothing(self, tmp_path: Path) -> None:
        found = annotated(tmp_path, decisions=[(1, 5, 3, "np", 0, 1), (1, 3, 3, "vp", 1, 2)])
        assert [one.discriminant for one in found.decisions] == [Discriminant(CONSTITUENT, "vp", 1, 2)]


class TestResults:
    def test_thinned_to_one_result_it_is_the_chosen_one_whatever_its_number(self, tmp_path: Path) -> None:
        found = annotated(tmp_path, results=[(1, 7, "(r)", "")], preferences=[(1, 1, 3)])
        assert found.chosen is not None
        assert found.chosen.result == 7

    def test_a_preferred_result_that_is_not_stored_has_no_tree(self, tmp_path: Path) -> None:
        found = annotated(tmp_path, results=[(1, 0, "a", ""), (1, 1, "b", "")], preferences=[(1, 1, 9)])
        assert found.chosen is not None
        assert (found.chosen.result, found.chosen.tree()) == (9, None)


class TestDamage:
    def test_missing_tables_are_empty(self, tmp_path: Path) -> None:
        tables = {"decision": [(4, 1, 1, 3, "np", "", 0, 1, "")]}
        profile = read_profile(make_profile(tmp_path, tables))
        assert list(profile.annotations) == ["4"]

    def test_broken_lines_are_named_and_the_rest_is_read(self, tmp_path: Path) -> None:
        tables = one_sentence(decisions=[(1, 1, 3, "np", 0, 1), (1, "x", 3, "vp", 1, 2)])
        make_profile(tmp_path, tables)
        with (tmp_path / "decision").open("a", encoding="utf-8") as file:
            file.write("only@three@fields\n")
            file.write("1@1@2@3@bad\\q@@0@1@\n")
        profile = read_profile(tmp_path)
        assert len(profile.annotations["1"].decisions) == 1
        places = sorted(line.split(": ")[0].rsplit(", ", 1)[1] for line in profile.broken)
        assert places == ["line 2", "line 3", "line 4"]
        assert any("3 fields instead of 9" in line for line in profile.broken)

    def test_bytes_that_are_not_utf_8_do_not_stop_the_reading(self, tmp_path: Path) -> None:
        make_profile(tmp_path, one_sentence())
        (tmp_path / "item").write_bytes(b"1@Jo\xe3o ri.\n")
        assert read_profile(tmp_path).annotations["1"].text == "Jo\ufffdo ri."

    def test_a_truncated_gz_is_one_clear_line(self, tmp_path: Path) -> None:
        make_profile(tmp_path, one_sentence())
        whole = gzip.compress(b"1@1@1@3@np@@0@1@\n" * 5000)
        (tmp_path / "decision").unlink()
        (tmp_path / "decision.gz").write_bytes(whole[: len(whole) // 2])
        with pytest.raises(InputError, match=r"decision\.gz: damaged \.gz file"):
            read_profile(tmp_path)

    def test_a_directory_that_is_no_profile(self, tmp_path: Path) -> None:
        with pytest.raises(InputError, match="not a profile"):
            read_profile(tmp_path)


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
