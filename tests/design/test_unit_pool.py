"""Units: rows of a data file or sentences of a profile, what is read, and every mistake with its place."""

import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from concordant.design.examples import STUDIES
from concordant.design.made_from import fingerprint
from concordant.design.schema import Problem, StudyError
from concordant.design.study_file import problems, read
from concordant.design.unit_pool import UnitReader, merged, read_rows
from concordant.tasks.question import Media, Unit


def table(folder: Path, name: str, content: str) -> list[tuple[int, dict[str, str]]]:
    (folder / name).write_text(content, encoding="utf-8", newline="")
    return [(row.line, dict(row.cells)) for row in read_rows(folder / name).rows]


def fault(folder: Path, name: str, content: str | bytes) -> Problem:
    if isinstance(content, bytes):
        (folder / name).write_bytes(content)
    else:
        (folder / name).write_text(content, encoding="utf-8")
    with pytest.raises(StudyError) as caught:
        read_rows(folder / name)
    [problem] = caught.value.problems
    assert problem.file == folder / name
    return problem


def test_rows_know_their_lines_whatever_is_between(tmp_path: Path) -> None:
    content = ' id ,text\nu1,"two\nlines"\n\n , \nu2,plain\n'
    assert table(tmp_path, "a.csv", content) == [
        (3, {"id": "u1", "text": "two\nlines"}),
        (6, {"id": "u2", "text": "plain"}),
    ]
    assert table(tmp_path, "a.csv", content.replace("\n", "\r\n"))[1] == (6, {"id": "u2", "text": "plain"})
    assert table(tmp_path, "a.tsv", "id\ttext\nu1\ta, b\n") == [(2, {"id": "u1", "text": "a, b"})]
    assert table(tmp_path, "a.txt", "\ufeffid,text\nu1,a\tb\n") == [(2, {"id": "u1", "text": "a\tb"})]


def test_json_lines_give_texts_and_the_columns_of_all_rows(tmp_path: Path) -> None:
    content = '\n{"id": "u1", "n": 2.5, "none": null}\n\n{"id": "u2", "more": ["ü", true]}\n'
    for name in ("a.jsonl", "a.ndjson"):
        assert table(tmp_path, name, content) == [
            (2, {"id": "u1", "n": "2.5", "none": ""}),
            (4, {"id": "u2", "more": '["ü", true]'}),
        ]
    assert read_rows(tmp_path / "a.jsonl").columns == ("id", "n", "none", "more")


@pytest.mark.parametrize("sign", ["\u2028", "\u2029", "\x85", "\x0b", "\x0c", "\x1c"])
def test_only_line_ends_end_lines(tmp_path: Path, sign: str) -> None:
    """Texts from the web hold signs that some programs take for line ends."""
    text = f"one{sign}two"
    assert table(tmp_path, "a.csv", f"id,text\nu1,{text}\nu2,x\n") == [
        (2, {"id": "u1", "text": text}),
        (3, {"id": "u2", "text": "x"}),
    ]
    if sign.isprintable() or ord(sign) > 0x1F:  # JSON takes the others only when they are escaped
        assert table(tmp_path, "a.jsonl", f'{{"text": "{text}"}}\r\n{{"text": "x"}}\n') == [
            (1, {"text": text}),
            (2, {"text": "x"}),
        ]


def test_a_file_that_is_no_table_is_one_problem_on_its_line(tmp_path: Path) -> None:
    ragged = fault(tmp_path, "a.csv", "id,text\nu1,a\nu2,a,b\nu3\n")
    assert (ragged.line, ragged.what) == (3, "3 cells where the header has 2")
    assert ragged.hint == "quote texts with commas"
    assert fault(tmp_path, "a.csv", 'id,text\nu1,"a" b\n').line == 2
    assert fault(tmp_path, "a.csv", 'id,text\nu1,"a" b\n').what.startswith("not a proper table (")
    for empty in ("id,text\n", "id,text\n\n , \n", ""):
        nothing = fault(tmp_path, "a.csv", empty)
        assert (nothing.line, nothing.what) == (0, "there are no rows")
    broken = fault(tmp_path, "a.jsonl", '{"id": 1}\n\n{"id": 2\n')
    assert broken.line == 3
    assert broken.what.startswith("not JSON (")
    listed = fault(tmp_path, "a.jsonl", '{"id": 1}\n["id"]\n')
    assert (listed.line, listed.what) == (2, "expected one object in braces per line")
    latin = fault(tmp_path, "a.csv", "id,text\nu1,ü\n".encode("latin-1"))
    assert (latin.line, latin.hint) == (0, "save it as UTF-8 text")
    assert latin.what.startswith("cannot be read (")
    with pytest.raises(StudyError) as missing:
        read_rows(tmp_path / "none.csv")
    assert missing.value.problems == (Problem(tmp_path / "none.csv", 0, "the file does not exist"),)


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


def from_rows(folder: Path, columns: Mapping[str, Any], content: str) -> tuple[tuple[Unit, ...], list[str]]:
    """The units of a small table, and what is wrong with it."""
    (folder / "u.csv").write_text(content, encoding="utf-8")
    reader = UnitReader(folder, columns, read_rows(folder / "u.csv"), {}, [])
    return reader.units(), [str(problem).removeprefix(f"{folder}/") for problem in reader.problems]


@pytest.mark.parametrize(
    ("id", "is_good"), [("x" * 200, True), ("x" * 201, False), ("", False), ("a\x07b", False), ("a b", True)]
)
def test_an_id_is_a_short_printable_name(tmp_path: Path, id: str, is_good: bool) -> None:
    _, wrong = from_rows(tmp_path, {"text": "text"}, f"id,text\n{id},T\n")
    told = "u.csv:2: the id must be a short name; use letters, digits and signs without line breaks"
    assert wrong == ([] if is_good else [told])


def test_two_texts_are_called_a_and_b_and_more_go_by_their_columns(tmp_path: Path) -> None:
    content = "id,one,two,three,kind\nu1, first ,second,third,k\n"
    [unit], wrong = from_rows(tmp_path, {"alternatives": ["one", "two"]}, content)
    assert (unit.alternatives, unit.attributes, wrong) == (
        {"A": "first", "B": "second"}, {"three": "third", "kind": "k"}, []
    )  # fmt: skip
    [unit], _ = from_rows(tmp_path, {"alternatives": ["one", "two", "three"]}, content)
    assert unit.alternatives == {"one": "first", "two": "second", "three": "third"}
    [unit], _ = from_rows(tmp_path, {"alternatives": ["one"]}, content)
    assert unit.alternatives == {"one": "first"}


def test_every_text_to_compare_has_words_and_every_unit_something_to_show(tmp_path: Path) -> None:
    columns = {"alternatives": ["one", "two"], "text": "text"}
    _, wrong = from_rows(tmp_path, columns, "id,one,two,text\nu1,a,b,\nu2,a,,t\n")
    assert wrong == ["u.csv:3: unit 'u2': a text to compare is empty"]
    (tmp_path / "a.wav").write_bytes(b"wav")
    columns = {"text": "text", "audio": "sound"}
    _, wrong = from_rows(tmp_path, columns, "id,text,sound\nu1,t,\nu2,,a.wav\nu3,t,a.wav\nu4,,\n")
    assert wrong == ["u.csv:5: unit 'u4' has nothing to show; name its columns under [units]"]


def test_columns_that_are_named_must_be_there(tmp_path: Path) -> None:
    units, wrong = from_rows(tmp_path, {"id": "nme", "text": "text", "alternatives": ["wun"]}, "name,text,one\nu,t,o\n")
    assert units == ()
    assert wrong == [
        "u.csv:1: there is no column 'nme'; did you mean 'name'?",
        "u.csv:1: there is no column 'wun'; known: name, text, one",
    ]


def test_units_that_show_the_same_are_one_and_the_first_row_stands_for_it() -> None:
    def unit(id: str, text: str, **more: Any) -> Unit:
        return Unit(**{"id": id, "item": "i", "text": text, "copies": (id,), **more})

    picture = Media(path="p.png")
    rows = [
        unit("1", "A dog."), unit("2", "a  DOG", attributes={"x": "y"}), unit("3", "a dog", item="j"),
        unit("4", "a dog", prompt="?"), unit("5", "a dog", image=picture), unit("6", "a dog", audio=picture),
        unit("7", ""), unit("8", ""), unit("9", "a dog", alternatives={"A": "x"}),
        unit("10", "a dog", alternatives={"A": "x"}), unit("11", "A DOG"),
    ]  # fmt: skip
    found = merged(rows)
    assert [one.copies for one in found] == [
        ("1", "2", "11"), ("3",), ("4",), ("5",), ("6",), ("7",), ("8",), ("9",), ("10",)
    ]  # fmt: skip
    assert (found[0].id, found[0].text, found[0].attributes) == ("1", "A dog.", {})


def test_mistakes_of_a_profile_concern_the_whole_of_it(folder: Path) -> None:
    """A profile has many files: no line is named, and each mistake is told by itself."""
    edit(folder / "profile" / "item", "2@Ines", "77@Nobody parsed this.\n2@Ines")
    told = "sentence 77 has no parses; take it out of the profile, or write parsed_only = true under [units]"
    assert [str(problem) for problem in problems(folder)] == [f"{folder / 'profile'}: {told}"]
    edit(folder / "profile" / "item", "77@Nobody parsed this.\n", "")
    edit(folder / "profile" / "parse", "3@3@4", "3@3")
    wrong = [str(problem) for problem in problems(folder)]
    assert all(problem.startswith(f"{folder / 'profile'}: ") for problem in wrong)
    assert any("2 fields instead of 3" in problem for problem in wrong)
    (folder / "profile" / "item").unlink()
    assert f"{folder / 'profile'}: there are no sentences; fill its table 'item'" in [
        str(problem) for problem in problems(folder)
    ]


def test_a_derivation_that_cannot_be_read_is_a_mistake_of_the_study(folder: Path) -> None:
    edit(folder / "profile" / "result", "2@1@(root_clause", "2@1@root_clause")
    assert [str(problem) for problem in problems(folder)] == [
        f"{folder / 'study.toml'}: sentence 2: parse 1 has no derivation that can be read"
    ]


def test_types_come_from_a_lexicon_only_when_one_is_named(folder: Path) -> None:
    edit(folder / "study.toml", 'lexicon = "lexicon.tsv"', "")
    parses = read(folder).units[0].parses
    assert parses is not None
    assert not any("v_see_le" in name for name in parses.rows)


def test_gold_sentences_are_not_judged_either(folder: Path) -> None:
    (folder / "gold.csv").write_text("i-id,reading\n5,rejected\n".replace("i-id", "id"), encoding="utf-8")
    edit(folder / "study.toml", "[guidelines]", '[gold]\nfile = "gold.csv"\n\n[guidelines]')
    study = read(folder)
    assert [unit.id for unit in study.checks.gold] == ["5"]
    assert [unit.id for unit in study.units] == ["2", "3", "4", "6", "7", "8", "9", "10"]
