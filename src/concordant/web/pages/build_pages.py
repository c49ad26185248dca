"""Pages on which a study is built: parts of the draft, its items, a look as raters will see it, publishing."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from concordant.design.examples import example_names
from concordant.errors import ConcordantError, InputError
from concordant.studio import builder, designer, drafts, item_files, items, known_items, projects, versions, wordings
from concordant.studio.builder import Field
from concordant.studio.drafts import WorkingDraft
from concordant.tasks.kind import kinds
from concordant.web.markup import texts_for
from concordant.web.pages import administration
from concordant.web.pages.shell import draft_page, page, signed_in
from concordant.web.requests import NOT_FOUND, aside, checked_form, written
from concordant.web.server import server_of

TITLES = ("questions", "items", "assignment", "guidelines", "training", "pages", "consent", "more", "file")


async def _draft(request: Request) -> WorkingDraft:
    who = await signed_in(request)
    return await aside(drafts.draft_of, server_of(request), who, request.path_params["study"])


def _to(request: Request, draft: WorkingDraft, part: str, more: str = "") -> RedirectResponse:
    address = request.url_for("build_part", study=draft.name, part=part).path
    return RedirectResponse(address + more, status_code=303)


async def new(request: Request, *, problem: str = "", title: str = "") -> Response:
    """GET /researcher/new: a title, and whether to begin with an example."""
    who = await signed_in(request)
    if not await aside(projects.can_make, server_of(request), who):
        raise HTTPException(NOT_FOUND)
    shown = {"examples": example_names(), "problem": problem, "wanted": title}
    return page(
        request, "new.html", who, status=422 if problem else 200, title=texts_for(request)("new_title"), **shown
    )


async def begin(request: Request) -> Response:
    """POST /researcher/new: a new draft."""
    who, form = await signed_in(request), await checked_form(request)
    title, example = written(form.get("title")), written(form.get("example"))
    try:
        draft = await aside(drafts.begin, server_of(request), who, title, example=example)
    except InputError as error:
        return await new(request, problem=str(error), title=title)
    return _to(request, draft, "questions.0")


async def build(request: Request) -> Response:
    """GET …/build: on to the first part that there is something to do in."""
    server = server_of(request)
    live = await aside(server.current, request.path_params["study"])
    if live is not None and not drafts.is_built_here(server, live):  # it is changed in its file
        return await administration.overview(request)
    draft = await _draft(request)
    parts = await aside(builder.outline, draft)
    wanting = next((one.key for one in parts if one.faults), "questions")
    if wanting == "questions" and draft.document.get("questions"):
        wanting = next((one.key for one in parts[0].children if one.faults), "questions.0")
    return _to(request, draft, wanting)


async def show(request: Request, *, problem: str = "", text: str | None = None) -> Response:
    """GET …/build/PART."""
    draft, part = await _draft(request), request.path_params["part"]
    values = await aside(_shown, draft, part, request.query_params)
    if text is not None:
        values["file_text"] = text
    return _drawn(request, draft, part, values, problem)


def _shown(draft: WorkingDraft, part: str, query: Mapping[str, str]) -> dict[str, Any]:
    """What a part shows."""
    stem = part.partition(".")[0]
    if stem not in TITLES:
        raise projects.NotFoundError("there is no such part of a study")
    shown: dict[str, Any] = {
        "entries_of_outline": builder.outline(draft),
        "groups": builder.fields_of_part(draft, part) if stem != "file" else [],
        "faults": [one for one in draft.problems if builder.part_of(one) == part],
        "file_text": draft.text,
    }
    if stem == "items":
        shown["items"] = items.look(draft)
        shown["roles"] = items.roles_of(draft)
    elif stem == "questions" and part != stem:
        number = int(part.partition(".")[2])
        shown["number"], shown["question"] = number, draft.document["questions"][number]
        shown["n_questions"] = len(draft.document["questions"])
        shown["kinds"] = list(kinds())
        shown["kind"] = kinds().get(str(shown["question"].get("task")))
    elif stem == "training":
        shown["known"] = {name: known_items.look(draft, name) for name in known_items.FILES}
    elif stem == "guidelines":
        shown["wordings"], file = wordings.wordings(draft), wordings.rules_file(draft)
        shown["rules_of"] = None if file is None else draft.document["guidelines"]["file"]
        shown["groups"] = with_value(shown["groups"], "guidelines.text", wordings.rules_of(draft))
    elif stem == "assignment":
        shown["design"] = designer.design_of(draft, query)
    return shown


def with_value(groups: Sequence[tuple[str, list[Field]]], name: str, value: str) -> list[tuple[str, list[Field]]]:
    """The fields, one of them with a value that does not stand in the study file."""
    return [
        (table, [replace(one, value=value) if one.name == name and value else one for one in entries])
        for table, entries in groups
    ]


def _drawn(request: Request, draft: WorkingDraft, part: str, values: Mapping[str, Any], problem: str) -> Response:
    n_faults = len(draft.problems)
    faulty = next((one for one in values["entries_of_outline"] if one.faults), None)
    following = "" if faulty is None else next((c.key for c in faulty.children if c.faults), faulty.key)
    known = versions.versions(draft.studio, draft.name)
    return draft_page(
        request,
        draft,
        "build.html",
        status=422 if problem else 200,
        part=part,
        stem=part.partition(".")[0],
        n_faults=n_faults,
        following=following,
        problem=problem,
        standing=_standing(request, draft, known[0] if known else None),
        **_words(request),
        **values,
    )


def _words(request: Request) -> dict[str, Callable[..., str]]:
    """What settings and kinds are called, and what they mean, in the language of the page."""
    t = texts_for(request)

    def said(letter: str, section: str, key: str) -> str | None:
        """The words for a setting: of its own table first, then of any."""
        names = (
            "_".join(filter(None, (*path, key))) for path in ([section.replace(".", "_")], section.split(".")[-1:], [])
        )
        return next((t.entries[f"{letter}_{name}"] for name in names if f"{letter}_{name}" in t.entries), None)

    def label(section: str, key: str) -> str:
        return said("s", section, key) or key.replace("_", " ").capitalize()

    def kind(key: str) -> str:
        return t.entries.get(f"kind_{key}") or (kinds()[key].label or key if key in kinds() else key)

    def choice(field: Field, key: str) -> str:
        return kind(key) if field.key == "task" else t.entries.get(f"c_{key}") or key

    return {
        "label_of": lambda field: label(field.section, field.key),
        "help_of": lambda field: _meaning(said("h", field.section, field.key), field),
        "table_name": lambda name: label("", name),
        "kind_name": kind,
        "choice_name": choice,
    }


def _meaning(told: str | None, field: Field) -> str:
    """What a setting means, in the language of the page or as the study file's reference says it."""
    return told if told is not None else "" if field.key == "ask" else field.setting.meaning


def _standing(request: Request, draft: WorkingDraft, latest: versions.Version | None) -> str:
    """How far the draft is, for the bar."""
    t = texts_for(request)
    if draft.live is None:
        return t("b_draft_new")
    if latest is None:
        return t("b_draft_by_hand")
    return t("b_draft_changed" if draft.is_changed else "b_draft_same", n=latest.number)


async def change(request: Request) -> Response:
    """POST …/build/PART: what the form says, then what the button does."""
    draft, part, form = await _draft(request), request.path_params["part"], await checked_form(request)
    fields = [(name, text) for name, text in form.multi_items() if isinstance(text, str)]
    action = str(form.get("do", ""))
    try:
        made = await aside(_changed, draft, part, fields, action)
    except ConcordantError as error:
        typed = str(form.get("file_text", "")) if part == "file" else None
        return await show(request, problem=str(error), text=typed)
    return _to(
        request, made, part_after(part, action, made), "#more" if action.startswith("add:") and "." in action else ""
    )


def _changed(draft: WorkingDraft, part: str, fields: list[tuple[str, str]], action: str) -> WorkingDraft:
    """Store what a form says and do what its button says."""
    given = dict(fields)
    if part == "file":
        text = given.get("file_text", "").replace("\r\n", "\n")
        return drafts.with_text(draft, text)
    if part == "items":
        draft = with_items(draft, given, action)
    if part == "training":
        draft = known_items.filled(draft, fields, action)
    if part == "guidelines":
        fields = wordings.stored_rules(draft, fields)
    places = [(name, text) for name, text in fields if builder.FIELD.fullmatch(name) and _is_place(name)]
    document = builder.filled(draft.document, places)
    if action and ":" in action and not action.startswith(("header:", "known:", "rows:")):
        document = builder.done(document, action)
    return draft.changed(document)


def _is_place(name: str) -> bool:
    return name not in ("do", "form_token", "pasted", "files") and not name.startswith(("role.", "known."))


def with_items(draft: WorkingDraft, given: Mapping[str, str], action: str) -> WorkingDraft:
    """Pasted texts, the roles of columns, and whether there is a header."""
    if given.get("pasted", "").strip():
        return item_files.paste(draft, given["pasted"])
    if action.startswith("header:"):
        return items.set_header(draft, action == "header:yes")
    columns = items.look(draft).columns
    roles = {columns[int(name[5:])]: role for name, role in given.items() if re.fullmatch(r"role\.\d{1,4}", name)}
    before = items.look(draft).roles
    changed = {name: role for name, role in roles.items() if before.get(name) != role}
    return items.set_roles(draft, changed) if changed else draft


def part_after(part: str, action: str, made: WorkingDraft) -> str:
    """Where to go after a button: to the new question, or the one beside the removed one."""
    what, _, place = action.partition(":")
    n = len(made.document.get("questions", []))
    if place == "questions" and what == "add":
        return f"questions.{n - 1}"
    if re.fullmatch(r"questions\.\d+", place):
        number = int(place.partition(".")[2]) + {"double": 1, "down": 1, "up": -1}.get(what, 0)
        return f"questions.{max(0, min(number, n - 1))}" if n else "questions"
    return part


async def bring(request: Request) -> Response:
    """POST …/build/files: tables, texts, pictures and sounds for the items, or items with known answers."""
    draft = await _draft(request)
    form = await checked_form(request, most_files=200)
    sent = [(one.filename, one.file) for one in form.getlist("files") if isinstance(one, UploadFile) and one.filename]
    into = str(form.get("into", "items"))
    part = "items" if into == "items" else "training"
    try:
        if not sent:
            raise InputError("no file was chosen")
        if into == "items":
            await aside(item_files.bring, draft, sent)
        else:
            await aside(known_items.bring, draft, into, sent[0][0], sent[0][1])
    except ConcordantError as error:
        values = await aside(_shown, draft, part, {})
        return _drawn(request, draft, part, values, str(error))
    finally:
        await form.close()
    return _to(request, draft, part)


async def publishing(request: Request, *, problem: str = "") -> Response:
    """GET …/build/publish: what publishing means, before it is done."""
    draft = await _draft(request)
    shown: dict[str, Any] = {
        "proposal": await aside(versions.proposal, draft),
        "entries_of_outline": await aside(builder.outline, draft),
    }
    known = await aside(versions.versions, draft.studio, draft.name)
    status = 422 if problem else 200
    shown |= {"standing": _standing(request, draft, known[0] if known else None), **_words(request)}
    return draft_page(request, draft, "publish.html", status=status, versions=known, problem=problem, **shown)


async def publish(request: Request) -> Response:
    """POST …/build/publish."""
    draft, form = await _draft(request), await checked_form(request)
    try:
        await aside(versions.publish, draft, over=form.get("over") == "yes")
    except InputError as error:
        return await publishing(request, problem=str(error))
    return RedirectResponse(request.url_for("raters", study=draft.name).path, status_code=303)


async def duplicate(request: Request) -> Response:
    """POST …/build/duplicate: another draft like this one."""
    draft, form = await _draft(request), await checked_form(request)
    made = await aside(drafts.duplicate, draft.studio, draft.who, draft.name, written(form.get("title")))
    return _to(request, made, "pages")


async def discard(request: Request) -> Response:
    """POST …/build/discard: forget what was changed since the last version."""
    draft = await _draft(request)
    await checked_form(request)
    await aside(drafts.discard, draft)
    name = "projects" if draft.live is None else "build"
    address = request.url_for(name) if draft.live is None else request.url_for(name, study=draft.name)
    return RedirectResponse(address.path, status_code=303)
