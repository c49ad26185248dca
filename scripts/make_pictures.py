"""Draw the pictures of docs/reference/plots.md from the example data (the data are invented).

python scripts/make_pictures.py
"""

from pathlib import Path
from typing import Any

from concordant.model.study import Study
from concordant.plots.kinds import KINDS, draw
from concordant.plots.picture import save
from concordant.readers import read

ROOT = Path(__file__).parent.parent
DATA = ROOT / "src" / "concordant" / "examples" / "data"
PICTURES = ROOT / "docs" / "reference" / "pictures"


def example(kind: str) -> tuple[Study, dict[str, Any]]:
    """A study that the kind suits, and what is chosen."""
    ratings = read(DATA / "ratings.csv")
    if kind == "contingency":
        return read(DATA / "features.csv").where("question", ["grammaticality"]), {}
    if kind == "entropy":
        return read(DATA / "classes.csv"), {"by": "set"}
    if kind == "coefficients":
        return ratings, {"measure": ("alpha", "gk_gamma")}
    fluency = ratings.where("question", ["fluency"])
    return (fluency.where("rater", fluency.raters[:2]) if kind == "bland-altman" else fluency), {}


def main() -> None:
    """Draw every kind."""
    PICTURES.mkdir(exist_ok=True)
    for kind in KINDS:
        study, chosen = example(kind)
        save(draw(kind, study, **chosen), PICTURES / f"{kind}.svg")


if __name__ == "__main__":
    main()
