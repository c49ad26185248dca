"""Guidelines that stand in a file are edited in the builder: the file is written, byte for byte where nothing changed."""

import io
from collections.abc import Iterator
from pathlib import Path

import pytest

from concordant.collection.events import Answered
from concordant.collection.log import Log
from concordant.errors import InputError
from concordant.studio import builder, drafts, item_files, versions, wordings
from concordant.studio.drafts import WorkingDraft
from concordant.studio.people import hashed
from concordant.studio.projects import Studio

RULES = "Mark *good* sentences.\r\n\r\n- only grammar counts\r\n\r\n"
TABLE = "text\nHe left.\nShe stayed.\n"


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Studio]:
    home = tmp_path / "home"
    home.mkdir()
    with Log.open(f"sqlite:///{home}/answers.db") as log:
        made = Studio(log, {}, home=home)
        made.accounts.add_researcher("ada", hashed("a long enough password"))
        yield made
        made.live.close()


@pytest.fixture
def draft(house: Studio) -> WorkingDraft:
    """A published study whose guidelines stand in a file with the ends of lines of Windows."""
    draft = item_files.bring(drafts.begin(house, "ada", "Rules"), [("t.csv", io.BytesIO(TABLE.encode()))])
    (draft.folder / "rules.md").write_bytes(RULES.encode())
    draft = draft.changed(
        {
            **builder.filled(draft.document, [("questions.0.ask", "Good?"), ("open", "yes")]),
            "guidelines": {"version": "1", "file": "rules.md"},
        }
    )
    versions.publish(draft)
    return drafts.draft_of(house, "ada", draft.name)


def sent(draft: WorkingDraft, text: str, **more: str) -> WorkingDraft:
    """The draft after the page of the guidelines was saved: what is in its fields, and who they are about."""
    form = {
        "guidelines.version": draft.document["guidelines"]["version"],
        "guidelines.file": draft.document["guidelines"].get("file", ""),
        "guidelines.text": text.replace("\r\n", "\n").replace("\n", "\r\n"),
        wordings.SHOWN: draft.document["guidelines"].get("file", ""),
        **{name.replace("_", "."): value for name, value in more.items()},
    }
    left = wordings.stored_rules(draft, form.items())
    return draft.changed(builder.filled(draft.document, [one for one in left if one[0] != wordings.SHOWN]))


def test_a_form_that_nobody_touched_changes_no_byte(draft: WorkingDraft) -> None:
    after = sent(draft, wordings.rules_of(draft))
    assert (after.folder / "rules.md").read_bytes() == RULES.encode()
    assert after.text == draft.text
    assert not after.is_changed


def test_a_changed_text_is_written_to_its_file_and_published_as_a_version(house: Studio, draft: WorkingDraft) -> None:
    after = sent(draft, wordings.rules_of(draft).replace("only", "*only*"), guidelines_version="2")
    assert (after.folder / "rules.md").read_bytes() == b"Mark *good* sentences.\r\n\r\n- *only* grammar counts\r\n\r\n"
    assert (draft.document["guidelines"]["file"], after.is_changed) == ("rules.md", True)
    assert [one.version for one in wordings.wordings(after)] == ["2", "1"]
    study = versions.publish(after)
    assert (study.description.folder / "rules.md").read_bytes() == (after.folder / "rules.md").read_bytes()
    assert study.description.guidelines is not None
    assert "*only*" in study.description.guidelines.text
    assert not drafts.draft_of(house, "ada", draft.name).is_changed
    newest, _ = wordings.wordings(drafts.draft_of(house, "ada", draft.name))
    assert [part for part in newest.parts if part[0] != "same"] == [("added", "*"), ("added", "*")]


def test_after_answers_the_text_of_a_file_changes_with_its_version_only(house: Studio, draft: WorkingDraft) -> None:
    step = house.log.enrol(house.studies[draft.name], "Ann").steps[0]
    said = Answered(rater="Ann", step=int(step["number"]), unit=step["unit"], question="q1", value="yes", seconds=1.0)
    house.log.append(draft.name, [said])
    after = sent(draft, "Mark everything.")
    assert [one.said for one in versions.proposal(after).changes] == ["guidelines_same"]
    with pytest.raises(InputError, match="would change what was answered"):
        versions.publish(after)
    assert versions.proposal(sent(after, "Mark everything.", guidelines_version="2")).is_possible


def test_an_empty_file_field_moves_the_text_into_the_study_file(draft: WorkingDraft) -> None:
    after = sent(draft, wordings.rules_of(draft), guidelines_file="")
    assert after.document["guidelines"] == {"version": "1", "text": RULES.replace("\r\n", "\n").strip()}
    assert not after.problems


def test_the_text_of_one_file_is_not_written_into_another(draft: WorkingDraft) -> None:
    (draft.folder / "other.md").write_text("Other rules.\n")
    after = sent(draft, wordings.rules_of(draft), guidelines_file="other.md")
    again = sent(after, wordings.rules_of(draft), **{"rules-of": "rules.md"})  # the page was not loaded anew
    assert (again.folder / "other.md").read_text() == "Other rules.\n"
    assert wordings.rules_of(again) == "Other rules.\n"


@pytest.mark.parametrize("name", ["../rules.md", "gone.md", "bytes.md"])
def test_a_file_that_cannot_be_read_is_not_written(draft: WorkingDraft, name: str) -> None:
    (draft.folder / "bytes.md").write_bytes(b"\xff\xfe")
    (draft.folder.parent / "rules.md").write_text("outside")
    folder = draft.folder / "study.toml"
    folder.write_text(draft.text.replace('"rules.md"', f'"{name}"'))
    other = drafts.WorkingDraft(studio=draft.studio, who="ada", name=draft.name, place=draft.place, live=draft.live)
    assert wordings.rules_file(other) is None
    wordings.stored_rules(other, [("guidelines.file", name), ("guidelines.text", "x"), (wordings.SHOWN, name)])
    assert (draft.folder.parent / "rules.md").read_text() == "outside"
    assert (draft.folder / "bytes.md").read_bytes() == b"\xff\xfe"


def test_a_study_whose_file_was_edited_meanwhile_is_not_published_over(house: Studio, draft: WorkingDraft) -> None:
    mine = sent(draft, "Mine.", guidelines_version="2")
    live = house.studies[draft.name].description.folder / "rules.md"
    live.write_text("Theirs, typed in an editor.\n")
    assert mine.is_overtaken
    with pytest.raises(InputError, match="changed while you edited"):
        versions.publish(mine)
    drafts.discard(mine)
    assert wordings.rules_of(drafts.draft_of(house, "ada", draft.name)) == "Theirs, typed in an editor.\n"
