"""Amidei, Piwek & Willis (2019): agreement and correlation side by side, on three data sets."""

from typing import Any

import numpy as np

from concordant.measures.result import Agreement
from concordant.model.judgements import Judgements
from concordant.model.study import Study
from concordant.readers import read
from concordant.readers.data import any_table
from concordant.reproduction.printed import DataFile, Known, PrintedTable, PublishedStudy, Values, figures
from concordant.uncertainty.front import measure

QG_STEC = DataFile(
    path="qgstec/judgements.csv",
    holds="the columns unit, question (criterion), rater (J1 to J6), value",
    origin="STEC_Source_*.csv in Export-Subsets.zip of https://github.com/Keith-Godwin/QG-STEC-plus",
    open=lambda path: read(path, unit="unit", rater="rater", question="question", value="value", level="ordinal"),
)
FLICKR = DataFile(
    path="flickr8k_patterns.csv",
    holds="the columns j1, j2, j3 and n, how many of the 5,822 sentences got these three judgements",
    origin="https://github.com/elliottd/compareImageDescriptionMeasures",
    open=lambda path: counted_rows(path),
)

CUT = "the further digits were cut off"
TWICE = "the mean was taken of figures that had been cut off, and cut off again"

PILOT = """
Criterion                All   Native  Non-native
Syntactic, κ             0.36  0.59    0.21
Syntactic, γ             0.56  0.86    0.37
Comprehensibility, κ     0.55  0.63    0.48
Comprehensibility, γ     0.92  1       0.91
Fluency, κ               0.30  0.39    0.17
Fluency, γ               0.56  1       0.27
Pertinence, κ            0.20  0.22    0.07
Pertinence, γ            0.57  0.47    0.48
Average, κ               0.35  0.45    0.23
Average, γ               0.65  0.83    0.50
"""

SENTENCES = """
Data       Fleiss' κ  γ
Flickr-8k  0.52       0.98
"""

TABLE_6 = """
Judges     Questions
J1 and J2  80
J1 and J3  67
J1 and J4  81
J1 and J5  7
J1 and J6  106
J2 and J5  158
J3 and J5  125
J4 and J5  142
J5 and J6  129
"""

TABLE_7 = """
Criterion        J1 and J2  J1 and J3  J1 and J4  J1 and J6  J2 and J5  J3 and J5  J4 and J5  J5 and J6
Ambiguity, κ     0.06       0.17       0.29       0.08       0.45       0.14       0.17       0.23
Ambiguity, γ     0.33       0.33       0.61       0.21       0.84       0.51       0.39       0.75
Correctness, κ   0.31       0.31       0.31       -0.00013   0.20       0.32       0.28       0.13
Correctness, γ   0.67       0.67       0.71       0.39       0.57       0.62       0.57       0.39
QuestionType, κ  0.32       -0.05      0.2        0.34       1          0.14       0.15       0.52
QuestionType, γ  0.91       -1         1          0.89       1          0.45       0.80       0.95
Relevance, κ     0.13       0.16       0.13       0.08       0.15       0.28       0.19       0.01
Relevance, γ     0.41       0.63       0.67       0.76       0.58       0.79       0.63       1
Variety, κ       0.35       0.89       0.10       0.08       0.52       0.36       0.29       0.35
Variety, γ       0.81       0.99       0.08       0.15       0.82       0.73       0.43       0.54
Average, κ       0.23       0.29       0.20       0.11       0.46       0.24       0.21       0.24
Average, γ       0.62       0.32       0.61       0.48       0.76       0.62       0.56       0.72
"""

MEAN_OF_MEANS = {
    ("Average, κ", "J1 and J4"): "0.22", ("Average, κ", "J3 and J5"): "0.25", ("Average, κ", "J4 and J5"): "0.22",
    ("Average, κ", "J5 and J6"): "0.25", ("Average, γ", "J1 and J2"): "0.63",
}  # fmt: skip


def counted_rows(path: str) -> Judgements:
    """The judgements of three slots from distinct rows with their number."""
    table = any_table(path)
    *slots, n = (np.array(table.column(name).text().tolist()) for name in table.names)
    return Judgements.from_matrix(np.repeat(np.column_stack(slots), n.astype(int), axis=0), level="ordinal")


def pair_of(found: Agreement) -> str:
    """Two judges as the tables name them."""
    return " and ".join(sorted(found.raters))


def table_5() -> Values:
    """The averages over the four criteria, from the figures above them."""
    printed = figures(PILOT)
    rows: dict[str, dict[str, float]] = {}
    for name in ("κ", "γ"):
        cells = [row for label, row in printed.items() if label.endswith(name) and not label.startswith("Average")]
        rows[f"Average, {name}"] = {column: sum(float(row[column]) for row in cells) / 4 for column in cells[0]}
    return rows


def flickr(data: Judgements) -> Values:
    """Fleiss' kappa, and gamma averaged over the pairs of slots."""
    kappa, gamma = measure(data, ["fleiss", "gk_gamma"], ci="none")
    return {"Flickr-8k": {"Fleiss' κ": kappa.value, "γ": gamma.value}}


def table_6(study: Study) -> Values:
    """How many questions two judges judged in common."""
    found = measure(study, "percent", pairs=True, ci="none")
    return {pair_of(one): {"Questions": one.n_units} for one in found if one.question == "Relevance"}


def table_7(study: Study) -> Values:
    """Cohen's kappa and gamma of every two judges with a shared batch, and their averages over the criteria."""
    rows: dict[str, dict[str, Any]] = {}
    for one in measure(study, ["kappa", "gk_gamma"], pairs=True, ci="none"):
        name = "κ" if one.measure == "kappa" else "γ"
        rows.setdefault(f"{one.question}, {name}", {})[pair_of(one)] = one.value
    for name in ("κ", "γ"):
        cells = [row for label, row in rows.items() if label.endswith(name)]
        known = [pair for pair in cells[0] if all(row.get(pair) is not None for row in cells)]
        rows[f"Average, {name}"] = {pair: sum(row[pair] for row in cells) / len(cells) for pair in known}
    return rows


STUDY = PublishedStudy(
    key="amidei",
    title="Agreement and correlation of judges of generated text",
    citation="Amidei, J., Piwek, P., & Willis, A. (2019). Agreement is overrated: A plea for correlation to assess "
    "human evaluation reliability. INLG 2019.",
    tables=(
        PrintedTable(
            name="Table 5",
            about="the pilot study: seven judges, ten questions, κ and Goodman and Kruskal's γ",
            figures=PILOT,
            compute=table_5,
            cut_off=CUT,
            not_public="the judgements of the pilot study are not part of the article",
        ),
        PrintedTable(
            name="Section 4.1",
            about="Flickr-8k, 5,822 sentences, three judges",
            figures=SENTENCES,
            compute=flickr,
            needs=FLICKR,
            known={("Flickr-8k", "γ"): Known(kind="rounding", right="0.989", why=CUT)},
            notes=(
                "The three judgements of every sentence are sorted in the published file, so its columns are not "
                "judges. κ does not depend on that; γ falls to about 0.88 when they are put in random order.",
            ),
        ),
        PrintedTable(
            name="Table 6",
            about="QG-STEC: how many questions two judges judged in common",
            figures=TABLE_6,
            compute=table_6,
            needs=QG_STEC,
        ),
        PrintedTable(
            name="Table 7",
            about="QG-STEC: κ and γ of two judges by criterion",
            figures=TABLE_7,
            compute=table_7,
            needs=QG_STEC,
            cut_off=CUT,
            known={
                ("Correctness, γ", "J1 and J3"): Known(
                    kind="misprint", right="0.63", why="the figure of J1 and J2, to the left, was printed twice"
                ),
                ("Average, γ", "J1 and J3"): Known(
                    kind="misprint", right="0.319", why="the 0.67 above, printed for 0.63, is in the mean"
                ),
                **{place: Known(kind="rounding", right=right, why=TWICE) for place, right in MEAN_OF_MEANS.items()},
            },
            notes=(
                "The table says Fleiss' κ. What is printed is Cohen's κ (multi_kappa of nltk): of the 40 figures, "
                "Fleiss' κ gives 13, rounded or cut off.",
            ),
        ),
    ),
)
