"""Many invitations at once: lines that somebody pasted become raters, and what is sent to them is written here.

Addresses are never stored and never stand in the data: whoever is pasted by an address alone has a code made of it with
the server's key, the same code whenever the address is pasted again.
"""

import csv
import io
import re
from collections.abc import Iterable
from dataclasses import dataclass

from concordant.errors import InputError
from concordant.studio.people import Invited, MemberPlace, code_of, invite, invited
from concordant.studio.projects import NotFoundError

ADDRESS = re.compile(r"<?([^\s<>,;:\"']+@[^\s<>,;\"']+\.[^\s<>,;\"']+)>?")
AROUND = ' \t,;"'
MOST = 5000
FORMULAS = ("=", "+", "-", "@", "\t", "\r")
COLUMNS = ("rater", "address", "link", "state", "answered", "asked")
OVER = ("completed", "screened out", "failed the check")
"""States after which nobody is reminded."""
PLATFORM_PARTS = {
    "PROLIFIC_PID": ("Prolific", "PROLIFIC_PID={{%PROLIFIC_PID%}}&STUDY_ID={{%STUDY_ID%}}&SESSION_ID={{%SESSION_ID%}}"),
    "workerId": ("Mechanical Turk", "workerId=${workerId}&assignmentId=${assignmentId}&hitId=${hitId}"),
    "survey_code": ("SONA", "survey_code=%SURVEY_CODE%"),
}
"""The parameter that names a participant: who fills it in, and what their links end with."""


@dataclass(frozen=True, kw_only=True)
class Guest:
    """Somebody to invite: the id they have in the data, and where to write to, if that was pasted."""

    rater: str
    address: str = ""


def guests_in(place: MemberPlace, pasted: str) -> list[Guest]:
    """The people in pasted lines: names, addresses, or both (`Ada Kim <ada@example.org>`, columns of a table)."""
    lines = [line.strip() for line in pasted.splitlines() if line.strip()]
    has_address = [ADDRESS.search(line) is not None for line in lines]
    if any(has_address) and not all(has_address):
        bare = lines[has_address.index(False)]
        raise InputError(f"{bare!r} has no address and other lines have one", hint="paste names or addresses apart")
    found = [guest for line in lines for guest in (_addressed(place, line) or [Guest(rater=line)])]
    if not found or len(found) > MOST:
        raise InputError(f"{len(found)} people were pasted", hint=f"paste 1 to {MOST} names or addresses")
    addresses: dict[str, str] = {}
    for one in found:
        if addresses.setdefault(one.rater, one.address) != one.address:
            raise InputError(f"{one.rater!r} has two addresses", hint="give two people two names")
    return [Guest(rater=rater, address=address) for rater, address in addresses.items()]


def _addressed(place: MemberPlace, line: str) -> list[Guest]:
    """The addresses in a line, each with the name before it; a single one may have its name after it."""
    matches = list(ADDRESS.finditer(line))
    starts = [0, *(one.end() for one in matches)]
    names = [line[start : one.start()].strip(AROUND) for start, one in zip(starts, matches, strict=False)]
    if len(matches) == 1:
        names = [" ".join((names[0], line[starts[1] :].strip(AROUND))).strip()]
    where = [one[1].lower().strip(".") for one in matches]
    return [
        Guest(rater=name or f"r{code_of(place.studio, place.name, '', address)[:10]}", address=address)
        for name, address in zip(names, where, strict=True)
    ]


def invite_all(place: MemberPlace, guests: list[Guest]) -> tuple[MemberPlace, int]:
    """Invite those who are not invited yet, all or none; returns the place as it is then and how many were new."""
    holding = {rater.id for rater in place.study.description.raters} - place.studio.invitations.revoked(place.name)
    new = [one.rater for one in guests if one.rater not in holding]
    return invite(place, new), len(new)


def table_of(place: MemberPlace, base: str, *, guests: Iterable[Guest] = (), is_open: bool = False) -> str:
    """Names, links and how far everybody is as CSV: of all, of these guests, or with `is_open` of the unfinished.

    A cell that a spreadsheet would take for a formula begins with an apostrophe.
    """
    addresses = {one.rater: one.address for one in guests}
    text = io.StringIO()
    table = csv.writer(text)
    table.writerow(COLUMNS)
    for one in invited(place, base):
        about = one.progress
        if (addresses and about.rater not in addresses) or (is_open and not waits(one)):
            continue
        row = (about.rater, addresses.get(about.rater, ""), one.link, "revoked" if one.is_revoked else about.state)
        table.writerow([*map(harmless, row), about.n_answered, about.n_asked])
    return text.getvalue()


def harmless(cell: str) -> str:
    """A cell that no spreadsheet takes for a formula.

    >>> harmless("=1+1"), harmless("Ada")
    ("'=1+1", 'Ada')
    """
    return f"'{cell}" if cell.startswith(FORMULAS) else cell


def waits(one: Invited) -> bool:
    """Whether texts still wait for this rater, who may come in."""
    about = one.progress
    has_all = 0 < about.n_asked <= about.n_answered
    return bool(one.link) and about.state not in OVER and not has_all


def platform_links(place: MemberPlace, link: str) -> dict[str, str]:
    """What to paste on a platform or pool: only the one that the study names, if it names one."""
    named = place.study.description.recruitment.participant
    if named and named not in PLATFORM_PARTS:
        return {named: f"{link}?{named}="}
    parts = [PLATFORM_PARTS[named]] if named else PLATFORM_PARTS.values()
    return {who: f"{link}?{ending}" for who, ending in parts}


def open_link_of(place: MemberPlace, base: str) -> str:
    """The one link for everybody; empty where only invited raters come in."""
    return f"{base}/s/{place.name}" if place.study.description.is_open else ""


def code_to_scan(place: MemberPlace, base: str, title: str) -> str:
    """The link for everybody as a QR code: an SVG with a white edge, black on white in every theme."""
    import segno

    link = open_link_of(place, base)
    if not link:
        raise NotFoundError("only invited raters take part in this study")
    return segno.make_qr(link, error="m").svg_inline(scale=5, dark="#000", light="#fff", title=title, omitsize=True)
