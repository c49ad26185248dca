"""Which column of a table is what: said by the user, or found by its name. Which columns are raters, see `wide.py`."""

import re
from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

import numpy as np

from concordant.about import NAME
from concordant.choices import Choices, choice
from concordant.errors import InputError
from concordant.model.columns import Column
from concordant.readers.table import ENCODING, LEVEL, SEPARATOR, Table

KNOWN = {
    "unit": (
        *("unit", "unit_id", "response_id", "sentence_id", "text_id", "item_id", "item", "id", "orig_id", "task_id"),
        *(
            "hit_id",
            "hitid",
            "document_id",
            "doc_id",
            "subject_id",
            "case_id",
            "sentence",
            "text",
            "document",
            "subject",
        ),
        *("case", "stimulus", "doc", "record_id", "patient_id", "patient", "image_id", "image", "tweet_id", "tweet"),
        *("specimen", "essay", "article", "utterance", "segment", "filename", "file_name"),
        *("question_id", "prompt_id", "example_id", "instance_id", "sample_id", "comment_id", "post_id"),
        *("satz", "einheit", "beleg", "dokument", "äußerung", "unité", "énoncé", "unidad", "frase", "oración"),
    ),
    "rater": (
        *("rater", "annotator", "coder", "judge", "participant", "worker", "user", "rater_id", "annotator_id", "who"),
        *("coder_id", "judge_id", "participant_id", "worker_id", "worker_ids", "amt_worker_id", "amt_worker_ids"),
        *("user_id", "username", "user_name", "annotator_name", "rater_name", "reviewer", "reviewer_id", "workerid"),
        *("email", "email_address", "e_mail", "e_mail_adresse", "e_mail_address"),
        *(
            "reader",
            "observer",
            "examiner",
            "scorer",
            "rated_by",
            "coded_by",
            "annotated_by",
            "labeled_by",
            "labelled_by",
        ),
        *("labeler", "labeller", "evaluator", "assessor", "respondent", "bewerter", "bewerterin", "annotatorin"),
        *("kodierer", "kodiererin", "codierer", "annotateur", "codeur", "évaluateur", "anotador", "evaluador"),
    ),
    "value": (
        *(
            "value",
            "label",
            "judgement",
            "judgment",
            "category",
            "rating",
            "score",
            "answer",
            "annotation",
            "response",
            "grade",
            *("winner", "verdict", "vote", "choice", "preference"),
        ),
        *(
            "urteil",
            "bewertung",
            "wert",
            "kategorie",
            "antwort",
            "jugement",
            "valeur",
            "catégorie",
            "valor",
            "etiqueta",
        ),
    ),
    "question": ("question", "feature", "criterion", "aspect", "dimension", "frage", "merkmal", "pregunta"),
}

TEXTS = frozenset(
    (
        *("sentence", "text", "document", "tweet", "essay", "article", "utterance", "segment"),
        *("satz", "beleg", "dokument", "äußerung", "énoncé", "frase", "oración"),
    )
)
"""Names of units that are often texts themselves, beside which a column may be their key."""
MOST_KEYS = 1.5  # times as many keys as texts: more are those of judgements, not of texts that stand there twice


class TableOptions(Choices):
    """Which columns are what (None is to be found out), what was declared about the values, how the text is written.

    `attributes` names the further columns to keep; None keeps all.
    """

    unit: str | None = choice(None, "Column that names the unit (what is judged).")
    rater: str | None = choice(None, "Column that names the rater.")
    value: str | None = choice(None, "Column with the judgement.")
    question: str | None = choice(None, "Column that names the question, if there are several.")
    questions: tuple[str, ...] = choice((), "Columns that are questions, each with its values: a,b,c.")
    recode: tuple[str, ...] = choice((), "Values to read as others: COLUMN:OLD=NEW,…; nothing after = is missing.")
    raters: tuple[str, ...] | None = choice(
        None, "Wide form: the columns that are raters. Long form: only these raters."
    )
    rows: Literal["units", "raters"] = choice(
        "units", "Wide form: what a row is about: a unit, or what one rater answered."
    )
    count: str | None = choice(None, "Wide form: column that says how many units have the row's values.")
    level: str | None = choice(None, LEVEL)
    categories: tuple[str, ...] | None = choice(None, "All categories in order, unused ones too: a,b,c.")
    missing: tuple[str, ...] = choice((), "Values that mean missing, besides empty cells: NA,None.")
    empty: str | None = choice(None, "What an empty cell stands for, such as no; missing unless said.")
    case: Literal["keep", "fold"] = choice("keep", "Names that differ only in capitals (yes, Yes): apart, or one.")
    attributes: tuple[str, ...] | None = choice(None, "Further columns to keep; all unless said.")
    encoding: str | None = choice(None, ENCODING)
    separator: str | None = choice(None, SEPARATOR)
    sheet: str | None = choice(None, "Sheet of a workbook, if several hold a table.")
    duplicates: Literal["refuse", "first", "last", "all"] = choice(
        "refuse", "Several judgements of one unit by one rater: an error, or those that count (all: models of gold)."
    )


class Layout(NamedTuple):
    """What was decided. Long: rater and value are columns. Wide: `raters` are columns, one for each rater.

    `models` are those of them that are called like models. `times` is the column that says how many units have the
    values of a row. If it `is_turned`, rows are raters and columns units. `text` is what a unit
    that is a key says. `others` are the columns of a wide table that are no raters, and why.
    """

    unit: str = ""
    rater: str = ""
    value: str = ""
    question: str | None = None
    raters: tuple[str, ...] = ()
    models: tuple[str, ...] = ()
    times: str | None = None
    is_turned: bool = False
    text: str = ""
    others: Mapping[str, str] = {}
    notes: Sequence[str] = ()

    @property
    def names(self) -> set[str]:
        """All columns that have a role."""
        return {name for name in (self.unit, self.rater, self.value, self.question, self.times, *self.raters) if name}


def usual(role: str, names: Sequence[str]) -> str | None:
    """The column with the most usual name for a role."""
    known = {plain(name): name for name in reversed(names)}
    return next((known[word] for word in KNOWN[role] if word in known), None)


def plain(name: str) -> str:
    """A column's name as it is looked up: small letters, words joined by one underscore.

    >>> plain("!amt_worker_ids"), plain("SubjectID"), plain("Worker ID")
    ('amt_worker_ids', 'subject_id', 'worker_id')
    """
    apart = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name)
    return re.sub(r"[\W_]+", "_", apart).strip("_").casefold()


def decide(names: Sequence[str], given: TableOptions, file: str) -> Layout | None:
    """The layout of a long table from its column names alone; None if it is wide."""
    notes: list[str] = []
    if given.rows == "raters":
        return None
    rater, value = (_role(role, names, given, notes) for role in ("rater", "value"))
    if rater is None or value is None or (given.raters and set(given.raters) <= set(names)):
        if given.rater or (given.value and given.raters):
            raise lacking("value" if given.rater else "rater", names, file)
        return None
    unit = _role("unit", [name for name in names if name not in (rater, value)], given, notes)
    if unit is None:
        raise lacking("unit", names, file)
    question = _role("question", [name for name in names if name not in (rater, value, unit)], given, notes)
    return Layout(unit=unit, rater=rater, value=value, question=question, notes=notes)


def keys_beside(text: str, names: Sequence[str]) -> list[str]:
    """The columns that may be the key of this column of texts, the most usual first; none if it is called otherwise."""
    known = {plain(name): name for name in reversed(names) if name != text}
    return [known[w] for w in KNOWN["unit"] if w in known and w.endswith("id")] if plain(text) in TEXTS else []


def with_key(table: Table, layout: Layout, given: TableOptions) -> Layout:
    """The layout with the key of the texts as the unit, where no unit was named and a column is their key."""
    left = [name for name in table.columns if name not in layout.names]
    for name in keys_beside(layout.unit, left) if given.unit is None else ():
        if is_key(table.columns[name].as_labels(), table.columns[layout.unit].as_labels()):
            taken = f"column {layout.unit!r} was taken for the unit"
            notes = [note for note in layout.notes if not note.startswith(taken)]
            what = f"column {name!r} was taken for the unit, whose text is {layout.unit!r}"
            notes.append(f"{what} (say --unit to change it)")
            return layout._replace(unit=name, text=layout.unit, notes=notes)
    return layout


def is_key(keys: Column, texts: Column) -> bool:
    """Whether every key is that of one text, and there are not many more of them than texts.

    >>> of = lambda *codes: Column(codes=np.array(codes), labels=list("abcd"))
    >>> is_key(of(0, 1, 2, 0), of(0, 1, 1, 0)), is_key(of(0, 0, 1, 1), of(0, 1, 2, 2))
    (True, False)
    >>> is_key(of(0, 1, 2, 3), of(0, 0, 1, 1))  # a key for each judgement
    False
    """
    if keys.n_blank or not len(keys):
        return False
    known = texts.codes >= 0
    text_of = np.full(len(keys.labels), -1, dtype=np.int64)
    text_of[keys.codes[known]] = texts.codes[known]
    is_one = bool((text_of[keys.codes[known]] == texts.codes[known]).all())
    n_keys, n_texts = np.unique(keys.codes).size, np.unique(texts.codes[known]).size
    return is_one and n_keys <= MOST_KEYS * n_texts


def lacking(role: str, names: Sequence[str], file: str) -> InputError:
    """What to say of a table without a column for a role."""
    hint = f"name it with --{role}; columns: {', '.join(names[:12])}"
    return InputError(f"no column was found for the {role}", file=file, hint=hint)


def _role(role: str, names: Sequence[str], given: TableOptions, notes: list[str]) -> str | None:
    """The column of a role: the one given, or the first with a usual name, and then a note unless it is the default."""
    named: str | None = getattr(given, role)
    if named is not None:
        return named
    found = usual(role, names)
    if found is not None and found != role:
        notes.append(f"column {found!r} was taken for the {role} (say --{role} to change it)")
    return found


def quoted(*names: str) -> str:
    """Names as an argument of a command."""
    from shlex import quote

    return quote(",".join(names))


def asked(table: Table, what: str, *answers: str) -> InputError:
    """A table that can be read in two ways, with the commands that settle it."""
    commands = " or ".join(f"`{NAME} read {quoted(table.file)} {answer}`" for answer in answers)
    return InputError(what, file=table.file, hint=f"say which: {commands}")
