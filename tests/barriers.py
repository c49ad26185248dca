"""What keeps people from using a page: axe-core's complaints, and a page that is wider than the screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Page


def no_barrier(page: Page) -> None:
    """axe-core has nothing to say about the page, and it is not wider than the screen."""
    from axe_playwright_python.sync_playwright import Axe

    found = Axe().run(page).response["violations"]
    assert found == [], (page.url, [(one["id"], [node["html"][:160] for node in one["nodes"]][:3]) for one in found])
    assert page.evaluate("() => document.documentElement.scrollWidth <= window.innerWidth"), page.url
