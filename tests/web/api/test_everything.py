"""REST for everything the pages do: every action of the researchers' pages with the operation of the API that does it."""

from starlette.routing import Route

from concordant.web.api import api
from concordant.web.pages import ROUTES, STUDY

PAGES = {
    ("GET", "/researcher"): ["GET /studies", "GET /studies/{study}", "GET /data", "GET /drafts", "GET /put-away"],
    ("POST", "/researcher/take-back"): ["POST /put-away/{study}/back"],
    ("POST", f"{STUDY}/put-away"): ["POST /studies/{study}/put-away"],
    ("GET", "/researcher/new"): ["GET /drafts"],
    ("POST", "/researcher/new"): ["POST /drafts", "POST /studies"],
    ("GET", "/researcher/account"): ["GET /keys"],
    ("POST", "/researcher/account/keys"): ["POST /keys"],
    ("POST", "/researcher/account/keys/revoke"): ["DELETE /keys/{key}"],
    ("GET", "/researcher/files"): ["GET /files"],
    ("POST", "/researcher/files"): ["POST /files"],
    ("GET", "/researcher/files/{key}"): ["GET /files/{key}"],
    ("GET", "/researcher/files/{key}/report.{ending}"): ["GET /files/{key}/report.{ending}"],
    ("GET", "/researcher/files/{key}/gold.csv"): ["GET /files/{key}/gold.csv"],
    ("POST", "/researcher/files/{key}/attributes"): ["POST /files/{key}/attributes", "DELETE /files/{key}/attributes/{name}"],
    ("POST", "/researcher/files/{key}/add"): ["POST /files/{key}/files", "DELETE /files/{key}/files/{name}"],
    ("POST", "/researcher/files/{key}/keep"): ["POST /files/{key}/keep", "GET /kept"],
    ("POST", "/researcher/files/{key}/forget"): ["DELETE /files/{key}"],
    ("GET", "/researcher/data/{name}.{ending}"): ["GET /data/{name}.{ending}"],
    ("GET", "/jump"): ["GET /studies"],
    ("GET", "/researcher/studies/{study}"): ["GET /studies/{study}"],
    ("POST", "/researcher/studies/{study}"): ["GET /studies/{study}"],
    ("GET", "/researcher/studies/{study}/{rest:path}"): ["GET /studies/{study}"],
    ("POST", "/researcher/studies/{study}/{rest:path}"): ["GET /studies/{study}"],
    ("GET", STUDY): ["GET /studies/{study}"],
    ("GET", f"{STUDY}/build"): ["GET /studies/{study}", "GET /studies/{study}/members"],
    ("GET", f"{STUDY}/build/preview"): ["GET /drafts/{study}/preview"],
    ("POST", f"{STUDY}/build/preview"): ["GET /drafts/{study}/preview"],
    ("GET", f"{STUDY}/build/media/{{path:path}}"): ["GET /drafts/{study}/items"],
    ("GET", f"{STUDY}/build/publish"): ["GET /drafts/{study}/publication"],
    ("POST", f"{STUDY}/build/publish"): ["POST /drafts/{study}/publication"],
    ("POST", f"{STUDY}/build/duplicate"): ["POST /drafts/{study}/copies"],
    ("POST", f"{STUDY}/build/discard"): ["DELETE /drafts/{study}"],
    ("POST", f"{STUDY}/build/files"): ["POST /drafts/{study}/items"],
    ("GET", f"{STUDY}/build/{{part}}"): ["GET /drafts/{study}", "GET /drafts/{study}/items", "GET /drafts/{study}/design"],
    ("POST", f"{STUDY}/build/{{part}}"): ["PUT /drafts/{study}/file", "PUT /drafts/{study}/items/columns", "PUT /drafts/{study}/items/texts"],
    ("GET", f"{STUDY}/raters"): ["GET /studies/{study}/progress", "GET /studies/{study}/conflicts", "GET /studies/{study}/raters", "GET /studies/{study}/invitations"],
    ("GET", f"{STUDY}/invitations.csv"): ["GET /studies/{study}/invitations.csv"],
    ("POST", f"{STUDY}/invitations"): ["POST /studies/{study}/invitations"],
    ("POST", f"{STUDY}/invitations/revoke"): ["DELETE /studies/{study}/invitations/{rater}"],
    ("POST", f"{STUDY}/members"): ["POST /studies/{study}/members"],
    ("POST", f"{STUDY}/members/dismiss"): ["DELETE /studies/{study}/members/{name}"],
    ("GET", "/researcher/glimpse"): ["GET /studies/{study}/results"],
    ("GET", f"{STUDY}/results"): ["GET /studies/{study}/results", "GET /studies/{study}/agreement", "GET /studies/{study}/agreement/spans", "GET /studies/{study}/agreement/twos", "GET /studies/{study}/pairs"],
    ("GET", f"{STUDY}/results/news"): ["GET /studies/{study}/progress"],
    ("GET", f"{STUDY}/results/next"): ["GET /studies/{study}/results"],
    ("GET", f"{STUDY}/results/stopping"): ["GET /studies/{study}/stopping"],
    ("POST", f"{STUDY}/target"): ["PUT /studies/{study}/target"],
    ("GET", f"{STUDY}/disagreements"): ["GET /studies/{study}/disagreements", "GET /studies/{study}/causes"],
    ("GET", f"{STUDY}/disagreements/unit"): ["GET /studies/{study}/disagreements/unit", "GET /studies/{study}/decisions"],
    ("GET", f"{STUDY}/disagreements/decide"): ["GET /studies/{study}/cases"],
    ("POST", f"{STUDY}/disagreements/decide"): ["POST /studies/{study}/decisions"],
    ("GET", f"{STUDY}/report/gold"): ["GET /studies/{study}/gold", "GET /studies/{study}/groups", "GET /studies/{study}/comparison"],
    ("GET", f"{STUDY}/report/gold.csv"): ["GET /studies/{study}/gold"],
    ("GET", f"{STUDY}/chain"): ["GET /studies/{study}/chain"],
    ("POST", f"{STUDY}/chain"): ["POST /studies/{study}/chain"],
    ("POST", f"{STUDY}/chain/pairs"): ["POST /studies/{study}/chain/pairs"],
    ("GET", f"{STUDY}/report/weights"): ["GET /studies/{study}/weights"],
    ("POST", f"{STUDY}/report/weights"): ["POST /studies/{study}/weights/comparison"],
    ("GET", f"{STUDY}/report/models"): ["GET /studies/{study}/models"],
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
    return {(method, one.path) for one in ROUTES for method in _methods(one)}


def _methods(route: Route) -> set[str]:
    return (route.methods or set()) - {"HEAD"}


def test_every_action_of_the_pages_has_an_operation() -> None:
    assert actions() == set(PAGES)
    assert {one for found in PAGES.values() for one in found} <= operations()


def test_every_operation_is_on_a_page_or_a_raters() -> None:
    assert operations() - BY_RATERS == {one for found in PAGES.values() for one in found}
