"""Members of a study in the API: researchers may do everything, adjudicators decide and see no names."""

from typing import Annotated

from fastapi import Depends

from assent.web.api.access import Researcher, Shared, StudyName
from assent.web.researcher.access import BOTH, Desk, desk


async def _of_researcher(server: Shared, who: Researcher, study: StudyName) -> Desk:
    return await desk(server, who, study)


async def _of_decider(server: Shared, who: Researcher, study: StudyName) -> Desk:
    return await desk(server, who, study, *BOTH)


ResearchersDesk = Annotated[Desk, Depends(_of_researcher)]
DecidersDesk = Annotated[Desk, Depends(_of_decider)]
