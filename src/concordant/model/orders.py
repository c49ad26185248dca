"""Words that people put in order: scales of agreement, frequency, amount, quality …

Names have no order that a program may count on, so nothing is ordered by these; they are for telling people that the
values look ordered, and how to say so.
"""

import re
from collections.abc import Sequence

from concordant.model.scale import Scale

LEADING = re.compile(r"(\d+)\s*[=:.)(–-].*")  # 1 = never, 2 (rarely)
MORE = ("strongly", "completely", "totally", "fully", "entirely", "very")
LESS = ("somewhat", "slightly", "rather", "partly", "partially", "mildly")
MIDDLE = ("neutral", "undecided", "neither", "neither agree nor disagree", "neither nor", "unsure", "no opinion")


def _both_ways(low: str, high: str) -> tuple[tuple[str, ...], ...]:
    """A scale with two poles, each in three degrees, and a middle."""
    poles = [(tuple(f"{word} {pole}" for word in MORE), (pole, f"mostly {pole}"),
              tuple(f"{word} {pole}" for word in LESS)) for pole in (low, high)]  # fmt: skip
    return (*poles[0], MIDDLE, *reversed(poles[1]))


FAMILIES: tuple[tuple[tuple[str, ...], ...], ...] = (
    *(
        _both_ways(low, high)
        for low, high in (
            ("disagree", "agree"),
            ("dissatisfied", "satisfied"),
            ("unlikely", "likely"),
            ("negative", "positive"),
            ("unimportant", "important"),
        )
    ),
    (("never",), ("almost never", "very rarely"), ("rarely", "seldom"), ("sometimes", "occasionally"),
     ("often", "frequently", "usually"), ("very often", "almost always"), ("always",)),
    (("none", "no"), ("very low",), ("low",), ("medium", "moderate", "mid", "average"), ("high",), ("very high",)),
    (("very small",), ("small",), ("medium",), ("large", "big"), ("very large", "very big")),
    (("none", "absent", "normal"), ("minimal",), ("mild",), ("moderate",), ("severe",), ("very severe", "extreme")),
    (("very poor", "very bad", "terrible"), ("poor", "bad"), ("fair", "average", "acceptable", "ok", "okay"), ("good",),
     ("very good",), ("excellent",)),
    (("not at all", "not"), ("slightly", "a little", "a bit"), ("moderately", "somewhat"), ("very", "quite", "a lot"),
     ("extremely", "completely")),
)  # fmt: skip


def usual_order(labels: Sequence[str]) -> tuple[str, ...] | None:
    """The labels in the order that they usually have, if there are three or more of one such scale; None otherwise.

    >>> usual_order(["often", "Never", "sometimes"])
    ('Never', 'sometimes', 'often')
    >>> usual_order(["2 = low", "10 = high", "1 = none"])
    ('1 = none', '2 = low', '10 = high')
    """
    if not 2 < len(labels) <= 20:
        return None
    numbers = [LEADING.fullmatch(label.strip()) for label in labels]
    if all(numbers):
        places = {label: int(found.group(1)) for label, found in zip(labels, numbers, strict=True) if found}
        return tuple(sorted(labels, key=lambda label: places[label])) if len(set(places.values())) > 2 else None
    words = {label: " ".join(label.casefold().split()) for label in labels}
    for family in FAMILIES:
        places = {word: place for place, group in enumerate(family) for word in group}
        if all(word in places for word in words.values()):
            return tuple(sorted(labels, key=lambda label: places[words[label]]))
    return None


def order_note(labels: Sequence[str]) -> str | None:
    """What to say of names that look ordered."""
    order = usual_order(labels)
    if order is None:
        return None
    how = f"--level ordinal --categories {','.join(order)!r}"
    return f"the values look ordered ({' < '.join(order)}) and count as names: {how} orders them"


def guess_notes(scale: Scale) -> tuple[str, ...]:
    """What to say of a scale whose level was guessed.

    >>> from concordant.model.scale import make_scale
    >>> guess_notes(make_scale(["yes", "no"]))
    ('level of measurement guessed: nominal (say --level to change it)',)
    """
    ordered = order_note(scale.categories)
    note = f"level of measurement guessed: {scale.level.value} (say --level to change it)"
    return (note, ordered) if ordered else (note,)
