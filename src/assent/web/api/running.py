"""Running a study: progress, invitations, members, the target."""

from typing import Any, Literal

from fastapi import APIRouter, Request
from pydantic import BaseModel, Field

from assent.web.api.access import refusals
from assent.web.api.desks import ResearchersDesk
from assent.web.researcher.access import aside
from assent.web.researcher.agreement import stoppings
from assent.web.researcher.overview import admit_member, invite_raters, invited_raters, revoke_rater

router = APIRouter(prefix="/studies/{study}", tags=["running"])
REFUSALS = refusals(401, 403, 404, 422)


class Inviting(BaseModel):
    """The raters to invite, by the names they will have in the data."""

    raters: list[str] = Field(min_length=1, max_length=500)


class Admitting(BaseModel):
    """Somebody who shall work on the study; a password is needed if they have no account yet."""

    name: str = Field(min_length=1, max_length=200)
    role: Literal["researcher", "adjudicator"]
    password: str = Field(default="", max_length=500)


class Aim(BaseModel):
    """How narrow intervals shall be."""

    width: float = Field(gt=0, lt=2)


class Invitation(BaseModel):
    """A rater with their link; empty when it is revoked or was never made."""

    rater: str
    state: str
    link: str


class Membership(BaseModel):
    """Somebody who works on the study."""

    name: str
    role: str


@router.get("/progress", responses=REFUSALS)
async def progress(desk: ResearchersDesk) -> dict[str, Any]:
    """How far the study is: by rater, by set, and how long answers take."""
    found = (await desk.latest()).progress
    return {
        "raters": [one.__dict__ for one in found.raters],
        "sets": [one.__dict__ for one in found.sets],
        "paces": [one.__dict__ for one in found.paces],
        "n_answered": found.n_answered,
    }


@router.get("/invitations", responses=REFUSALS)
async def invitations(request: Request, desk: ResearchersDesk) -> list[Invitation]:
    """Everybody who came or was invited, with their links."""
    snapshot = await desk.latest()
    base = f"{request.url.scheme}://{request.url.netloc}"
    found = await aside(lambda: invited_raters(desk, base, snapshot.progress.raters))
    return [Invitation(rater=one.progress.rater, state=one.progress.state, link=one.link) for one in found]


@router.post("/invitations", status_code=201, responses=REFUSALS)
async def invite(request: Request, desk: ResearchersDesk, inviting: Inviting) -> list[Invitation]:
    """Invite raters; returns all invitations."""
    await aside(lambda: invite_raters(desk, inviting.raters))
    return await invitations(request, desk.renewed())


@router.delete("/invitations/{rater}", status_code=204, responses=REFUSALS)
async def revoke(desk: ResearchersDesk, rater: str) -> None:
    """Revoke a rater's link; their answers are kept."""
    await aside(lambda: revoke_rater(desk, rater))


@router.get("/members", responses=REFUSALS)
async def members(desk: ResearchersDesk) -> list[Membership]:
    """Who works on the study."""
    found = await aside(lambda: desk.server.membership.of(desk.name))
    return [Membership(name=one.name, role=one.role) for one in found]


@router.post("/members", status_code=201, responses=REFUSALS)
async def admit(desk: ResearchersDesk, admitting: Admitting) -> list[Membership]:
    """Let somebody work on the study, or change their role."""
    await aside(lambda: admit_member(desk, admitting.name, admitting.role, admitting.password))
    return await members(desk)


@router.delete("/members/{name}", status_code=204, responses=REFUSALS)
async def dismiss(desk: ResearchersDesk, name: str) -> None:
    """Take somebody out of the study."""
    await aside(lambda: desk.server.membership.dismiss(desk.name, name))


@router.put("/target", responses=REFUSALS)
async def aim(desk: ResearchersDesk, target: Aim) -> Aim:
    """Set how narrow intervals shall be before collecting stops."""
    await aside(lambda: desk.server.targets.aim(desk.name, target.width))
    return target


@router.get("/stopping", responses=REFUSALS)
async def stopping(desk: ResearchersDesk) -> list[dict[str, Any]]:
    """For every question how wide the interval is, and how many more units or raters the target takes."""
    snapshot = await desk.latest()
    found = await aside(lambda: stoppings(snapshot, desk.server.targets.width(desk.name)))
    return [
        {
            "question": one.result.question,
            "measure": one.result.measure,
            "value": one.result.value,
            "width": one.width,
            "target": one.target,
            "is_reached": one.is_reached,
            "more_units": one.more_units,
            "more_raters": one.more_raters,
        }
        for one in found
    ]
