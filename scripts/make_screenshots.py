"""Take the pictures in docs/pictures: pages of the studio in a real browser, which visits the demonstration.

python scripts/make_screenshots.py    (Chromium at /usr/bin/chromium, or where CONCORDANT_CHROMIUM says)
"""

import io
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, sync_playwright

from concordant.design.examples import EXAMPLES

PICTURES = Path(__file__).parent.parent / "docs" / "pictures"
PAGES = {
    "home": "/researcher",
    "files": "/researcher/files",
    "build": "/studies/features/build/questions",
    "assignment": "/studies/features/build/assignment",
    "raters": "/studies/features/raters",
    "results": "/studies/features/results",
    "disagreements": "/studies/features/disagreements",
    "case": "/studies/features/disagreements/decide",
    "chain": "/studies/preferences/chain",
    "gold": "/studies/features-pilot/report/gold",
    "report": "/studies/features-pilot/report",
    "judging": "/studies/features/raters",
}
IS_READY = "document.fonts.status === 'loaded' && !document.querySelector('section[role=status] progress')"
WIDTH, HEIGHT = 1280, 800
COLOURS, LARGEST = 128, 60_000  # of a picture; bytes of its file


@contextmanager
def demonstration() -> Iterator[str]:
    """The address that signs in to a demonstration, which is stopped afterwards."""
    command = [sys.executable, "-m", "concordant", "demo", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            found = (re.search(r"http://\S+/demo/\S+", line) for line in process.stdout)
            yield next(one.group() for one in found if one)
        finally:
            process.send_signal(signal.SIGINT)


def take(page: Page, name: str) -> None:
    """Write what the browser shows, in as many colours as are needed to look the same."""
    shown = Image.open(io.BytesIO(page.screenshot(animations="disabled"))).convert("RGB")
    goal = PICTURES / f"{name}.png"
    shown.quantize(COLOURS, dither=Image.Dither.NONE).save(goal, optimize=True)
    size = goal.stat().st_size
    print(f"{goal.name}: {size / 1000:.0f} kB")
    if size > LARGEST:
        sys.exit(f"{goal.name} has more than {LARGEST / 1000:.0f} kB")


def visit(page: Page, base: str, name: str) -> None:
    """Open the page; a rater comes by the link that the raters' page shows, a question is chosen, a file is dropped."""
    page.goto(base + PAGES[name])
    if name == "files":
        page.set_input_files("input[type=file]", str(EXAMPLES / "data" / "ratings.csv"))
        page.locator("form[data-drop] button.main").click()
        page.wait_for_url(re.compile("/files/[^/]+$"))
    if name == "judging":
        page.goto(str(page.locator("td [data-copy^=http]").last.get_attribute("data-copy")))
    if name == "build":
        page.get_by_role("link", name="Core event").first.click()
        page.wait_for_selector("[aria-current=page]:has-text('Core event')")
    page.wait_for_load_state("networkidle")
    page.wait_for_function(IS_READY)


def main() -> None:
    """Visit every page and take its picture."""
    PICTURES.mkdir(exist_ok=True)
    chromium = os.environ.get("CONCORDANT_CHROMIUM", "/usr/bin/chromium")
    with demonstration() as door, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
        page.goto(door)
        base = door.partition("/demo/")[0]
        for name in PAGES:
            visit(page, base, name)
            take(page, name)
        browser.close()


if __name__ == "__main__":
    main()
