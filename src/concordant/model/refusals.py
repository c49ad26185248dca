"""What models write besides answers: words where people gave numbers, and words that decline, are missing.

Other words that no person gave stay what they are, categories on which no model can be right, and a note names them.
"""

import re
from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from concordant.errors import InputError
from concordant.model.columns import blank_out
from concordant.model.scale import as_numbers
from concordant.model.study import Study

REFUSES = re.compile(
    r"(?is)^\W*(n/?a|none|null|refused?|i\W?m sorry|i am sorry|sorry|i can\W?t|i cannot|i am unable|i\W?m unable|"
    r"i won\W?t|i will not|as an ai)\b"
)
MOST_WORDS, LONGEST_WORD = 3, 40
MOST_BEYOND = 0.2  # of a model's answers beyond everything that people said


def without_refusals(study: Study) -> Study:
    """The study in which what a model said besides answers is missing; nothing that a person said, too, is."""
    if study.value.numbers is not None or study.categories is not None or not study.models:
        return study
    is_model = np.isin(study.rater.codes, [i for i, rater in enumerate(study.raters) if rater in study.models])
    labels = study.value.labels
    theirs, ours = ({labels[c] for c in np.unique(study.value.codes[side]).tolist() if c >= 0} for side in
                    (is_model, ~is_model))  # fmt: skip
    if as_numbers(sorted(ours)) is not None:
        words = {word for word in theirs - ours if as_numbers([word]) is None}
        _refuse_words(study, words)
        return _without(study, words, "are no numbers")
    refused = {word for word in theirs - ours if REFUSES.match(word)}
    left = _without(study, refused, "decline to answer")
    if other := theirs - ours - refused:
        n, told = _counted(study, other)
        note = f"{n:,} answers of models are words that no person gave, and count as wrong: {told}"
        return replace(left, notes=(*left.notes, note))
    return left


def _refuse_words(study: Study, words: set[str]) -> None:
    """A model that writes words for numbers (four, 4/5, 80 %) has answered; they are read by nobody."""
    labels = study.value.labels
    is_word = np.array([*((label in words and not REFUSES.match(label)) for label in labels), False])
    for model in (name for name in study.models if name in study.raters):
        codes = study.value.codes[study.rater.codes == study.raters.index(model)]
        if is_word[codes].sum() > MOST_BEYOND * max((codes >= 0).sum(), 1):
            used = np.unique(codes[is_word[codes]]).tolist()[:MOST_WORDS]
            told = ", ".join(repr(labels[c][:LONGEST_WORD]) for c in used)
            hint = "write its answers as the numbers that people gave"
            raise InputError(f"{model} answers {told}, people numbers", file=study.name, hint=hint)


def _without(study: Study, words: set[str], why: str) -> Study:
    if not words:
        return study
    n, told = _counted(study, words)
    note = f"{n:,} answers of models {why} and count as missing: {told}"
    return replace(study, value=blank_out(study.value, words), notes=(*study.notes, note))


def _counted(study: Study, words: Iterable[str]) -> tuple[int, str]:
    """How many answers these words are, and the first of them."""
    found = set(words)
    n = int(np.isin(study.value.codes, [i for i, label in enumerate(study.value.labels) if label in found]).sum())
    return n, ", ".join(repr(one[:LONGEST_WORD]) for one in sorted(found)[:MOST_WORDS])
