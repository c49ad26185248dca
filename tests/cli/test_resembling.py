"""`measure` says which columns make units resemble each other, though nobody asked for them."""

from pathlib import Path

from concordant.randomness import generator
from tests.cli.running import run


def write_items(path: Path) -> Path:
    """Items that are easy or hard; the column `item` is asked for by nobody. Invented."""
    random, lines = generator(7), ["unit,rater,value,item"]
    for item in range(12):
        for unit in range(6):
            differ = item % 2 and random.random() < 0.5
            lines += [f"{item}-{unit},A,y,i{item}", f"{item}-{unit},B,{'n' if differ else 'y'},i{item}"]
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def test_the_command_notes_a_column_that_nobody_asked_for(tmp_path: Path) -> None:
    data = write_items(tmp_path / "table.csv")
    printed = run("measure", data, "--measure", "percent", "--seed", "1").stdout
    assert "units of one 'item' resemble each other (design effect" in printed
    assert "not used: column 'item'" in printed
    told = run("measure", data, "--measure", "percent", "--seed", "1", "--cluster", "item").stdout
    assert "over 12 clusters of 'item'" in " ".join(told.split())
    assert "resemble" not in told
    piped = run("measure", "-", "--measure", "percent", "--seed", "1", stdin=data.read_bytes()).stdout
    assert "resemble" not in piped  # what is piped is read once
