"""Headers, forms from elsewhere, cookies, limits, and texts that try to be code."""

import socket
import threading
from pathlib import Path

import httpx
import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from concordant.collection.events import Answered
from concordant.design.description import Guidelines, Thanks
from concordant.web.app import serve
from concordant.web.requests import address
from concordant.web.security import CSRF_COOKIE, PAGE_POLICY
from concordant.web.server import Limit, Limits
from tests.web.plain import Plain
from tests.web.samples import RunningServer, running, study, unit

EVIL = "<script>window.hacked=1</script>\"'&{{ 7*7 }}"


def begun(run: RunningServer, name: str = "sample") -> Plain:
    """A new rater of an open study."""
    plain = Plain(run.visitor())
    plain.go(f"/s/{name}")
    plain.start()
    return plain


@pytest.mark.parametrize(
    "path", ["/", "/s/sample", "/nowhere", "/researcher/sign-in", "/api/openapi.json", "/static/judge.js", "/health"]
)
def test_every_reply_is_guarded(tmp_path: Path, path: str) -> None:
    with running(tmp_path, study(tmp_path, "binary")) as run:
        headers = run.visitor().get(path).headers
    assert headers["content-security-policy"] == PAGE_POLICY
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["x-frame-options"] == "DENY"
    assert headers["referrer-policy"] == "same-origin"
    assert headers["cache-control"] in {"no-store", "no-cache"}


def test_the_policy_allows_nothing_inline_and_nothing_from_elsewhere() -> None:
    assert "unsafe" not in PAGE_POLICY
    assert "http" not in PAGE_POLICY
    assert "default-src 'none'" in PAGE_POLICY


def test_cookies_are_out_of_reach_of_scripts_and_other_sites(tmp_path: Path) -> None:
    with running(tmp_path, study(tmp_path, "binary")) as run:
        client = run.visitor()
        token = Plain(client)
        token.go("/s/sample")
        reply = client.post("/s/sample", data=dict(token.page.forms[""].fields))
        cookies = reply.headers.get_list("set-cookie")
    assert cookies
    assert all("HttpOnly" in cookie and "SameSite=lax" in cookie for cookie in cookies)


@pytest.mark.parametrize(
    "headers",
    [{"origin": "https://evil.example"}, {"sec-fetch-site": "cross-site"}, {"origin": "null"}],
)
def test_a_form_from_another_site_is_refused(tmp_path: Path, headers: dict[str, str]) -> None:
    with running(tmp_path, study(tmp_path, "binary")) as run:
        rater = begun(run)
        form = {**dict(rater.page.forms["task"].fields), "q:binary": "yes"}
        assert rater.client.post(rater.path, data=form, headers=headers).status_code == 403
        assert rater.client.post(rater.path, data=form, headers={"origin": run.base}).status_code == 303


def test_a_form_without_its_token_or_with_another_browsers_is_refused(tmp_path: Path) -> None:
    with running(tmp_path, study(tmp_path, "binary")) as run:
        rater, other = begun(run), begun(run)
        form = {**dict(rater.page.forms["task"].fields), "q:binary": "yes"}
        foreign = dict(other.page.forms["task"].fields)["form_token"]
        for token in ("", "x", foreign):
            assert rater.client.post(rater.path, data={**form, "form_token": token}).status_code == 403
        rater.client.cookies.delete(CSRF_COOKIE)
        assert rater.client.post(rater.path, data=form).status_code == 403
        assert [event for event in run.events("sample") if isinstance(event, Answered)] == []


def test_another_raters_waiting_answer_is_not_delivered_as_mine(tmp_path: Path) -> None:
    with running(tmp_path, study(tmp_path, "binary")) as run:
        mine, other = begun(run), begun(run)
        whose = dict(other.page.forms["task"].fields)["who"]
        form = {**dict(mine.page.forms["task"].fields), "q:binary": "yes", "who": whose}
        assert mine.client.post(mine.path, data=form).status_code == 401


def test_texts_of_a_study_are_shown_and_never_run(tmp_path: Path) -> None:
    guidelines = Guidelines(version=EVIL, text=EVIL)
    evil = study(
        tmp_path,
        "text",
        title=EVIL,
        units=(unit(1, text=EVIL, prompt=EVIL),),
        guidelines=guidelines,
        thanks=Thanks(text=EVIL),
    )
    with running(tmp_path, evil) as run:
        rater = begun(run)
        pages = [rater.html]
        rater.press("next", {"q:text": EVIL})
        pages.append(rater.html)
        rater.press("back")
        pages.append(rater.html)
    assert all("<script>window" not in page for page in pages)
    assert all("&lt;script&gt;" in page for page in pages)
    assert "{{ 7*7 }}" in pages[0]


def test_too_many_passwords_are_refused_for_a_while(tmp_path: Path) -> None:
    limits = Limits(passwords=Limit(burst=3, per_minute=1))
    with running(tmp_path, study(tmp_path, "binary"), limits=limits) as run:
        visitor = Plain(run.visitor())
        visitor.go("/researcher/sign-in")
        form = {**dict(visitor.page.forms[""].fields), "name": "maria", "password": "wrong"}
        replies = [visitor.client.post("/researcher/sign-in", data=form) for _ in range(4)]
    assert [reply.status_code for reply in replies] == [403, 403, 403, 429]
    assert int(replies[-1].headers["retry-after"]) > 0


def test_a_huge_request_is_refused(tmp_path: Path) -> None:
    with running(tmp_path, study(tmp_path, "text")) as run:
        rater = begun(run)
        form = {**dict(rater.page.forms["task"].fields), "q:text": "x" * 2_000_000, "action": "next"}
        assert rater.client.post(rater.path, data=form).status_code == 413


def test_a_database_that_fails_acknowledges_nothing(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with running(tmp_path, study(tmp_path, "binary")) as run:
        rater = begun(run)
        form = {**dict(rater.page.forms["task"].fields), "q:binary": "yes"}
        run.server.log._writer.close()
        reply: httpx.Response = rater.client.post(rater.path, data=form, headers={"accept": "application/json"})
        assert reply.status_code == 503
        assert "retry-after" in reply.headers
    assert [one.getMessage() for one in caplog.records if one.name == "concordant.web"] == ["the log is closed"]


def test_one_account_is_guarded_against_many_addresses(tmp_path: Path) -> None:
    unlimited = Limit(burst=10**6, per_minute=1)
    with running(
        tmp_path, study(tmp_path, "binary"), limits=Limits(passwords=unlimited, names=Limit(burst=3, per_minute=2))
    ) as run:
        codes = [
            run.visitor().post("/api/keys", json={"name": "maria", "password": f"wrong {n}"}).status_code
            for n in range(4)
        ]
        assert codes == [403] * 3 + [429]
        assert run.visitor().post("/api/keys", json={"name": "other", "password": "wrong"}).status_code == 403


@pytest.mark.parametrize(("proxies", "seen"), [((), "127.0.0.1"), (("127.0.0.1",), "203.0.113.7")])
def test_only_a_declared_proxy_says_where_somebody_is(
    proxies: tuple[str, ...], seen: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[uvicorn.Server] = []
    run = uvicorn.Server.run

    def noted(self: uvicorn.Server, sockets: list[socket.socket]) -> None:
        made.append(self)  # it must be stopped, and `serve` ends with Ctrl+C only
        run(self, sockets)

    monkeypatch.setattr(uvicorn.Server, "run", noted)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        arguments = (Starlette(routes=[Route("/", _address)]), listening)
        thread = threading.Thread(target=serve, args=arguments, kwargs={"proxies": proxies})
        thread.start()
        try:
            where = f"http://127.0.0.1:{listening.getsockname()[1]}/"
            assert httpx.get(where, headers={"x-forwarded-for": "203.0.113.7"}, timeout=120).text == seen
        finally:
            made[0].should_exit = True
            thread.join()


async def _address(request: Request) -> PlainTextResponse:
    return PlainTextResponse(address(request))
