"""The pictures of the studio: all that the script takes and no others, small, shown on a page with words for who cannot see."""

import re
import struct
from pathlib import Path

ROOT = Path(__file__).parents[2]
PICTURES = sorted((ROOT / "docs" / "pictures").iterdir())
SCRIPT = (ROOT / "scripts" / "make_screenshots.py").read_text("utf-8")


def test_they_are_those_that_the_script_takes() -> None:
    table = SCRIPT[SCRIPT.index("PAGES = {") : SCRIPT.index("\n}\n")]
    assert {f"{name}.png" for name in re.findall(r'(?m)^    "(\w+)": ', table)} == {one.name for one in PICTURES}


def test_they_are_few_and_small() -> None:
    assert 3 <= len(PICTURES) <= 12
    for picture in PICTURES:
        head = picture.read_bytes()
        assert head[:8] == b"\x89PNG\r\n\x1a\n"
        assert struct.unpack(">II", head[16:24]) == (1280, 800)
        assert len(head) <= 60_000, picture.name


def test_each_is_shown_with_words() -> None:
    pages = "\n".join(page.read_text("utf-8") for page in (ROOT / "docs").rglob("*.md"))
    for picture in PICTURES:
        told = re.findall(rf"!\[([^\]]+)\]\([./]*pictures/{picture.name}\)", pages)
        assert told, picture.name
        assert all(len(words) > 20 for words in told), picture.name
