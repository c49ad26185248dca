"""Keys for programs: a researcher signs in with name and password and shows the key from then on."""

from typing import Annotated

from fastapi import APIRouter, HTTPException, Path, Request
from pydantic import BaseModel, Field
from starlette.concurrency import run_in_threadpool

from assent.web import visitors
from assent.web.api.access import Researcher, Shared, refusals
from assent.web.api.rating import Key
from assent.web.requests import address, limited
from assent.web.researcher.account import known_keys, revoke_key
from assent.web.researcher.signing_in import knows

router = APIRouter(prefix="/keys", tags=["keys"])


class SigningIn(BaseModel):
    """A researcher's or adjudicator's name and password."""

    name: str = Field(max_length=500)
    password: str = Field(max_length=500)


class KnownKey(BaseModel):
    """A key of yours, or a browser in which you are signed in; `id` names it without opening anything.

    `is_here` is the key that you show just now.
    """

    id: str
    made_at: str
    expires_at: str
    is_here: bool


@router.get("", responses=refusals(401))
async def keys(request: Request, who: Researcher) -> list[KnownKey]:
    """Your keys and signed-in browsers that are still good, the newest first; the keys themselves are not stored."""
    return [KnownKey(**vars(one)) for one in await known_keys(request, who)]


@router.delete("/{key}", status_code=204, responses=refusals(401, 403, 404, 422))
async def revoke(server: Shared, who: Researcher, key: Annotated[str, Path(max_length=64)]) -> None:
    """Revoke the key with this `id`: it opens nothing from now on."""
    await revoke_key(server, who, key)


@router.post("", status_code=201, responses=refusals(403, 422, 429))
async def make_key(request: Request, server: Shared, signing_in: SigningIn) -> Key:
    """A key that may do what you may do."""
    limited(request, server.limits.passwords, address(request))
    name = signing_in.name.replace("\0", "")
    if not await run_in_threadpool(knows, server, name, signing_in.password):
        raise HTTPException(403, "the name or the password is wrong")
    return Key(key=await visitors.begin(server, visitors.RESEARCHER, name))
