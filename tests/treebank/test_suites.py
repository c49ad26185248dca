"""Finding, matching and fetching suites.

Treebanks as ordinary judgements.
"""

import shutil
import subprocess
from pathlib import Path

import pytest

import concordant
from concordant.errors import InputError
from concordant.treebank import compare
from concordant.treebank.suites import local, match_suites, read_treebanks
from tests.treebank.made import EXAMPLE, one_sentence, write_profile

A, B = EXAMPLE / "anna", EXAMPLE / "bruno"


def test_suites_are_matched_by_name_within_their_corpus() -> None:
    found = match_suites(A, B)
    assert [(pair.corpus, pair.suite) for pair in found.pairs] == [
        ("diaries", "SUITE-1-V1"),
        ("letters", "SUITE-1-V1"),
        ("letters", "SUITE-2-V1"),
    ]


def test_a_profile_is_a_corpus_of_one_suite() -> None:
    found = match_suites(A / "diaries" / "SUITE-1-V1", B / "diaries" / "SUITE-1-V1")
    assert [(pair.corpus, pair.suite) for pair in found.pairs] == [("", "SUITE-1-V1")]


def test_pattern_and_skip() -> None:
    assert [pair.suite for pair in match_suites(A, B, pattern=r"^SUITE-2-V[0-9]+$").pairs] == ["SUITE-2-V1"]
    assert {pair.suite for pair in match_suites(A, B, skip="-2-").pairs} == {"SUITE-1-V1"}


def test_suites_in_natural_order_and_those_without_counterpart(tmp_path: Path) -> None:
    for name in ("S-10", "S-2", "S-7"):
        write_profile(tmp_path / "a" / name, one_sentence())
    for name in ("S-2", "S-10", "S-8"):
        write_profile(tmp_path / "b" / name, one_sentence())
    found = match_suites(tmp_path / "a", tmp_path / "b")
    assert [pair.suite for pair in found.pairs] == ["S-2", "S-10"]
    assert (found.only_a, found.only_b) == (("S-7",), ("S-8",))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"pattern": "["}, "is not a regular expression"),
        ({"pattern": "nothing"}, "none of its 3 suites is left"),
    ],
)
def test_bad_patterns(options: dict[str, str], message: str) -> None:
    with pytest.raises(InputError, match=message):
        match_suites(A, B, **options)


def test_directories_without_profiles_or_without_common_names(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="not a profile, and there is none below it"):
        match_suites(tmp_path, B)
    with pytest.raises(InputError, match="no such directory"):
        match_suites(tmp_path / "missing", B)
    with pytest.raises(InputError, match="no suite has the same name"):
        match_suites(A / "letters", B)


def git(*arguments: str, cwd: Path) -> None:
    subprocess.run(["git", "-c", "user.name=x", "-c", "user.email=x@example.org", *arguments], cwd=cwd, check=True)


def test_a_git_repository_is_fetched_and_removed_again(tmp_path: Path) -> None:
    write_profile(tmp_path / "repository" / "ana" / "S-1", one_sentence())
    git("init", "-q", cwd=tmp_path / "repository")
    git("add", ".", cwd=tmp_path / "repository")
    git("commit", "-qm", "x", cwd=tmp_path / "repository")
    with local(f"git+file://{tmp_path}/repository#ana") as path:
        assert (path / "S-1" / "relations").is_file()
    assert not path.exists()
    with (
        pytest.raises(InputError, match="leads out of the repository"),
        local(f"git+file://{tmp_path}/repository#../.."),
    ):
        pass


def svn_repository(folder: Path) -> str:
    """The URL of a new Subversion repository with one suite of Ana's under `trunk`."""
    if shutil.which("svnadmin") is None:
        pytest.fail("no svnadmin: install it (apt-get install subversion)")
    write_profile(folder / "trunk" / "ana" / "S-1", one_sentence())
    subprocess.run(["svnadmin", "create", str(folder / "repository")], check=True)
    url = f"file://{folder}/repository"
    subprocess.run(["svn", "import", "-q", "-m", "x", str(folder / "trunk"), f"{url}/trunk"], check=True)
    return url


def test_a_subversion_repository_is_fetched_and_removed_again(tmp_path: Path) -> None:
    url = svn_repository(tmp_path)
    with local(f"svn+{url}/trunk#ana") as path:
        assert (path / "S-1" / "relations").is_file()
        assert not list(path.rglob(".svn"))
    assert not path.exists()
    with pytest.raises(InputError, match="cannot be fetched: svn: E"), local(f"svn+{url}/branches"):
        pass


def test_what_cannot_be_fetched_says_why(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be fetched: fatal:"), local(f"git+file://{tmp_path}/nothing"):
        pass


def test_a_client_that_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(InputError, match="svn is not installed"), local("svn+https://example.org/corpus"):
        pass


BOTH = {"anna": EXAMPLE / "anna", "bruno": EXAMPLE / "bruno"}


def test_units_are_discriminants_and_values_yes_or_no() -> None:
    study = read_treebanks(BOTH, lexicon=EXAMPLE / "lexicon.tsv")
    judged = study.judgements()
    assert judged.raters == ("anna", "bruno")
    assert judged.scale.categories == ("no", "yes")
    assert set(study.attributes) == {"suite", "sentence", "type"}


def test_pooled_agreement_is_that_of_the_comparison() -> None:
    judged = read_treebanks(BOTH, lexicon=EXAMPLE / "lexicon.tsv").judgements()
    rows = [
        row for row in compare(*BOTH.values(), lexicon=EXAMPLE / "lexicon.tsv").sentences if row.subset != "undecided"
    ]
    pooled = sum(row.n_agreed for row in rows) / sum(row.n_options for row in rows)
    assert concordant.measure(judged, "percent", ci="none").value == pytest.approx(pooled, abs=0.01)


def test_slices_by_suite() -> None:
    slices = list(read_treebanks(BOTH).slices(["suite"]))
    assert [where["suite"] for where, _ in slices] == ["diaries/SUITE-1-V1", "letters/SUITE-1-V1", "letters/SUITE-2-V1"]


def test_a_treebank_without_decisions(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no decisions in it"):
        read_treebanks({"x": write_profile(tmp_path, one_sentence())})
