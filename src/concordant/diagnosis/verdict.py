"""The verdict: one word and one sentence about every question that anybody understands, and one about the whole study.

A question is *reliable* if even the low end of the interval of Krippendorff's alpha reaches .8, and can be *used with
care* if it reaches .667 (Krippendorff 2004, 241-243); the value alone never decides. A cause is named only if the
diagnosis tested it. The studio, the report and the command `diagnose` say the same sentences, which are
whole templates of each language.
"""

import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib.resources import files

import numpy as np

from concordant.diagnosis.consistency import Consistency, PairReading, Verdict
from concordant.digits import coefficient, decimal
from concordant.measures.krippendorff import alpha
from concordant.measures.result import Agreement

MAIN = alpha.key
"""The coefficient that suits every level of measurement."""
GOOD, TENTATIVE = 0.8, 0.667
SOURCE = "Krippendorff, K. (2004). Content Analysis: An Introduction to Its Methodology, 2nd ed. Sage, 241-243."
EARLY = 30  # units; with fewer an interval that allows every word is called too early
LONGEST = 140  # characters of a sentence about a question
ENGLISH = "en"


class Word(StrEnum):
    """What the judgements of a question are good for."""

    RELIABLE = "reliable"
    WITH_CARE = "use with care"
    NOT_YET = "not yet"
    TOO_EARLY = "too early"
    UNDEFINED = "undefined"


WORST_FIRST = (Word.NOT_YET, Word.UNDEFINED, Word.TOO_EARLY, Word.WITH_CARE, Word.RELIABLE)


@dataclass(frozen=True, kw_only=True)
class QuestionVerdict:
    """A question in a word and a sentence; `cause` is why it is not more, if that was tested.

    `reason` is why there is no value, in the language of the sentence where it has words for that.
    """

    question: str | None
    title: str
    word: Word
    sentence: str
    cause: str
    result: Agreement
    reason: str = ""


@dataclass(frozen=True, kw_only=True)
class StudyVerdict:
    """All questions in a sentence or two, then one by one in their order."""

    sentence: str
    questions: tuple[QuestionVerdict, ...]


def study_verdict(
    results: Sequence[Agreement],
    consistencies: Sequence[Consistency],
    *,
    titles: Mapping[str, str] | None = None,
    language: str = ENGLISH,
) -> StudyVerdict:
    """The verdict from the main coefficient of each question and what its rater pairs were found to do.

    `titles` are the names of questions as people know them; where there is only one, it may stand for the question.
    """
    say, found, names = Words(language), {one.question: one for one in consistencies}, titles or {}
    only, alone = consistencies[0] if len(consistencies) == 1 else None, len(names) == 1
    main = [result for result in results if result.measure == MAIN]
    told = []
    for result in main:
        id = result.question or (next(iter(names)) if alone else None)
        title = None if id is None else names.get(id, id)
        told.append(_question(result, only or found.get(result.question), title, say))
    return StudyVerdict(sentence=_headline(told, say), questions=tuple(told))


class Words:
    """The templates of one language; English where there is no such language."""

    def __init__(self, language: str) -> None:
        """Of a language's code."""
        self.language, self.entries = language, _catalogue(language)

    def __call__(self, key: str, **values: object) -> str:
        """A template with its names filled in."""
        return self.entries[key].format(**values)

    def reason(self, why: str | None) -> str:
        """Why there is no value, in this language if the catalogue has words for it, else as the engine says it."""
        return self.entries.get(f"reason {why}", why or "")

    def number(self, n: int) -> str:
        """A number as a sentence says it.

        >>> Words("en").number(2), Words("de").number(2), Words("en").number(13)
        ('two', 'zwei', '13')
        """
        numbers = self.entries["numbers"].split()
        return numbers[n] if n < len(numbers) else f"{n:,}"


def languages() -> list[str]:
    """The codes of the languages in which verdicts are said."""
    return sorted(file.name.removesuffix(".toml") for file in (files(__package__) / "words").iterdir())


@cache
def _catalogue(language: str) -> dict[str, str]:
    folder = files(__package__) / "words"
    file = folder / f"{language}.toml"
    entries: dict[str, str] = tomllib.loads((folder / f"{ENGLISH}.toml").read_text(encoding="utf-8"))
    return entries | (tomllib.loads(file.read_text(encoding="utf-8")) if file.is_file() else {})


def word_for(result: Agreement) -> Word:
    """What a coefficient with its interval allows to say."""
    if result.value is None:
        return Word.UNDEFINED
    if result.interval is None:
        return Word.TOO_EARLY
    low, high = result.interval.low, result.interval.high
    if low >= TENTATIVE:
        return Word.RELIABLE if low >= GOOD else Word.WITH_CARE
    return Word.TOO_EARLY if high >= GOOD and result.n_units < EARLY else Word.NOT_YET


def _question(result: Agreement, pairs: Consistency | None, title: str | None, say: Words) -> QuestionVerdict:
    word, found = word_for(result), result.interval
    cause = cause_of(pairs.pairs, say) if word in (Word.NOT_YET, Word.WITH_CARE) and pairs is not None else ""
    low, high = ("", "") if found is None else (coefficient(found.low), coefficient(found.high))
    is_one = result.n_units == 1
    key = word.name.lower()
    if word is Word.TOO_EARLY:
        key = ("too_early" if found else "no_interval") + ("_one" if is_one else "")
    text = say(
        key,
        name=title or say("the_question_first"),
        asked=title or say("the_question"),
        units=say("unit_one" if is_one else "unit_many", n=f"{result.n_units:,}"),
        cause=cause or say("low_end", low=low),
        reason=say.reason(result.reason),
        low=low,
        high=high,
    )
    sentence = text if len(text) <= LONGEST else text[: LONGEST - 1].rstrip() + "…"
    name = title or say("the_question_first")
    return QuestionVerdict(
        question=result.question,
        title=name,
        word=word,
        sentence=sentence,
        cause=cause,
        result=result,
        reason=say.reason(result.reason),
    )


def cause_of(pairs: Sequence[PairReading], say: Words) -> str:
    """Why raters differ, if the tests of rater pairs say so: a scale turned round, or one rater who is stricter."""
    for pair in pairs:
        if pair.verdict is Verdict.REVERSED and pair.calls_for_action:
            return say("turned_round", rater=say("and", one=pair.raters[0], other=pair.raters[1]))
    found = strictest(pairs)
    if found is None:
        return ""
    strict, shift, others, n_own = found
    values = {"rater": strict, "by": decimal(shift, 1), "other": others[0], "n": len(others), "all": n_own}
    if len(others) == n_own and n_own > 1:
        return say("stricter_all", **values)
    return say("stricter_one" if len(others) == 1 else "stricter_some", **values)


def strictest(pairs: Sequence[PairReading]) -> tuple[str, float, list[str], int] | None:
    """The rater who is lower than most, by how much on the mean, than whom, and in how many pairs they are."""
    level = [pair for pair in pairs if pair.verdict is Verdict.LEVEL and pair.stricter and pair.shift]
    if not level:
        return None
    [(strict, _)] = Counter(pair.stricter for pair in level).most_common(1)
    mine = [pair for pair in level if pair.stricter == strict]
    shift = float(np.mean([abs(pair.shift.mean) for pair in mine if pair.shift]))
    others = [name for pair in mine for name in pair.raters if name != strict]
    return str(strict), shift, others, sum(strict in pair.raters for pair in pairs)


def _headline(questions: Sequence[QuestionVerdict], say: Words) -> str:
    """How many questions are how good, then the worst one with its cause."""
    if len(questions) < 2:
        return questions[0].sentence if questions else say("nothing")
    counts, n = Counter(one.word for one in questions), len(questions)
    if len(counts) == 1:
        first = say(f"{'both' if n == 2 else 'all'}_{questions[0].word.name.lower()}", n=say.number(n))
    else:
        parts = [
            say(f"some_{word.name.lower()}_{'one' if counts[word] == 1 else 'many'}", n=say.number(counts[word]))
            for word in Word
            if counts[word]
        ]
        listed = say("and", one=", ".join(parts[:-1]), other=parts[-1])
        first = say("some", n=say.number(n), parts=listed)
    worst = [one for one in questions if one.word is Word.NOT_YET and one.cause]
    if not worst:
        return first
    one = min(worst, key=lambda each: float(each.result))
    return say("worst", first=first, name=one.title, cause=one.cause)
