"""An answer is what a rater said: nothing is one where they say so, and a list that nobody touched is none."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from concordant.collection.events import Answered
from concordant.model.columns import EMPTY_SET
from concordant.tasks.kind import kind_of
from concordant.tasks.question import Option
from tests.web.conftest import Watched
from tests.web.driving import all_saved, kind, press, ready
from tests.web.plain import Plain
from tests.web.samples import QUESTIONS, RunningServer, running, study, unit

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

Visit = Callable[..., Watched]
OPEN = {task: replace(QUESTIONS[task], minimum=0, maximum=None) for task in ("spans", "multilabel", "patterns")}
UNITS = (unit(1, parses=None), unit(2, parses=None))


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """Questions to which nothing can be the answer, one to a page and together; a ranking; two rounds."""
    folder = tmp_path_factory.mktemp("true")
    together = study(folder, "binary", name="together", passes=False, units=UNITS, questions=tuple(OPEN.values()))
    rounds = study(folder, "binary", "ordinal", name="rounds", units=UNITS)
    with running(folder, together, rounds, study(folder, "ranking", name="ranking", units=UNITS)) as server:
        yield server


def begun(watched: Watched, server: RunningServer, name: str) -> None:
    """A new rater."""
    watched.page.goto(f"{server.base}/s/{name}")
    watched.page.get_by_role("button", name="Start").click()
    ready(watched.page)


def values(server: RunningServer, name: str) -> dict[str, object]:
    """What the rater who came last has answered about the first page."""
    rater = [event.rater for event in server.events(name) if event.kind == "joined"][-1]
    found = [event for event in server.events(name, rater) if isinstance(event, Answered) and event.step == 0]
    return {event.question: event.value for event in found}


@pytest.mark.browser
def test_nothing_is_an_answer_where_it_is_said(server: RunningServer, visit: Visit) -> None:
    watched = visit()
    page = watched.page
    begun(watched, server, "together")
    page.locator("button[value=next]").click()
    page.get_by_role("alert").get_by_text("Please answer “Mark the names.”").wait_for()
    assert page.evaluate("() => document.activeElement.textContent.trim()") == "Mark the names."
    assert "at most" not in page.content()
    page.get_by_label("There is nothing to mark").check()
    page.get_by_label("Noun").check()
    page.get_by_label("None of them").first.check()  # takes the noun away
    assert not page.get_by_label("Noun").is_checked()
    page.get_by_label("None of them").last.check()
    all_saved(page)
    before = page.locator("main.stage").get_attribute("data-n")
    page.locator("button[value=next]").click()
    page.wait_for_function("(n) => document.querySelector('main.stage').dataset.n !== n", arg=before)
    all_saved(page)
    assert values(server, "together") == {"spans": [], "multilabel": [], "patterns": {}}


def test_nothing_is_an_answer_without_a_script(server: RunningServer) -> None:
    visitor = Plain(server.visitor())
    visitor.go("/s/together")
    visitor.start()
    visitor.press("next", {"q:spans:": "nothing"})
    assert "Please answer “What occurs in it?”." in visitor.html
    visitor.press("next", {"q:spans:": "nothing", "q:multilabel:": "nothing", "q:patterns:": "nothing"})
    assert visitor.page.data["data-n"] == "2"
    assert values(server, "together") == {"spans": [], "multilabel": [], "patterns": {}}


@pytest.mark.parametrize("task", ["multilabel", "patterns"])
def test_nothing_has_a_cell_of_its_own(task: str) -> None:
    question = OPEN[task]
    nothing: object = [] if task == "multilabel" else {}
    assert kind_of(question).write(question, nothing) == EMPTY_SET
    assert kind_of(question).parse(question, EMPTY_SET) == nothing
    assert kind_of(question).label_of(question, UNITS[0], EMPTY_SET) == EMPTY_SET


@pytest.mark.browser
def test_a_ranking_that_nobody_touched_is_no_answer(server: RunningServer, visit: Visit) -> None:
    watched = visit()
    page = watched.page
    begun(watched, server, "ranking")
    page.keyboard.press("Enter")
    page.get_by_role("alert").get_by_text("Please answer “Put them in order.”").wait_for()
    assert values(server, "ranking") == {}
    drawn = page.locator(".ranking .what").all_inner_texts()
    page.locator(".ranking li").nth(1).locator("button").first.focus()
    page.keyboard.press("ArrowUp")
    all_saved(page)
    by_keys = [drawn[1].lower(), drawn[0].lower(), drawn[2].lower()]
    assert values(server, "ranking") == {"ranking": by_keys}
    page.locator(".ranking li").nth(2).drag_to(page.locator(".ranking li").first, target_position={"x": 40, "y": 3})
    all_saved(page)
    assert values(server, "ranking") == {"ranking": [by_keys[2], by_keys[0], by_keys[1]]}
    page.locator("button[value=next]").click()
    page.wait_for_function("() => document.querySelector('main.stage').dataset.n === '2'")
    page.get_by_role("button", name="This order is right").click()
    page.locator("button[value=next]").click()
    page.wait_for_selector("main.stage[data-kind=thanks]")


@pytest.mark.browser
def test_a_drag_that_was_given_up_is_no_answer(server: RunningServer, visit: Visit) -> None:
    """Put back where it was, or dropped nowhere (Escape): the order on the page is the drawn one, and nobody's answer."""
    watched = visit()
    page = watched.page
    begun(watched, server, "ranking")
    entries = page.locator(".ranking li")
    drawn = page.locator(".ranking .what").all_inner_texts()
    entries.first.drag_to(entries.first, source_position={"x": 40, "y": 8}, target_position={"x": 60, "y": 10})
    taken, goal = entries.first.bounding_box(), entries.last.bounding_box()
    assert taken is not None
    assert goal is not None
    page.mouse.move(taken["x"] + 40, taken["y"] + 8)
    page.mouse.down()
    page.mouse.move(goal["x"] + 40, goal["y"] + goal["height"], steps=4)
    assert page.locator(".ranking .what").all_inner_texts() == [*drawn[1:], drawn[0]], "it did not move meanwhile"
    page.keyboard.press("Enter")  # no key does anything else meanwhile
    page.keyboard.press("Escape")
    page.mouse.up()
    assert not page.get_by_role("alert").is_visible()
    assert page.locator(".ranking .what").all_inner_texts() == drawn
    assert page.locator(".ranking .place").all_inner_texts() == ["–", "–", "–"]
    page.keyboard.press("Enter")
    page.get_by_role("alert").get_by_text("Please answer “Put them in order.”").wait_for()
    assert values(server, "ranking") == {}
    box = page.locator(".ranking").bounding_box()
    assert box is not None
    grip = entries.last.bounding_box()
    assert grip is not None
    page.mouse.move(grip["x"] + 40, grip["y"] + 8)
    page.mouse.down()
    page.mouse.move(box["x"] + 40, box["y"] + 10, steps=4)
    page.mouse.move(box["x"] + 40, max(1, box["y"] - 60), steps=4)  # let go above the list: it stays on top
    page.mouse.up()
    all_saved(page)
    assert values(server, "ranking") == {"ranking": [drawn[2].lower(), drawn[0].lower(), drawn[1].lower()]}


class Finger:
    """A finger on a screen, as Chromium hears of it: what the page does with it, drags or scrolls, Chromium decides."""

    def __init__(self, page: Page) -> None:
        """Not on the screen yet."""
        self._page, self._session = page, page.context.new_cdp_session(page)

    def touch(self, kind: str, *where: tuple[float, float]) -> None:
        """One event: touchStart, touchMove, touchEnd or touchCancel."""
        points = [{"x": x, "y": y} for x, y in where]
        self._session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    def pull(self, start: tuple[float, float], end: tuple[float, float], last: str = "touchEnd") -> None:
        """Put it down, move it in steps, and take it away."""
        self.touch("touchStart", start)
        for n in range(1, 9):
            x, y = (a + (b - a) * n / 8 for a, b in zip(start, end, strict=True))
            self.touch("touchMove", (x, y))
            self._page.wait_for_timeout(20)
        self.touch(last)


def middle(place: Locator) -> tuple[float, float]:
    """The middle of something on the page."""
    box = place.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


@pytest.mark.browser
def test_a_finger_drags_by_the_place_and_scrolls_by_the_rest(server: RunningServer, visit: Visit) -> None:
    watched = visit(width=390, height=400, has_touch=True, is_mobile=True)
    page = watched.page
    begun(watched, server, "ranking")
    finger, places = Finger(page), page.locator(".ranking .place")
    texts = page.locator(".ranking .what").all_inner_texts
    drawn = texts()
    page.evaluate("() => document.querySelector('.ranking').scrollIntoView({ block: 'center' })")
    before = page.evaluate("() => window.scrollY")
    x, y = middle(page.locator(".ranking .what").last)
    finger.pull((x, y), (x, y + 90))
    page.wait_for_function("(y) => window.scrollY < y", arg=before)
    page.evaluate("() => document.querySelector('.ranking').scrollIntoView({ block: 'center' })")
    x, y = middle(places.first)
    finger.pull((x, y), (x, middle(places.last)[1] + 5), last="touchCancel")
    assert texts() == drawn
    assert places.all_inner_texts() == ["–", "–", "–"]
    finger.pull(middle(places.first), middle(places.first))
    assert places.all_inner_texts() == ["–", "–", "–"]
    x, y = middle(places.first)
    finger.pull((x, y), (x, middle(places.last)[1] + 5))
    all_saved(page)
    assert values(server, "ranking") == {"ranking": [one.lower() for one in (drawn[1], drawn[2], drawn[0])]}


@pytest.mark.browser
def test_a_long_ranking_goes_along_with_what_is_dragged(server: RunningServer, visit: Visit) -> None:
    """The list is longer than the screen: the entry reaches places that were not in sight when it was taken."""
    watched = visit(width=390, height=400, has_touch=True, is_mobile=True)
    page = watched.page
    begun(watched, server, "ranking")
    page.evaluate("() => document.querySelectorAll('.ranking li').forEach((one) => (one.style.minHeight = '11rem'))")
    finger, places = Finger(page), page.locator(".ranking .place")
    drawn = page.locator(".ranking .what").all_inner_texts()
    page.evaluate("() => document.querySelector('.ranking').scrollIntoView({ block: 'start' })")
    page.evaluate("() => window.scrollBy(0, -150)")
    assert middle(places.last)[1] > 400
    start = middle(places.first)
    finger.touch("touchStart", start)
    finger.touch("touchMove", (start[0], 385))
    page.wait_for_function("() => document.querySelectorAll('.ranking li')[2].classList.contains('dragged')")
    finger.touch("touchEnd")
    all_saved(page)
    assert values(server, "ranking") == {"ranking": [one.lower() for one in (drawn[1], drawn[2], drawn[0])]}


@pytest.mark.browser
def test_progress_counts_rounds(server: RunningServer, visit: Visit) -> None:
    watched = visit()
    page = watched.page
    begun(watched, server, "rounds")
    assert page.locator("#progress").inner_text().split() == ["Round", "1", "of", "2", "1/2"]
    press(page, "y")
    press(page, "y")
    assert kind(page) == "judging"
    assert page.locator("#progress").inner_text().split() == ["Round", "2", "of", "2", "1/2"]


@pytest.mark.browser
@pytest.mark.parametrize("width", [1280, 390])
def test_what_is_judged_stays_in_sight(width: int, server: RunningServer, visit: Visit) -> None:
    watched = visit(width=width, height=800)
    page = watched.page
    begun(watched, server, "together")
    page.evaluate("() => document.querySelector('.task > .steps').scrollIntoView({ block: 'end' })")
    box, text = page.locator(".item").bounding_box(), page.locator(".item .unit").bounding_box()
    assert box is not None
    assert text is not None
    assert 0 <= box["y"] < 400
    assert text["y"] + text["height"] <= box["y"] + box["height"] + 1  # the text too, and not its picture alone
    watched.context.set_offline(True)  # the bar has more to say, and takes more room
    page.get_by_role("checkbox", name="Noun").check()
    page.locator("#saved").get_by_text("1 answer waits to be sent").wait_for()
    box = page.locator(".item").bounding_box()
    assert box is not None
    bar = page.locator(".bar").bounding_box()
    assert bar is not None
    assert box["y"] >= bar["y"] + bar["height"] - 2


STEPS = ("strongly disagree", "disagree", "somewhat disagree", "neither", "somewhat agree", "agree", "strongly agree")
FITS = """() => {
  const boxes = [...document.querySelectorAll('.options button, .options .choice')];
  const places = boxes.map((box) => box.getBoundingClientRect());
  const apart = (one, other) => one.bottom <= other.top || one.right <= other.left;
  return boxes.every((box) => box.scrollWidth <= box.clientWidth + 1)
    && places.every((one, n) => places.slice(n + 1).every((other) => apart(one, other)));
}"""


@pytest.mark.browser
@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("passes", [True, False])
@pytest.mark.parametrize("steps", [STEPS, STEPS[1:6], ("1", "2", "3", "4", "5", "6", "7")])
def test_the_steps_of_a_scale_do_not_run_into_each_other(
    steps: tuple[str, ...], passes: bool, width: int, tmp_path: Path, visit: Visit
) -> None:
    options = tuple(Option(value=str(number), label=label) for number, label in enumerate(steps))
    asked = replace(QUESTIONS["ordinal"], options=options), QUESTIONS["binary"]
    with running(tmp_path, study(tmp_path, name="words", units=UNITS, questions=asked, passes=passes)) as server:
        watched = visit(width=width, height=844)
        begun(watched, server, "words")
        watched.page.get_by_text(steps[0], exact=True).first.wait_for()
        assert watched.page.evaluate(FITS)


@pytest.mark.browser
def test_no_key_writes_into_a_field_out_of_sight(tmp_path: Path, visit: Visit) -> None:
    asked = QUESTIONS["ordinal"], QUESTIONS["text"]
    with running(tmp_path, study(tmp_path, name="later", units=UNITS, questions=asked, passes=False)) as server:
        watched = visit()
        begun(watched, server, "later")
        assert watched.page.evaluate("() => document.activeElement.localName") != "textarea"
