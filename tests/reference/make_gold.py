"""Make `crowd-kit.json`: what crowd-kit's Dawid-Skene and MACE answer, through their public interface.

Run it in an environment of its own; the tests only read the JSON it leaves behind:

    pip install crowd-kit
    python tests/reference/make_gold.py

Two things in crowd-kit 1.4.2 have to be worked around. Dawid-Skene adds the logarithm of a category's share once for
each judgement instead of once for each unit, so the loss it watches is not the likelihood and can fall; it then stops
early. It is told here never to stop before its rounds are over. MACE numbers raters and categories by their first
appearance in one place and alphabetically in another; only when both orders are the same is the result that of the
model. `plain_mace` keeps what it answers when they are not.
"""

import json
import tomllib
import warnings
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

HERE = Path(__file__).parent
Rows = list[tuple[int, int, int]]


def patients() -> Rows:
    """Table 1 of Dawid & Skene (1979)."""
    table = tomllib.loads((HERE.parent / "gold" / "dawid_skene_1979.toml").read_text(encoding="utf-8"))
    return [
        (patient, observer, int(category) - 1)
        for patient, line in enumerate(table["patients"].strip().splitlines())
        for observer, cell in enumerate(line.split())
        for category in cell
    ]


def crowd() -> Rows:
    """Invented: 200 units of three categories, three careful raters, three who mostly say the first; 30 % missing."""
    rng = np.random.default_rng(1)
    truth, rows = rng.integers(0, 3, 200), []
    for rater in range(6):
        for unit in range(200):
            if rng.random() >= 0.3:
                kept, habit = (0.85, truth[unit]) if rater < 3 else (0.7, 0)
                rows.append((unit, rater, int(habit if rng.random() < kept else rng.integers(0, 3))))
    return rows


def frame(rows: Rows) -> Any:
    """Rows as the tool wants them."""
    return import_module("pandas").DataFrame(rows, columns=["task", "worker", "label"])


def dawid_skene(rows: Rows) -> dict[str, Any]:
    """Posterior and shares after 200 rounds."""
    model = import_module("crowdkit.aggregation").DawidSkene(n_iter=200, tol=-np.inf).fit(frame(rows))
    values = sorted(model.probas_.columns)
    return {
        "posterior": model.probas_.sort_index()[values].to_numpy().tolist(),
        "shares": model.priors_[values].tolist(),
    }


def mace(rows: Rows) -> dict[str, Any]:
    """Categories, and how often each rater knows."""
    model = import_module("crowdkit.aggregation").MACE(n_restarts=1, random_state=0).fit(frame(rows))
    return {"values": model.labels_.sort_index().tolist(), "knows": model.spamming_[:, 1].tolist()}


def in_order(rows: Rows) -> tuple[Rows, list[int]]:
    """The rows with categories numbered by first appearance, and what the numbers stand for; raters appear in order."""
    appearing = list(dict.fromkeys(value for _, _, value in rows))
    return [(unit, rater, appearing.index(value)) for unit, rater, value in rows], appearing


def main() -> None:
    """Write the file."""
    warnings.simplefilter("ignore")  # the tool uses what pandas 3 is about to drop
    rows = crowd()
    ordered, appearing = in_order(rows)
    found = mace(ordered)
    out = {
        "tool": "crowd-kit",
        "version": version("crowd-kit"),
        "licence": "Apache-2.0",
        "command": "python tests/reference/make_gold.py",
        "patients": dawid_skene(patients()),
        "crowd": {
            "rows": rows,
            "dawid_skene": dawid_skene(rows),
            "mace": {"values": [appearing[value] for value in found["values"]], "knows": found["knows"]},
            "plain_mace": mace(rows),
        },
    }
    (HERE / "crowd-kit.json").write_text(json.dumps(out) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
