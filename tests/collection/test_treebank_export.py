"""Choices among parses: fanned out to judgements, exported as tables and as profiles."""

from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from concordant.collection.disputes import Adjudication, Decision
from concordant.collection.events import Answered, Continued
from concordant.collection.export_tables import tables
from concordant.collection.folding import collect
from concordant.collection.log import Log
from concordant.collection.session import Running
from concordant.collection.treebank_export import parses_question, treebanks, write_treebanks
from concordant.design.description import Description, Presentation
from concordant.design.plan import make_plan
from concordant.errors import InputError
from concordant.tasks.parses import KIND as PARSES
from concordant.treebank.disambiguation import Choosing
from concordant.treebank.profile import read_profile
from tests.collection.playing import planned
from tests.design.samples import QUESTIONS, parses, study, units
from tests.treebank.made import write_profile

UP, DOWN = "constituent up [0-1]", "constituent down [0-1]"


def made(folder: Path, *tasks: str) -> Running:
    """Two sentences with two parses each, and the profile they come from."""
    rows = [
        (i, n, f'(1 {rule} 0 0 1 (2 word 0 0 1 ("w")))', "") for i in (1, 2) for n, rule in enumerate(("up", "down"))
    ]
    profile = write_profile(
        folder / "profile", {"item": [(1, "w"), (2, "w")], "parse": [(1, 1, 2), (2, 2, 2)], "result": rows}
    )
    sentences = tuple(
        unit.__class__(**{**unit.__dict__, "id": unit.id[1:], "copies": (unit.id[1:],)}) for unit in units(2)
    )
    together = Presentation(passes=False, shuffle=False)
    description = study(0, tasks or ("parses",), units=sentences, profile=profile, presentation=together)
    return Running(description=description, plan=make_plan(description))


def give(log: Log, study: Running, rater: str, choices: dict[str, list[list[str]]], comment: str = "") -> None:
    """Every list of moves is one event, a minute after the other."""
    for step in log.enrol(study, rater).steps:
        about = {"rater": rater, "step": step["number"], "unit": step["unit"]}
        for minute, moves in enumerate(choices.get(step["unit"], []), start=1):
            value = Choosing(parses("up", "down")).after(moves).as_value()
            log.append(
                "sample", [Answered(**about, question="parses", value=value, at=f"2026-03-02T09:{minute:02}:00+00:00")]
            )
        if comment:
            log.append("sample", [Answered(**about, question="text", value=comment)])
        log.append("sample", [Continued(rater=rater, page="judging", step=step["number"])])


@pytest.fixture
def log(tmp_path: Path) -> Log:
    return Log.open(f"sqlite:///{tmp_path}/answers.db")


def test_a_choice_is_yes_or_no_to_what_it_decides_and_a_verdict() -> None:
    unit, question = units(1)[0], QUESTIONS["parses"]
    value = Choosing(parses("up", "down")).after([f"yes {UP}"]).as_value()
    found = {(part.id, by.id): said for part, by, said in PARSES.judgements(unit, question, value)}
    assert found[f"u1 {UP}", "parses"] == "yes"
    assert found[f"u1 {DOWN}", "parses"] == "no"
    assert found["u1", "parses-verdict"] == "accepted"
    assert "u1 lexical type word [0-1]" not in {unit for unit, _ in found}, "what all parses share is no decision"
    assert {part.attributes.get("type") for part, by, _ in PARSES.judgements(unit, question, value)} == {
        "constituent",
        "twig",
        None,
    }


def test_a_rejection_at_once_decides_no_discriminant_and_is_a_verdict() -> None:
    value = Choosing(parses("up", "down")).after(["reject"]).as_value()
    found = list(PARSES.judgements(units(1)[0], QUESTIONS["parses"], value))
    assert [(by.id, said) for _, by, said in found] == [("parses-verdict", "rejected")]
    assert list(PARSES.judgements(units(1)[0], QUESTIONS["parses"], Choosing(parses("up", "down")).as_value())) == []


def test_other_questions_are_measured_as_they_are() -> None:
    asked = study(1, ("binary", "parses"))
    assert [question.id for question in asked.measured] == ["binary", "parses", "parses-verdict"]


def test_the_tables_have_judgements_and_every_discriminant(tmp_path: Path, log: Log) -> None:
    sample = made(tmp_path)
    with log:
        give(log, sample, "A1", {"1": [[f"yes {UP}"]], "2": [["reject"]]})
        found = {table.name: table for table in tables(collect(log, sample), None)}
    judged = [row[:4] for row in found["judgements"].rows]
    assert (f"1 {UP}", "A1", "parses", "yes") in judged
    assert ("2", "A1", "parses-verdict", "rejected") in judged
    every = [dict(zip(found["discriminants"].columns, row, strict=True)) for row in found["discriminants"].rows]
    assert {(row["sentence"], row["key"], row["value"], row["how"]) for row in every if row["type"] != "twig"} == {
        ("1", "up", "yes", "marked"), ("1", "down", "no", "inferred"), ("1", "word", "yes", "shared"),
        ("2", "up", None, "open"), ("2", "down", None, "open"), ("2", "word", "yes", "shared"),
    }  # fmt: skip


def test_a_profile_for_each_rater_with_dates_and_comments(tmp_path: Path, log: Log) -> None:
    sample = made(tmp_path, "parses", "text")
    with log:
        give(log, sample, "A1", {"1": [["reject"], [f"no {UP}"]], "2": [["select 0"]]}, comment="hard")
        give(log, sample, "A2", {"1": [[f"yes {UP}"]]}, comment="easy")
        found = treebanks(collect(log, sample), log.events("sample"), [])
    assert list(found) == ["A1", "A2"]
    first = found["A1"]["1"]
    assert first.dates["lexical type word [0-1]"] == datetime.fromisoformat("2026-03-02T09:01:00+00:00")
    assert first.dates[UP] == datetime.fromisoformat("2026-03-02T09:02:00+00:00")
    assert (first.comment, first.author) == ("hard", "A1")
    folders = write_treebanks(sample.description, found, tmp_path / "out")
    assert [folder.name for folder in folders] == ["A1", "A2"]
    chosen = [read_profile(folder).annotations["1"].chosen for folder in folders]
    assert [one.result for one in chosen if one] == [1, 0]
    assert read_profile(folders[1]).annotations["2"].status == "undecided"


def test_the_adjudicated_treebank_has_decisions_and_what_all_agree_on(tmp_path: Path, log: Log) -> None:
    sample = made(tmp_path)
    value = Choosing(parses("up", "down")).after(["select 1"]).as_value()
    with log:
        for rater, first in (("A1", "select 0"), ("A2", "select 1")):
            give(log, sample, rater, {"1": [[first]], "2": [["select 0"]]})
        adjudication = Adjudication(log)
        adjudication.decide(
            "sample", Decision(unit="1", question="parses", value=value, adjudicator="carla", comment="so")
        )
        found = treebanks(collect(log, sample), log.events("sample"), adjudication.history("sample"))
    decided = found["adjudicated"]
    assert (decided["1"].value["result"], decided["1"].author, decided["1"].comment) == (1, "carla", "so")
    assert (decided["2"].value["result"], decided["2"].author) == (0, "all raters")
    assert write_treebanks(sample.description, found, tmp_path / "out")[-1].name == "adjudicated"


def test_names_of_raters_become_names_of_folders(tmp_path: Path) -> None:
    sample = made(tmp_path)
    found: dict[str, Any] = {name: {} for name in ("A/1", "A_1", "../up", "a_1")}
    folders = write_treebanks(sample.description, found, tmp_path / "out")
    assert [folder.name for folder in folders] == ["A_1", "A_1-2", "_up", "a_1-3"]
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == sorted(folder.name for folder in folders)


def test_a_study_without_parses_has_no_profiles(log: Log) -> None:
    sample: Description = study(1)
    with log, pytest.raises(InputError, match="asks nothing about parses"):
        treebanks(collect(log, planned(sample)), [], [])


def test_dates_begin_with_the_first_decision_and_cleared_ones_count(tmp_path: Path, log: Log) -> None:
    sample = made(tmp_path)
    with log:
        give(log, sample, "A1", {"1": [[f"yes {UP}"], ["reject"], [f"yes {UP}"]]})
        found = treebanks(collect(log, sample), log.events("sample"), [])
        step = next(step for step in log.enrol(sample, "A2").steps if step["unit"] == "2")
        place = {"rater": "A2", "step": step["number"], "unit": "2", "question": "parses"}
        chosen = Choosing(parses("up", "down")).after(["select 0"]).as_value()
        for minute, value in enumerate((chosen, None, chosen), 1):
            log.append("sample", [Answered(**place, value=value, at=f"2026-03-02T09:{minute:02}:00+00:00")])
        later = treebanks(collect(log, sample), log.events("sample"), [])["A2"]
    one = found["A1"]["1"]
    minutes = {name: date.minute for name, date in one.dates.items() if name in {UP, "lexical type word [0-1]"}}
    assert minutes == {UP: 3, "lexical type word [0-1]": 1}
    assert (one.begun.minute, one.ended.minute, one.comment) == (1, 3, "")
    assert list(found["A1"]) == ["1"]
    assert (list(later), later["2"].begun.minute, later["2"].ended.minute) == (["2"], 1, 3)


def test_only_what_two_raters_or_more_agree_on_is_settled_without_a_decision(tmp_path: Path, log: Log) -> None:
    sample = made(tmp_path, "parses", "text")
    value = Choosing(parses("up", "down")).after(["select 1"]).as_value()
    at = "2026-04-01T10:00:00+00:00"
    with log:
        give(log, sample, "A1", {"1": [["select 0"]], "2": [["select 0"]]}, comment="mine")
        give(log, sample, "A2", {"1": [["select 0"]]}, comment="too")
        comment = Decision(unit="2", question="text", value="words", adjudicator="carla", at=at)
        found = treebanks(collect(log, sample), log.events("sample"), [comment])["adjudicated"]
        assert {id: (one.value["result"], one.author, one.comment) for id, one in found.items()} == {
            "1": (0, "all raters", "")
        }
        decided = Decision(unit="2", question="parses", value=value, adjudicator="carla", at=at)
        found = treebanks(collect(log, sample), log.events("sample"), [decided])["adjudicated"]
    assert (found["2"].value["result"], found["2"].begun, found["2"].ended) == (1, *[datetime.fromisoformat(at)] * 2)
    assert set(found["2"].dates) == set(value["states"])
    assert set(found["2"].dates.values()) == {datetime.fromisoformat(at)}


def test_a_study_that_asks_about_parses_needs_its_profile() -> None:
    with pytest.raises(InputError, match="'sample' asks nothing about parses; leave --format out"):
        parses_question(study(1, ("parses",)))
    assert parses_question(study(1, ("binary", "parses"), profile=Path("p"))) == "parses"


def test_a_rater_whose_name_has_no_letters_has_a_folder_all_the_same(tmp_path: Path) -> None:
    found: dict[str, Any] = {name: {} for name in ("..", "...", "é-1.x", "É-1.X")}
    folders = write_treebanks(made(tmp_path).description, found, tmp_path / "out")
    assert [folder.name for folder in folders] == ["rater", "rater-2", "é-1.x", "É-1.X-2"]
