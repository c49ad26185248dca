"""The estimates of Castro (2011, section 5.4.2) on the document's own tables.

Collecting garbage less often, and as before afterwards.

Two treebanks compared: the example, real repeats, laws and refusals.

What changed since an earlier version of the example.
"""

import gzip
import math
import shutil
import subprocess
import tracemalloc
from collections import Counter
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from concordant.errors import InputError
from concordant.treebank import Comparison, compare
from concordant.treebank.comparison import (
    average_options,
    changes,
    divergence,
    earlier_sources,
    estimated_equal,
    observed_when_rejected,
    observed_without_options,
)
from concordant.treebank.sentences import READINGS, Reading
from tests.treebank.made import EXAMPLE, one_sentence, printed, write_profile

# Table 5.1: options and equal options of five sentences
TABLE_5_1 = [(12, 8), (7, 6), (9, 0), (10, 7), (17, 12)]
# Table 5.2: options, equal options, options of one annotator only; then A_o as printed (estimated number rounded
# down), exact, and without estimation
TABLE_5_2 = [
    (14, 8, 4, "0.71", "0.743", "0.57"),
    (8, 1, 6, "0.50", "0.575", "0.13"),
    (6, 3, 2, "0.67", "0.70", "0.50"),
    (12, 3, 4, "0.42", "0.45", "0.25"),
    (9, 4, 4, "0.67", "0.711", "0.44"),
]


def test_table_5_1_divergence_is_22_of_55() -> None:
    assert divergence(TABLE_5_1) == pytest.approx(22 / 55)
    assert divergence(TABLE_5_1) == printed("0.40")


def test_divergence_without_options_is_unknown() -> None:
    assert divergence([]) is None


@pytest.mark.parametrize(("n", "equal", "unique", "floored", "exact", "without"), TABLE_5_2)
def test_table_5_2(n: int, equal: int, unique: int, floored: str, exact: str, without: str) -> None:
    assert (equal + math.floor(estimated_equal(unique, 0.40))) / n == printed(floored)
    assert observed_when_rejected(equal, unique, n, 0.40) == printed(exact)
    assert observed_when_rejected(equal, unique, n, 1.0) == printed(without)


def test_table_5_2_means() -> None:
    exact = [observed_when_rejected(equal, unique, n, 0.40) for n, equal, unique, *_ in TABLE_5_2]
    without = [observed_when_rejected(equal, unique, n, 1.0) for n, equal, unique, *_ in TABLE_5_2]
    floored = [(equal + math.floor(estimated_equal(unique, 0.40))) / n for n, equal, unique, *_ in TABLE_5_2]
    assert sum(exact) / 5 == printed("0.636")
    assert sum(without) / 5 == printed("0.38")
    assert sum(floored) / 5 == printed("0.59")


def test_equation_5_8_average_options() -> None:
    assert average_options(20000 + 6000, 1400 + 600) == 13


def test_equation_5_9_the_average_cancels() -> None:
    assert observed_without_options(13, 0.40) == pytest.approx(0.6)
    assert observed_without_options(2, 0.40) == pytest.approx(0.6)


LEXICON = EXAMPLE / "lexicon.tsv"


def example(reading: Reading = "resolved") -> Comparison:
    return compare(EXAMPLE / "anna", EXAMPLE / "bruno", reading=reading, lexicon=LEXICON)


class TestExample:
    def test_counts(self) -> None:
        found = example()
        assert found.subsets() == {"both": 17, "rejected": 3, "no options": 2, "undecided": 1}
        assert found.verdicts()["accepted", "rejected"] == 1
        assert [row.sentence for row in found.divergent] == ["2", "4", "9", "15", "19"]
        assert [(lost.suite, lost.sentence, lost.reason) for lost in found.lost] == [("SUITE-1-V1", "7", "only in A")]
        assert (found.a, found.b) == ("anna", "bruno")

    def test_two_routes_to_one_tree_agree_fully_when_resolved_and_not_in_the_log(self) -> None:
        resolved = {(row.suite, row.sentence): row for row in example().sentences}
        logged = {(row.suite, row.sentence): row for row in example("log").sentences}
        same = [key for key, row in resolved.items() if row.is_same_tree and row.subset == "both"]
        assert all(resolved[key].kappa == 1 for key in same)
        assert any((logged[key].kappa or 0) < 1 for key in same)

    def test_the_differences_are_named(self) -> None:
        [row] = [row for row in example().sentences if row.sentence == "9" and row.corpus == "letters"]
        assert {str(difference.discriminant) for difference in row.differing} >= {"adj-noun [1-3]", "adj-noun [1-5]"}
        assert row.kappa == -1

    def test_one_rejected_sentence_is_compared_on_what_both_decided(self) -> None:
        [row] = [row for row in example().sentences if row.sentence == "4"]
        assert (str(row.a), str(row.b), row.subset) == ("accepted 2", "rejected", "rejected")
        assert row.n_open > 0

    def test_thesis_scores_what_the_log_leaves_out(self) -> None:
        thesis, log = example("thesis"), example("log")
        assert len(thesis.scored) == len(log.scored) + 2
        assert thesis.p_d is not None
        without = [row.observed for row in thesis.sentences if row.subset == "no options"]
        assert without == [pytest.approx(1 - thesis.p_d)] * 2

    def test_progress_is_told_suite_by_suite(self) -> None:
        told: list[tuple[int, int]] = []
        compare(EXAMPLE / "anna", EXAMPLE / "bruno", progress=lambda done, total: told.append((done, total)))
        assert told == [(0, 3), (1, 3), (2, 3), (3, 3)]


@pytest.mark.data
class TestRepeats:
    """175 sentences annotated twice by one person (ERG gold)."""

    def run(self, data_dir: Path, reading: Reading, *, lexicon: bool = True) -> Comparison:
        root = data_dir / "treebank"
        known = root / "lexical_types.tsv" if lexicon else None
        return compare(root / "repeats" / "A", root / "repeats" / "B", reading=reading, lexicon=known)

    def test_resolved_is_94(self, data_dir: Path) -> None:
        found = self.run(data_dir, "resolved")
        assert found.kappa == printed("0.94")
        assert len(found.sentences) == 175
        assert sum(row.is_same_tree is True for row in found.sentences) == 148

    def test_without_a_lexicon_it_is_within_reach(self, data_dir: Path) -> None:
        kappa = self.run(data_dir, "resolved", lexicon=False).kappa
        assert kappa is not None
        assert 0.92 <= kappa <= 0.97

    def test_the_log_says_62(self, data_dir: Path) -> None:
        assert self.run(data_dir, "log").kappa == pytest.approx(0.62, abs=0.01)

    def test_identical_derivations_never_lower_the_resolved_reading(self, data_dir: Path) -> None:
        rows = self.run(data_dir, "resolved").sentences
        assert {row.kappa for row in rows if row.is_same_tree} <= {1.0, None}


decided = st.lists(
    st.tuples(
        st.just(1),
        st.sampled_from([1, 2, 3, 4]),
        st.sampled_from([2, 3, 6, 7]),
        st.sampled_from(["np", "vp", r"np\sn_le", "_a_n arg1 _b_v"]),
        st.sampled_from([0, 1]),
        st.sampled_from([1, 2]),
    ),
    min_size=1,
    max_size=8,
)
active = st.sampled_from([0, 1, 2])
TREES = [
    '(root (1 s 0 0 2 (2 np 0 0 1 (3 n1 0 0 1 ("a"))) (4 vp 0 1 2 (5 v1 0 1 2 ("b")))))',
    '(root (1 s 0 0 2 (2 pp 0 0 1 (3 n2 0 0 1 ("a"))) (4 vp 0 1 2 (5 v1 0 1 2 ("b")))))',
]
sides = st.tuples(decided, active, st.sampled_from([0, 1]))
Side = tuple[list[tuple[int, int, int, str, int, int]], int, int]


def profile_of(path: Path, side: Side) -> Path:
    """A profile with one sentence of two analyses."""
    lines, status, choice = side
    shutil.rmtree(path, ignore_errors=True)
    tables = one_sentence(
        decisions=lines,
        trees=[(1, 1, status, "x", "")],
        preferences=[(1, 1, choice)] if status == 1 else [],
        results=[(1, number, tree, "") for number, tree in enumerate(TREES)],
    )
    return write_profile(path, tables)


class TestLaws:
    @settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
    @given(one=sides, two=sides, reading=st.sampled_from(READINGS))
    def test_swapping_the_annotators_changes_no_result(
        self, tmp_path: Path, one: Side, two: Side, reading: Reading
    ) -> None:
        a, b = profile_of(tmp_path / "a", one), profile_of(tmp_path / "b", two)
        forth, back = compare(a, b, reading=reading), compare(b, a, reading=reading)
        assert forth.kappa == back.kappa
        assert forth.subsets() == back.subsets()
        for x, y in zip(forth.sentences, back.sentences, strict=True):
            assert (x.n_options, x.n_agreed, x.n_unique, x.n_open) == (y.n_options, y.n_agreed, y.n_unique, y.n_open)
            assert (x.is_divergent, x.is_same_tree) == (y.is_divergent, y.is_same_tree)

    @settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
    @given(one=sides, reading=st.sampled_from(READINGS))
    def test_a_treebank_agrees_with_itself(self, tmp_path: Path, one: Side, reading: Reading) -> None:
        a = profile_of(tmp_path / "a", one)
        found = compare(a, a, reading=reading)
        assert found.kappa in (1.0, None)
        assert found.divergent == []

    @pytest.mark.parametrize("reading", READINGS)
    def test_the_example_agrees_with_itself(self, reading: Reading) -> None:
        found = compare(EXAMPLE / "anna", EXAMPLE / "anna", reading=reading, lexicon=LEXICON)
        assert found.kappa == 1


class TestRefusals:
    def test_a_treebank_without_decisions(self, tmp_path: Path) -> None:
        empty = write_profile(tmp_path / "empty", one_sentence(trees=[(1, 1, 1, "x", "")]))
        with pytest.raises(InputError, match="empty: no decisions in this treebank"):
            compare(empty, empty)

    def test_two_corpora(self, tmp_path: Path) -> None:
        tables = one_sentence(decisions=[(1, 1, 3, "np", 0, 1)])
        a = write_profile(tmp_path / "a", tables)
        b = write_profile(tmp_path / "b", {**tables, "item": [(1, "Rui canta.")]})
        with pytest.raises(InputError, match="not annotations of one corpus: 1 sentences in common, 0 of them"):
            compare(a, b)

    def test_a_truncated_gz_names_the_file(self, tmp_path: Path) -> None:
        shutil.copytree(EXAMPLE / "anna", tmp_path / "anna")
        folder = tmp_path / "anna" / "letters" / "SUITE-1-V1"
        whole = gzip.compress((folder / "decision").read_bytes())
        (folder / "decision").unlink()
        (folder / "decision.gz").write_bytes(whole[:-20])
        with pytest.raises(InputError, match=r"decision\.gz: damaged"):
            compare(tmp_path / "anna", EXAMPLE / "bruno")

    def test_unknown_choices(self) -> None:
        with pytest.raises(InputError, match="did you mean 'thesis'"):
            compare("a", "b", reading=cast(Any, "theses"))
        with pytest.raises(InputError, match="goes with reading='resolved'"):
            compare("a", "b", reading="log", expected="forest")


def peak_memory(suite: Path, folder: Path, n_suites: int) -> int:
    """The most memory that comparing so many copies of a suite takes at once."""
    for number in range(n_suites):
        shutil.copytree(suite, folder / f"S-{number}")
    tracemalloc.start()
    compare(folder, folder, edm=False)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


@pytest.mark.data
def test_memory_stays_flat_over_suites(data_dir: Path, tmp_path: Path) -> None:
    """Only the rows of the result grow: four more suites take less than one suite's tables."""
    suite = data_dir / "treebank" / "repeats" / "A"
    one, five = (peak_memory(suite, tmp_path / str(number), number) for number in (1, 5))
    assert five < 1.5 * one


def test_sentences_with_another_text_are_lost(tmp_path: Path) -> None:
    shutil.copytree(EXAMPLE / "bruno", tmp_path / "bruno")
    file = tmp_path / "bruno" / "letters" / "SUITE-1-V1" / "item"
    file.write_text(file.read_text(encoding="utf-8").replace("robin", "raven"), encoding="utf-8")
    found = compare(EXAMPLE / "anna", tmp_path / "bruno")
    assert ("1", "the texts differ") in {(lost.sentence, lost.reason) for lost in found.lost}


def test_a_sentence_without_a_trace_on_one_side_is_lost(tmp_path: Path) -> None:
    two: dict[str, list[tuple[object, ...]]] = {
        "item": [(1, "Ana ri."), (2, "Rui ri.")],
        "parse": [(1, 1, 2), (2, 2, 2)],
    }
    line = (1, 1, 1, 3, "np", "", 0, 1, "")
    a = write_profile(tmp_path / "a", {**two, "decision": [line, (2, *line[1:])]})
    b = write_profile(tmp_path / "b", {**two, "decision": [line]})
    assert [(lost.sentence, lost.reason) for lost in compare(a, b).lost] == [("2", "no trace in the logs of B")]


def test_annotators_with_the_same_directory_name_are_told_apart(tmp_path: Path) -> None:
    for name in ("rita", "sara"):
        shutil.copytree(EXAMPLE / "anna" / "letters", tmp_path / name / "gold")
    found = compare(tmp_path / "rita" / "gold", tmp_path / "sara" / "gold")
    assert (found.a, found.b) == ("rita", "sara")


def test_the_example_since_its_earlier_version() -> None:
    a, b = EXAMPLE / "anna", EXAMPLE / "bruno"
    before, after = compare(*earlier_sources(EXAMPLE / "earlier", a, b)), compare(a, b)
    found = changes(before, after)
    kinds = {change.row.sentence: change.kind for change in found if change.row.corpus == "letters"}
    assert (kinds["1"], kinds["5"], kinds["9"], kinds["2"]) == (
        "settled",
        "settled",
        "new divergence",
        "still divergent",
    )
    assert Counter(change.kind for change in found)["still divergent"] == 4


def test_nothing_changed() -> None:
    now = compare(EXAMPLE / "anna", EXAMPLE / "bruno")
    assert {change.kind for change in changes(now, now)} == {"still divergent"}


def test_added_and_removed_sentences() -> None:
    whole = compare(EXAMPLE / "anna", EXAMPLE / "bruno")
    part = compare(EXAMPLE / "anna", EXAMPLE / "bruno", skip="-2-")
    kinds = Counter(change.kind for change in changes(part, whole))
    assert kinds["added"] == 7
    assert Counter(change.kind for change in changes(whole, part))["removed"] == 7


def test_an_earlier_version_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="must be there under the same name"):
        earlier_sources(tmp_path, EXAMPLE / "anna", EXAMPLE / "bruno")


def test_the_earlier_version_may_be_an_address_or_nested() -> None:
    a, b = "x/rita/gold", "x/sara/gold"
    assert earlier_sources("git+https://host/old.git", a, b) == (
        "git+https://host/old.git#rita/gold",
        "git+https://host/old.git#sara/gold",
    )
    assert earlier_sources("svn+https://host/old#2020", "svn+https://host/anna", "svn+https://host/bruno") == (
        "svn+https://host/old#2020/anna",
        "svn+https://host/old#2020/bruno",
    )


def test_earlier_versions_from_a_repository(tmp_path: Path) -> None:
    shutil.copytree(EXAMPLE / "earlier", tmp_path / "old")
    for command in (
        ["init", "-q"],
        ["add", "-A"],
        ["-c", "user.name=x", "-c", "user.email=x@example.org", "commit", "-qm", "x"],
    ):
        subprocess.run(["git", *command], cwd=tmp_path / "old", check=True)
    a, b = EXAMPLE / "anna", EXAMPLE / "bruno"
    fetched = compare(*earlier_sources(f"git+file://{tmp_path / 'old'}", a, b))
    kept = compare(*earlier_sources(EXAMPLE / "earlier", a, b))
    assert [row.observed for row in fetched.sentences] == [row.observed for row in kept.sentences]
