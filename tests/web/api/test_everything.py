"""REST for everything the pages do: every action of the researchers' pages with the operation of the API that does it."""

from starlette.routing import Route

from assent.web.api import api
from assent.web.researcher.routes import STUDY, routes

PAGES = {
    ("GET", "/researcher"): ["GET /studies", "GET /studies/{study}", "GET /data"],
    ("GET", "/researcher/new"): ["POST /studies"],
    ("POST", "/researcher/new"): ["POST /studies"],
    ("GET", "/researcher/account"): ["GET /keys"],
    ("POST", "/researcher/account/keys"): ["POST /keys"],
    ("POST", "/researcher/account/keys/revoke"): ["DELETE /keys/{key}"],
    ("GET", "/researcher/data/{name}.{ending}"): ["GET /data/{name}.{ending}"],
    ("GET", STUDY): ["GET /studies/{study}", "GET /studies/{study}/progress", "GET /studies/{study}/raters", "GET /studies/{study}/invitations", "GET /studies/{study}/members"],
    ("POST", f"{STUDY}/invitations"): ["POST /studies/{study}/invitations"],
    ("POST", f"{STUDY}/invitations/revoke"): ["DELETE /studies/{study}/invitations/{rater}"],
    ("POST", f"{STUDY}/members"): ["POST /studies/{study}/members"],
    ("POST", f"{STUDY}/members/dismiss"): ["DELETE /studies/{study}/members/{name}"],
    ("GET", f"{STUDY}/agreement"): ["GET /studies/{study}/agreement", "GET /studies/{study}/agreement/spans", "GET /studies/{study}/pairs"],
    ("GET", f"{STUDY}/agreement/panel"): ["GET /studies/{study}/agreement"],
    ("GET", f"{STUDY}/agreement/stopping"): ["GET /studies/{study}/stopping"],
    ("POST", f"{STUDY}/target"): ["PUT /studies/{study}/target"],
    ("GET", f"{STUDY}/disagreements"): ["GET /studies/{study}/disagreements"],
    ("GET", f"{STUDY}/disagreements/unit"): ["GET /studies/{study}/disagreements/unit", "GET /studies/{study}/decisions"],
    ("GET", f"{STUDY}/adjudication"): ["GET /studies/{study}/cases"],
    ("POST", f"{STUDY}/adjudication"): ["POST /studies/{study}/decisions"],
    ("GET", f"{STUDY}/gold"): ["GET /studies/{study}/gold", "GET /studies/{study}/groups", "GET /studies/{study}/comparison"],
    ("GET", f"{STUDY}/gold.csv"): ["GET /studies/{study}/gold"],
    ("GET", f"{STUDY}/weights"): ["GET /studies/{study}/weights"],
    ("POST", f"{STUDY}/weights"): ["POST /studies/{study}/weights/comparison"],
    ("GET", f"{STUDY}/report"): ["GET /studies/{study}/report.{ending}", "GET /studies/{study}/export.{ending}"],
    ("GET", f"{STUDY}/report.{{ending}}"): ["GET /studies/{study}/report.{ending}"],
    ("GET", f"{STUDY}/export.{{ending}}"): ["GET /studies/{study}/export.{ending}"],
}  # fmt: skip
BY_RATERS = {"POST /studies/{study}/visits", "GET /studies/{study}/page", "POST /studies/{study}/events", "GET /studies/{study}/answers"}  # fmt: skip


def operations() -> set[str]:
    """All operations of the API."""
    paths = api().openapi()["paths"]
    return {f"{method.upper()} {path}" for path, methods in paths.items() for method in methods}


def actions() -> set[tuple[str, str]]:
    """All actions of the pages."""
    return {(method, one.path) for one in routes() for method in _methods(one)}


def _methods(route: Route) -> set[str]:
    return (route.methods or set()) - {"HEAD"}


def test_every_action_of_the_pages_has_an_operation() -> None:
    assert actions() == set(PAGES)
    assert {one for found in PAGES.values() for one in found} <= operations()


def test_every_operation_is_on_a_page_or_a_raters() -> None:
    assert operations() - BY_RATERS == {one for found in PAGES.values() for one in found}
