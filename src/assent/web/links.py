"""Personal links: the study and the rater, signed, so that nobody can make up or guess one."""

from hashlib import sha256

from itsdangerous import BadSignature, URLSafeSerializer

from assent.web.server import Server


def personal_link(server: Server, study: str, rater: str) -> str:
    """The path that signs `rater` in to `study`."""
    return f"/s/{study}/as/{_signer(server).dumps([study, rater])}"


def rater_in(server: Server, study: str, token: str) -> str | None:
    """The rater whom a link's token names, None when it was not signed here for this study or was revoked."""
    try:
        signed_study, rater = _signer(server).loads(token)
    except (BadSignature, ValueError, TypeError):
        return None
    is_ours = signed_study == study and isinstance(rater, str)
    return rater if is_ours and rater not in server.invitations.revoked(study) else None


def owner_mark(server: Server, study: str, rater: str) -> str:
    """A mark for a rater's own browser storage; it tells nothing about the id to anybody without the key."""
    return sha256(f"{server.secret}\n{study}\n{rater}".encode()).hexdigest()[:20]


def _signer(server: Server) -> URLSafeSerializer:
    return URLSafeSerializer(server.secret, salt="personal link")
