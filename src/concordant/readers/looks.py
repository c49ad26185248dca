"""What a column of a wide table holds, and why its name or its kind says that it is no rater."""

import re
from enum import Enum, auto
from typing import NamedTuple

import numpy as np

from concordant.model.columns import Column, is_number
from concordant.readers.layout import KNOWN, plain
from concordant.readers.numerals import MISSING

EMPTY = "every cell is empty"
ROW_NUMBERS = "it counts the rows"
GOLD = re.compile(
    r"gold|truth|curat|adjudicat|consens|konsens|majorit|mehrheit|mayor[ií]a|maggioranza|correct|reference_(?:label|answer)"
    r"|reconcil|harmoni[sz]ed|tie_?break|arbitrat"
)
DECIDED = re.compile(r"(?:^|_)(?:final|resolved|resolution|agreed|decision|decided|answer_key|target)(?:_|$)")
DERIVED = frozenset(
    (
        *("mean", "average", "avg", "median", "sum", "total", "sd", "std", "min", "max", "diff", "difference", "range"),
        *("variance", "var", "mittelwert", "mittel", "durchschnitt", "summe", "gesamt", "differenz", "delta"),
        *("moyenne", "somme", "media", "promedio", "suma", "kappa", "row_mean", "row_sum"),
    )
)
TELLING = re.compile(
    r"(?:dis)?agree(?:s|d|ment|_?y_?n)?|match(?:es|ed|ing)?|same|equal|identical|(?:is_)?(?:agreement|match|same|equal)"
    r"|concord|übereinstimmung|gleich|accord|acuerdo|coincide"
)
ABOUT = frozenset(
    (
        *("seed", "lastpage", "last_page"),
        *("age", "year", "month", "day", "date", "time", "timestamp", "seconds", "duration", "length", "words"),
        *("n_words", "word_count", "tokens", "order", "position", "trial", "page", "session", "block", "batch"),
        *(
            "weight",
            "latitude",
            "longitude",
            "confidence",
            "certainty",
            "difficulty",
            "rt",
            "reaction_time",
            "lead_time",
        ),
        *("sex", "gender", "group", "condition", "arm", "treatment", "education", "country", "language", "visit"),
        *("wordcount", "charcount", "n_chars", "characters", "n_tokens", "n_sentences", "list", "item_order"),
        *("alter", "geschlecht", "datum", "uhrzeit", "dauer", "zeit", "länge", "laenge", "gruppe", "bedingung"),
        *("reihenfolge", "sprache", "gewicht", "jahr", "wortzahl", "âge", "sexe", "durée", "edad", "sexo", "fecha"),
    )
)
SURVEY = frozenset({
    *("submitdate", "startlanguage", "lastpage", "respondent_id", "collector_id"),
    *("date_submitted", "last_page", "start_language", "antwort_id", "datum_abgeschickt", "letzte_seite"),
    *("start_sprache", "status", "progress", "finished"),
    *("zufallsstartwert", "date_de_soumission", "dernière_page", "langue_de_départ", "fecha_de_envío", "última_página"),
    *("questnnr", "serial", "started", "lastdata", "maxpage", "time_sum", "time_rsi", "missrel", "mailsent"),
    *("lfdn", "external_lfdn", "tester", "dispcode", "participant_browser", "quota"),
    *("uuid", "submission_time", "submitted_by", "validation_status", "network_id"),
    *("start_date_utc", "submit_date_utc"),
    *("recorded_date", "ip_address", "duration_in_seconds", "user_language", "distribution_channel", "recipient_email"),
    *("start_time", "completion_time", "startzeit", "fertigstellungszeit"),
})  # fmt: skip
"""Columns of surveys that say something about who answered and when."""
COUNTED = re.compile(
    r"(?:n|num|number|count)_(?:of_)?(?:\w+_)?(?:judge?ments?|votes?|ratings?|annotat(?:ors?|ions?)|raters?)"
    r"|.*_(?:judge?ments|votes|confidence|certainty)|(?:confidence|certainty)_.*"
)
DATE = re.compile(
    r"\d{4}[-/]\d\d?[-/]\d\d?(?:[T ].*)?|\d\d?[./]\d\d?[./]\d{2,4}(?: .*)?|\d\d?:\d\d(?::\d\d(?:\.\d+)?)?(?: [AP]M)?"
)
COMPACT = re.compile(r"(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?:[T_]?\d{4,6})?")  # 20240131
WHEN = re.compile(r"(?:time_?stamp|zeitstempel|(?:submit|start|end|recorded)_?date|(?:creat|updat|submitt)ed_at|date)")
MOST_LOOKED_AT = 10_000  # labels of a column; of more, as many evenly spread ones are looked at
LONG_TEXT, FREE = 40, 0.5  # characters of an average label, and the share of rows with a label of their own


class Kind(Enum):
    """What a column holds."""

    BLANK = auto()
    NUMBERS = auto()
    DATES = auto()
    TEXT = auto()
    NAMES = auto()


class Look(NamedTuple):
    """A column at a glance: its kind, the distinct names, or the smallest and the largest number."""

    kind: Kind
    names: frozenset[str] = frozenset()
    low: float = 0.0
    high: float = 0.0


def look_at(column: Column, n_rows: int) -> Look:
    """What a column holds, told from its distinct labels."""
    if column.numbers is not None:
        known = column.numbers[~np.isnan(column.numbers)]
        return Look(Kind.NUMBERS, low=float(known.min()), high=float(known.max())) if len(known) else Look(Kind.BLANK)
    n = len(column.labels)
    step = max(1, n // MOST_LOOKED_AT)
    labels = [column.labels[i] for i in range(0, n, step)]
    if not labels:
        return Look(Kind.BLANK)
    numbers = [float(label) for label in labels if is_number(label)]
    if numbers and all(is_number(label) or label.strip().casefold() in MISSING for label in labels):
        return Look(Kind.NUMBERS, low=min(numbers), high=max(numbers))
    if all(DATE.fullmatch(label.strip()) for label in labels):
        return Look(Kind.DATES)
    is_long = sum(map(len, labels)) > LONG_TEXT * len(labels)
    if n > MOST_LOOKED_AT or is_long or (n > max(FREE * n_rows, 20)):
        return Look(Kind.TEXT, names=frozenset(labels))
    return Look(Kind.NAMES, names=frozenset(labels))


def why_no_rater(name: str, look: Look) -> str | None:
    """Why a column is no rater, if its name or its kind says so."""
    word = plain(name)
    if look.kind is Kind.BLANK:
        return EMPTY
    if GOLD.search(word):
        return "a gold standard, not a rater"
    if look.kind is Kind.DATES or (WHEN.fullmatch(word) and look.kind is not Kind.NUMBERS):
        return "dates or times"
    if word in ("id", *KNOWN["unit"]) or word.endswith(("_id", "_ids")):
        return "names things"
    if word in KNOWN["rater"] and look.kind is not Kind.NUMBERS:
        return "names raters"
    if (look.kind is Kind.NUMBERS and word in DERIVED) or (look.kind is not Kind.TEXT and TELLING.fullmatch(word)):
        return "computed from others"
    if look.kind is Kind.NUMBERS and re.fullmatch(r"unnamed_\d+|level_0", word):
        return ROW_NUMBERS
    if look.kind is Kind.NUMBERS and word in SURVEY:
        return "about the survey, not an answer"
    is_about = word in ABOUT or COUNTED.fullmatch(word) is not None
    return "a number about the unit or the judgement" if look.kind is Kind.NUMBERS and is_about else None


def why_perhaps_no_rater(name: str) -> str | None:
    """Why a column is no rater if there are two others: it holds what was decided."""
    return "what was decided, not a rater; --raters can name it" if DECIDED.search(plain(name)) else None
