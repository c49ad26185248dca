"""What all requests of one server share: the studies, the log, who is signed in, the limits."""

from collections import OrderedDict
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from starlette.requests import HTTPConnection

from assent.collection.accounts import Accounts, Visit
from assent.collection.adjudication import Adjudication
from assent.collection.invitations import Invitations, with_invited
from assent.collection.log import Log
from assent.collection.membership import Membership
from assent.collection.session import Study
from assent.collection.studies import read_study
from assent.collection.targets import Targets
from assent.design.coherence import NAME
from assent.design.description import Description
from assent.design.study_file import FILE
from assent.errors import AssentError
from assent.web.limits import Limit
from assent.web.rater.sessions import Sessions
from assent.web.researcher.live import Live


@dataclass(frozen=True, kw_only=True)
class Limits:
    """How often what may be asked for. Many raters may share one address, so what is counted by address is generous."""

    passwords: Limit = field(default_factory=lambda: Limit(burst=10, per_minute=10))  # per address
    entrances: Limit = field(default_factory=lambda: Limit(burst=300, per_minute=120))  # per address
    answers: Limit = field(default_factory=lambda: Limit(burst=200, per_minute=1200))  # per rater


@dataclass(frozen=True, kw_only=True)
class Server:
    """The shared parts; `secret` signs links and form tokens and is the same after a restart.

    `home` is the folder where studies made on the pages are kept; None where none can be made. `datasets` are files
    of finished judgements whose reports are offered beside the studies.
    """

    studies: dict[str, Study]
    log: Log
    accounts: Accounts
    membership: Membership
    invitations: Invitations
    adjudication: Adjudication
    targets: Targets
    live: Live
    secret: str
    sessions: Sessions
    media: dict[str, frozenset[str]]
    home: Path | None = None
    datasets: Mapping[str, Path] = field(default_factory=dict)
    limits: Limits = field(default_factory=Limits)
    visits: OrderedDict[str, tuple[Visit, float]] = field(default_factory=OrderedDict)

    @classmethod
    def over(
        cls,
        log: Log,
        studies: Mapping[str, Study],
        limits: Limits | None = None,
        *,
        home: Path | None = None,
        datasets: Mapping[str, Path] | None = None,
    ) -> "Server":
        """A server for these studies, with its accounts and keys in the log's database."""
        accounts = Accounts(log)
        server = cls(
            studies={},
            log=log,
            accounts=accounts,
            membership=Membership(log),
            invitations=Invitations(log),
            adjudication=Adjudication(log),
            targets=Targets(log),
            live=Live(log),
            secret=accounts.server_key(),
            sessions=Sessions(log),
            media={},
            home=home,
            datasets=datasets or {},
            limits=limits or Limits(),
        )
        for study in studies.values():
            server.take(study)
        return server

    def take(self, study: Study) -> None:
        """Serve a study, with everybody who was invited to it."""
        name = study.description.name
        self.studies[name] = with_invited(self.log, study)
        self.media[name] = shown_files(study.description)

    def study(self, name: str) -> Study | None:
        """The study of this name; one that another server process made a moment ago is taken up."""
        if name not in self.studies and self.home is not None and NAME.fullmatch(name):
            self._take_up(self.home / name)
        return self.studies.get(name)

    def current(self, name: str) -> Study | None:
        """The study of this name with everybody who is invited by now, also by another server process."""
        if self.study(name) is not None:
            self.studies[name] = with_invited(self.log, self.studies[name])
        return self.studies.get(name)

    def look_around(self) -> list[Study]:
        """All studies, with those that other server processes made since."""
        for file in self.home.glob(f"*/{FILE}") if self.home is not None else ():
            self.study(file.parent.name)
        return list(self.studies.values())

    def _take_up(self, folder: Path) -> None:
        """Serve what is in a folder of studies; a study that is not whole yet is left for the next time."""
        if not (folder / FILE).exists():
            return
        with suppress(AssentError):
            found = read_study(folder)
            if found.description.name == folder.name:
                self.take(found)


def shown_files(description: Description) -> frozenset[str]:
    """The paths of all pictures and sounds that pages of a study show: the only files of its folder that are served."""
    examples = description.instructions.examples if description.instructions else ()
    of_units = {medium.path for unit in description.unit_by_id.values() for medium in unit.media}
    return frozenset(of_units | {example.image.path for example in examples if example.image})


def server_of(request: HTTPConnection) -> Server:
    """The server that a request came to."""
    server: Server = request.scope["state"]["server"]
    return server
