"""The study builder without a page: the parts of a draft, the fields of each, and what a filled form makes of them.

Fields come from the tables of settings that study files are checked against, those of a question from its kind. So a
new setting, and a new kind, is in the builder as soon as it exists.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

from concordant.design.schema import Problem, sections
from concordant.design.study_file import FILE
from concordant.design.toml_lines import Place
from concordant.errors import InputError
from concordant.studio.drafts import WorkingDraft
from concordant.studio.items import SINGLE
from concordant.studio.known_items import FILES as KNOWN
from concordant.tasks.kind import kinds
from concordant.tasks.question import NUMBER, TABLE, TABLES, TEXT, TEXTS, WHOLE, WORDS, YES_NO, Setting

QUESTION_FIRST = ("ask", "title", "help", "id")
PARTS: Mapping[str, Sequence[str]] = {
    "questions": (),
    "items": ("units",),
    "assignment": ("open", "sets", "assignment", "presentation", "repeats", "raters", "allocation", "seed"),
    "guidelines": ("guidelines",),
    "training": ("training", "gold", "comprehension", "failed_check"),
    "pages": ("title", "language", "participant", "instructions", "thanks", "screened_out"),
    "consent": ("introduction",),
    "more": ("sample", "pairs", "recruitment", "cleaning"),
    "file": (),
}
"""The parts of a study in the builder, each with the settings and tables of the study file that are edited there."""
ELSEWHERE = {"units": frozenset({"file", *SINGLE, "alternatives"})}
"""Settings that are chosen in another way: the columns of the items have roles."""
LONG = frozenset({"text", "consent", "purpose", "explanation"})
"""Texts that take several lines."""
FIELD = re.compile(r"[a-z_]+(\.[a-z_]+|\.\d+)*")


@dataclass(frozen=True, kw_only=True)
class Field:
    """One thing to fill in: where it is in the study file, its setting, what is there, what is wrong with it.

    `rows` are those of a list of tables, each with its own fields.
    """

    name: str
    section: str
    key: str
    setting: Setting
    value: Any = None
    faults: Sequence[Problem] = ()
    rows: Sequence[Sequence["Field"]] = ()

    @property
    def is_long(self) -> bool:
        """Whether it is a text of several lines."""
        return self.key in LONG and self.section not in ("questions.patterns", "instructions.examples")

    @property
    def shown(self) -> str:
        """The value as a field of a form holds it."""
        if self.value is None:
            return ""
        if isinstance(self.value, list):
            return "\n".join(map(str, self.value))
        if isinstance(self.value, Mapping):
            return "\n".join(f"{key} = {value}" for key, value in self.value.items())
        return f"{self.value:g}" if isinstance(self.value, float) else str(self.value)

    @property
    def is_on(self) -> bool:
        """Whether a yes-or-no setting holds."""
        return bool(self.setting.default if self.value is None else self.value)


@dataclass(frozen=True, kw_only=True)
class Part:
    """An entry of the outline: a part of the study, how much is in it, and what is to mend there."""

    key: str
    label: str = ""
    count: str = ""
    faults: Sequence[Problem] = ()
    children: Sequence["Part"] = field(default_factory=tuple)


def outline(draft: WorkingDraft) -> list[Part]:
    """The parts of the draft in their order."""
    document, found = draft.document, draft.problems
    asked = [one for one in document.get("questions", ()) if isinstance(one, dict)]
    made = []
    for key in PARTS:
        faults = [one for one in found if part_of(one) == key or part_of(one).startswith(f"{key}.")]
        children: tuple[Part, ...] = ()
        if key == "questions":
            children = tuple(
                Part(
                    key=f"questions.{number}",
                    label=str(one.get("title") or one.get("ask") or one.get("id") or ""),
                    faults=[one for one in found if part_of(one) == f"questions.{number}"],
                )
                for number, one in enumerate(asked)
            )
        made.append(
            Part(key=key, count=str(len(asked)) if key == "questions" else "", faults=faults, children=children)
        )
    return made


def part_of(problem: Problem) -> str:
    """The part in which a problem is mended."""
    place = problem.place
    if not place:
        known = "training" if problem.file.stem in KNOWN else "items"
        return known if problem.file.name != FILE else "file"
    if place[0] == "questions":
        return f"questions.{place[1]}" if len(place) > 1 else "questions"
    dotted = ".".join(str(one) for one in place if isinstance(one, str))
    for part, tables in PARTS.items():
        if any(dotted == table or dotted.startswith(f"{table}.") for table in tables):
            return part
    return next((part for part, tables in PARTS.items() if place[0] in {one.split(".")[0] for one in tables}), "file")


# ---- fields ----


def fields_of_part(draft: WorkingDraft, part: str) -> list[tuple[str, list[Field]]]:
    """The fields of a part, table by table; those of a question are the settings of its kind."""
    if part.startswith("questions."):
        return [("questions", question_fields(draft, int(part.partition(".")[2])))]
    groups: list[tuple[str, list[Field]]] = []
    for table in PARTS.get(part, ()):
        section, _, only = table.partition(".")
        setting = sections()[""].get(section)
        if setting is None:
            continue
        value, faults = draft.document.get(section), _at(draft.problems, (section,))
        if setting.type == TABLE:
            shown = [
                key
                for key in sections()[section]
                if key not in ELSEWHERE.get(section, ()) and (not only or key == only)
            ]
            own = value if isinstance(value, dict) else {}
            groups.append((section, [_field(draft, section, section, key, own) for key in shown]))
        else:
            one = Field(name=section, section="", key=section, setting=setting, value=value, faults=faults)
            groups.append((section, [_with_rows(draft, one) if setting.type == TABLES else one]))
    return groups


def question_fields(draft: WorkingDraft, number: int) -> list[Field]:
    """The fields of one question: what all have, and the settings of its kind."""
    asked = draft.document.get("questions", [])
    if not 0 <= number < len(asked):
        raise InputError(f"there is no question {number + 1}", hint="look at the list of questions")
    table = asked[number]
    kind = kinds().get(str(table.get("task")))
    section = sections()["questions"]
    shared = [key for key in section if not any(key in one.settings for one in kinds().values()) and key != "task"]
    order = [*QUESTION_FIRST, *(kind.settings if kind else ()), *(key for key in shared if key not in QUESTION_FIRST)]
    return [_field(draft, "questions", f"questions.{number}", key, table) for key in order]


def _field(draft: WorkingDraft, section: str, place: str, key: str, table: Mapping[str, Any]) -> Field:
    setting, name = sections()[section][key], f"{place}.{key}"
    made = Field(
        name=name,
        section=section,
        key=key,
        setting=setting,
        value=table.get(key),
        faults=_at(draft.problems, placed(name)),
    )
    return _with_rows(draft, made) if setting.type == TABLES else made


def _with_rows(draft: WorkingDraft, made: Field) -> Field:
    """The field of a list of tables, with a row of fields for each; options that are plain texts are values."""
    section = _section_of(made.name)
    entries = made.value if isinstance(made.value, list) else []
    tables = [entry if isinstance(entry, dict) else {"value": entry} for entry in entries]
    rows = [
        [_field(draft, section, f"{made.name}.{number}", key, table) for key in sections()[section]]
        for number, table in enumerate(tables)
    ]
    faults = [one for one in made.faults if len(one.place) == len(placed(made.name))]
    return Field(
        name=made.name, section=made.section, key=made.key, setting=made.setting, value=tables, rows=rows, faults=faults
    )


def _at(found: Iterable[Problem], place: Place) -> list[Problem]:
    return [one for one in found if one.place[: len(place)] == place]


def placed(name: str) -> Place:
    """The place that the name of a field means.

    >>> placed("questions.0.ask")
    ('questions', 0, 'ask')
    """
    return tuple(int(part) if part.isdigit() else part for part in name.split("."))


def _section_of(name: str) -> str:
    """The table of settings for what is at a place: numbers do not matter."""
    return ".".join(str(part) for part in placed(name) if isinstance(part, str))


# ---- a filled form ----


def filled(document: Mapping[str, Any], form: Iterable[tuple[str, str]]) -> dict[str, Any]:
    """The study file with what a form says; a field that was left empty takes its setting away.

    Names are places, as in `questions.0.ask`. A list of tables is whole in a form: rows without any content go.
    """
    made: dict[str, Any] = deepcopy(dict(document))
    tree: dict[str, Any] = {}
    for name, text in form:
        if FIELD.fullmatch(name) and name.count(".") <= 6:
            node = tree
            *path, last = name.split(".")
            for part in path:
                node = node.setdefault(part, {})
                if not isinstance(node, dict):
                    raise InputError(f"{name!r} is no place of a study file")
            node[last] = text  # of several fields of one name the last counts: a box that is ticked
    _fill(made, tree, "")
    return made


def _fill(table: dict[str, Any], tree: Mapping[str, Any], section: str) -> None:
    """Put what a form says of one table into it."""
    known = sections().get(section, {})
    for key, said in tree.items():
        setting = known.get(key)
        if setting is None:
            raise InputError(f"there is no setting {key!r} in a study file", hint="reload the page")
        if isinstance(said, dict):
            inner = f"{section}.{key}".lstrip(".")
            value = _filled_rows(table.get(key), said, inner) if setting.type == TABLES else dict(table.get(key) or {})
            if isinstance(value, dict):
                _fill(value, said, inner)
            is_empty = not value or (isinstance(value, dict) and all(one == "" for one in value.values()))
            _put(table, key, None if is_empty and value != table.get(key) else value)
        else:
            value = _read(setting, str(said), table.get(key))
            is_default = key not in table and not setting.is_required and value == setting.default
            _put(table, key, None if is_default else value)


def _put(table: dict[str, Any], key: str, value: Any) -> None:
    if value is None:
        table.pop(key, None)
    else:
        table[key] = value


def _filled_rows(old: Any, said: Mapping[str, Any], section: str) -> list[Any]:
    """The rows of a list of tables; options with a value and nothing else are written as plain texts."""
    before, rows = old if isinstance(old, list) else [], []
    is_whole = section.count(".") > 0 or section in ("participant", "raters")
    numbers = sorted(map(int, (key for key in said if key.isdigit())))
    for number in numbers if is_whole else range(len(before)):
        had = before[number] if number < len(before) else {}
        table: dict[str, Any] = dict(deepcopy(had)) if isinstance(had, dict) else {"value": had}
        if isinstance(said.get(str(number)), dict):
            _fill(table, said[str(number)], section)
        is_plain = section.endswith("options") and set(table) == {"value"} and not (isinstance(had, dict) and had)
        if not is_whole or any(value not in ("", None, False, [], {}) for value in table.values()):
            rows.append(table["value"] if is_plain else table)
    return rows


def _read(setting: Setting, text: str, old: Any) -> Any:
    """What a field of a form says; a number that is none stays a text, and the check of the file complains of it."""
    text = text.replace("\r\n", "\n")
    if setting.type == YES_NO:
        return text == "yes"
    if setting.type in (TEXTS, WORDS):
        lines = [line.strip() for line in text.split("\n") if line.strip()]
        if setting.type == TEXTS:
            return lines or None
        pairs = [line.partition("=") for line in lines]
        return {key.strip(): value.strip() for key, _, value in pairs} or None
    if not text.strip():
        return "" if setting.type == TEXT and (old == "" or (setting.is_required and old is not None)) else None
    if setting.type in (NUMBER, WHOLE):
        return _number(text.strip(), old, is_whole=setting.type == WHOLE)
    same = isinstance(old, str) and text.strip("\n") == old.strip("\n")
    return old if same else text.strip()


def _number(text: str, old: Any, *, is_whole: bool) -> Any:
    try:
        value = float(text.replace(",", "."))
    except ValueError:
        return text
    if value.is_integer() and not (isinstance(old, float) and old == value):
        return int(value)
    return text if is_whole else value


# ---- changes of the whole ----


def done(document: Mapping[str, Any], action: str) -> dict[str, Any]:
    """The study file after a button was pressed: `add:questions`, `remove:questions.1`, `up:questions.1.options.2`,
    `move:questions.1.options.2:0`, `kind:questions.0:ordinal` and so on.
    """
    made: dict[str, Any] = deepcopy(dict(document))
    what, _, rest = action.partition(":")
    name, _, more = rest.partition(":")
    if not FIELD.fullmatch(name):
        raise InputError("there is no such button", hint="reload the page")
    if what == "kind":
        change_kind(_entries(made, "questions"), int(placed(name)[1]), more)
    elif what == "add":
        entries = _entries(made, name)
        entries.append(new_entry(made, name, len(entries)))
    else:
        where, _, number = name.rpartition(".")
        entries = _entries(made, where)
        if not number.isdigit() or int(number) >= len(entries):
            raise InputError("what this button was for is not there any more", hint="reload the page")
        moved(entries, int(number), what, more)
    return made


def moved(entries: list[Any], number: int, what: str, to: str = "") -> None:
    """Take an entry out of a list, double it, or let it change places with a neighbour, or move to a place."""
    if what == "remove":
        del entries[number]
    elif what == "double":
        twin = deepcopy(entries[number])
        if isinstance(twin, dict) and "id" in twin:
            twin["id"] = _fresh([one.get("id") for one in entries], str(twin["id"]))
        entries.insert(number + 1, twin)
    elif what in ("up", "down", "move"):
        other = int(to) if to.isdigit() else number + {"up": -1, "down": 1}.get(what, 0)
        if 0 <= other < len(entries):
            entries.insert(other, entries.pop(number))
    else:
        raise InputError("there is no such button", hint="reload the page")


def _entries(made: dict[str, Any], name: str) -> list[Any]:
    """The list at a place, made where there is none."""
    node: Any = made
    parts = placed(name)
    for part, following in zip(parts, (*parts[1:], 0), strict=True):
        if isinstance(part, int):
            if not isinstance(node, list) or part >= len(node):
                raise InputError("what this button was for is not there any more", hint="reload the page")
            if not isinstance(node[part], dict):
                node[part] = {"value": node[part]}
            node = node[part]
        else:
            node = node.setdefault(part, [] if isinstance(following, int) else {})
    if not isinstance(node, list):
        raise InputError("there is no such list", hint="reload the page")
    return node


def new_entry(made: Mapping[str, Any], name: str, number: int) -> Any:
    """A new entry of a list, with a name of its own where entries have one."""
    section = sections().get(_section_of(name), {})
    if name == "questions":
        return {"id": _fresh([one.get("id") for one in made["questions"]], "q1"), "task": "binary", "ask": ""}
    if section.get("value"):
        return {"value": str(number + 1), "label": ""} if _is_scale(made, name) else {"value": ""}
    return {key: f"{key[0]}{number + 1}" if key == "id" else "" for key, one in section.items() if one.is_required}


def _is_scale(made: Mapping[str, Any], name: str) -> bool:
    place = placed(name)
    return place[0] == "questions" and made["questions"][place[1]].get("task") == "ordinal"


def _fresh(taken: Sequence[Any], wanted: str) -> str:
    stem, number = re.fullmatch(r"(.*?)(\d*)", wanted).groups() if wanted else ("q", "")  # type: ignore[union-attr]
    return next(one for n in range(int(number or 1), 10_000) if (one := f"{stem}{n}") not in taken)


def change_kind(asked: list[Any], number: int, task: str) -> None:
    """Another kind keeps what it also has, and loses the rest; one with options gets two to begin with."""
    if task not in kinds() or number >= len(asked):
        raise InputError(f"there is no kind of question {task!r}", hint="reload the page")
    kind, table = kinds()[task], asked[number]
    every = {name for one in kinds().values() for name in one.settings}
    kept = {key: value for key, value in table.items() if key not in every or key in kind.settings}
    asked[number] = {**kept, "task": task, **{k: v for k, v in kind.begins.items() if k not in kept}}
