"""The researchers' pages and their addresses."""

from starlette.routing import Route

from concordant.web import handbook
from concordant.web.pages import (
    administration,
    build_pages,
    chain_page,
    drop_page,
    guide,
    navigation,
    outcomes,
    rehearsal,
)
from concordant.web.security import UPLOADS

STUDY = "/studies/{study}"
SIGNING_IN = [
    Route("/researcher/sign-in", administration.sign_in_page, methods=["GET"], name="sign_in"),
    Route("/researcher/sign-in", administration.sign_in, methods=["POST"]),
    Route("/researcher/sign-out", administration.sign_out, methods=["POST"]),
]
GUIDE = [Route(handbook.HERE, guide.show, name="guide"), Route(f"{handbook.HERE}/{{page:path}}", guide.show)]
ROUTES = [
    Route("/researcher", administration.studies, name="projects"),
    Route("/researcher/take-back", administration.take_back, methods=["POST"]),
    Route(f"{STUDY}/put-away", administration.put_away, methods=["POST"]),
    Route("/researcher/new", build_pages.new, methods=["GET"], name="new"),
    Route("/researcher/new", build_pages.begin, methods=["POST"]),
    Route("/researcher/account", administration.account, name="account"),
    Route("/researcher/account/keys", administration.make_key, methods=["POST"]),
    Route("/researcher/account/keys/revoke", administration.revoke_key, methods=["POST"]),
    Route(UPLOADS, drop_page.desk, methods=["GET"], name="files"),
    Route(UPLOADS, drop_page.bring, methods=["POST"]),
    Route(f"{UPLOADS}/{{key}}", drop_page.show, name="file"),
    Route(f"{UPLOADS}/{{key}}/report.{{ending}}", drop_page.report),
    Route(f"{UPLOADS}/{{key}}/gold.csv", drop_page.gold),
    Route(f"{UPLOADS}/{{key}}/attributes", drop_page.attributes, methods=["POST"]),
    Route(f"{UPLOADS}/{{key}}/add", drop_page.add, methods=["POST"]),
    Route(f"{UPLOADS}/{{key}}/keep", drop_page.keep, methods=["POST"]),
    Route(f"{UPLOADS}/{{key}}/forget", drop_page.forget, methods=["POST"]),
    Route("/researcher/data/{name}.{ending}", outcomes.dataset, name="dataset"),
    Route("/jump", navigation.jump, name="jump"),
    Route("/researcher/studies/{study}", navigation.moved, methods=["GET", "POST"]),
    Route("/researcher/studies/{study}/{rest:path}", navigation.moved, methods=["GET", "POST"]),
    Route(STUDY, navigation.study, name="study"),
    Route(f"{STUDY}/build", build_pages.build, name="build"),
    Route(f"{STUDY}/build/preview", rehearsal.show, methods=["GET"]),
    Route(f"{STUDY}/build/preview", rehearsal.take, methods=["POST"]),
    Route(f"{STUDY}/build/media/{{path:path}}", rehearsal.medium),
    Route(f"{STUDY}/build/publish", build_pages.publishing, methods=["GET"]),
    Route(f"{STUDY}/build/publish", build_pages.publish, methods=["POST"]),
    Route(f"{STUDY}/build/duplicate", build_pages.duplicate, methods=["POST"]),
    Route(f"{STUDY}/build/discard", build_pages.discard, methods=["POST"]),
    Route(f"{STUDY}/build/files", build_pages.bring, methods=["POST"]),
    Route(f"{STUDY}/build/{{part}}", build_pages.show, methods=["GET"], name="build_part"),
    Route(f"{STUDY}/build/{{part}}", build_pages.change, methods=["POST"]),
    Route(f"{STUDY}/raters", administration.raters, name="raters"),
    Route(f"{STUDY}/invitations", administration.invite, methods=["POST"]),
    Route(f"{STUDY}/invitations.csv", administration.invitation_table),
    Route(f"{STUDY}/invitations/revoke", administration.revoke, methods=["POST"]),
    Route(f"{STUDY}/members", administration.admit, methods=["POST"]),
    Route(f"{STUDY}/members/dismiss", administration.dismiss, methods=["POST"]),
    Route(f"{STUDY}/results", outcomes.opening, name="results"),
    Route(f"{STUDY}/results/news", outcomes.news),
    Route(f"{STUDY}/results/next", outcomes.next_steps),
    Route(f"{STUDY}/results/stopping", outcomes.stopping),
    Route(f"{STUDY}/target", outcomes.aim, methods=["POST"]),
    Route(f"{STUDY}/disagreements", outcomes.disputed, name="disagreements"),
    Route(f"{STUDY}/disagreements/unit", outcomes.unit),
    Route(f"{STUDY}/disagreements/decide", outcomes.adjudication, methods=["GET"], name="adjudication"),
    Route(f"{STUDY}/disagreements/decide", outcomes.decide, methods=["POST"]),
    Route(f"{STUDY}/report", outcomes.takeaways, name="report"),
    Route(f"{STUDY}/report/gold", outcomes.gold, name="gold"),
    Route(f"{STUDY}/report/gold.csv", outcomes.gold_table),
    Route(f"{STUDY}/report/models", outcomes.models, name="models"),
    Route(f"{STUDY}/report/weights", outcomes.weights, methods=["GET", "POST"], name="weights"),
    Route(f"{STUDY}/chain", chain_page.show, methods=["GET", "POST"], name="chain"),
    Route(f"{STUDY}/chain/pairs", chain_page.begin_pairs, methods=["POST"]),
    Route(f"{STUDY}/report.{{ending}}", outcomes.report),
    Route(f"{STUDY}/export.{{ending}}", outcomes.export),
]
"""All of them that belong to researchers; signing in and out and the guide, which everybody may read, are apart."""
