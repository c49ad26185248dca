"""Write the bundled example data sets. Everything in them is invented: sentences, raters and judgements.

    python scripts/make_examples.py

features.csv  two raters judge five yes/no features of 60 picture descriptions by native and non-native speakers
ratings.csv   five judges rate the fluency and adequacy of 40 generated questions on a scale from 1 to 5
classes.csv   24 participants in two sets put 20 adjectives into the classes B, E, O or two of them (B+E)
"""

import csv
from pathlib import Path

import numpy as np

FOLDER = Path(__file__).parent.parent / "src" / "assent" / "examples" / "data"
FEATURES = {
    "core_event": 0.75,
    "answerhood": 0.85,
    "grammaticality": 0.65,
    "interpretability": 0.8,
    "verifiability": 0.7,
}
WHO, DOES = (
    ("the girl", "a woman", "the old man", "two boys", "someone"),
    (
        "is painting a fence",
        "paints fence",
        "waters the flowers",
        "carrying a ladder",
        "is feeding the cat",
        "was run to the bus",
        "is opening the red umbrella",
        "look at the map",
        "are building a kite",
        "sleeps on the sofa",
        "pours tea for her guests",
        "is mending bike",
    ),
)
ADJECTIVES = (
    "round",
    "wooden",
    "urban",
    "nervous",
    "solar",
    "bitter",
    "royal",
    "fragile",
    "medical",
    "former",
    "silent",
    "coastal",
    "electric",
    "generous",
    "ancient",
    "musical",
    "alleged",
    "sleepy",
    "dental",
    "magnetic",
)


def write(name: str, header: list[str], rows: list[list[object]]) -> None:
    """One CSV file."""
    with (FOLDER / name).open("w", newline="", encoding="utf-8") as stream:
        csv.writer(stream, lineterminator="\n").writerows([header, *rows])


def features(rng: np.random.Generator) -> None:
    """Rater A2 is stricter about grammaticality, and non-native responses are harder to judge."""
    rows: list[list[object]] = []
    for number in range(60):
        group = "native" if number % 2 else "non-native"
        text = f"{WHO[number % 5]} {DOES[number % 12]}."
        for feature, share in FEATURES.items():
            truth = rng.random() < share + (0.1 if group == "native" else -0.05)
            for rater in ("A1", "A2"):
                slip = (
                    0.05
                    + 0.05 * (group == "non-native")
                    + 0.15 * (rater == "A2" and feature == "grammaticality" and truth)
                )
                value = truth ^ (rng.random() < slip)
                rows.append(
                    [
                        f"r{number + 1:02}",
                        f"item {number % 6 + 1}",
                        group,
                        text,
                        rater,
                        feature,
                        "yes" if value else "no",
                    ]
                )
    write("features.csv", ["unit", "item", "group", "text", "rater", "question", "value"], rows)


def ratings(rng: np.random.Generator) -> None:
    """J5 is one point stricter than the others; each judge misses a few items."""
    rows: list[list[object]] = []
    for question in ("fluency", "adequacy"):
        quality = rng.normal(3.2, 1.0, 40)
        for judge, (speaks, shift) in {
            "J1": ("native", 0),
            "J2": ("native", 0.2),
            "J3": ("native", -0.1),
            "J4": ("non-native", 0.1),
            "J5": ("non-native", -1.0),
        }.items():
            scores = np.clip(np.rint(quality + shift + rng.normal(0, 0.5, 40)), 1, 5).astype(int)
            rows += [
                [f"q{i + 1:02}", judge, speaks, question, score]
                for i, score in enumerate(scores)
                if rng.random() > 0.04
            ]
    write("ratings.csv", ["unit", "rater", "speaker", "question", "value"], rows)


def classes(rng: np.random.Generator) -> None:
    """Polysemous adjectives get two classes from some participants."""
    sets = ("B", "E", "O", "B+E", "B+O", "E+O")
    rows: list[list[object]] = []
    for number, adjective in enumerate(ADJECTIVES):
        share = rng.dirichlet(np.array([3, 1, 2, 0.7, 0.7, 0.4]) * (0.4 if number % 3 else 1.0))
        part = number % 2
        rows += [
            [adjective, f"p{part * 12 + person + 1:02}", f"set {part + 1}", rng.choice(sets, p=share)]
            for person in range(12)
        ]
    write("classes.csv", ["unit", "rater", "set", "value"], rows)


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    random = np.random.default_rng(7)
    features(random)
    ratings(random)
    classes(random)
