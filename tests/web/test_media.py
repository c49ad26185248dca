"""Pictures: only those the study shows, only for its raters, and never as a page that could run a script."""

import re
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest

from concordant.studio.people import personal_link
from tests.web.conftest import Watched
from tests.web.samples import RunningServer, running, study


def test_only_what_is_shown_is_served_and_only_to_raters(tmp_path: Path) -> None:
    (tmp_path / "study.toml").write_text("expected = 'secret'", encoding="utf-8")
    with running(tmp_path, study(tmp_path, "binary")) as run:
        stranger, rater = run.visitor(), run.visitor()
        picture = shown_to(rater, run)
        assert "picture" not in picture
        assert stranger.get("/s/sample/media/picture.svg").status_code == 401
        assert stranger.get(picture).status_code == 401
        assert rater.get(picture).status_code == 200
        mark = picture.split("/")[-2]
        wrong = (f"{mark}/99-image", f"{mark}/0-audio", f"{mark}/0-study.toml", f"{mark}/example-7", f"{mark}/²-image")
        for path in (
            *wrong,
            "picture.svg",
            "study.toml",
            "answers.db",
            "../study.toml",
            "%2e%2e/answers.db",
            "/etc/passwd",
        ):
            assert rater.get(f"/s/sample/media/{path}").status_code == 404
        other = run.visitor()
        assert shown_to(other, run, "Ben") != picture
        assert other.get(picture).status_code == 404


def shown_to(client: httpx.Client, run: RunningServer, rater: str = "Ada") -> str:
    """The address of the picture that a rater's first page shows."""
    page = client.get(personal_link(run.server, "sample", rater), follow_redirects=True).text
    [address] = re.findall(r'<img src="(/s/sample/media/[^"]+)"', page)
    return str(address)


def test_a_picture_is_served_in_a_sandbox(tmp_path: Path) -> None:
    with running(tmp_path, study(tmp_path, "binary")) as run:
        rater = run.visitor()
        headers = rater.get(shown_to(rater, run)).headers
    assert headers["content-type"] == "image/svg+xml"
    assert "sandbox" in headers["content-security-policy"]
    assert "script-src" not in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"


@pytest.mark.browser
def test_a_script_inside_a_picture_does_not_run(tmp_path: Path, visit: Callable[..., Watched]) -> None:
    with running(tmp_path, study(tmp_path, "binary")) as run:
        watched = visit()
        watched.page.goto(run.base + personal_link(run.server, "sample", "Ada"))
        assert watched.page.locator(".item img").evaluate("image => image.complete && image.naturalWidth > 0")
        watched.page.goto(f"{run.base}{watched.page.locator('.item img').get_attribute('src')}")
        assert watched.page.evaluate("() => window.hacked") is None
        watched.page.close()
