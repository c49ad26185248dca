"""The ways of answering with the script at work: what is pressed and dragged is what is stored."""

from collections.abc import Callable, Iterator

import pytest

from concordant.collection.events import Answered
from concordant.tasks.kind import kinds
from tests.barriers import no_barrier
from tests.web.conftest import Watched
from tests.web.driving import all_saved, kind, press, ready
from tests.web.samples import RunningServer, running, study

pytestmark = pytest.mark.browser

Visit = Callable[..., Watched]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """One study for each way of answering, and one with all of them on one page."""
    folders = {task: tmp_path_factory.mktemp(task) for task in kinds()}
    studies = [study(folder, task, name=task) for task, folder in folders.items()]
    together = study(tmp_path_factory.mktemp("together"), *kinds(), name="together", passes=False)
    with running(tmp_path_factory.mktemp("log"), *studies, together) as answering:
        yield answering


def at_work(run: RunningServer, visit: Visit, name: str, **options: object) -> Watched:
    """A new rater at the first item."""
    watched = visit(**options)
    watched.page.goto(f"{run.base}/s/{name}")
    watched.page.get_by_role("button", name="Start").click()
    ready(watched.page)
    return watched


def last_value(run: RunningServer, name: str) -> object:
    """The value stored last."""
    return [event for event in run.events(name) if isinstance(event, Answered)][-1].value


@pytest.mark.parametrize(
    ("task", "keys", "value"),
    [
        ("binary", ["n"], "no"),
        ("categorical", ["3"], "adjective"),
        ("ordinal", ["5"], "5"),
        ("pairwise", ["s"], "same"),
        ("multilabel", ["2", "4", "Enter"], ["verb", "other"]),
        ("slider", ["Tab", "ArrowRight", "ArrowRight", "Enter"], 52),
        ("number", ["1", "2", "Enter"], 12),
        ("spans", ["Tab", "ArrowRight", "1", "Enter"], [{"begin": 0, "end": 3, "category": "PER"}]),
        ("ranking", ["Tab", "Tab", "Enter", "Tab", "Tab", "Tab", "Enter"], ["verb", "noun", "adjective"]),
    ],
)
def test_by_keyboard(run: RunningServer, visit: Visit, task: str, keys: list[str], value: object) -> None:
    page = at_work(run, visit, task).page
    for key in keys[:-1]:
        page.keyboard.press(key)
    press(page, keys[-1])
    all_saved(page)
    assert last_value(run, task) == value
    assert kind(page) == "judging"


def test_spans_by_pointer_and_removing_one(run: RunningServer, visit: Visit) -> None:
    page = at_work(run, visit, "spans").page
    token = page.locator(".token")
    token.filter(has_text="Ana").click()
    page.get_by_role("button", name="Person").click()
    first, last = token.filter(has_text="planted").bounding_box(), token.filter(has_text="number").bounding_box()
    assert first
    assert last
    page.mouse.move(first["x"] + 3, first["y"] + 5)
    page.mouse.down()
    page.mouse.move(last["x"] + 3, last["y"] + 5, steps=6)
    page.mouse.up()
    page.get_by_role("button", name="Place").click()
    all_saved(page)
    assert last_value(run, "spans") == [
        {"begin": 0, "end": 3, "category": "PER"},
        {"begin": 4, "end": 23, "category": "LOC"},
    ]
    page.get_by_role("button", name="Remove: Ana").click()
    all_saved(page)
    assert last_value(run, "spans") == [{"begin": 4, "end": 23, "category": "LOC"}]


def test_choices_are_saved_at_once_and_are_there_after_a_reload(run: RunningServer, visit: Visit) -> None:
    page = at_work(run, visit, "multilabel").page
    page.keyboard.press("1")
    all_saved(page)
    assert last_value(run, "multilabel") == ["noun"]
    page.reload()
    ready(page)
    assert page.locator("input[value=noun]").is_checked()
    page.keyboard.press("2")
    page.keyboard.press("3")
    assert not page.locator("input[value=adjective]").is_checked(), "two is the most"


def test_words_typed_and_not_sent_are_there_after_a_reload(run: RunningServer, visit: Visit) -> None:
    page = at_work(run, visit, "text").page
    page.locator("textarea").focus()
    page.keyboard.type("half a sen")
    page.wait_for_timeout(200)
    page.reload()
    ready(page)
    page.wait_for_function("() => document.querySelector('textarea').value === 'half a sen'")


def test_a_third_pattern_is_refused_before_anything_is_sent(run: RunningServer, visit: Visit) -> None:
    page = at_work(run, visit, "patterns").page
    for field in page.locator(".pattern input").all():
        field.fill("word")
    page.keyboard.press("Enter")
    page.wait_for_selector("[role=alert]")
    assert kind(page) == "judging"
    assert page.locator("#count").inner_text() == "1/3"


@pytest.mark.parametrize("name", [*(task for task in kinds()), "together"])
@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (375, "dark")])
def test_no_page_has_a_barrier(run: RunningServer, visit: Visit, name: str, width: int, scheme: str) -> None:
    watched = at_work(run, visit, name, width=width, color_scheme=scheme)
    no_barrier(watched.page)
    watched.check(run.base)
