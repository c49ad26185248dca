"""The addresses of the researchers' pages."""

from starlette.routing import Route

from assent.web.researcher import (
    account,
    adjudicating,
    agreement,
    disagreements,
    downloads,
    gold,
    overview,
    projects,
    weighing,
)

STUDY = "/researcher/studies/{study}"


def routes() -> list[Route]:
    """All of them; signing in and out is apart."""
    return [
        Route("/researcher", projects.show, name="projects"),
        Route("/researcher/new", projects.new, methods=["GET"], name="new"),
        Route("/researcher/new", projects.make, methods=["POST"]),
        Route("/researcher/account", account.show, name="account"),
        Route("/researcher/account/keys", account.make_key, methods=["POST"]),
        Route("/researcher/account/keys/revoke", account.revoke, methods=["POST"]),
        Route("/researcher/data/{name}.{ending}", downloads.dataset, name="dataset"),
        Route(STUDY, overview.show, name="overview"),
        Route(f"{STUDY}/invitations", overview.invite, methods=["POST"]),
        Route(f"{STUDY}/invitations/revoke", overview.revoke, methods=["POST"]),
        Route(f"{STUDY}/members", overview.admit, methods=["POST"]),
        Route(f"{STUDY}/members/dismiss", overview.dismiss, methods=["POST"]),
        Route(f"{STUDY}/agreement", agreement.show, name="agreement"),
        Route(f"{STUDY}/agreement/panel", agreement.panel),
        Route(f"{STUDY}/agreement/stopping", agreement.stop_panel),
        Route(f"{STUDY}/target", agreement.aim, methods=["POST"]),
        Route(f"{STUDY}/disagreements", disagreements.show, name="disagreements"),
        Route(f"{STUDY}/disagreements/unit", disagreements.unit),
        Route(f"{STUDY}/adjudication", adjudicating.show, methods=["GET"], name="adjudication"),
        Route(f"{STUDY}/adjudication", adjudicating.decide, methods=["POST"]),
        Route(f"{STUDY}/gold", gold.show, name="gold"),
        Route(f"{STUDY}/gold.csv", gold.download),
        Route(f"{STUDY}/weights", weighing.show, methods=["GET"], name="weights"),
        Route(f"{STUDY}/weights", weighing.compare, methods=["POST"]),
        Route(f"{STUDY}/report", downloads.show, name="report"),
        Route(f"{STUDY}/report.{{ending}}", downloads.report),
        Route(f"{STUDY}/export.{{ending}}", downloads.export),
    ]
