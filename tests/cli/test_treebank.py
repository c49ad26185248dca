"""`concordant treebank` and `concordant measure` on trees, run whole."""

import json
import re
import subprocess
from pathlib import Path

import pytest

from tests.cli.running import run
from tests.treebank.made import EXAMPLE, one_sentence, write_profile

ANNA, BRUNO, LEXICON = str(EXAMPLE / "anna"), str(EXAMPLE / "bruno"), str(EXAMPLE / "lexicon.tsv")


def concordant(*arguments: str, cwd: Path | None = None, path: str | None = None) -> subprocess.CompletedProcess[str]:
    return run(*arguments, code=None, cwd=cwd, environment={} if path is None else {"PATH": path})


def test_what_the_terminal_shows() -> None:
    done = concordant("treebank", ANNA, BRUNO, "--lexicon", LEXICON)
    assert done.returncode == 0
    assert re.search(r"Y-Option Kappa \(resolved\) +0\.562", done.stdout)
    assert "both chose the same analysis" in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 100


def test_json_keeps_the_public_contract() -> None:
    done = concordant("treebank", ANNA, BRUNO, "--reading", "thesis", "--no-edm", "--json")
    told = json.loads(done.stdout)
    assert set(told) == {"results", "notes"}
    assert [result["measure"] for result in told["results"]] == ["y_option", "kappa", "parseval", "leaf_ancestor"]
    assert told["results"][0]["details"]["reading"] == "thesis"


@pytest.mark.parametrize("name", ["report.xlsx", "report.html", "report.tex", "report.md"])
def test_reports_are_written(tmp_path: Path, name: str) -> None:
    done = concordant("treebank", ANNA, BRUNO, "-o", name, "--previous", str(EXAMPLE / "earlier"), cwd=tmp_path)
    assert done.returncode == 0
    assert "since the earlier version" in done.stdout
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_annotators_in_two_kinds_of_repository(tmp_path: Path) -> None:
    """Anna's corpus under Subversion and Bruno's under git give what their directories give."""
    for command in (
        ("svnadmin", "create", "svn"),
        ("svn", "import", "-q", "-m", "x", ANNA, f"file://{tmp_path}/svn/anna"),
        ("cp", "-r", BRUNO, "bruno"),
        ("git", "init", "-q", "bruno"),
        ("git", "-C", "bruno", "add", "."),
        ("git", "-C", "bruno", "-c", "user.name=x", "-c", "user.email=x@example.org", "commit", "-qm", "x"),
    ):
        subprocess.run(command, cwd=tmp_path, check=True)
    urls = f"svn+file://{tmp_path}/svn/anna", f"git+file://{tmp_path}/bruno"
    fetched, here = (concordant("treebank", *sources, "--no-edm", "--json") for sources in (urls, (ANNA, BRUNO)))
    assert fetched.returncode == 0
    assert json.loads(fetched.stdout) == json.loads(here.stdout)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("void", BRUNO), "not a profile, and there is none below it"),
        ((f"{ANNA}/letters", BRUNO), "no suite has the same name"),
        ((f"{ANNA}/diaries/SUITE-1-V1", f"{BRUNO}/letters/SUITE-1-V1"), "are not annotations of one corpus"),
        (("empty", "empty"), "no decisions in this treebank"),
        (("cut", "cut"), "decision.gz: damaged .gz file"),
        (("svn+https://example.org/corpus", BRUNO), "svn is not installed"),
        (("git+https://example.org/corpus", BRUNO), "git is not installed"),
        ((ANNA, BRUNO, "--pattern", "["), "is not a regular expression"),
        ((ANNA, BRUNO, "--lexicon", "nothing.tsv"), "no such lexicon"),
        ((ANNA, BRUNO, "--previous", "."), "no such directory"),
        ((ANNA, BRUNO, "--reading", "log", "--expected", "forest"), "goes with reading='resolved'"),
    ],
)
def test_unusable_input_is_one_line_and_leaves_nothing_behind(
    tmp_path: Path, arguments: tuple[str, ...], message: str
) -> None:
    tables = one_sentence(trees=[(1, 1, 1, "x", "")])
    write_profile(tmp_path / "in" / "empty", tables)
    write_profile(tmp_path / "in" / "cut", one_sentence(decisions=[(1, 1, 3, "np", 0, 1)]))
    (tmp_path / "in" / "cut" / "decision").unlink()
    (tmp_path / "in" / "cut" / "decision.gz").write_bytes(b"\x1f\x8b\x08\x00\x00\x00\x00\x00")
    (tmp_path / "out").mkdir()
    (tmp_path / "in" / "void").mkdir()
    done = concordant(
        "treebank", *arguments, "-o", str(tmp_path / "out" / "r.xlsx"), cwd=tmp_path / "in", path="/nowhere"
    )
    assert message in done.stderr
    assert done.returncode == 2
    assert len(done.stderr.strip().splitlines()) == 1
    assert list((tmp_path / "out").iterdir()) == []


def test_an_unknown_ending_is_refused_before_any_work(tmp_path: Path) -> None:
    done = concordant("treebank", "nowhere", "nowhere", "-o", str(tmp_path / "r.pdf"))
    assert (done.returncode, "a report ends in .html, .xlsx, .tex, .md" in done.stderr) == (2, True)


def test_a_signature_can_be_verified() -> None:
    told = json.loads(concordant("treebank", ANNA, BRUNO, "--reading", "log", "--lexicon", LEXICON, "--json").stdout)
    signature = told["results"][0]["signature"]
    assert concordant("verify", signature, ANNA, BRUNO, "--lexicon", LEXICON).stdout.strip() == "the same"
    other = concordant("verify", signature, ANNA, ANNA, "--lexicon", LEXICON)
    assert (other.returncode, "not the same" in other.stdout) == (1, True)


class TestBrackets:
    GOLD = "(S (NP (N Ana)) (VP (V ri)) (PNT .))\n(S (N Rui) (V canta))\n"
    TEST = "(S (NP (N Ana)) (V ri) (PNT .))\n(S (N Rui) (V canta))\n"

    def run(self, folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
        (folder / "gold.mrg").write_text(self.GOLD, encoding="utf-8")
        (folder / "test.mrg").write_text(self.TEST, encoding="utf-8")
        return concordant("measure", "gold.mrg", "test.mrg", *options, cwd=folder)

    def test_both_measures(self, tmp_path: Path) -> None:
        done = self.run(tmp_path, "--measure", "parseval", "--measure", "leaf_ancestor", "--json", "--seed", "1")
        results = json.loads(done.stdout)["results"]
        assert [result["measure"] for result in results] == ["parseval", "leaf_ancestor"]
        assert results[0]["value"] == pytest.approx(2 * 8 / 17)
        assert results[0]["raters"] == ["gold", "test"]

    def test_options_of_parseval(self, tmp_path: Path) -> None:
        done = self.run(tmp_path, "--measure", "parseval", "--no-preterminals", "--punctuation", "PNT", "--json")
        assert json.loads(done.stdout)["results"][0]["value"] == pytest.approx(2 * 3 / 7)

    def test_a_signature_names_the_options_and_can_be_verified(self, tmp_path: Path) -> None:
        done = self.run(tmp_path, "--measure", "parseval", "--no-preterminals", "--ignore", "PNT,TOP", "--json")
        signature = json.loads(done.stdout)["results"][0]["signature"]
        assert "preterminals:no|ignore:PNT,TOP" in signature
        assert concordant("verify", signature, "gold.mrg", "test.mrg", cwd=tmp_path).stdout.strip() == "the same"

    def test_profiles_as_judgements_by_suite(self) -> None:
        done = concordant("measure", ANNA, BRUNO, "--measure", "alpha", "--by", "suite", "--ci", "none", "--json")
        results = json.loads(done.stdout)["results"]
        assert [result["slice"]["suite"] for result in results] == [
            "diaries/SUITE-1-V1",
            "letters/SUITE-1-V1",
            "letters/SUITE-2-V1",
        ]

    def test_profiles_too(self) -> None:
        done = concordant("measure", ANNA, BRUNO, "--measure", "y_option", "--seed", "1", "--json")
        assert json.loads(done.stdout)["results"][0]["n_units"] == 19
