"""What happens to raters on the way: the network goes, the server restarts, two tabs are open, another browser is used."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from concordant.collection.events import Answered, Joined
from concordant.collection.log import Log
from concordant.web.rater.stages import AHEAD
from tests.web.conftest import Serving, Watched, serving, write_examples
from tests.web.driving import all_saved, changed, kind, press, ready, text, until

if TYPE_CHECKING:
    from playwright.sync_api import Page


pytestmark = pytest.mark.browser

Visit = Callable[..., Watched]
KEPT = "async () => (await import('/static/outbox.js')).inStore('screens', 'readonly', (store) => store.getAllKeys())"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """The feature example, open to everybody."""
    with serving(tmp_path_factory.mktemp("rough"), ("features",), prepare=open_features) as running:
        yield running


def open_features(folder: Path) -> None:
    """Write the example and change it so that anybody may take part."""
    write_examples(folder, ("features",))
    file = folder / "features" / "study.toml"
    file.write_text(file.read_text(encoding="utf-8").replace("open = false", "open = true"), encoding="utf-8")


def at_work(server: Serving, watched: Watched) -> Page:
    """A new rater at the first response."""
    watched.page.goto(f"{server.base}/s/features")
    watched.page.get_by_role("button", name="Start").click()
    ready(watched.page)
    press(watched.page, "Enter")
    assert kind(watched.page) == "judging"
    return watched.page


def answers(server: Serving) -> list[Answered]:
    """The answers of the rater who came last, in the log's order; each event is there once."""
    with Log.open(server.database) as log:
        rater = [entry.event.rater for entry in log.events("features") if isinstance(entry.event, Joined)][-1]
        events = [entry.event for entry in log.events("features", rater)]
    assert max(Counter(event.id for event in events).values()) == 1
    return [event for event in events if isinstance(event, Answered)]


def test_answers_wait_on_the_device_while_the_network_is_off(server: Serving, visit: Visit) -> None:
    watched = visit()
    page = at_work(server, watched)
    press(page, "y")
    all_saved(page)
    watched.context.set_offline(True)
    seen = [text(page)]
    for key in ("y", "n", "y"):
        press(page, key)
        seen.append(text(page))
    page.wait_for_selector("#saved[data-state=offline][data-waiting='3']:text('3')")
    assert len(answers(server)) == 1
    watched.context.set_offline(False)
    all_saved(page)
    assert [answer.value for answer in answers(server)] == ["yes", "yes", "no", "yes"]
    assert len(set(seen)) == 4


def test_answers_kept_offline_survive_closing_the_page(server: Serving, visit: Visit) -> None:
    watched = visit()
    page = at_work(server, watched)
    watched.context.set_offline(True)
    press(page, "y")
    press(page, "n")
    page.close()
    watched.context.set_offline(False)
    again = watched.context.new_page()
    again.goto(f"{server.base}/s/features")
    ready(again)
    all_saved(again)
    again.wait_for_function("() => document.getElementById('count').textContent.startsWith('3/')")
    assert [answer.value for answer in answers(server)] == ["yes", "no"]


SLOW = """
const real = window.fetch;
window.fetch = (url, options) => new Promise((resolve) =>
  setTimeout(() => resolve(real(url, options)), options?.method === "POST" ? 500 : 3000));
"""


def test_no_screen_changes_under_the_raters_hands_when_a_late_reply_arrives(server: Serving, visit: Visit) -> None:
    watched = visit()
    page = at_work(server, watched)
    watched.context.set_offline(True)
    press(page, "y")
    page.close()
    watched.context.set_offline(False)
    again = watched.context.new_page()
    again.add_init_script(SLOW)
    again.goto(f"{server.base}/s/features")
    ready(again)
    for answer in ("n", "y", "n", "y", "n", "y"):
        press(again, answer)
        seen = text(again)
        again.wait_for_timeout(400)
        assert text(again) == seen
    all_saved(again)
    assert [answer.value for answer in answers(server)] == ["yes", "no", "yes", "no", "yes", "no", "yes"]


def test_a_page_stays_open_while_the_server_restarts(server: Serving, visit: Visit) -> None:
    page = at_work(server, visit())
    press(page, "y")
    all_saved(page)
    server.kill()
    press(page, "n")
    page.wait_for_selector("#saved[data-state=offline]")
    server.start()
    all_saved(page)
    press(page, "y")
    all_saved(page)
    assert [answer.value for answer in answers(server)] == ["yes", "no", "yes"]


def test_two_tabs_of_one_rater(server: Serving, visit: Visit) -> None:
    watched = visit()
    first = at_work(server, watched)
    second = watched.context.new_page()
    second.goto(first.url)
    ready(second)
    same = text(first)
    assert text(second) == same
    press(first, "y")
    press(second, "n")
    press(first, "y")
    for page in (first, second):
        all_saved(page)
    given = answers(server)
    assert sorted(answer.value for answer in given) == ["no", "yes", "yes"]
    assert len({answer.step for answer in given}) == 2, "the first response was answered twice, the second one once"
    first.reload()
    ready(first)
    assert first.locator("#count").inner_text().startswith("3/")


def test_quitting_and_going_on_in_another_browser(server: Serving, visit: Visit) -> None:
    page = at_work(server, visit())
    press(page, "y")
    press(page, "n")
    here = text(page)
    changed(page, lambda: page.get_by_role("button", name="Quit").click())
    assert kind(page) == "quit"
    other = visit(width=375).page
    other.goto(page.locator("code.link").inner_text())
    ready(other)
    assert text(other) == here
    assert other.locator("#count").inner_text().startswith("3/")


def test_going_back_changes_an_answer_as_a_new_event(server: Serving, visit: Visit) -> None:
    page = at_work(server, visit())
    first = text(page)
    press(page, "y")
    press(page, "Backspace")
    assert text(page) == first
    assert page.locator("button[value=yes]").get_attribute("aria-pressed") == "true"
    press(page, "n")
    all_saved(page)
    assert [(answer.step, answer.value) for answer in answers(server)] == [(0, "yes"), (0, "no")]
    assert page.locator("#count").inner_text().startswith("2/")


def test_time_on_an_item_is_measured(server: Serving, visit: Visit) -> None:
    begun = time.monotonic()
    page = at_work(server, visit())
    page.wait_for_timeout(700)
    press(page, "y")
    all_saved(page)
    [answer] = answers(server)
    assert answer.seconds is not None
    assert 0.5 < answer.seconds < time.monotonic() - begun


def test_the_interface_speaks_german(server: Serving, visit: Visit) -> None:
    page = at_work(server, visit())
    page.get_by_role("link", name="Deutsch").click()
    ready(page)
    assert page.locator("html").get_attribute("lang") == "de"
    assert page.get_by_role("button", name="Unsicher").is_visible()
    page.goto(f"{server.base}/s/features")
    assert page.get_by_role("button", name="Unsicher").is_visible()


def with_worker(page: Page) -> None:
    """Wait until the page's worker is at work and has kept the frame."""
    page.evaluate("async () => { await navigator.serviceWorker.ready; }")
    until(
        page,
        "async () => (await Promise.all((await caches.keys()).map(async (name) =>"
        " (await (await caches.open(name)).keys()).some(({ url }) => url.endsWith('/offline'))))).some(Boolean)",
    )


def test_a_reload_without_the_network_goes_on_with_the_items_at_hand(server: Serving, visit: Visit) -> None:
    watched = visit()
    page = at_work(server, watched)
    with_worker(page)
    press(page, "y")
    all_saved(page)
    server.kill()
    press(page, "n")
    expected = text(page)
    page.reload()
    ready(page)
    page.wait_for_selector("main.stage[data-kind=judging]")
    assert text(page) == expected
    assert page.locator("#count").inner_text().startswith("3/")
    assert page.locator("main img").first.evaluate("image => image.complete && image.naturalWidth > 0")
    press(page, "y")
    page.wait_for_selector("#saved[data-state=offline]")
    page.reload()
    ready(page)
    page.wait_for_function("() => document.getElementById('count').textContent.startsWith('4/')")
    server.start()
    all_saved(page)
    press(page, "n")
    all_saved(page)
    assert [answer.value for answer in answers(server)] == ["yes", "no", "yes", "no"]
    watched.check(server.base)


def test_without_items_at_hand_the_page_says_that_the_server_is_gone(server: Serving, visit: Visit) -> None:
    watched = visit()
    page = at_work(server, watched)
    with_worker(page)
    watched.context.set_offline(True)
    while page.locator("[role=alert]").count() == 0:  # the items fetched early are used up
        page.keyboard.press("y")
        page.wait_for_timeout(300)
    page.reload()
    page.get_by_role("heading", name="The server cannot be reached").wait_for()
    watched.context.set_offline(False)
    page.wait_for_selector("main.stage[data-kind=judging]")  # by itself, and after the answers are delivered
    n = len(answers(server))
    assert n == AHEAD
    assert page.locator("#count").inner_text().startswith(f"{n + 1}/")


def test_what_one_rater_left_on_a_device_is_not_shown_to_the_next(server: Serving, visit: Visit) -> None:
    watched = visit()
    page = at_work(server, watched)
    with_worker(page)
    press(page, "y")
    all_saved(page)
    first = str(page.locator("#bench").get_attribute("data-owner"))
    watched.context.clear_cookies()
    second = at_work(server, watched)
    with_worker(second)
    owner = str(second.locator("#bench").get_attribute("data-owner"))
    assert owner != first
    server.kill()
    second.reload()
    ready(second)
    second.wait_for_selector("main.stage[data-kind=judging]")
    assert second.locator("#bench").get_attribute("data-owner") == owner
    assert second.locator("#count").inner_text().startswith("1/")
    assert second.evaluate(KEPT) == [owner]
    server.start()


def test_signed_out_means_that_nothing_is_kept(server: Serving, visit: Visit) -> None:
    watched = visit()
    page = at_work(server, watched)
    with_worker(page)
    watched.context.clear_cookies()
    page.reload()
    page.get_by_role("heading", name="By invitation").wait_for()
    assert own_parts(page) == []
    assert page.evaluate(KEPT) == []


def test_what_is_on_its_way_when_a_rater_is_signed_out_is_not_kept(server: Serving, visit: Visit) -> None:
    watched = visit()
    page = at_work(server, watched)
    with_worker(page)
    picture = page.locator("main img").first.get_attribute("src")
    watched.context.clear_cookies()
    page.evaluate(  # from the browser's own cache, as a page's pictures are, and many of them while the page goes
        "(picture) => { for (let n = 0; n < 300; n++) setTimeout(() => fetch(picture, { cache: 'force-cache' }), n / 4);"
        " location.reload(); }",
        picture,
    )
    page.get_by_role("heading", name="By invitation").wait_for()
    page.wait_for_timeout(300)
    assert own_parts(page) == []


def own_parts(page: Page) -> list[str]:
    """What the device keeps of the study itself, beside the program's scripts."""
    cached = page.evaluate(
        "async () => (await Promise.all((await caches.keys()).map(async (name) =>"
        " (await (await caches.open(name)).keys()).map(({ url }) => url)))).flat()"
    )
    return [url for url in cached if "/static/" not in url]
