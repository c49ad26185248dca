"""Keys for programs: a researcher signs in with name and password and shows the key from then on."""

from fastapi import APIRouter, HTTPException, Request
from pydantic import BaseModel, Field
from starlette.concurrency import run_in_threadpool

from assent.web import visitors
from assent.web.api.access import Shared, refusals
from assent.web.api.rating import Key
from assent.web.requests import address, limited
from assent.web.researcher.signing_in import knows

router = APIRouter(prefix="/keys", tags=["keys"])


class SigningIn(BaseModel):
    """A researcher's or adjudicator's name and password."""

    name: str = Field(max_length=500)
    password: str = Field(max_length=500)


@router.post("", status_code=201, responses=refusals(403, 422, 429))
async def make_key(request: Request, server: Shared, signing_in: SigningIn) -> Key:
    """A key that may do what you may do."""
    limited(request, server.limits.passwords, address(request))
    name = signing_in.name.replace("\0", "")
    if not await run_in_threadpool(knows, server, name, signing_in.password):
        raise HTTPException(403, "the name or the password is wrong")
    return Key(key=await visitors.begin(server, visitors.RESEARCHER, name))
