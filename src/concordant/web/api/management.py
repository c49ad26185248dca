"""Studies, their people and keys: what researchers run studies with."""

from dataclasses import asdict
from typing import Annotated, Any, Literal

from fastapi import APIRouter, HTTPException, Path, Request
from pydantic import BaseModel, Field
from starlette.concurrency import run_in_threadpool
from starlette.responses import PlainTextResponse

from concordant.collection.log import Standing
from concordant.collection.session import Running
from concordant.studio import people, projects
from concordant.studio.invitations import table_of
from concordant.studio.projects import Draft, DraftQuestion
from concordant.web import visitors
from concordant.web.api.access import REFUSALS, AsResearcher, Key, Researcher, Shared, refusals
from concordant.web.requests import aside, limited_sign_in

router = APIRouter()
STUDY = "/studies/{study}"


class SigningIn(BaseModel):
    """A researcher's or adjudicator's name and password."""

    name: str = Field(max_length=500)
    password: str = Field(max_length=500)


class Summary(BaseModel):
    """A study in short."""

    name: str
    title: str
    is_open: bool
    plan: str


class Asked(BaseModel):
    """A question; `options` are the values that can be chosen."""

    id: str
    title: str
    ask: str
    task: str
    options: list[str]


class Settings(Summary):
    """How a study is run. `guideline_versions` counts the pages beside which each version was shown.

    `state` is designed, collecting, finished or adjudicated; `attributes` are what results can be sliced by.
    """

    state: str
    questions: list[Asked]
    n_units: int
    passes: bool
    shuffle: bool
    repeats: int
    n_gold: int
    guidelines: str
    guidelines_version: str
    guideline_versions: dict[str, int]
    attributes: list[str]


def _list_tasks(schema: dict[str, Any]) -> None:
    """Tell programs which kinds of questions there are; those of other packages count too."""
    schema["enum"] = list(projects.offered())


class NewQuestion(BaseModel):
    """A question; `name` is made up if it is empty, `options` are needed where one chooses."""

    ask: str = Field(max_length=2000)
    name: str = Field(default="", max_length=200)
    task: str = Field(default="binary", max_length=200, json_schema_extra=_list_tasks)
    options: list[Annotated[str, Field(max_length=500)]] = Field(default_factory=list, max_length=200)


class NewStudy(BaseModel):
    """A study to make. `units` has one unit on each line, or is a CSV table with a column `text`.

    With `passes` one question is asked about all units, then the next; otherwise all are on one page.
    """

    title: str = Field(max_length=500)
    name: str = Field(max_length=42)
    questions: list[NewQuestion] = Field(min_length=1, max_length=50)
    units: str
    guidelines: str = ""
    passes: bool = True
    is_open: bool = False


class Inviting(BaseModel):
    """The raters to invite, by the names they will have in the data."""

    raters: list[str] = Field(min_length=1, max_length=500)


class Admitting(BaseModel):
    """Somebody who shall work on the study; a password is needed if they have no account yet."""

    name: str = Field(min_length=1, max_length=200)
    role: Literal["researcher", "adjudicator"]
    password: str = Field(default="", max_length=500)


class Invitation(BaseModel):
    """A rater with their link; empty when it is revoked or was never made."""

    rater: str
    state: str
    link: str


class Membership(BaseModel):
    """Somebody who works on the study."""

    name: str
    role: str


@router.get("/keys", responses=refusals(401), tags=["keys"])
async def keys(request: Request, server: Shared, who: Researcher) -> list[people.KnownKey]:
    """Your keys and signed-in browsers that are still good, the newest first; the keys themselves are not stored."""
    return await aside(people.known_keys, server, who, await visitors.visit_of(request, visitors.RESEARCHER))


@router.delete("/keys/{key}", name="revoke", status_code=204, responses=refusals(401, 403, 404, 422), tags=["keys"])
async def revoke_key(server: Shared, who: Researcher, key: Annotated[str, Path(max_length=64)]) -> None:
    """Revoke the key with this `id`: it opens nothing from now on."""
    await visitors.end_known(server, (await aside(people.visit_with, server, who, key)).token_hash)


@router.post("/keys", status_code=201, responses=refusals(403, 422, 429), tags=["keys"])
async def make_key(request: Request, server: Shared, signing_in: SigningIn) -> Key:
    """A key that may do what you may do."""
    name = signing_in.name.replace("\0", "")
    limited_sign_in(request, name)
    if not await run_in_threadpool(people.knows, server, name, signing_in.password):
        raise HTTPException(403, "the name or the password is wrong")
    return Key(key=await visitors.begin(server, visitors.RESEARCHER, name))


@router.get("/studies", responses=refusals(401), tags=["studies"])
async def studies(server: Shared, researcher: Researcher) -> list[Summary]:
    """The studies that you are a member of."""
    return [_summary(study) for study, _ in await aside(projects.studies_of, server, researcher)]


@router.post("/studies", status_code=201, responses=refusals(401, 403, 422), tags=["studies"])
async def make_study(server: Shared, researcher: Researcher, new: NewStudy) -> Summary:
    """Make a study and become its researcher."""
    asked = [DraftQuestion(**{**one.model_dump(), "options": "\n".join(one.options)}) for one in new.questions]
    draft = Draft(**{**new.model_dump(), "questions": tuple(asked)})
    return _summary(await aside(projects.made, server, researcher, draft))


@router.get(STUDY, responses=refusals(401, 403, 404), tags=["studies"])
async def settings(place: AsResearcher) -> Settings:
    """How the study is set up and how far it is."""
    snapshot, about = await aside(place.latest), place.study.description
    return Settings(
        **_summary(place.study).model_dump(),
        state=projects.state_of(snapshot, len(await aside(place.decided))),
        questions=[
            Asked(id=one.id, title=one.title, ask=one.ask, task=one.task, options=[each.value for each in one.options])
            for one in about.questions
        ],
        n_units=len(about.units),
        passes=about.presentation.passes,
        shuffle=about.presentation.shuffle,
        repeats=about.checks.repeats,
        n_gold=len(about.checks.gold),
        guidelines=about.guidelines.text if about.guidelines else "",
        guidelines_version=about.guidelines.version if about.guidelines else "",
        guideline_versions=dict((await aside(place.latest)).guidelines),
        attributes=snapshot.attributes,
    )


@router.get(f"{STUDY}/raters", responses=refusals(401, 403, 404), tags=["studies"])
async def raters(place: AsResearcher) -> list[Standing]:
    """Who takes part and how far they are."""
    return await aside(place.studio.log.standings, place.name)


def _summary(study: Running) -> Summary:
    about = study.description
    return Summary(name=about.name, title=about.title, is_open=about.is_open, plan=study.plan.hash)


@router.get(f"{STUDY}/progress", responses=REFUSALS, tags=["running"])
async def progress(place: AsResearcher) -> dict[str, Any]:
    """How far the study is: by rater, by set, how long answers take, how many did not know of each other."""
    latest = await aside(place.latest)
    found = latest.progress
    parts = {name: [vars(one) for one in getattr(found, name)] for name in ("raters", "sets", "paces")}
    return {**parts, "n_answered": found.n_answered, "n_conflicts": len(latest.conflicts)}


@router.get(f"{STUDY}/conflicts", responses=REFUSALS, tags=["running"])
async def conflicts(place: AsResearcher) -> list[dict[str, Any]]:
    """Answers to one question that did not know of each other (two tabs, two devices): which holds, and the other."""
    return [asdict(one) for one in (await aside(place.latest)).conflicts]


@router.get(f"{STUDY}/invitations", name="invitations", responses=REFUSALS, tags=["running"])
async def invitations(request: Request, place: AsResearcher) -> list[Invitation]:
    """Everybody who came or was invited, with their links."""
    found = await aside(people.invited, place, f"{request.url.scheme}://{request.url.netloc}")
    return [Invitation(rater=one.progress.rater, state=one.progress.state, link=one.link) for one in found]


@router.get(f"{STUDY}/invitations.csv", response_class=PlainTextResponse, responses=REFUSALS, tags=["running"])
async def invitation_table(request: Request, place: AsResearcher, open: bool = False) -> PlainTextResponse:
    """Everybody with their links and how far they are, as CSV for a mail merge; with `open` who has not finished."""
    base = f"{request.url.scheme}://{request.url.netloc}"
    text = await aside(table_of, place, base, is_open=open)
    return PlainTextResponse(text, media_type="text/csv")


@router.post(f"{STUDY}/invitations", status_code=201, responses=REFUSALS, tags=["running"])
async def invite(request: Request, place: AsResearcher, inviting: Inviting) -> list[Invitation]:
    """Invite raters; returns all invitations."""
    return await invitations(request, await aside(people.invite, place, inviting.raters))


@router.delete(f"{STUDY}/invitations/{{rater}}", status_code=204, responses=REFUSALS, tags=["running"])
async def revoke(place: AsResearcher, rater: str) -> None:
    """Revoke a rater's link; their answers are kept."""
    await aside(people.revoke, place, rater)


@router.get(f"{STUDY}/members", responses=REFUSALS, tags=["running"])
async def members(place: AsResearcher) -> list[Membership]:
    """Who works on the study."""
    found = await aside(place.studio.membership.of, place.name)
    return [Membership(name=one.name, role=one.role) for one in found]


@router.post(f"{STUDY}/members", status_code=201, responses=REFUSALS, tags=["running"])
async def admit(place: AsResearcher, admitting: Admitting) -> list[Membership]:
    """Let somebody work on the study, or change their role."""
    await aside(people.admit, place, admitting.name, admitting.role, admitting.password)
    return await members(place)


@router.delete(f"{STUDY}/members/{{name}}", status_code=204, responses=REFUSALS, tags=["running"])
async def dismiss(place: AsResearcher, name: str) -> None:
    """Take somebody out of the study."""
    await aside(place.studio.membership.dismiss, place.name, name)
