"""Signatures of earlier versions still verify: of tables, spans and trees, whatever was asked then."""

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from concordant.cli.verify import command

HERE = Path(__file__).parent
EXAMPLES = Path(__file__).parents[2] / "src" / "concordant" / "examples"
RUNS = tomllib.loads((HERE / "signed" / "0.1.0.toml").read_text(encoding="utf-8"))["run"]


@pytest.mark.parametrize("run", RUNS, ids=lambda run: str(run["command"])[:60])
def test_what_an_earlier_version_signed_is_found_again(run: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(HERE)
    files = [str(HERE / name if name.startswith("signed") else EXAMPLES / name) for name in run["files"]]
    for signature in run["signatures"]:
        assert signature.endswith("|v:0.1.0")
        done = CliRunner().invoke(command, [signature, *files, "--json"])
        assert json.loads(done.output) == {"matches": True, "differences": []}, signature


def test_what_was_ignored_then_is_not_claimed_now() -> None:
    """0.1.0 signed weights that alpha does not have; alpha of today has no such field, and the number is the same."""
    signed = [text for run in RUNS for text in run["signatures"] if text.startswith("alpha|") and "|weights:" in text]
    assert signed


def test_p_values_drawn_in_the_old_order_are_verified_within_their_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """0.1.0 drew permutations in the order of rows; a p that chance does not explain is still a difference."""
    monkeypatch.chdir(HERE)
    run = next(run for run in RUNS if "--permutations" in run["command"])
    signature, files = run["signatures"][0], [str(EXAMPLES / name) for name in run["files"]]
    told = json.loads(
        CliRunner().invoke(command, [signature.replace("p:0.0392156862745098", "p:0.8"), *files, "--json"]).output
    )
    assert not told["matches"]
    assert told["differences"][0].startswith("p: 0.8 in the signature, ")
