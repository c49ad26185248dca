"""The JSON Schema for editors says what the tables say, and takes every example study."""

import json
import tomllib
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from concordant.design.examples import STUDIES, example_names, init
from concordant.design.json_schema import FILE, LINE, json_schema
from concordant.design.schema import sections
from tests.cli.running import run


@pytest.mark.parametrize("name", example_names())
def test_every_example_follows_it(name: str) -> None:
    document = tomllib.loads((STUDIES / name / "study.toml").read_text("utf-8"))
    jsonschema.validate(document, json_schema())


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"seed": "one"}, "is not of type 'integer'"),
        ({"colour": "red"}, "Additional properties are not allowed"),
        ({"questions": [{"id": "q", "ask": "?", "task": "binry"}]}, "'binry' is not one of"),
        ({"name": None}, "is not of type 'string'"),
    ],
)
def test_mistakes_are_seen(change: dict[str, Any], said: str) -> None:
    document = tomllib.loads((STUDIES / "features" / "study.toml").read_text("utf-8"))
    with pytest.raises(jsonschema.ValidationError, match=said):
        jsonschema.validate({**document, **change}, json_schema())


def test_every_setting_is_in_it_with_its_meaning() -> None:
    written = json.dumps(json_schema(), ensure_ascii=False)
    for section in sections().values():
        for key, setting in section.items():
            assert f'"{key}": {{' in written
            assert json.dumps(setting.meaning, ensure_ascii=False) in written


def test_init_writes_it_and_says_where_it_lies(tmp_path: Path) -> None:
    file = init(tmp_path / "mine")
    assert file.read_text("utf-8").startswith(LINE)
    assert json.loads((tmp_path / "mine" / FILE).read_text("utf-8")) == json.loads(json.dumps(json_schema()))
    run("check", file)


def test_a_study_that_is_there_already_gets_it(tmp_path: Path) -> None:
    file = init(tmp_path / "mine")
    (tmp_path / "mine" / FILE).unlink()
    assert f"begin with the line {LINE.strip()}" in run("check", file, "--schema").stderr
    assert (tmp_path / "mine" / FILE).exists()
