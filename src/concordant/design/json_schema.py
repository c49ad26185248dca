"""The JSON Schema of a study file, made of the same tables that files are checked against: for editors.

Editors that know TOML (Even Better TOML, Taplo, PyCharm) complete and explain settings while they are typed, if the
first line of the file says where its schema lies; `init` writes both. What `check` says is what holds.
"""

import json
from typing import Any

from concordant.about import NAME, VERSION
from concordant.design.schema import sections
from concordant.design.study_file import FORMAT
from concordant.tasks.question import NUMBER, TABLE, TABLES, TEXT, TEXTS, WHOLE, WORDS, YES_NO, Section, Setting

FILE = "study.schema.json"
LINE = f"#:schema ./{FILE}\n"
TYPES: dict[str, dict[str, Any]] = {
    TEXT: {"type": "string"},
    NUMBER: {"type": "number"},
    WHOLE: {"type": "integer"},
    YES_NO: {"type": "boolean"},
    TEXTS: {"type": "array", "items": {"type": "string"}},
    TABLE: {"type": "object"},
    TABLES: {"type": "array"},
    WORDS: {"type": "object", "additionalProperties": {"type": "string"}},
}


def json_schema() -> dict[str, Any]:
    """The whole schema; kinds of questions of other packages are in it."""
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "$id": f"urn:{NAME}:study-file:{FORMAT}",
        "title": f"A study of {NAME} {VERSION}",
        **_table(""),
    }


def schema_text() -> str:
    """The schema as a file."""
    return json.dumps(json_schema(), indent=1, ensure_ascii=False) + "\n"


def _table(name: str) -> dict[str, Any]:
    """One table of settings with the tables inside it."""
    section: Section = sections()[name]
    needed = [key for key, setting in section.items() if setting.is_required]
    return {
        "type": "object",
        "additionalProperties": False,
        "properties": {key: _setting(f"{name}.{key}".lstrip("."), setting) for key, setting in section.items()},
        **({"required": needed} if needed else {}),
    }


def _setting(place: str, setting: Setting) -> dict[str, Any]:
    """One setting: its type, what it means, what may be chosen; a list of tables may hold plain texts (options)."""
    made = dict(TYPES[setting.type])
    if place in sections():
        inner = _table(place)
        made = {"type": "array", "items": {"anyOf": [inner, {"type": "string"}]}} if setting.type == TABLES else inner
    made["description"] = setting.meaning
    if setting.choices:
        made["enum"] = list(setting.choices)
    if setting.low is not None:
        made["minimum"] = setting.low
    if not setting.is_required and setting.default is not None and setting.type not in (TABLE, TABLES):
        made["default"] = list(setting.default) if isinstance(setting.default, tuple) else setting.default
    return made
