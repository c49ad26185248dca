"""The documentation as files: built without a mistake, every mistake named, read and searched in a browser from a disk."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.barriers import no_barrier
from tests.web.conftest import Watched

ROOT = Path(__file__).parents[2]


def made(target: Path, scripts: Path = ROOT / "scripts") -> subprocess.CompletedProcess[str]:
    """What making the site says; with scripts elsewhere, of the documentation there."""
    told = {"PYTHONPATH": str(scripts.parent / "src"), "PATH": ""}
    script: list[str | Path] = [sys.executable, scripts / "make_site.py", target]
    return subprocess.run(script, capture_output=True, text=True, check=False, env=told)


def test_it_is_built_without_a_mistake(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter.txt").write_text("dear")
    refused = made(tmp_path / "mine")
    assert (refused.returncode, "other things" in refused.stderr) == (1, True)
    for _ in range(2):  # over what was made before
        done = made(tmp_path / "site")
        assert (done.returncode, done.stderr) == (0, "")
    pages = {path.relative_to(ROOT / "docs").with_suffix(".html") for path in (ROOT / "docs").rglob("*.md")}
    assert {path.relative_to(tmp_path / "site") for path in (tmp_path / "site").rglob("*.html")} == {
        *pages,
        Path("search.html"),
    }
    texts = [path.read_text("utf-8") for path in (tmp_path / "site").rglob("*.html")]
    assert not [text for text in texts if 'src="http' in text or '<link rel="stylesheet" href="http' in text]


def test_every_mistake_is_named_and_nothing_is_written(tmp_path: Path) -> None:
    for folder in ("docs", "scripts", "src"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__"))
    page = tmp_path / "docs" / "how-to" / "plan-a-study.md"
    page.write_text(f"{page.read_text('utf-8')}\n[a](nowhere.md) [b](#no-such) [c](span-data.md#nor-this) ![](x.png)\n")
    (tmp_path / "docs" / "how-to" / "lost.md").write_text("# Lost\n\nNobody links to me.\n")
    done = made(tmp_path / "site", tmp_path / "scripts")
    assert done.returncode == 1
    assert done.stderr.splitlines() == [
        "how-to/plan-a-study: a picture says nothing to those who do not see it",
        "how-to/plan-a-study: there is no nowhere.html",
        "how-to/plan-a-study: how-to/plan-a-study has no section no-such",
        "how-to/plan-a-study: how-to/span-data has no section nor-this",
        "how-to/plan-a-study: there is no x.png",
        "how-to/lost: no page leads here",
    ]
    assert not (tmp_path / "site").exists()


@pytest.mark.browser
@pytest.mark.parametrize("width", [1280, 390])
def test_it_is_read_and_searched_from_a_disk(tmp_path: Path, visit: Callable[..., Watched], width: int) -> None:
    assert made(tmp_path / "site").returncode == 0
    page = visit(width=width).page
    page.goto((tmp_path / "site" / "reference" / "plots.html").as_uri())
    assert page.evaluate("() => [...document.images].every(one => one.complete && one.naturalWidth > 0)")
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    no_barrier(page)
    page.fill("input[name=q]", "krippendorff's alpha")
    page.press("input[name=q]", "Enter")
    page.wait_for_selector("ol.guide-found li")
    no_barrier(page)
    assert "measures/alpha.html" in str(page.locator("ol.guide-found a").first.get_attribute("href"))
    page.locator("ol.guide-found a").first.click()
    page.wait_for_selector("article.guide-page h1")
    page.goto(f"{(tmp_path / 'site' / 'search.html').as_uri()}?q=zzyzx")
    assert "Fewer words" in page.inner_text("#told")
