"""The guide: every page of the documentation in the studio, no dead link in it, its search, the link on every page."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urljoin, urlsplit

import httpx
import pytest

from concordant.web.handbook import FOLDER, HERE, beside, leaf, names, search
from concordant.web.markup import FOLDER as WEB
from tests.barriers import no_barrier
from tests.web.conftest import Watched
from tests.web.members import PASSWORD, with_members
from tests.web.samples import RunningServer
from tests.web.test_pages_accessible import sign_in

ROOT = Path(__file__).parents[3]
STUDIO_PAGES = Path(str(WEB)) / "templates" / "researcher"


def path(name: str) -> str:
    return HERE if name == "index" else f"{HERE}/{name}"


def anchors(name: str) -> set[str]:
    return set(re.findall(r'<h\d id="([^"]+)"', leaf(name).html))


def test_every_page_of_the_documentation_is_there() -> None:
    pages = {one.relative_to(ROOT / "docs").with_suffix("").as_posix() for one in (ROOT / "docs").rglob("*.md")}
    assert set(names()) == pages
    assert FOLDER == ROOT / "docs"  # a checkout reads its own, also one without symbolic links


def test_no_link_is_dead() -> None:
    known = {path(name): name for name in names()}
    for name in names():
        for target in re.findall(r'(?:href|src)="([^"]*)"', leaf(name).html):
            full = urlsplit(urljoin(path(name), target))
            if full.scheme:
                assert full.scheme in ("https", "http", "mailto"), (name, target)
            elif full.path in known:
                assert not full.fragment or full.fragment in anchors(known[full.path]), (name, target)
            else:
                assert full.path.removeprefix(f"{HERE}/") in beside(), (name, target)


def test_anchors_are_used_once_on_a_page() -> None:
    for name in names():
        found = re.findall(r' id="([^"]+)"', leaf(name).html)
        assert len(found) == len(set(found)), name


def test_every_page_of_the_studio_says_how_it_works() -> None:
    told = {}
    for template in STUDIO_PAGES.glob("*.html"):
        for target in re.findall(r"{% block guide %}(.*?){% endblock %}", template.read_text("utf-8")):
            name, _, anchor = target.partition("#")
            assert name in names(), template.name
            assert not anchor or anchor in anchors(name), template.name
            told[template.name] = target
    assert {"studio.html", "results.html", "report.html", "files.html", "of_draft.html"} <= set(told)


def test_words_are_found_where_they_are_explained() -> None:
    assert search("dawid")
    assert search("krippendorff's alpha")[0].path.startswith(f"{HERE}/reference/measures/alpha")
    assert search("planning width")[0].path.startswith(HERE)
    assert all("gold" in f"{one.title} {one.heading} {one.excerpt}".casefold() for one in search("gold"))
    assert search("") == search("zzyzx gold") == []


def test_nothing_written_in_a_page_becomes_a_tag_or_a_style() -> None:
    assert not [name for name in names() if re.search(r"<[^>]* style=", leaf(name).html)]
    tags = {tag for name in names() for tag in re.findall(r"<(\w+)", leaf(name).html)}
    assert tags <= {
        *[
            "h1",
            "h2",
            "h3",
            "h4",
            "p",
            "a",
            "em",
            "strong",
            "code",
            "pre",
            "ul",
            "ol",
            "li",
            "table",
            "thead",
            "tbody",
            "tr",
            "th",
            "td",
            "div",
            "img",
            "br",
            "hr",
        ]
    }


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """A server with answers and members."""
    with with_members(tmp_path_factory.mktemp("guide")) as server:
        yield server


def test_everybody_may_read_it_and_nothing_else_is_read(run: RunningServer) -> None:
    with httpx.Client(base_url=run.base) as client:
        page = client.get("/guide/explanation/gamma")
        assert page.status_code == 200
        assert "default-src 'none'" in page.headers["content-security-policy"]
        assert "style=" not in page.text
        assert "<script" not in page.text
        picture = client.get("/guide/explanation/gamma-growth.svg")
        assert (picture.status_code, picture.headers["content-type"]) == (200, "image/svg+xml")
        for name in ("nowhere", "../pages/guide.py", "%2e%2e/pages/guide.py", "how-to", "index.md", "//etc/passwd"):
            assert client.get(f"/guide/{name}").status_code == 404, name
        found = client.get("/guide", params={"q": "<b>alpha"})
        assert found.status_code == 200
        assert "<b>alpha" not in found.text


@pytest.mark.browser
@pytest.mark.parametrize("width", [1280, 375])
def test_it_is_reached_read_and_searched(run: RunningServer, visit: Callable[..., Watched], width: int) -> None:
    page = visit(width=width).page
    sign_in(page, run.base, PASSWORD)
    page.wait_for_url("**/researcher")
    page.goto(f"{run.base}/studies/sample/results")
    page.get_by_role("link", name="How this works").click()
    page.wait_for_url("**/guide/tutorials/from-pilot-to-gold-standard#watch-agreement")
    no_barrier(page)
    page.goto(f"{run.base}/guide/reference/published-figures")
    no_barrier(page)
    page.goto(f"{run.base}/guide/reference/plots")
    assert page.evaluate("() => [...document.images].every(one => one.complete && one.naturalWidth > 0)")
    no_barrier(page)
    page.fill("input[name=q]", "prior")
    page.press("input[name=q]", "Enter")
    page.wait_for_selector("ol.guide-found li")
    no_barrier(page)
    page.locator("ol.guide-found a").first.click()
    page.wait_for_selector("article.guide-page")
