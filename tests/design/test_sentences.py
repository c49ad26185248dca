"""The sentences of a profile as units: what is read, and every mistake with its place."""

import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from assent.cli.init import STUDIES
from assent.design.planning import fingerprint
from assent.design.study_file import problems, read


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The example study."""
    shutil.copytree(str(STUDIES / "treebank"), tmp_path / "treebank")
    return tmp_path / "treebank"


def edit(file: Path, old: str, new: str) -> None:
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), encoding="utf-8")


def test_sentences_are_units_with_their_parses(folder: Path) -> None:
    study = read(folder)
    assert [unit.id for unit in study.units] == [str(n) for n in range(2, 11)]  # the first is for training
    first = study.units[0]
    assert (first.text, first.item, first.attributes) == ("Ines saw the robin with the mirror.", "2", {"parses": "4"})
    assert first.parses is not None
    assert first.parses.results == (0, 1, 2, 3)
    assert first.parses.rows["lexical type v_see_le [1-2]"] >= 0
    assert study.profile == folder / "profile"
    assert study.training is not None
    assert [unit.id for unit in study.training.units] == ["1"]
    expected = study.training.units[0].expected["reading"]
    assert isinstance(expected, Mapping)
    assert expected["result"] == 2
    assert problems(folder) == ()


def test_the_plan_depends_on_the_parses(folder: Path) -> None:
    before = fingerprint(read(folder))
    edit(folder / "profile" / "result", "drew_pull", "drew_drag")
    assert fingerprint(read(folder)) != before


def test_other_questions_can_be_asked_about_the_sentences(folder: Path) -> None:
    edit(folder / "study.toml", 'task = "parses"', 'task = "binary"')
    edit(folder / "study.toml", "[training]\nfile", "[training]\n#file")
    text = (folder / "study.toml").read_text(encoding="utf-8")
    begin, end = text.index("[training]"), text.index("[guidelines]")
    (folder / "study.toml").write_text(text[:begin] + text[end:], encoding="utf-8")
    assert len(read(folder).units) == 10


def together(folder: Path) -> None:
    """Ask something else on the same page."""
    edit(
        folder / "study.toml",
        "[instructions]",
        '[[questions]]\nid = "other"\ntask = "binary"\nask = "?"\n\n[instructions]',
    )
    edit(folder / "study.toml", "shuffle = true", "passes = false\nshuffle = true")


Change = Callable[[Path], None]
MISTAKES: dict[str, tuple[Change, str]] = {
    "no such profile": (lambda f: edit(f / "study.toml", 'profile = "profile"', 'profile = "parsed"'), "not a profile"),
    "no sentences": (lambda f: (f / "profile" / "item").unlink(), "there are no sentences"),
    "unparsed": (lambda f: edit(f / "profile" / "item", "2@Ines", "77@Nobody parsed this.\n2@Ines"), "sentence 77 has no parses; take it out of the profile, or write parsed_only"),
    "broken line": (lambda f: edit(f / "profile" / "parse", "3@3@4", "3@3"), "2 fields instead of 3"),
    "broken derivation": (lambda f: edit(f / "profile" / "result", "2@1@(root_clause", "2@1@root_clause"), "sentence 2: parse 1 has no derivation that can be read"),
    "no lexicon": (lambda f: (f / "lexicon.tsv").unlink(), "there is no such lexicon"),
    "file and profile": (lambda f: edit(f / "study.toml", 'profile = "profile"', 'profile = "profile"\nfile = "training.csv"'), "'file' or 'profile' is needed, and not both"),
    "neither": (lambda f: edit(f / "study.toml", 'profile = "profile"', ""), "'file' or 'profile' is needed"),
    "unknown training sentence": (lambda f: edit(f / "training.csv", "1,accepted 2", "99,accepted 2"), "the profile has no sentence '99'"),
    "unknown expected parse": (lambda f: edit(f / "training.csv", "accepted 2", "accepted 12"), "the sentence has no parse '12'"),
    "options": (lambda f: edit(f / "study.toml", 'title = "Parse"', 'options = ["yes", "no"]'), "'options' means nothing for the task parses"),
    "twice": (lambda f: edit(f / "study.toml", "[instructions]", '[[questions]]\nid = "again"\ntask = "parses"\nask = "?"\n\n[instructions]'), "it can be asked once in a study"),
    "not alone": (lambda f: together(f), "only text questions may share a page"),
}  # fmt: skip


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_found_with_its_place(folder: Path, mistake: str) -> None:
    change, said = MISTAKES[mistake]
    change(folder)
    found = [str(problem) for problem in problems(folder)]
    assert any(said in problem for problem in found), found
    assert all(problem.startswith(str(folder)) for problem in found)


def test_parses_without_a_profile(tmp_path: Path) -> None:
    (tmp_path / "units.csv").write_text("id,text\n1,Ana ri.\n", encoding="utf-8")
    (tmp_path / "study.toml").write_text(
        'name = "x"\ntitle = "X"\nopen = true\n[units]\nfile = "units.csv"\ntext = "text"\n[[questions]]\nid = "q"\ntask = "parses"\nask = "?"\n',
        encoding="utf-8",
    )
    assert [problem.what for problem in problems(tmp_path)] == ["there are no parses"]


def test_unparsed_sentences_can_be_left_out(folder: Path) -> None:
    edit(folder / "profile" / "item", "2@Ines", "77@Nobody parsed this.\n2@Ines")
    edit(folder / "study.toml", "parsed_only = false", "parsed_only = true")
    assert problems(folder) == ()
    assert "77" not in read(folder).unit_by_id
