"""ASReview: a project (a ZIP with the decisions in SQLite), or the table of labelled records that it exports.

A reviewer has a project or a table of their own, so the rater is the file, or the user if the project names several;
several files are several reviewers. The unit is the record. Records that nobody has screened are left out.
"""

import sqlite3
from pathlib import Path
from zipfile import ZipFile

from concordant.digits import thousands
from concordant.errors import InputError
from concordant.model.scale import Level
from concordant.model.study import Declared, Study
from concordant.readers.answers import Answer, Answers, TableAnswerOptions
from concordant.readers.format import LIKELY, SURE, Format
from concordant.readers.table import header, read_table
from concordant.readers.zipped import damages

MOST = 1 << 30  # bytes of a database that are unpacked
DECISION = "decision"
LABELS = {"1": "relevant", "0": "irrelevant"}
QUERIES = ("SELECT record_id, label, user_id FROM results", "SELECT record_id, label, NULL FROM results")
OWN, USUAL = "asreview_label", ("included", "label_included", "final_included", "included_label", "included_final")


def read(*paths: str | Path, options: TableAnswerOptions) -> Study:
    """The decisions of all reviewers."""
    answers = Answers(Path(paths[0]))
    answers.scales = {DECISION: Declared(level=Level.NOMINAL, categories=("irrelevant", "relevant"))}
    for path in map(Path, paths):
        if path.suffix.casefold() == ".asreview":
            add_project(answers, path)
        else:
            add_table(answers, path, options)
    answers.missing["seen without a decision"] = sum(one.value is None for one in answers.given)
    return answers.study(options)


def add_project(answers: Answers, path: Path) -> None:
    try:
        with ZipFile(path) as archive:
            names = archive.namelist()
            results = [name for name in names if name.endswith(("/results.db", "/results.sql"))]
            if len(results) != 1:
                raise InputError(f"the project has {len(results)} reviews, not one", file=path, hint="export it again")
            rows = _rows(archive, results[0], path, *QUERIES)
            known: list[tuple[object, ...]] = []
            if "data_store.db" in names:
                known = _rows(archive, "data_store.db", path, "SELECT record_id, title FROM record")
    except damages():
        raise InputError("this is not a project of ASReview: it is no whole ZIP", file=path) from None
    answers.about |= {str(record): {"title": title} for record, title in known}
    for place, (record, label, user) in enumerate(rows, start=1):
        rater = path.stem if user is None else f"{path.stem}:{user}"
        answers.given.append(Answer(str(record), rater, DECISION, LABELS.get(str(label)), place))
    answers.left_out["records that were not screened"] += len({row[0] for row in known} - {row[0] for row in rows})


def _rows(archive: ZipFile, name: str, path: Path, *queries: str) -> list[tuple[object, ...]]:
    """What the first query that fits the database finds."""
    if archive.getinfo(name).file_size > MOST:
        raise InputError(f"{name} unpacks to more than {thousands(MOST >> 20)} MB", file=path)
    wrong = ""
    with sqlite3.connect(":memory:") as database:
        for query in queries:
            try:
                database.deserialize(archive.read(name))
                return list(database.execute(query))
            except sqlite3.DatabaseError as error:
                wrong = str(error)
    raise InputError(f"{name} is not as ASReview writes it ({wrong})", file=path)


def add_table(answers: Answers, path: Path, options: TableAnswerOptions) -> None:
    """A table of records; one that is not labelled is -1 or empty."""
    table = read_table(path, encoding=options.encoding, separator=options.separator)
    lower = {name.casefold(): name for name in reversed(table.names)}
    label = next((lower[name] for name in (OWN, *USUAL) if name in lower), None)
    if label is None:
        raise InputError("there is no column of labels", file=path, hint=f"it is called {OWN} or {USUAL[0]}")
    values = table.columns[label].text().tolist()
    known = [name for name in ("record_id", "id") if name in lower]
    unique = [name for name in known if len(table.columns[lower[name]].as_labels().labels) == table.n_rows]
    units = table.columns[lower[unique[0]]].text().tolist() if unique else list(map(str, range(1, table.n_rows + 1)))
    titles = table.columns[lower["title"]].text().tolist() if "title" in lower else [""] * table.n_rows
    for row, unit, value, title in zip(table.row_numbers.tolist(), units, values, titles, strict=True):
        if value not in ("0", "1", "-1", ""):
            raise InputError(f"{value!r} is no label", file=path, row=row, column=label, hint="it must be 0 or 1")
        answers.about[unit] = {"title": title}
        if value in LABELS:
            answers.given.append(Answer(unit, path.stem, DECISION, LABELS[value], row))
        else:
            answers.left_out["records that were not screened"] += 1
    used = {label, lower.get("title"), lower[unique[0]] if unique else ""}
    answers.unused |= {name: "about the record, not a decision" for name in table.names if name not in used}
    answers.notes += [] if unique else ["records have no id of their own: the unit is the place in the table"]


def sniff(path: Path, head: str) -> float:
    """A project by its ending, a table by its title, abstract and label."""
    if path.suffix.casefold() == ".asreview":
        return SURE
    names = header(path, head) if "abstract" in head.casefold()[:4000] else set()
    if not {"title", "abstract"} <= names or "rater" in names:
        return 0.0
    return SURE if OWN in names else LIKELY * bool(names & set(USUAL))


FORMAT = Format(
    name="asreview",
    holds="judgements",
    help="ASReview's project or its table of labelled records: a file for each reviewer.",
    read=read,
    endings=(".asreview", ".csv", ".tsv", ".xlsx"),
    options=TableAnswerOptions,
    sniff=sniff,
    most=None,
)
