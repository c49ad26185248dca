"""The settings of a study file: their limits, their defaults, their types; mistakes on their lines."""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from concordant.design.schema import IS_OF, Problem, Source, StudyError, faults, sections, tables_at
from concordant.design.study_file import read
from concordant.design.toml_lines import key_lines, line_of
from concordant.tasks import question as settings
from tests.design.test_study_file import GOOD, write

FILE = Path("study.toml")


def test_a_problem_is_told_with_its_place_and_what_to_do() -> None:
    assert str(Problem(FILE, 3, "wrong", "do so")) == "study.toml:3: wrong; do so"
    assert str(Problem(FILE, 3, "wrong")) == "study.toml:3: wrong"
    assert str(Problem(FILE, 0, "wrong")) == "study.toml: wrong"


def test_the_first_problem_of_a_study_is_told_and_how_many_there_are_besides() -> None:
    one, two, three = (Problem(FILE, line, "wrong") for line in (2, 10, 11))
    assert str(StudyError([one])) == "study.toml:2: wrong"
    assert str(StudyError([two, one])) == "study.toml:2: wrong (and 1 more: `concordant check` shows all)"
    error = StudyError([three, two, one, two])
    assert error.problems == (one, two, three)
    assert str(error) == "study.toml:2: wrong (and 2 more: `concordant check` shows all)"


LEAST = {
    ("units", "most_parses"): 1,
    ("raters", "temperature"): 0,
    ("", "seed"): 0, ("", "format"): 1, ("questions", "minimum"): 0, ("questions", "maximum"): 1,
    ("questions", "max_length"): 1, ("repeats", "count"): 1, ("repeats", "gap"): 1, ("sample", "size"): 1,
    ("sample", "bands"): 1, ("sample", "pool_below"): 1, ("sets", "count"): 1, ("pairs", "per_group"): 1,
    ("allocation", "size"): 1, ("allocation", "most"): 3, ("allocation", "sure"): 0.5, ("allocation", "budget"): 1,
    ("assignment", "judgements"): 1, ("assignment", "overlap"): 0,
    ("assignment", "rounds"): 1, ("assignment", "first_round"): 0, ("assignment", "open_rounds"): 1,
    ("raters", "set"): 1, ("cleaning", "min_share"): 0, ("cleaning", "max_overfilled"): 1,
    ("cleaning", "too_many"): 2, ("cleaning", "min_gold"): 0, ("cleaning", "min_seconds"): 0,
    ("comprehension", "tries"): 1, ("failed_check", "min_gold"): 0, ("recruitment", "gone_after"): 0.1,
}  # fmt: skip
REQUIRED = {
    "": {"name", "title", "units", "questions"}, "questions": {"id", "task", "ask"}, "questions.options": {"value"},
    "questions.patterns": {"id", "text"}, "introduction": {"text"}, "participant": {"id", "ask"},
    "participant.options": {"value"}, "instructions": {"text"}, "instructions.examples": {"text", "answer"},
    "training": {"file"}, "gold": {"file"}, "repeats": {"count"}, "thanks": {"text"}, "guidelines": {"version"},
    "sample": {"method", "size"}, "sets": {"count"}, "pairs": {"vector", "per_group"}, "raters": {"id"},
    "comprehension": {"questions"}, "comprehension.questions": {"id", "ask", "options", "right"},
    "comprehension.questions.options": {"value"}, "screened_out": {"text"}, "failed_check": {"text"},
}  # fmt: skip
TABLES = {
    "presentation": "", "introduction": 'text = "Hello"', "participant": 'id = "age"\nask = "?"',
    "instructions": 'text = "Do it"', "training": 'file = "more.csv"', "repeats": "count = 1\ngap = 1",
    "thanks": 'text = "Thanks"', "sample": 'method = "stratified"\nsize = 2\nby = "group"', "raters": 'id = "A"',
    "comprehension": 'questions = [{id = "c", ask = "?", options = ["a", "b"], right = "a"}]',
    "screened_out": 'text = "Out"', "failed_check": 'text = "Out"', "recruitment": "",
    "allocation": "[sets]\ncount = 2\n[assignment]\njudgements = 2\n---\n",
    "cleaning": "", "assignment": "", "pairs": 'vector = ["group"]\nper_group = 1',
}  # fmt: skip
MORE = "id,text,image,good\nt1,Train,,yes\n"


def toml(value: Any) -> str:
    """A value as a study file writes it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key} = {toml(one)}" for key, one in value.items()) + "}"
    return f'["{value[0]}"]' if isinstance(value, list) and value else repr(value).replace("'", '"')


def test_numbers_have_a_least_value() -> None:
    found = {
        (name, key): setting.low
        for name, section in sections().items()
        for key, setting in section.items()
        if setting.low is not None
    }
    assert found == LEAST


def test_some_settings_are_required() -> None:
    found = {
        name: {key for key, setting in section.items() if setting.is_required} for name, section in sections().items()
    }
    assert {name: keys for name, keys in found.items() if keys} == REQUIRED


@pytest.mark.parametrize(("place", "least"), LEAST.items())
def test_the_least_value_is_taken_and_none_below(place: tuple[str, str], least: float) -> None:
    section, key = sections()[place[0]], place[1]
    wrong = {
        value: [what for of, what, _ in faults(section, {key: value}) if of == key] for value in (least, least - 1)
    }
    assert wrong == {least: [], least - 1: [f"{key}: expected {least} or more, found {least - 1}"]}


@pytest.mark.parametrize(
    ("name", "key"),
    [
        (name, key)
        for name, section in sections().items()
        for key, setting in section.items()
        if setting.default is not None and name not in {"questions", "questions.options", "questions.patterns"}
        and name not in {"participant.options", "instructions.examples", "comprehension.questions.options"}
        if (name, key) not in {("", "open"), ("repeats", "gap")}
    ],
)  # fmt: skip
def test_leaving_a_setting_out_is_writing_its_default(tmp_path: Path, name: str, key: str) -> None:
    default = sections()[name][key].default
    pairwise = {"binary": "pairwise"} if name == "pairs" else {}
    good = GOOD.replace("binary", pairwise.get("binary", "binary"))
    header = f"[[{name}]]" if name in {"participant", "raters"} else f"[{name}]"
    without = good
    if name == "units":
        written = good.replace("[units]", f"[units]\n{key} = {toml(default)}")
    elif name:
        before, _, inside = TABLES[name].rpartition("---\n")
        without = f"{good}\n{before}{header}\n{inside}\n"
        written = f"{without}{key} = {toml(default)}\n"
    else:
        written = f"{key} = {toml(default)}\n{good}"
    assert read(write(tmp_path, written, more=MORE)) == read(write(tmp_path, without, more=MORE))


def test_a_question_has_the_defaults_that_are_told(tmp_path: Path) -> None:
    [question] = read(write(tmp_path)).questions
    renamed = {"optional": "is_optional"}
    told = {
        renamed.get(key, key): setting.default
        for key, setting in sections()["questions"].items()
        if setting.default is not None and hasattr(question, renamed.get(key, key))
    }
    assert {key: getattr(question, key) for key in told} == told
    assert {"not_sure", "is_optional", "shuffle", "minimum", "max_length", "step"} <= set(told)


def test_nobody_may_come_in_unless_it_is_said(tmp_path: Path) -> None:
    closed = GOOD.replace("open = true", "") + '\n[[raters]]\nid = "A"\n'
    assert not read(write(tmp_path, closed)).is_open
    assert read(write(tmp_path)).is_open
    assert sections()[""]["open"].default is False


@pytest.mark.parametrize(
    ("type", "good", "bad"),
    [
        (settings.TEXT, ["", "x"], [1, True, ["x"]]),
        (settings.NUMBER, [1, 1.5, -2], [True, "1", None]),
        (settings.WHOLE, [1, -2], [True, 1.0, "1"]),
        (settings.YES_NO, [True, False], [0, 1, "true"]),
        (settings.TEXTS, [[], ["a", "b"]], ["ab", ["a", 1], {"a": "b"}]),
        (settings.TABLE, [{}, {"a": 1}], [[], "a"]),
        (settings.TABLES, [[], [{}, "a"]], [{}, "a", [1], [{}, 1]]),
        (settings.WORDS, [{}, {"a": "b"}], [[], "a", {"a": 1}]),
    ],
)
def test_every_type_takes_its_values_and_no_others(type: str, good: list[Any], bad: list[Any]) -> None:
    assert [value for value in good if not IS_OF[type](value)] == []
    assert [value for value in bad if IS_OF[type](value)] == []


def test_tables_are_found_in_lists_and_tables() -> None:
    document: Mapping[str, Any] = {"a": [{"b": {"x": 1}}, {"c": 2}, "b", {"b": [{"x": 2}, {"x": 3}]}], "b": 5}
    assert list(tables_at(document, ("a", "b"))) == [
        (("a", 0, "b"), {"x": 1}),
        (("a", 3, "b", 0), {"x": 2}),
        (("a", 3, "b", 1), {"x": 3}),
    ]
    assert list(tables_at(document, ())) == [((), document)]
    assert list(tables_at({"a": {"b": 1}}, ("a", "b"))) == [(("a", "b"), 1)]
    assert list(tables_at(document, ("c",))) == []


def test_what_a_table_lacks_and_what_it_may_not_have_is_said_with_what_to_do() -> None:
    found = list(faults(sections()["sample"], {"method": "simpel", "bands": 0, "buy": "x", "by": 3}))
    assert found == [
        ("method", "method: 'simpel' is not one of simple, stratified; did you mean 'simple'?", ""),
        ("bands", "bands: expected 1 or more, found 0", ""),
        ("buy", "there is no setting 'buy' here", "did you mean 'by'?"),
        ("by", "by: expected a text, found 3", ""),
        ("size", "'size' is missing", "it is how many units are drawn"),
    ]


SOURCE = '''# a comment with [brackets] and key = "value"
name = "x"
text = """
[not.a.table]
key = "not a key"
"""

[units]
file = "a.csv"   # [[questions]]
list = [
  "one",
  "two = 2",
]

[[questions]]
id = "a"
options = [{ value = "x" }, { value = "y" }]

[[questions]]
id = 'b'

[[questions.patterns]]
id = "p"

[[questions.patterns]]
id = "q"
"quoted key" = 1
'''


def test_keys_and_tables_are_found_where_they_stand() -> None:
    lines = key_lines(SOURCE)
    assert lines[("name",)] == 2
    assert lines[("units", "file")] == 9
    assert lines[("units", "list")] == 10
    assert lines[("questions", 0)] == 15
    assert lines[("questions", 0, "options")] == 17
    assert lines[("questions", 1, "id")] == 20
    assert lines[("questions", 1, "patterns", 0, "id")] == 23
    assert lines[("questions", 1, "patterns", 1, "quoted key")] == 27


def test_nothing_is_found_inside_strings_arrays_and_comments() -> None:
    lines = key_lines(SOURCE)
    assert not any("not" in path or "key" in path for path in lines)


def test_an_unknown_path_is_put_at_the_nearest_table() -> None:
    lines = key_lines(SOURCE)
    assert line_of(lines, ("questions", 1, "task")) == 19
    assert line_of(lines, ("questions", 0, "options", 1, "value")) == 17
    assert line_of(lines, ("nowhere",)) == 0


def test_a_list_in_a_list_is_no_table() -> None:
    assert key_lines('matrix = [\n  ["x"]\n]\nafter = 1\n') == {("matrix",): 1, ("after",): 4}


def test_braces_brackets_and_strings_over_several_lines_end_where_they_end() -> None:
    source = """first = [ # [
  { a = 1,
    b = [2] }, [ 3, "]" ],
] # ]
second = { x = [
  1 ] }
third = 'a [ b'
"fourth" . 'part' = \'\'\'
[no]
key = 1
\'\'\'
[ a . "b c" ] # [[d]]
x = 1
[[ list ]]
[list.inner]
y = [[1], [2]]
[[list]]
[list.inner]
y = 2
[[list.deep]]
[[list.deep]]
z = 3
"""
    assert key_lines(source) == {
        ("first",): 1,
        ("second",): 5,
        ("third",): 7,
        ("fourth", "part"): 8,
        ("a", "b c"): 12,
        ("a", "b c", "x"): 13,
        ("list", 0): 14,
        ("list", 0, "inner"): 15,
        ("list", 0, "inner", "y"): 16,
        ("list", 1): 17,
        ("list", 1, "inner"): 18,
        ("list", 1, "inner", "y"): 19,
        ("list", 1, "deep", 0): 20,
        ("list", 1, "deep", 1): 21,
        ("list", 1, "deep", 1, "z"): 22,
    }


def test_a_mistake_without_a_place_is_on_the_first_line() -> None:
    source = Source(Path("study.toml"), "\n\nname = 1\n[units]\nfile = 2\n")
    for place in (("title",), ("name",), ("units", "file"), ("units", "text"), ("units", 0, "text", "more")):
        source.report(place, "wrong", "mend it")
    assert [problem.line for problem in source.problems] == [1, 3, 5, 4, 4]
    assert source.problems[0] == Problem(Path("study.toml"), 1, "wrong", "mend it")


def test_every_table_is_checked_and_every_mistake_has_its_line() -> None:
    text = """seed = -1
[units]
fil = "a.csv"
[[questions]]
id = "a"
options = ["plain", { valu = "x" }]
[[questions]]
id = 3
[questions.more]
"""
    source = Source(Path("s"), text)
    source.check(tomllib.loads(text))
    assert sorted((problem.line, problem.what) for problem in source.problems) == [
        (1, "'name' is missing"),
        (1, "'title' is missing"),
        (1, "seed: expected 0 or more, found -1"),
        (3, "there is no setting 'fil' here"),
        (4, "'ask' is missing"),
        (4, "'task' is missing"),
        (6, "'value' is missing"),
        (6, "there is no setting 'valu' here"),
        (7, "'ask' is missing"),
        (7, "'task' is missing"),
        (8, "id: expected a text, found 3"),
        (9, "there is no setting 'more' here"),
    ]
