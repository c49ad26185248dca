"""Which rules divide two treebankers: counted anew from the rows, from the command line, from a running study."""

import json
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

import pytest

from concordant import measure
from concordant.collection.log import Log
from concordant.diagnosis.phenomena import KIND, LENGTH, LEXICAL, RULE, divisions, groups_of
from concordant.errors import InputError
from concordant.treebank import Comparison, compare
from concordant.treebank.discriminants import TYPE_NAMES, Discriminant
from concordant.web.demonstration import scenes
from concordant.web.players import fill, written_study
from tests.cli.running import run
from tests.treebank.made import EXAMPLE

ANNA, BRUNO, LEXICON = (str(EXAMPLE / name) for name in ("anna", "bruno", "lexicon.tsv"))


@pytest.fixture(scope="module")
def compared() -> Comparison:
    return compare(ANNA, BRUNO, lexicon=LEXICON, edm=False)


def test_counts_are_those_of_the_rows(compared: Comparison) -> None:
    n, differ = Counter[str](), Counter[str]()
    for row in compared.scored:
        for one in row.alike:
            n[TYPE_NAMES[one.type]] += 1
        for two in row.differing:
            n[TYPE_NAMES[two.discriminant.type]] += 1
            differ[TYPE_NAMES[two.discriminant.type]] += 1
    found = {one.value: one for one in divisions(compared) if one.by == KIND}
    assert {name: one.n for name, one in found.items()} == n
    assert {name: one.n - one.n_alike for name, one in found.items()} == Counter(dict.fromkeys(n, 0)) | differ
    for own in found.values():
        assert own.k == pytest.approx(2 * own.n_alike / own.n - 1)


def test_all_discriminants_of_a_sentence_are_kept(compared: Comparison) -> None:
    assert all(len(row.alike) + len(row.differing) == row.n_options for row in compared.sentences)


def test_lengths_hold_every_scored_sentence(compared: Comparison) -> None:
    found = [one for one in divisions(compared) if one.by == LENGTH]
    assert sum(one.n for one in found) == len(compared.scored)
    mean = sum(one.k * one.n for one in found) / len(compared.scored)
    assert mean == pytest.approx(compared.kappa)


def test_what_a_discriminant_counts_under() -> None:
    assert list(groups_of(Discriminant(2, "v_np_le", 0, 1))) == [(KIND, "lexical type"), (LEXICAL, "v_np_le")]
    assert list(groups_of(Discriminant(3, "sp-hd_n_c", 0, 2))) == [(KIND, "constituent"), (RULE, "sp-hd_n_c")]
    assert list(groups_of(Discriminant(7, "n_-_pn_le", 0, 1))) == [(KIND, "twig"), (LEXICAL, "n_-_pn_le")]
    assert list(groups_of(Discriminant(6, "_see_v ARG1 x", 0, 1))) == [(KIND, "elementary dependency")]


def test_no_interval_where_nothing_differs(compared: Comparison) -> None:
    for one in divisions(compared):
        if one.by != LENGTH and one.n_alike in (0, one.n):
            assert one.interval is None


def test_logs_do_not_say_enough() -> None:
    with pytest.raises(InputError, match="with the reading resolved"):
        divisions(compare(ANNA, BRUNO, reading="log", edm=False))


def test_the_command(tmp_path: Path) -> None:
    shown = run("diagnose", ANNA, BRUNO, "--lexicon", LEXICON).stdout
    assert "By grammar rule" in shown
    assert "By sentence length" in shown
    told = json.loads(run("diagnose", ANNA, BRUNO, "--json").stdout)
    assert {one["by"] for one in told["divisions"]} >= {RULE, LENGTH}
    assert "says nothing about treebanks" in run("diagnose", ANNA, BRUNO, "--base", "3", code=2).stderr
    run("treebank", ANNA, BRUNO, "-o", tmp_path / "report.md")
    assert "What divides the annotators" in (tmp_path / "report.md").read_text(encoding="utf-8")


def test_labels_across_types() -> None:
    with pytest.raises(InputError, match="is about logs"):
        compare(ANNA, BRUNO, labels="across")
    signed = run("treebank", ANNA, BRUNO, "--reading", "log", "--labels", "across", "--no-edm", "--json").stdout
    assert "|labels:across|" in json.loads(signed)["results"][0]["signature"]


@pytest.mark.data
def test_labels_of_real_logs(data_dir: Path) -> None:
    """Both as the published loop, written out apart from this, gives them on 175 sentences annotated twice."""
    sides = [data_dir / "treebank" / "repeats" / name for name in "AB"]
    found = {one: compare(*sides, reading="log", labels=one, edm=False).kappa for one in ("within", "across")}
    assert found == {"within": pytest.approx(0.6147127587), "across": pytest.approx(0.6697321014)}


def test_a_running_study(tmp_path: Path) -> None:
    """Y-Option Kappa from the folder is that of the exported profiles, in all readings."""
    scene = next(one for one in scenes(datetime(2024, 3, 4, tzinfo=UTC)) if one.name == "treebank")
    study = written_study(tmp_path, scene)
    with Log.open(f"sqlite:///{tmp_path / 'treebank' / 'study.db'}") as log:
        fill(log, study, scene)
    run("export", tmp_path / "treebank", "-o", tmp_path / "profiles", "--format", "profile")
    sides = [tmp_path / "profiles" / name for name in ("A1", "A2")]
    for reading in ("resolved", "log", "thesis"):
        found = measure(tmp_path / "treebank", "y_option", format="parses", reading=reading, seed=1)
        assert found.value == compare(*sides, reading=reading).kappa
        assert found.interval is not None
    assert (
        "Y-Option Kappa (log)"
        in run("measure", tmp_path / "treebank", "--measure", "y_option", "--read", "reading=log").stdout
    )
    other = run("measure", tmp_path / "treebank", "--measure", "y_option", "--read", "annotators=A1,A9", code=2)
    assert "there is no rater 'A9'" in other.stderr
    one = run("measure", tmp_path / "treebank", "--measure", "y_option", "--read", "annotators=A1", code=2)
    assert "two are compared" in one.stderr
