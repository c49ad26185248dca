"""Reading profiles, orderly and not."""

import gzip
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from assent.errors import InputError
from assent.treebank.discriminants import CONSTITUENT, TWIG, Discriminant
from assent.treebank.profile import Annotation, read_profile
from tests.treebank.made import EXAMPLE, one_sentence, write_profile

Rows = Sequence[Sequence[Any]]


def annotated(path: Path, **tables: Rows) -> Annotation:
    return read_profile(write_profile(path, one_sentence(**tables))).annotations["1"]


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
    plain = read_profile(write_profile(tmp_path / "plain", tables))
    zipped = read_profile(write_profile(tmp_path / "zipped", tables, zipped=True))
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
        profile = read_profile(write_profile(tmp_path, tables))
        assert list(profile.annotations) == ["4"]

    def test_broken_lines_are_named_and_the_rest_is_read(self, tmp_path: Path) -> None:
        tables = one_sentence(decisions=[(1, 1, 3, "np", 0, 1), (1, "x", 3, "vp", 1, 2)])
        write_profile(tmp_path, tables)
        with (tmp_path / "decision").open("a", encoding="utf-8") as file:
            file.write("only@three@fields\n")
            file.write("1@1@2@3@bad\\q@@0@1@\n")
        profile = read_profile(tmp_path)
        assert len(profile.annotations["1"].decisions) == 1
        places = sorted(line.split(": ")[0].rsplit(", ", 1)[1] for line in profile.broken)
        assert places == ["line 2", "line 3", "line 4"]
        assert any("3 fields instead of 9" in line for line in profile.broken)

    def test_bytes_that_are_not_utf_8_do_not_stop_the_reading(self, tmp_path: Path) -> None:
        write_profile(tmp_path, one_sentence())
        (tmp_path / "item").write_bytes(b"1@Jo\xe3o ri.\n")
        assert read_profile(tmp_path).annotations["1"].text == "Jo\ufffdo ri."

    def test_a_truncated_gz_is_one_clear_line(self, tmp_path: Path) -> None:
        write_profile(tmp_path, one_sentence())
        whole = gzip.compress(b"1@1@1@3@np@@0@1@\n" * 5000)
        (tmp_path / "decision").unlink()
        (tmp_path / "decision.gz").write_bytes(whole[: len(whole) // 2])
        with pytest.raises(InputError, match=r"decision\.gz: damaged \.gz file"):
            read_profile(tmp_path)

    def test_a_directory_that_is_no_profile(self, tmp_path: Path) -> None:
        with pytest.raises(InputError, match="not a profile"):
            read_profile(tmp_path)
