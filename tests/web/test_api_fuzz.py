"""The API under fire: requests made from its own description, right and wrong ones, never break the server."""

from pathlib import Path
from typing import Any

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis.core.result import Ok

from concordant.studio.people import hashed
from concordant.tasks.kind import kinds
from concordant.web.server import Limit, Limits
from tests.web.samples import RunningServer, running, study

N_REQUESTS = {"rater": 20, "researcher": 20, "stranger": 5}  # nobody reads what a stranger sends
PASSWORD = "a long enough password"
UNLIMITED = Limits(
    passwords=Limit(burst=10**9, per_minute=1),
    entrances=Limit(burst=10**9, per_minute=1),
    answers=Limit(burst=10**9, per_minute=1),
)


def key_of(run: RunningServer, role: str) -> str:
    """The key of a new rater, of a researcher, or one that opens nothing."""
    if role == "rater":
        return str(run.visitor().post("/api/studies/sample/visits", json={}).json()["key"])
    if role == "researcher":
        run.server.accounts.add_researcher("maria", hashed(PASSWORD), study="sample")
        return str(run.visitor().post("/api/keys", json={"name": "maria", "password": PASSWORD}).json()["key"])
    return "made-up"


def fire(
    operation: schemathesis.APIOperation[Any, Any, Any, Any], session: requests.Session, n_requests: int
) -> set[int]:
    """Send many requests to one operation, as they were made and with the study that exists; returns the replies' codes."""
    seen = set()

    @settings(max_examples=n_requests, database=None, suppress_health_check=list(HealthCheck))
    @given(case=operation.as_strategy())
    def check(case: schemathesis.Case[Any]) -> None:
        for study_name in (None, "sample"):
            if study_name and "study" in case.path_parameters:
                case.path_parameters["study"] = study_name
            response = case.call(session=session)
            assert response.status_code < 500, f"{case.as_curl_command()}\n{response.text}"
            seen.add(response.status_code)

    check()
    return seen


@pytest.mark.parametrize("role", N_REQUESTS)
def test_no_request_breaks_the_server(tmp_path: Path, role: str) -> None:
    with (
        running(tmp_path, study(tmp_path, *kinds(), passes=False), limits=UNLIMITED) as run,
        requests.Session() as session,
    ):
        session.headers["authorization"] = f"Bearer {key_of(run, role)}"
        schema = schemathesis.openapi.from_url(f"{run.base}/api/openapi.json", timeout=120)
        operations = [found.ok() for found in schema.get_all_operations() if isinstance(found, Ok)]
        seen = {operation.label: fire(operation, session, N_REQUESTS[role]) for operation in operations}
        assert run.visitor().get("/health").status_code == 200
    opened = {label for label, codes in seen.items() if codes & {200, 201, 204}}
    outside = {"POST /studies/{study}/visits"}
    own = {
        f"{method} /studies/{{study}}/{path}"
        for method, path in (("GET", "page"), ("POST", "events"), ("GET", "answers"))
    }
    if role == "rater":
        assert opened == outside | own
    elif role == "stranger":
        assert opened == outside
    else:
        assert not opened & own
        assert {"GET /studies", "GET /studies/{study}/raters", "GET /studies/{study}/progress"} <= opened
