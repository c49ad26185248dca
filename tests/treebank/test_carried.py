"""Decisions carried over to a newer grammar's parses: what survives, what falls, what needs a person."""

import csv
import json
import os
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from concordant import carry
from concordant.design.study_file import problems
from concordant.design.study_file import read as read_study
from concordant.errors import InputError
from concordant.treebank.carried import Carried, Update, applied
from concordant.treebank.disambiguation import Choosing, Parses
from concordant.treebank.profile import read_profile
from concordant.treebank.written import Treebanked, write_profile
from tests.cli.running import run
from tests.treebank.made import write_profile as make_profile

MORNING = datetime(2026, 3, 2, 9, 30, tzinfo=UTC)

Tables = dict[str, list[tuple[Any, ...]]]


def tree(*labels: str) -> str:
    """Two words; each label stands over both, but the last, which stands over the second."""
    *above, last = labels
    inner = f'(2 ana_n1 0 0 1 ("ana")) (3 {last} 0 1 2 (4 ri_v1 0 1 2 ("ri")))'
    for number, label in enumerate(reversed(above), 10):
        inner = f"({number} {label} 0 0 2 {inner})"
    return f"(root_clause {inner})"


OLD = [tree("subj-verb", "past"), tree("subj-verb", "bare"), tree("verb-subj", "past"), tree("verb-subj", "bare")]


def profile(folder: Path, sentences: dict[str, list[str]], texts: dict[str, str] | None = None) -> Path:
    """Sentences with their derivations."""
    numbers = {id: number for number, id in enumerate(sentences, 1)}
    return make_profile(
        folder,
        {
            "item": [(id, (texts or {}).get(id, f"Ana ri {id}.")) for id in sentences],
            "parse": [(numbers[id], id, len(found)) for id, found in sentences.items()],
            "result": [(numbers[id], n, one, "") for id, found in sentences.items() for n, one in enumerate(found)],
        },
    )


def annotated(source: Path, target: Path, moves: dict[str, list[str]]) -> Path:
    """The profile with what somebody decided."""
    found = read_profile(source).annotations
    done = {}
    for id, said in moves.items():
        value = Choosing(Parses(found[id].analyses, {})).after(said).as_value()
        dates = dict.fromkeys(value["states"], MORNING)
        done[id] = Treebanked(value=value, dates=dates, begun=MORNING, ended=MORNING, author="Ana", comment=f"on {id}")
    write_profile(source, target, done)
    return target


YES_SUBJECT, NO_PAST = "yes constituent subj-verb [0-2]", "no constituent past [1-2]"


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """Nine sentences, each with the same four parses, decided in different ways."""
    source = profile(tmp_path / "parsed", {str(n): OLD for n in range(1, 10)})
    decided = [YES_SUBJECT, NO_PAST]
    moves = {str(n): decided for n in range(1, 7)} | {"7": ["reject"], "8": ["reject"], "9": [YES_SUBJECT]}
    return annotated(source, tmp_path / "old", moves)


NEW = {
    "1": OLD,  # as before
    "2": [tree("subj-verb", "past"), tree("subj-verb", "stem"), tree("verb-subj", "stem")],  # bare is called stem
    "3": [tree("clause", "past"), tree("clause", "stem")],  # subj-verb is gone; that it is not past is left
    "4": [tree("clause", "stem"), tree("clause", "root")],  # nothing of what was decided tells these apart
    "5": [tree("subj-verb", "past"), tree("verb-subj", "past")],  # it is past after all
    "6": [],  # no parse now
    "7": OLD,  # rejected, and the same
    "8": [*OLD, tree("clause", "new")],  # rejected, and something new
    "9": OLD,  # not decided to the end
    "10": OLD,  # new in the treebank
}


def outcome(update: Update) -> dict[str, str]:
    return {one.sentence: one.outcome for one in update.sentences}


def of(update: Update, sentence: str) -> Carried:
    return next(one for one in update.sentences if one.sentence == sentence)


def test_every_sentence_comes_to_the_end_that_its_parses_give_it(tmp_path: Path, old: Path) -> None:
    update = carry(old, profile(tmp_path / "new", NEW))
    assert outcome(update) == {
        "1": "same analysis",
        "2": "by decisions",
        "3": "by decisions",
        "4": "several parses left",
        "5": "contradiction",
        "6": "no parses now",
        "7": "still rejected",
        "8": "rejected before",
        "9": "undecided before",
        "10": "not annotated",
    }
    assert of(update, "1").decisions == Counter(survived=2)
    assert of(update, "2").decisions == Counter(survived=2)
    assert of(update, "3").decisions == Counter(gone=1, survived=1)
    assert of(update, "4").decisions == Counter(gone=2)
    assert of(update, "5").decisions == Counter(survived=1, contradicting=1)
    assert of(update, "9").decisions == Counter(survived=1)
    assert update.decisions == Counter(survived=7, gone=3, contradicting=1)
    assert update.to_dict()["n_carried"] == 4
    assert [one["sentence"] for one in update.to_dict()["open"]] == ["4", "5", "8", "9", "10"]


def test_what_is_written_can_be_read_and_decided_on(tmp_path: Path, old: Path) -> None:
    """The carried profile holds what is decided; what is left is a profile of its own, and is carried in again."""
    new = profile(tmp_path / "new", NEW)
    update = carry(old, new, tmp_path / "updated")
    carried = read_profile(tmp_path / "updated" / "carried").annotations
    status = {id: one.status for id, one in carried.items() if one.has_trace}
    assert status == {
        "1": "accepted",
        "2": "accepted",
        "3": "accepted",
        "4": "undecided",
        "7": "rejected",
        "9": "undecided",
    }
    assert [carried[id].chosen and carried[id].chosen.result for id in "123"] == [1, 1, 1]  # type: ignore[union-attr]
    assert {one.comment for one in carried.values() if one.has_trace} == {f"on {id}" for id in status}
    assert carried["1"].versions == (2,), "the next version of what was version 1"
    left = tmp_path / "updated" / "to-decide"
    assert list(read_profile(left).annotations) == ["4", "5", "8", "9", "10"]
    assert not any(one.has_trace for one in read_profile(left).annotations.values())
    rows = list(csv.DictReader((tmp_path / "updated" / "sentences.csv").read_text(encoding="utf-8").splitlines()))
    assert {row["sentence"]: row["outcome"] for row in rows} == outcome(update)

    moves = {id: ["select 0"] for id in ("4", "5", "8", "10")} | {"9": ["reject"]}
    decided = annotated(left, tmp_path / "decided", moves)
    final = carry(old, new, tmp_path / "final", also=decided)
    assert final.to_dict()["n_open"] == 0
    found = read_profile(tmp_path / "final" / "carried").annotations
    assert Counter(one.status for one in found.values()) == Counter(accepted=7, rejected=2, undecided=1)
    assert not (tmp_path / "final" / "to-decide").exists()


def test_a_treebank_carried_over_to_its_own_parses_is_what_it_was(tmp_path: Path, old: Path) -> None:
    update = carry(old, old, tmp_path / "same")
    before, after = read_profile(old).annotations, read_profile(tmp_path / "same" / "carried").annotations
    for id, one in before.items():
        assert (after[id].status, after[id].decisions) == (one.status, one.decisions)
        assert (after[id].chosen and after[id].chosen.result) == (one.chosen and one.chosen.result)  # type: ignore[union-attr]
    assert set(update.decisions) == {"survived"}


def test_what_the_analysis_shares_with_new_parses_decides_where_decisions_do_not(tmp_path: Path) -> None:
    """Selected directly, without any decision by hand: its constituents leave one of the new parses."""
    source = profile(tmp_path / "parsed", {"1": OLD})
    old = annotated(source, tmp_path / "old", {"1": ["select 0"]})
    new = profile(tmp_path / "new", {"1": [tree("top", "subj-verb", "past"), tree("top", "verb-subj", "past")]})
    [one] = carry(old, new).sentences
    assert one.outcome == "by inferences"
    assert one.choosing is not None
    assert one.choosing.results == (0,)
    other = profile(tmp_path / "other", {"1": [tree("top", "x-y", "past")]})
    assert carry(old, other).sentences[0].outcome == "another parse"


def test_other_texts_and_sentences_that_went_are_said(tmp_path: Path, old: Path) -> None:
    new = profile(tmp_path / "new", {"1": OLD, "2": OLD}, {"1": "Somebody else."})
    found = outcome(carry(old, new))
    assert (found["1"], found["2"], found["3"]) == ("other text", "same analysis", "not parsed again")


def test_sentences_whose_numbers_moved_are_found_by_their_texts(tmp_path: Path, old: Path) -> None:
    new = profile(tmp_path / "new", {"1": OLD, "2": OLD, "55": OLD}, {"1": "Ana ri 2.", "2": "Ana ri 7.", "55": "New."})
    found = [(one.sentence, one.outcome) for one in carry(old, new).sentences]
    assert found[:3] == [("1", "same analysis"), ("2", "still rejected"), ("55", "not annotated")]
    assert [id for id, why in found[3:] if why == "not parsed again"] == ["1", "3", "4", "5", "6", "8", "9"]


def test_the_command_counts_and_lists(tmp_path: Path, old: Path) -> None:
    new = profile(tmp_path / "new", NEW)
    told = run("carry", old, new, "-o", tmp_path / "updated").stdout
    assert "4 of 10 sentences carried over; 5 need a person." in told
    assert "what was decided fits no new parse" in told
    data = json.loads(run("carry", old, new, "--json").stdout)
    assert data["decisions"] == {"survived": 7, "needless": 0, "gone": 3, "contradicting": 1}
    again = run("carry", old, new, "-o", tmp_path / "updated", code=2)
    assert "is there already" in again.stderr


def test_what_cannot_be_carried_is_one_line(tmp_path: Path, old: Path) -> None:
    empty = profile(tmp_path / "empty", {"77": OLD})
    with pytest.raises(InputError, match="no sentence of the old profile is in it"):
        carry(old, empty)
    with pytest.raises(InputError, match="no decisions in this treebank"):
        carry(empty, old)


@pytest.mark.data
@pytest.mark.parametrize(("name", "carried", "without"), [("mrs", 107, 0), ("esd", 59, 3), ("psk", 40, 5)])
def test_two_releases_of_a_real_grammar(name: str, carried: int, without: int) -> None:
    """Gold profiles of the ERG of 2023 and 2025: every analysis that was chosen is there again, or its sentence went."""
    folder = Path(os.environ["CONCORDANT_DATA"]) / "treebank"
    update = carry(folder / "erg2023" / name, folder / "erg2025" / name, lexicon=folder / "lexical_types.tsv")
    assert (update.outcomes["same analysis"], update.outcomes["no parses now"]) == (carried, without)
    assert len(update.sentences) == carried + without


@pytest.mark.data
def test_decisions_in_packed_forests_are_made_again(tmp_path: Path) -> None:
    """The logs of the Full-Forest Treebanker name twigs of one rule; all of them decide the same forest again."""
    folder = Path(os.environ["CONCORDANT_DATA"]) / "treebank"
    source = folder / "singlish" / "UWH_nolex_en"
    update = carry(source, source, tmp_path / "same", lexicon=folder / "lexical_types.tsv", most=1000)
    assert update.outcomes == Counter({"still rejected": 23, "not unpacked": 4, "same analysis": 3})
    assert set(update.decisions) <= {"survived", "needless"}


def test_what_is_left_becomes_a_study_that_begins_with_what_survived(tmp_path: Path, old: Path) -> None:
    """`carried` under [units] names the folder; only what was decided by hand comes along."""
    carry(old, profile(tmp_path / "new", NEW), tmp_path / "updated")
    (tmp_path / "study.toml").write_text(
        'name = "left"\nopen = true\ntitle = "What is left"\n[units]\nprofile = "updated/to-decide"\ncarried = "updated/carried"\n'
        '[[questions]]\nid = "parse"\ntask = "parses"\nask = "Which parse?"\n',
        encoding="utf-8",
    )
    assert problems(tmp_path) == ()
    units = {unit.id: unit for unit in read_study(tmp_path).units}
    begun = {id: applied(Choosing(one.parses), one.parses.earlier)[0].moves for id, one in units.items() if one.parses}
    assert begun == {"4": (), "5": (), "8": (), "9": (YES_SUBJECT,), "10": ()}
    text = (tmp_path / "study.toml").read_text(encoding="utf-8")
    (tmp_path / "study.toml").write_text(text.replace("updated/carried", "updated/lost"), encoding="utf-8")
    [found] = problems(tmp_path)
    assert "lost" in str(found)
