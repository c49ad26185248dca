"""Pictures: only those the study shows, only for its raters, and never as a page that could run a script."""

from collections.abc import Callable
from pathlib import Path

import pytest

from assent.design.description import Task
from assent.web.links import personal_link
from tests.web.conftest import Watched
from tests.web.samples import running, study


def test_only_what_is_shown_is_served_and_only_to_raters(tmp_path: Path) -> None:
    (tmp_path / "study.toml").write_text("expected = 'secret'", encoding="utf-8")
    with running(tmp_path, study(tmp_path, Task.BINARY)) as run:
        stranger, rater = run.visitor(), run.visitor()
        rater.get(personal_link(run.server, "sample", "Ada"))
        assert stranger.get("/s/sample/media/picture.svg").status_code == 401
        assert rater.get("/s/sample/media/picture.svg").status_code == 200
        for path in ("study.toml", "answers.db", "../study.toml", "%2e%2e/answers.db", "/etc/passwd"):
            assert rater.get(f"/s/sample/media/{path}").status_code == 404


def test_a_picture_is_served_in_a_sandbox(tmp_path: Path) -> None:
    with running(tmp_path, study(tmp_path, Task.BINARY)) as run:
        rater = run.visitor()
        rater.get(personal_link(run.server, "sample", "Ada"))
        headers = rater.get("/s/sample/media/picture.svg").headers
    assert headers["content-type"] == "image/svg+xml"
    assert "sandbox" in headers["content-security-policy"]
    assert "script-src" not in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"


@pytest.mark.browser
def test_a_script_inside_a_picture_does_not_run(tmp_path: Path, visit: Callable[..., Watched]) -> None:
    with running(tmp_path, study(tmp_path, Task.BINARY)) as run:
        watched = visit()
        watched.page.goto(run.base + personal_link(run.server, "sample", "Ada"))
        assert watched.page.locator(".item img").evaluate("image => image.complete && image.naturalWidth > 0")
        watched.page.goto(f"{run.base}/s/sample/media/picture.svg")
        assert watched.page.evaluate("() => window.hacked") is None
        watched.page.close()
