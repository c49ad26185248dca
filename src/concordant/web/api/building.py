"""Building studies: what the pages of the study builder do, for programs. The study file is sent and checked whole."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request
from pydantic import BaseModel, Field

from concordant.collection.page import place as place_of
from concordant.errors import InputError
from concordant.studio import designer, drafts, item_files, items, known_items, rehearsals, shelf, versions
from concordant.studio.builder import part_of
from concordant.studio.drafts import WorkingDraft
from concordant.web.api.access import REFUSALS, AsResearcher, Researcher, Shared, StudyName, refusals
from concordant.web.requests import aside, spooled

router = APIRouter(tags=["building"])
DRAFT = "/drafts/{study}"
BINARY = {"requestBody": {"content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}}}


async def _draft(server: Shared, who: Researcher, study: StudyName) -> WorkingDraft:
    return await aside(drafts.draft_of, server, who, study)


AsDraft = Annotated[WorkingDraft, Depends(_draft)]


class Title(BaseModel):
    """A title, and for a new draft the example to begin with."""

    title: str = Field(max_length=200)
    example: str = Field("", max_length=50)


class StudyFile(BaseModel):
    """A study file."""

    text: str = Field(max_length=drafts.LONGEST_FILE)


class Fault(BaseModel):
    """What is to mend: the part of the builder, the file and line (0 for the whole), what is wrong and what to do."""

    part: str

    file: str
    line: int
    what: str
    hint: str


class DraftState(BaseModel):
    """A draft: its study file, what is to mend, and how it stands to the published study."""

    name: str
    title: str
    file: str
    problems: list[Fault]
    is_published: bool
    is_changed: bool
    is_overtaken: bool


class Preview(BaseModel):
    """A page of a rater: its kind, the questions on it, the text they are about."""

    page: str
    questions: list[str]
    text: str


class Columns(BaseModel):
    """What columns are: id, item, text, prompt, image, image_alt, audio, audio_alt, alternative, attribute, unused."""

    roles: dict[str, str] = Field(default_factory=dict)
    header: bool | None = Field(None, description="whether the first row holds the names of the columns")


class Publication(BaseModel):
    """Whether what somebody else changed meanwhile may be lost."""

    over: bool = False


def _state(draft: WorkingDraft) -> DraftState:
    faults = [
        Fault(part=part_of(one), file=one.file.name, line=one.line, what=one.what, hint=one.hint)
        for one in draft.problems
    ]
    return DraftState(
        name=draft.name,
        title=draft.title,
        file=draft.text,
        problems=faults,
        is_published=draft.live is not None,
        is_changed=draft.is_changed,
        is_overtaken=draft.is_overtaken,
    )


@router.get("/drafts", responses=refusals(401, 404))
async def listed(server: Shared, who: Researcher) -> list[DraftState]:
    """The drafts that were never published."""
    return [_state(one) for one in await aside(drafts.drafts_of, server, who)]


@router.post("/drafts", status_code=201, responses=REFUSALS)
async def begin(server: Shared, who: Researcher, new: Title) -> DraftState:
    """Begin a study: an empty one, or a copy of an example."""
    return await aside(_state, await aside(drafts.begin, server, who, new.title, example=new.example))


@router.get(DRAFT, responses=REFUSALS)
async def state(draft: AsDraft) -> DraftState:
    """The draft of a study; it is made of the published study where there is none."""
    return await aside(_state, draft)


@router.get(f"{DRAFT}/preview", responses=REFUSALS)
async def preview(draft: AsDraft, part: Annotated[str, Query(pattern=r"[a-z]*(\.\d{1,3})?")] = "") -> Preview:
    """What a rater would see on the page that a part of the study is about."""
    state = await aside(lambda: rehearsals.at_part(rehearsals.rehearsed(draft, part), part))
    kind, step = place_of(state)
    unit = state.study.unit(step.unit).text if step else ""
    return Preview(page=kind.value, questions=list(step.questions) if step else [], text=unit)


@router.put(f"{DRAFT}/file", responses=REFUSALS)
async def change(draft: AsDraft, file: StudyFile) -> DraftState:
    """Replace the study file of the draft. It must be TOML; what is wrong with it otherwise is told and kept."""
    return await aside(_state, await aside(drafts.with_text, draft, file.text))


@router.get(f"{DRAFT}/items", responses=REFUSALS)
async def look(draft: AsDraft) -> dict[str, Any]:
    """The items: how many, the role of each column, the first rows and those with faults."""
    return asdict(await aside(items.look, draft))


@router.post(f"{DRAFT}/items", status_code=201, responses=REFUSALS | refusals(413), openapi_extra=BINARY)
async def bring(
    request: Request,
    draft: AsDraft,
    name: Annotated[str, Query(min_length=1, max_length=300)],
    into: Annotated[str, Query(pattern="items|training|gold")] = "items",
) -> DraftState:
    """Bring a table, a picture, a sound or a .zip as the body of the request; `name` says what it is called."""
    with await spooled(request) as content:
        if into == "items":
            made = await aside(item_files.bring, draft, [(name, content)])
        else:
            made = await aside(known_items.bring, draft, into, name, content)
    return await aside(_state, made)


@router.put(f"{DRAFT}/items/texts", responses=REFUSALS)
async def paste(draft: AsDraft, pasted: StudyFile) -> DraftState:
    """Take texts as the items: one on each line, or a table with its header."""
    return await aside(_state, await aside(item_files.paste, draft, pasted.text))


@router.put(f"{DRAFT}/items/columns", responses=REFUSALS)
async def columns(draft: AsDraft, told: Columns) -> dict[str, Any]:
    """Say what the columns are, and whether there is a header."""
    made = draft if told.header is None else await aside(items.set_header, draft, told.header)
    made = await aside(items.set_roles, made, told.roles) if told.roles else made
    return asdict(await aside(items.look, made))


@router.get(f"{DRAFT}/design", responses=REFUSALS)
async def design(request: Request, draft: AsDraft) -> dict[str, Any]:
    """Who judges what, and how sure results will be. The query may say raters, seconds for a judgement, and rate."""
    asked: Mapping[str, str] = request.query_params
    found = await aside(designer.design_of, draft, asked)
    return {**asdict(found), "hours": found.hours, "hours_of_a_rater": found.hours_of_a_rater, "cost": found.cost}


@router.get(f"{DRAFT}/publication", responses=REFUSALS)
async def proposal(draft: AsDraft) -> dict[str, Any]:
    """What publishing would mean for answers that are there, and the versions so far."""
    found = await aside(versions.proposal, draft)
    known = await aside(versions.versions, draft.studio, draft.name)
    return {**asdict(found), "is_possible": found.is_possible, "versions": [asdict(one) for one in known]}


@router.post(f"{DRAFT}/publication", status_code=201, responses=REFUSALS)
async def publish(server: Shared, who: Researcher, draft: AsDraft, told: Publication) -> DraftState:
    """Publish the draft as the next version."""
    await aside(versions.publish, draft, over=told.over)
    return await aside(_state, await aside(drafts.draft_of, server, who, draft.name))


@router.post(f"{DRAFT}/copies", status_code=201, responses=REFUSALS)
async def duplicate(server: Shared, who: Researcher, draft: AsDraft, copy: Title) -> DraftState:
    """Another draft that begins like this one."""
    if copy.example:
        raise InputError("a copy begins like its study", hint="leave out example")
    return await aside(_state, await aside(drafts.duplicate, server, who, draft.name, copy.title))


class Shelf(BaseModel):
    """Whether a study is archived or deleted; one with answers is deleted only when its name is said."""

    shelf: str = Field(pattern="archived|deleted")
    name: str = Field("", max_length=200)


@router.get("/put-away", responses=refusals(401))
async def put_away_list(server: Shared, who: Researcher) -> list[shelf.PutAway]:
    """The studies that were archived, or deleted less than thirty days ago."""
    return await aside(shelf.put_away_by, server, who)


@router.post("/studies/{study}/put-away", status_code=204, responses=REFUSALS)
async def put_away(place: AsResearcher, told: Shelf) -> None:
    """Archive or delete a study; its answers stay in the database."""
    await aside(shelf.put_away, place, f"_{told.shelf}", told.name)


@router.post("/put-away/{study}/back", status_code=204, responses=REFUSALS)
async def take_back(server: Shared, who: Researcher, study: StudyName) -> None:
    """Serve a study again that was put away."""
    await aside(shelf.take_back, server, who, study)


@router.delete(DRAFT, status_code=204, responses=REFUSALS)
async def discard(draft: AsDraft) -> None:
    """Forget what was changed since the last version; a study that was never published is gone with it."""
    await aside(drafts.discard, draft)
