"""Files that somebody brings: kept aside, understood, corrected, looked at, taken away."""

import io
import json
import shlex
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from importlib.resources import files
from pathlib import Path

import pytest

from concordant.collection.log import Log
from concordant.errors import InputError
from concordant.studio import uploads as service
from concordant.studio.brought_files import Asked, see
from concordant.studio.measurements import FEW_TEXTS
from concordant.studio.projects import NotFoundError, Studio
from concordant.studio.things import with_way
from concordant.studio.uploads import Upload, Uploads
from tests.cli.running import run

EXAMPLES = files("concordant") / "examples" / "data"
WIDE = "item,Anna,Ben,note\n1,1.5,1,x\n2,2,2.5,\n3,3,3,late\n4,4,4.5,\n"
ODD = "thing,person,mark\na,P,1\na,Q,2\nb,P,2\nb,Q,2\n"


@pytest.fixture(scope="module")
def uploads() -> Iterator[Uploads]:
    """What is brought to a server."""
    kept = Uploads()
    yield kept
    kept.close()


def brought(uploads: Uploads, content: dict[str, str | bytes], owner: str = "maria") -> Upload:
    upload = uploads.begin(owner)
    for name, text in content.items():
        upload.add(name, io.BytesIO(text.encode() if isinstance(text, str) else text))
    return upload


def test_a_clean_file_is_understood_and_looked_at(uploads: Uploads) -> None:
    upload = brought(uploads, {"ratings.csv": (EXAMPLES / "ratings.csv").read_bytes()})
    found = uploads.understand(upload, {})
    seen = found.seen
    assert seen.account is not None
    assert (seen.account.n_units, seen.account.n_raters) == (40, 5)
    assert dict(zip(seen.columns.names, seen.columns.roles, strict=True))["unit"] == "unit"
    assert seen.look.verdict is not None
    assert [block.title for block in seen.look.blocks] == ["fluency", "adequacy"]
    assert [line.word for line in seen.look.lines] == ["not_yet", "not_yet"]
    assert "stricter" in seen.look.findings[0].seen
    assert seen.columns.rows[0] == (2, ("q01", "J1", "native", "fluency", "3"))
    assert seen.sentence is not None
    assert [(one.name, one.low, one.high) for one in seen.sentence.questions] == [
        ("fluency", "1", "5"),
        ("adequacy", "1", "5"),
    ]
    assert (seen.sentence.most, seen.sentence.n_alone, seen.things) == (5, 0, [])
    assert uploads.understand(upload, {}).seen is seen


def test_every_column_is_said_to_be_something(uploads: Uploads) -> None:
    found = uploads.understand(brought(uploads, {"wide.csv": WIDE}), {})
    assert found.seen.columns.names == ("item", "Anna", "Ben", "note")
    assert found.seen.columns.roles == ("unit", "rated", "rated", "")
    assert "free text" in found.seen.columns.why[3] or found.seen.columns.why[3] == "attribute"


def test_what_cannot_be_read_can_be_corrected_and_the_command_says_so(uploads: Uploads, tmp_path: Path) -> None:
    upload = brought(uploads, {"odd table.csv": ODD})
    refused = uploads.understand(upload, {"unit": "thing", "rater": "person", "value": "nothing"})
    assert refused.seen.account is None
    assert str(upload.folder) not in refused.problem
    assert refused.seen.columns.names == ("thing", "person", "mark")
    assert refused.seen.columns.roles == ("unit", "rater", "")
    assert {one.name for one in refused.seen.offered} >= {"unit", "rater", "value", "level"}
    found = uploads.understand(
        upload, {"unit": "thing", "rater": "person", "value": "mark", "level": "ordinal", "x": "1"}
    )
    assert found.seen.account is not None
    assert found.seen.account.questions[0].level == "ordinal"
    assert found.query == "unit=thing&rater=person&value=mark&level=ordinal"
    words = shlex.split(found.command("read", "--json"))
    assert words[:3] == ["concordant", "read", "odd table.csv"]
    (tmp_path / "odd table.csv").write_text(ODD)
    assert '"n_judgements": 4' in run(*words[1:2], tmp_path / words[2], *words[3:]).stdout


def test_hints_speak_of_fields_not_of_options(uploads: Uploads) -> None:
    upload = brought(uploads, {"twice.csv": "unit,rater,value\na,P,1\na,P,2\na,Q,1\n"})
    found = uploads.understand(upload, {})
    assert "Several judgements of one unit" in upload.plainly(found.seen.look.note)
    [twice] = found.seen.things
    assert (twice.kind, twice.rows, twice.n) == ("twice", (3,), 1)
    assert [way.is_taken for way in twice.ways] == [False, False]
    first = uploads.understand(upload, {"duplicates": "first"})
    assert first.seen.look.note == ""
    assert [way.is_taken for way in first.seen.things[0].ways] == [True, False]


@pytest.mark.parametrize(
    ("chosen", "taken", "said"),
    [
        ({}, "odd_read", "--recode mark:four=4"),
        ({"missing": "four"}, "odd_missing", "--missing four"),
        ({"level": "nominal"}, "odd_names", "--level nominal"),
    ],
)
def test_a_word_among_numbers_is_read_as_the_command_says(
    uploads: Uploads, tmp_path: Path, chosen: dict[str, str], taken: str, said: str
) -> None:
    rows = [f"t{unit},{who},{1 + (unit + (who == 'B' and unit % 3 == 0)) % 4}" for unit in range(12) for who in "AB"]
    rows[4] = "t2,A,four"
    table = "text,who,mark\n" + "\n".join(rows) + "\n"
    roles = {"unit": "text", "rater": "who", "value": "mark"}
    found = uploads.understand(brought(uploads, {"odd.csv": table}), roles | chosen)
    [odd] = found.seen.things
    assert (odd.kind, odd.rows, odd.about["value"]) == ("odd", (6,), "four")
    assert [way.key for way in odd.ways if way.is_taken] == [taken]
    assert (6, ("t2", "A", "four")) in found.seen.columns.rows
    command = found.command("measure", "--seed", "1", "--json")
    assert said in command
    (tmp_path / "odd.csv").write_text(table)
    printed = json.loads(run(*shlex.split(command)[1:], cwd=tmp_path).stdout)
    assert found.seen.look.verdict is not None
    alpha = found.seen.look.verdict.questions[0].result
    [same] = [one for one in printed["results"] if one["measure"] == alpha.measure]
    assert same["value"] == alpha.value
    for way in odd.ways:  # one choice takes the others back
        other = uploads.understand(found.upload, with_way(found.chosen, way.chosen))
        assert [one.key for one in other.seen.things[0].ways if one.is_taken] == [way.key]


def test_one_judgement_that_came_twice_stops_no_report_and_many_are_a_question(uploads: Uploads) -> None:
    rows = [f"t{unit},{who},{1 + unit % 3}" for unit in range(12) for who in "AB"]
    few = "unit,rater,value\n" + "\n".join([*rows, "t3,A,3"]) + "\n"
    found = uploads.understand(brought(uploads, {"few.csv": few}), {})
    assert found.seen.look.verdict is not None
    assert [way.is_taken for way in found.seen.things[0].ways] == [False, True]
    assert found.command().endswith("--duplicates last")
    many = "unit,rater,value\n" + "\n".join([*rows, *rows]) + "\n"
    asked = uploads.understand(brought(uploads, {"many.csv": many}), {})
    assert asked.seen.look.verdict is None
    assert [way.is_taken for way in asked.seen.things[0].ways] == [False, False]


def test_several_files_and_archives_are_folders(uploads: Uploads) -> None:
    ann = {"A": "T1\tx 0 3\tone\n", "B": "T1\tx 0 3\tone\n"}
    text = "one two"
    plain = {f"{rater}/doc.{end}": body for rater in "AB" for end, body in (("ann", ann[rater]), ("txt", text))}
    found = uploads.understand(brought(uploads, dict(plain)), {})
    assert found.seen.account is not None, found.problem
    assert (found.seen.account.kind, found.seen.account.n_raters, found.seen.account.n_spans) == ("spans", 2, 2)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, body in plain.items():
            archive.writestr(name, body)
        archive.writestr("__MACOSX/._doc.ann", "rubbish")
    again = uploads.understand(brought(uploads, {"corpus.zip": packed.getvalue()}), {})
    assert again.seen.account is not None, again.problem
    assert again.seen.account.n_spans == 2
    assert again.seen.sentence is not None
    assert (again.seen.sentence.n_raters, again.seen.sentence.n_spans) == (2, 2)
    assert again.seen.look.blocks[0].title == "doc"


def test_names_cannot_leave_the_folder(uploads: Uploads) -> None:
    upload = brought(uploads, {"../../etc/passwd": "x", "a/../../b.csv": "y", ".hidden": "z", "c\x00d.csv": "v"})
    assert all(file.is_relative_to(upload.folder) for file in upload.files)
    assert all(".." not in file.relative_to(upload.folder).parts for file in upload.files)
    with pytest.raises(InputError, match="two files"):
        upload.add(str(upload.files[1].relative_to(upload.folder)), io.BytesIO())


def test_only_the_owner_sees_files_and_they_go(monkeypatch: pytest.MonkeyPatch) -> None:
    uploads = Uploads()
    upload = brought(uploads, {"wide.csv": WIDE})
    assert upload.folder.stat().st_mode & 0o077 == 0
    with pytest.raises(NotFoundError):
        uploads.find("eve", upload.key)
    with pytest.raises(NotFoundError):
        uploads.forget("eve", upload.key)
    assert uploads.of("maria") == [upload]
    uploads.forget("maria", upload.key)
    assert not upload.folder.exists()
    many = [brought(uploads, {"wide.csv": WIDE}) for _ in range(service.MOST_UPLOADS + 1)]
    assert not many[0].folder.exists()
    assert uploads.find("maria", many[1].key) is many[1]
    monkeypatch.setattr("concordant.studio.uploads.time.monotonic", lambda: many[-1].touched + service.DAY + 1)
    with pytest.raises(NotFoundError, match="for a day"):
        uploads.find("maria", many[-1].key)
    uploads.begin("maria")
    assert not many[-1].folder.exists()
    uploads.close()
    uploads.close()


def test_reports_and_gold_to_take_away(uploads: Uploads, tmp_path: Path) -> None:
    with Log.open(f"sqlite:///{tmp_path}/studio.db") as log:
        studio = Studio(log, {})
        found = uploads.understand(brought(uploads, {"wide.csv": WIDE}), {})
        made = service.report(studio, uploads, found, "md")
        made.write(tmp_path / "wide.md")
        assert "Reliability report: wide.csv" in (tmp_path / "wide.md").read_text()
        assert service.report(studio, uploads, found, "html").making is made.making
        assert service.gold_table(uploads, found).startswith("unit,")
        marked = "text,rater,begin,end,category\nt,A,0,9,x\nt,B,0,9,x\n"
        spans = uploads.understand(brought(uploads, {"spans.csv": marked}), {})
        assert service.gold_table(uploads, spans).splitlines()[1].startswith("t,gold,0,9,x,votes,2,2")
        rows = "".join(f"t{n},A,0,9,x\nt{n},B,0,9,x\n" for n in range(FEW_TEXTS + 1))
        many = uploads.understand(brought(uploads, {"many.csv": marked.partition("\n")[0] + "\n" + rows}), {})
        with pytest.raises(NotFoundError, match="spans in few texts"):
            service.gold_table(uploads, many)
        with pytest.raises(NotFoundError):
            service.report(studio, uploads, found, "exe")
        refused = uploads.understand(brought(uploads, {"one.csv": "a\n1\n"}), {})
        with pytest.raises(NotFoundError):
            service.gold_table(uploads, refused)
        studio.reports.close()
        studio.live.close()


def test_an_archive_that_is_not_whole_is_never_read_in_part(uploads: Uploads, monkeypatch: pytest.MonkeyPatch) -> None:
    packed, nothing = io.BytesIO(), io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for number in range(3):
            archive.writestr(f"{number}.csv", ODD)
    zipfile.ZipFile(nothing, "w").close()
    monkeypatch.setattr("concordant.studio.brought_files.MOST_FILES", 2)
    upload = brought(uploads, {"many.zip": packed.getvalue()})
    asked = Asked(folder=upload.folder, files=tuple(upload.files), joined=(), chosen={})
    for level in ("", "ordinal"):  # asked again, it is refused again
        assert "more than 2 files" in see(replace(asked, chosen={"level": level})).problem
    empty = uploads.understand(brought(uploads, {"none.zip": nothing.getvalue()}), {})
    assert empty.problem == "none.zip: there is no file in this archive"


def test_a_file_called_like_an_option_keeps_its_name_in_the_command(uploads: Uploads) -> None:
    found = uploads.understand(brought(uploads, {"a--unit.csv": WIDE}), {})
    assert shlex.split(found.command("read"))[2] == "a--unit.csv"


PEOPLE = "rater,training\nAnna,yes\nBen,no\n"


def test_a_table_about_raters_joins_and_goes(uploads: Uploads, tmp_path: Path) -> None:
    upload = brought(uploads, {"wide.csv": WIDE})
    uploads.join(upload, "people.csv", io.BytesIO(PEOPLE.encode()), "rater", {})
    found = uploads.understand(upload, {})
    assert found.seen.account is not None
    assert "training" in found.seen.account.attributes
    assert any(note.endswith("training of 2 raters") for note in found.seen.account.notes)
    command = shlex.split(found.command("read"))
    assert command[1:] == ["read", "wide.csv", "--attributes", "people.csv", "--on", "rater"]
    for name, text in (("wide.csv", WIDE), ("people.csv", PEOPLE)):
        (tmp_path / name).write_text(text)
    assert "training of 2 raters" in " ".join(run(*command[1:], cwd=tmp_path).stdout.split())
    beside = upload.beside
    upload.part("people.csv")
    again = uploads.understand(upload, {})
    assert again.seen.account is not None
    assert "training" not in again.seen.account.attributes
    uploads.forget("maria", upload.key)
    assert not beside.exists()


@pytest.mark.parametrize(
    ("name", "text", "what"),
    [
        ("../../other.csv", "rater,training\nZoe,yes\n", "other.csv: none of its rows names a rater"),
        ("twice.csv", "rater,training\nAnna,yes\nAnna,no\n", "has a second row"),
        ("people.csv", PEOPLE, "there is a table of this name already"),
    ],
)
def test_a_table_that_does_not_fit_is_not_kept(uploads: Uploads, name: str, text: str, what: str) -> None:
    upload = brought(uploads, {"wide.csv": WIDE})
    uploads.join(upload, "people.csv", io.BytesIO(PEOPLE.encode()), "rater", {})
    with pytest.raises(InputError, match=what) as caught:
        uploads.join(upload, name, io.BytesIO(text.encode()), "rater", {})
    assert str(upload.folder) not in str(caught.value)
    assert [file.name for file, _ in upload.joined] == ["people.csv"]
    assert uploads.understand(upload, {}).problem == ""
