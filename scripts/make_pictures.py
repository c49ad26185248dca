"""Draw the pictures of docs/reference/plots.md from the example data (the data are invented).

python scripts/make_pictures.py
"""

from pathlib import Path

from assent.model.study import Study
from assent.plots.kinds import KINDS, Choices
from assent.plots.picture import save
from assent.readers import read

ROOT = Path(__file__).parent.parent
DATA = ROOT / "src" / "assent" / "examples" / "data"
PICTURES = ROOT / "docs" / "reference" / "pictures"


def example(kind: str) -> tuple[Study, Choices]:
    """A study that the kind suits."""
    features, ratings = read(DATA / "features.csv"), read(DATA / "ratings.csv")
    if kind == "contingency":
        return features.where("question", ["grammaticality"]), Choices()
    if kind == "entropy":
        return read(DATA / "classes.csv"), Choices(by=("set",))
    if kind == "coefficients":
        return ratings, Choices(measures=("alpha", "gk_gamma"))
    return ratings.where("question", ["fluency"]), Choices()


def main() -> None:
    """Draw every kind."""
    PICTURES.mkdir(exist_ok=True)
    for key, kind in KINDS.items():
        save(kind.draw(*example(key)), PICTURES / f"{key}.svg")


if __name__ == "__main__":
    main()
