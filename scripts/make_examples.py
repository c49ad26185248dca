"""Write the bundled example data sets. Everything in them is invented: sentences, raters and judgements.

    python scripts/make_examples.py

features.csv  two raters judge five yes/no features of 60 picture descriptions by native and non-native speakers
ratings.csv   five judges rate the fluency and adequacy of 40 generated questions on a scale from 1 to 5
spans.csv     three raters mark narrative levels in four stories (positions in characters)
classes.csv   24 participants in two sets put 20 adjectives into the classes B, E, O or two of them (B+E)
experts.csv   the classes that experts agreed on for the same adjectives
pairs.csv     150 preference pairs of responses with the features of both, 40 of them judged twice
responses.csv 60 responses with their features and the score of an automatic system
published.csv a table of agreement with one misprint
reviews.csv   five people rate 150 of 600 hotel reviews from 1 to 5, one of them without reading; two models rate all
"""

import csv
from pathlib import Path

import numpy as np

FOLDER = Path(__file__).parent.parent / "src" / "concordant" / "examples" / "data"
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


def experts(rng: np.random.Generator) -> None:
    """Experts mostly say what most participants say, and see more polysemy."""
    with (FOLDER / "classes.csv").open(encoding="utf-8") as stream:
        votes: dict[str, list[str]] = {}
        for row in csv.DictReader(stream):
            votes.setdefault(row["unit"], []).append(row["value"])
    rows: list[list[object]] = []
    for adjective, given in votes.items():
        most = max(sorted(set(given)), key=given.count)
        other = "B+O" if most in ("B", "O") else "E"
        rows.append([adjective, "committee", most if rng.random() < 0.75 else other])
    write("experts.csv", ["unit", "rater", "value"], rows)


def pairs(rng: np.random.Generator) -> None:
    """Core event decides most, grammar least; the second judge agrees in about six of seven pairs."""
    strength = np.array([2.6, 0.8, 0.4, 1.4, 1.6])
    header = ["pair", "rater", "choice", *(f"{slot}_{name}" for slot in "AB" for name in FEATURES)]
    rows: list[list[object]] = []
    for pair in range(150):
        first, second = (rng.random((2, 5)) < 0.65).astype(int)
        odds = float((first - second) @ strength)
        for judge in ("A1", "A2")[: 1 + (pair < 40)]:
            chance = 1 / (1 + np.exp(-odds))
            choice = "same" if rng.random() < 0.07 else "A" if rng.random() < chance else "B"
            rows.append([pair + 1, judge, choice, *first, *second])
    write("pairs.csv", header, rows)


def responses(rng: np.random.Generator) -> None:
    """A system that sees most of what the features say."""
    rows: list[list[object]] = []
    for number in range(60):
        values = (rng.random(5) < list(FEATURES.values())).astype(int)
        score = float(np.clip(values @ [0.35, 0.1, 0.05, 0.25, 0.25] + rng.normal(0, 0.18), 0, 1))
        rows.append([f"item {number % 6 + 1}", f"r{number + 1:02}", *values, f"{score:.3f}"])
    write("responses.csv", ["item", "response", *FEATURES, "system"], rows)


def reviews(rng: np.random.Generator) -> None:
    """Stars of hotel reviews by people and by two models, one good and one that avoids the ends of the scale."""
    n, labelled = 600, 150
    truth = np.clip(np.round(rng.normal(3.6, 1.2, n)), 1, 5)
    words = np.round(np.exp(rng.normal(4, 0.5, n))).astype(int)

    def stars(noise: float, lenient: float = 0.0, squeeze: float = 1.0) -> list[int]:
        said = 3 + squeeze * (truth - 3) + lenient + rng.normal(0, noise, n)
        return [int(value) for value in np.clip(np.round(said), 1, 5)]

    answers = {name: stars(0.55) for name in ("Ada", "Ben", "Cleo", "Dan")}
    answers["Eve"] = [int(value) for value in rng.integers(1, 6, n)]
    answers["model-large"], answers["model-small"] = stars(0.5, 0.15), stars(0.6, 0.0, 0.45)
    rows: list[list[object]] = []
    for name, values in answers.items():
        is_model = name.startswith("model")
        kind = "model" if is_model else "human"
        rows += [
            [f"r{i + 1:03}", name, kind, values[i], int(words[i]), "beach" if i % 3 else "city"]
            for i in range(n if is_model else labelled)
        ]
    write("reviews.csv", ["unit", "rater", "kind", "value", "words", "place"], rows)


def published() -> None:
    """Kappa of the third row has two digits swapped."""
    rows = [
        ["short texts", 400, "0.620", "0.580", "0.600", "0.519", "0.910", "0.813"],
        ["long texts", 350, "0.700", "0.640", "0.670", "0.556", "0.874", "0.716"],
        ["dialogues", 250, "0.540", "0.560", "0.550", "0.505", "0.860", "0.771"],
    ]
    write("published.csv", ["set", "total", "a1yes", "a2yes", "average", "chance", "observed", "kappa"], rows)


def spans(rng: np.random.Generator) -> None:
    """Three raters mark the same passages with errors: shifted ends, passages missed, levels confused."""
    levels, shares = ("frame", "embedded", "dream"), (0.5, 0.35, 0.15)
    rows: list[list[object]] = []
    for text, n in (("ferry", 9), ("lighthouse", 7), ("orchard", 11), ("well", 5)):
        begin, length = np.cumsum(rng.integers(60, 400, n)), rng.integers(40, 300, n)
        level = rng.choice(levels, n, p=shares)
        for rater in ("Ida", "Jon", "Kim"):
            first = np.maximum(0, begin + rng.integers(-15, 16, n))
            last = first + np.maximum(10, length + rng.integers(-25, 26, n))
            said = np.where(rng.random(n) < 0.15, rng.choice(levels, n), level)
            kept = np.flatnonzero(rng.random(n) < 0.88)
            rows += [[text, rater, first[i], last[i], said[i]] for i in kept]
    write("spans.csv", ["text", "rater", "begin", "end", "category"], rows)


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    random = np.random.default_rng(7)
    features(random)
    ratings(random)
    classes(random)
    further = np.random.default_rng(8)
    experts(further)
    pairs(further)
    responses(further)
    published()
    spans(np.random.default_rng(8))
    reviews(np.random.default_rng(9))
