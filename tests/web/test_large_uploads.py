"""A hundred megabytes are sent to the studio: it says how far it is, and holds little of them in memory."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.web.conftest import Watched
from tests.web.test_own_computer import new_process

LARGE, MOST_HELD = 100 << 20, 48 << 20  # bytes
ROW = f"t{{}},{{}},{{}},{'a remark ' * 110}\n"
WATCH = """() => {
  const bar = document.querySelector(".drop progress");
  new MutationObserver(() => window.sent(bar.value)).observe(bar, { attributes: true });
}"""

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A table of judgements with long remarks."""
    path = tmp_path_factory.mktemp("large") / "large.csv"
    with path.open("w") as table:
        table.write("unit,rater,value,remark\n")
        for row in range(LARGE // len(ROW) + 1):
            table.write(ROW.format(row // 2, "AB"[row % 2], 1 + row // 2 % 5))
    yield path
    path.unlink()


def peak(process: int) -> int:
    """The most memory that a process has filled so far, in bytes."""
    found = re.search(r"VmHWM:\s+(\d+) kB", Path(f"/proc/{process}/status").read_text())
    assert found is not None
    return int(found[1]) << 10


def test_a_large_file_is_streamed(tmp_path: Path, file: Path, visit: Callable[..., Watched]) -> None:
    assert file.stat().st_size >= LARGE
    with new_process(tmp_path / "studio") as (address, process):
        page = visit().page
        page.goto(address)
        page.fill("input[name=name]", "ada")
        page.fill("input[name=password]", "a long enough password")
        page.press("input[name=password]", "Enter")
        page.wait_for_url("**/researcher")
        page.wait_for_selector("#glimpse-title")  # what the studio does besides is done
        page.goto(f"{address.partition('/begin/')[0]}/researcher/files")
        told: list[float] = []
        page.expose_function("sent", told.append)
        page.evaluate(WATCH)
        before = peak(process)
        page.set_input_files("input[name=files]", str(file))
        page.click("text=Read them", no_wait_after=True)
        page.wait_for_selector("h1.understood", timeout=300_000)
        assert "2 raters" in page.inner_text("h1.understood")
        assert told
        assert max(told) == 100
        if Path("/proc/self/status").exists():  # only Linux says how much a process ever filled
            assert peak(process) - before < MOST_HELD
