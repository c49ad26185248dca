"""Studies built without an editor: forms, items, versions. The study file stays the truth, to the byte."""

import io
import re
import tomllib
from collections.abc import Iterable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from concordant.collection.events import Answered
from concordant.collection.log import Log
from concordant.design.examples import STUDIES, example_names
from concordant.design.schema import sections
from concordant.design.study_file import read as study_of
from concordant.errors import InputError
from concordant.studio import builder, designer, drafts, item_files, items, known_items, rehearsals, shelf, versions
from concordant.studio.drafts import WorkingDraft
from concordant.studio.people import hashed, place_of
from concordant.studio.projects import Studio
from concordant.studio.toml_text import rewritten
from concordant.tasks.kind import kinds
from tests.cli.running import run

TABLE = "nr,sentence,speaker\n1,He left.,Ada\n2,=1+1 <script>,Ben\n3,She stayed.,Ben\n"


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Studio]:
    """A studio without studies and one researcher."""
    home = tmp_path / "home"
    home.mkdir()
    with Log.open(f"sqlite:///{home}/answers.db") as log:
        made = Studio(log, {}, home=home)
        made.accounts.add_researcher("ada", hashed("a long enough password"))
        yield made
        made.live.close()


def posted(fields: Iterable[builder.Field]) -> Iterator[tuple[str, str]]:
    """What a browser sends of fields that nobody touched."""
    for field in fields:
        if field.setting.type == "a list of tables":
            for row in field.rows:
                yield from posted(row)
        elif field.setting.type == "true or false":
            yield field.name, "yes" if field.is_on else "no"
        else:
            yield field.name, field.shown


def forms(draft: WorkingDraft) -> Iterator[list[tuple[str, str]]]:
    """The forms of all parts."""
    questions = [f"questions.{number}" for number in range(len(draft.document["questions"]))]
    for part in (*builder.PARTS, *questions):
        yield [pair for _, fields in builder.fields_of_part(draft, part) for pair in posted(fields)]


def with_table(house: Studio) -> WorkingDraft:
    draft = item_files.bring(drafts.begin(house, "ada", "Sätze"), [("t.csv", io.BytesIO(TABLE.encode()))])
    return draft.changed(builder.filled(draft.document, [("questions.0.ask", "Good?"), ("open", "yes")]))


@pytest.mark.parametrize("example", example_names())
def test_a_form_that_nobody_touched_changes_nothing(house: Studio, example: str) -> None:
    draft = drafts.begin(house, "ada", example, example=example)
    for form in forms(draft):
        assert draft.changed(builder.filled(draft.document, form)).text == draft.text


@pytest.mark.parametrize("example", example_names())
def test_an_example_is_built_anew_with_the_same_content(house: Studio, example: str) -> None:
    source = drafts.begin(house, "ada", example, example=example)
    draft = drafts.begin(house, "ada", "From nothing")
    wanted = {**source.document, "name": draft.name, "title": draft.title}
    document = {**draft.document, "questions": []}
    for number, asked in enumerate(source.document["questions"]):
        document = builder.done(document, "add:questions")
        document = builder.done(document, f"kind:questions.{number}:{asked['task']}")
    rows = {name: len(value) for name, value in wanted.items() if isinstance(value, list) and name != "questions"}
    assert rows.keys() <= {"participant", "raters"}
    text = rewritten("", document)
    for form in forms(source):
        text = rewritten(text, builder.filled(tomllib.loads(text), [pair for pair in form if pair[0] != "title"]))
    made = tomllib.loads(text)
    for table, keys in (("units", [*items.SINGLE, "file", "alternatives"]), ("training", ["file"]), ("gold", ["file"])):
        files = {
            key: value for key, value in wanted.get(table, {}).items() if key in keys
        }  # pages of files write these
        made |= {table: {**made.get(table, {}), **files}} if files else {}
    assert meant({**made, "title": draft.title}) == meant(wanted)


def meant(value: Any, section: str = "") -> Any:
    """What a study file says: without settings that only say what holds anyway, and without ends of lines at the end."""
    if isinstance(value, list):
        return [meant(one, section) for one in value]
    if not isinstance(value, dict):
        return value.strip() if isinstance(value, str) else value
    known = sections().get(section, {})
    said = {
        key: meant(one, f"{section}.{key}".lstrip("."))
        for key, one in value.items()
        if key not in known or known[key].default is None or one != known[key].default
    }
    return {key: one for key, one in said.items() if one != {}}


def test_comments_stay(house: Studio) -> None:
    text = (STUDIES / "features" / "study.toml").read_text(encoding="utf-8")
    document = tomllib.loads(text)
    document["questions"][1]["ask"] = "Another?"
    before, after = text.splitlines(), rewritten(text, document).splitlines()
    changed = [(old, new) for old, new in zip(before, after, strict=True) if old != new]
    assert [new for _, new in changed] == ['ask = "Another?"']


def test_every_row_but_the_header_is_an_item(house: Studio) -> None:
    found = items.look(with_table(house))
    assert (found.n_rows, found.roles) == (3, {"nr": "id", "sentence": "text", "speaker": "attribute"})
    assert "sentence" not in [row.cells[1] for row in found.rows]
    assert [row.number for row in found.rows] == [2, 3, 4]


def test_pasted_lines_and_a_header_that_is_none(house: Studio) -> None:
    draft = item_files.paste(drafts.begin(house, "ada", "P"), "He left the house.\nShe stayed at home.")
    assert (items.look(draft).n_rows, items.look(draft).has_header) == (2, False)
    assert items.look(items.set_header(draft, True)).n_rows == 1


def test_roles_are_what_the_study_file_says(house: Studio) -> None:
    draft = items.set_roles(with_table(house), {"speaker": "prompt", "nr": "unused"})
    assert draft.document["units"] == {"file": "items.csv", "id": "id", "text": "sentence", "prompt": "speaker"}
    assert items.look(draft).roles["nr"] == "unused"
    with pytest.raises(InputError, match="no column 'nothing'"):
        items.set_roles(draft, {"nothing": "text"})


@pytest.mark.parametrize("task", sorted(kinds()))
def test_every_kind_can_be_chosen_and_has_its_own_settings(house: Studio, task: str) -> None:
    draft = with_table(house)
    draft = draft.changed(builder.done(draft.document, f"kind:questions.0:{task}"))
    shown = {field.key for field in builder.question_fields(draft, 0)}
    assert set(kinds()[task].settings) <= shown
    others = {name for kind in kinds().values() for name in kind.settings} - set(kinds()[task].settings)
    assert not shown & others
    if task not in ("parses", "ranking"):
        assert rehearsals.at_part(rehearsals.rehearsed(draft, "questions.0"), "questions.0").steps


def test_what_a_change_means_is_said_and_held(house: Studio) -> None:
    draft = with_table(house)
    draft = draft.changed({**draft.document, "questions": [{"id": "q1", "task": "categorical", "ask": "Good?", "options": ["a", "b", "d"]}]})  # fmt: skip
    study = versions.publish(draft)
    assert study.description.version == "1"
    steps = house.log.enrol(study, "eve")
    from concordant.collection.session import steps_of

    first = steps_of(study, steps)[0]
    house.log.append(study.description.name, [Answered(rater="eve", step=0, unit=first.unit, question="q1", value="a")])
    draft = drafts.draft_of(house, "ada", study.description.name)
    assert not draft.is_changed
    for options, possible in ((["b", "d"], False), (["a", "b", "d", "c"], True), (["b", "a", "d"], True)):
        asked = {**draft.document["questions"][0], "options": options}
        changed = draft.changed({**draft.document, "questions": [asked]})
        assert versions.proposal(changed).is_possible == possible
        if not possible:
            with pytest.raises(InputError, match="change what was answered"):
                versions.publish(changed)
    newer = versions.publish(drafts.draft_of(house, "ada", draft.name))
    assert newer.description.version == "2"
    assert steps_of(newer, steps)[0] == first
    assert [one.number for one in versions.versions(house, draft.name)] == [2, 1]


def test_known_items_are_made_cell_by_cell(house: Studio) -> None:
    draft = known_items.filled(with_table(house), [], "rows:training")
    place = known_items.look(draft, "training").columns.index
    cells = [
        (f"known.training.0.{place(name)}", text) for name, text in (("nr", "t1"), ("sentence", "Go."), ("q1", "yes"))
    ]
    draft = known_items.filled(draft, cells, "")
    assert draft.problems == ()
    assert known_items.filled(draft, [("known.training.0.0", "t1")], "").document.get("training") is None


WITH_ANSWERS = (
    "nr,sentence,right,speaker\n1,He left.,,Ada\n2,Left he up.,no,Ben\n3,She stayed.,,Ben\n4,She left.,yes,Ada\n"
)


def with_answers(house: Studio) -> WorkingDraft:
    draft = item_files.bring(drafts.begin(house, "ada", "Known"), [("t.csv", io.BytesIO(WITH_ANSWERS.encode()))])
    return draft.changed(builder.filled(draft.document, [("questions.0.ask", "Good?"), ("open", "yes")]))


def test_a_column_of_known_answers_makes_check_items(house: Studio) -> None:
    draft = items.set_roles(with_answers(house), {"right": "known:q1"})
    assert draft.problems == ()
    read = study_of(draft.folder)
    assert [one.id for one in read.units] == ["1", "3"]
    assert {one.id: (one.text, one.expected) for one in read.checks.gold} == {
        "2": ("Left he up.", {"q1": "no"}),
        "4": ("She left.", {"q1": "yes"}),
    }
    found = items.look(draft)
    assert (found.n_rows, found.n_known, found.roles["right"]) == (4, 2, "known:q1")
    assert [row.number for row in found.rows] == [2, 3, 4, 5]
    with pytest.raises(InputError, match="come from the column 'right'"):
        known_items.filled(draft, [], "rows:gold")
    back = items.set_roles(draft, {"right": "attribute"})
    assert "gold" not in back.document
    assert [one.id for one in study_of(back.folder).units] == ["1", "2", "3", "4"]


def test_a_column_of_known_answers_overwrites_nothing(house: Studio) -> None:
    draft = known_items.filled(with_answers(house), [], "rows:gold")
    with pytest.raises(InputError, match="there are check items already"):
        items.set_roles(draft, {"right": "known:q1"})
    with pytest.raises(InputError, match="every row has a known answer"):
        items.set_roles(with_answers(house), {"nr": "known:q1"})
    with pytest.raises(InputError, match="cannot be 'known:other'"):
        items.set_roles(draft, {"right": "known:other"})


def test_a_wrong_known_answer_is_a_fault_of_the_check_items(house: Studio) -> None:
    table = WITH_ANSWERS.replace("up.,no", "up.,perhaps")
    draft = item_files.bring(with_answers(house), [("t.csv", io.BytesIO(table.encode()))])
    draft = items.set_roles(draft, {"right": "known:q1"})
    assert [builder.part_of(one) for one in draft.problems] == ["training"]
    assert not any(row.faults for row in items.look(draft).rows)


def test_the_facts_of_a_plan(house: Studio) -> None:
    draft = with_table(house)
    draft = draft.changed({**draft.document, "sets": {"count": 3}, "assignment": {"judgements": 2}})
    found = designer.design_of(draft, {"seconds": "36", "rate": "10"})
    assert found.expectation is not None
    assert (found.expectation.n_judgements, found.expectation.n_raters, round(found.cost, 2)) == (6, 3, 0.6)


@pytest.mark.parametrize("k", [1, 2, 3])
def test_the_facts_are_those_that_the_command_prints(house: Studio, tmp_path: Path, k: int) -> None:
    draft = item_files.paste(drafts.begin(house, "ada", "Facts"), "\n".join(f"text {n}" for n in range(40)))
    draft = draft.changed(builder.filled(draft.document, [("questions.0.ask", "Good?"), ("open", "yes")]))
    draft = draft.changed({**draft.document, "sets": {"count": 4}, "assignment": {"judgements": k}})
    found = designer.design_of(draft).expectation
    assert found is not None
    printed = run("design", draft.folder, "-o", tmp_path / "plan.json").stdout.partition("In all")[2]
    told = dict(re.findall(r"^(.+?)  +(\S.*)$", printed, flags=re.MULTILINE))
    assert int(told["judgements"]) == found.n_judgements == 40 * k
    assert int(told["raters"]) == found.n_raters
    assert int(told["units of one rater, at most"]) == found.most_of_a_rater
    width = told["width of alpha's 95 % interval, if alpha is 0.6"]
    if k == 1:
        assert (found.width, width) == (None, "undefined: no two units are judged twice")
    else:
        assert found.width == pytest.approx(float(width), abs=0.005)


def test_a_study_is_put_away_and_taken_back(house: Studio) -> None:
    versions.publish(with_table(house))
    place = place_of(house, "ada", "saetze")
    shelf.put_away(place, shelf.DELETED)
    assert house.study("saetze") is None
    assert [one.days_left for one in shelf.put_away_by(house, "ada")] == [shelf.DAYS]
    assert drafts.begin(house, "ada", "Sätze").name == "saetze-2"
    shelf.take_back(house, "ada", "saetze")
    assert house.study("saetze") is not None


@pytest.mark.parametrize(
    "named",
    ['units = {file = "/etc/hosts"}', 'units = {profile = ".."}', 'guidelines = {version = "1", file = "../../x"}'],
)
def test_nobody_reads_the_files_of_the_server_through_a_study_file(house: Studio, named: str) -> None:
    draft = drafts.begin(house, "ada", "Reading along")
    with pytest.raises(InputError, match="lies outside the study"):
        drafts.with_text(draft, named + "\n" + draft.text)
    assert drafts.draft_of(house, "ada", draft.name).text == draft.text


def test_options_are_moved_to_a_place() -> None:
    document = {"questions": [{"id": "q", "task": "categorical", "options": ["a", "b", "c"]}]}

    def moved(action: str) -> list[str]:
        return list(builder.done(document, action)["questions"][0]["options"])

    assert moved("move:questions.0.options.2:0") == ["c", "a", "b"]
    assert moved("move:questions.0.options.0:2") == ["b", "c", "a"]
    assert moved("move:questions.0.options.0:9") == moved("move:questions.0.options.0:") == ["a", "b", "c"]
    with pytest.raises(InputError):
        moved("move:questions.0.options.7:0")


def test_the_dot_of_the_curve_stands_at_the_plan(house: Studio) -> None:
    draft = item_files.paste(drafts.begin(house, "ada", "T"), "\n".join(f"text {n}" for n in range(40)))
    draft = draft.changed(builder.filled(draft.document, [("questions.0.ask", "Good?")]))
    found = designer.design_of(draft.changed({**draft.document, "open": True}), {"raters": "3"})
    assert found.expectation is not None
    assert found.curve[found.place].n_units == found.expectation.n_units == 40
    assert found.curve[found.place].width == pytest.approx(found.expectation.width)
    assert [point.n_units for point in found.curve] == sorted({point.n_units for point in found.curve})
    assert all(a.width >= b.width for a, b in pairwise(found.curve))
