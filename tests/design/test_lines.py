"""Lines of TOML keys."""

from assent.design.lines import key_lines, line_of

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
