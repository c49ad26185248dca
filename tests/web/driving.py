"""Driving the pages as raters do: with keys, looking only at what is on the screen."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Page


Typed = dict[tuple[str, str, str], str]  # rater, unit's text, question -> answer


def kind(page: Page) -> str:
    """The kind of page on display."""
    return str(page.locator("main.stage").get_attribute("data-kind"))


def key(page: Page) -> str:
    """The name of the screen on display."""
    return str(page.locator("main.stage").get_attribute("data-key"))


def ready(page: Page) -> None:
    """Wait until the script is at work: it shows the list of keys."""
    page.wait_for_selector("#keys-open:visible")


def changed(page: Page, act: Callable[[], None]) -> None:
    """Do something and wait for another screen."""
    before = page.evaluate_handle("document.getElementById('content')")
    act()
    page.wait_for_function("before => document.getElementById('content') !== before", arg=before)


def press(page: Page, name: str) -> None:
    """Press a key and wait for another screen."""
    changed(page, lambda: page.keyboard.press(name))


def all_saved(page: Page) -> None:
    """Wait until nothing is on its way any more."""
    page.wait_for_selector("#saved[data-state=saved]", timeout=120_000)  # retries of a busy machine


def until(page: Page, expression: str, seconds: float = 120.0) -> None:
    """Wait until an asynchronous expression is true (`wait_for_function` takes a promise for the truth)."""
    end = time.monotonic() + seconds
    while not page.evaluate(expression):
        assert time.monotonic() < end, expression
        page.wait_for_timeout(50)


def text(page: Page) -> str:
    """The text that is judged."""
    return page.locator(".unit").inner_text()


def steady(*parts: object) -> int:
    """A small number that depends on its parts only."""
    return sum(ord(sign) * (i + 1) for i, sign in enumerate("|".join(map(str, parts))))
