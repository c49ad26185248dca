"""Castro (2011): agreement of treebankers, and the metrics it is compared with."""

from concordant.diagnosis.printed_numbers import Range
from concordant.model.judgements import Judgements
from concordant.reproduction.printed import Known, PrintedTable, PublishedStudy, Values, figures, stands_for
from concordant.treebank.comparison import (
    average_options,
    divergence,
    estimated_equal,
    observed_when_rejected,
    observed_without_options,
)
from concordant.treebank.trees import lineage_similarities, parse_brackets, shared_spans
from concordant.uncertainty.front import measure

NOT_PUBLIC = "the decisions of the annotators of LXDeepGramBank were not published"
FLOOR = "the estimated number of equal options was cut off to a whole number"

# "O João viu a Maria com os binóculos.": the analyses of Figures 3.1 and 3.2, with the labels of Figure 3.4
HIGH = """(S (S (NP (ART O) (N João)) (VP (VP (V viu) (NP (ART a) (N Maria)))
  (PP (P com) (NP (ART os) (N binóculos))))) (PNT .))"""
LOW = """(S (S (NP (ART O) (N João)) (VP (V viu) (NP (ART a) (N' (N Maria)
  (PP (P com) (NP (ART os) (N binóculos))))))) (PNT .))"""

TABLE_3_1 = """
Coder B  Stat  Ireq  Total
Stat     25    15    40
Ireq     10    50    60
Total    35    65    100
"""

TABLE_3_2 = """
Coefficient  Observed  Expected  Corrected
S            0.75      0.5       0.5
π            0.75      0.531     0.467
κ            0.75      0.53      0.468
"""

PARSEVAL = """
Score      Value
Correct    15
Precision  0.88
Recall     0.88
"""

FIGURE_3_4 = """
Leaf       Similarity
O          1.000
João       1.000
viu        0.923
a          0.933
Maria      0.719
com        0.875
os         0.889
binóculos  0.889
.          1.000
mean       0.914
caption    0.941
"""

TABLE_5_1 = """
Sentence  Options  Equal  Divergent  P_D
1         12       8      4          0.33
2         7        6      1          0.14
3         9        0      9          1.00
4         10       7      3          0.30
5         17       12     5          0.29
all       55       .      22         0.40
"""

TABLE_5_2 = """
Sentence  Options  Common  Equal  Unique  Estimated  With  Without
1         14       10      8      4       2          0.71  0.57
2         8        2       1      6       3          0.50  0.13
3         6        4       3      2       1          0.67  0.50
4         12       8       3      4       2          0.42  0.25
5         9        5       4      4       2          0.67  0.44
Average   .        .       .      .       .          0.59  0.38
"""
EXACT = (("2.4", "0.743"), ("3.6", "0.575"), ("1.2", "0.70"), ("2.4", "0.45"), ("2.4", "0.711"))

EXAMPLES = """
Equation  Value
5.8       13
"""

CORPUS = """
Sentences                  Number
aTSTS                      874
bCINT                      3335
cCINT                      775
dPENN                      279
eCTMP                      10218
parsed                     15481
with countable decisions   12319
accepted only by 1         1361
accepted only by 2         977
accepted by both           3297
accepted by at least one   5635
rejected only by 1         977
rejected only by 2         1361
rejected by both           6684
rejected by at least one   9022
Y-Option Kappa             0.864
"""

TREES = """
Metric                      Share
sentences with both trees   56.80%
F of these                  98%
F of all                    55%
Leaf-Ancestor of these      96.60%
"""


def numbers(text: str) -> dict[str, dict[str, int]]:
    """The whole numbers of a table."""
    return {
        row: {name: int(cell) for name, cell in cells.items() if cell.isdigit()} for row, cells in figures(text).items()
    }


def table_3_1() -> Values:
    """The totals of rows and columns."""
    (a, b), (c, d) = ([row["Stat"], row["Ireq"]] for row in list(numbers(TABLE_3_1).values())[:2])
    total = {"Stat": a + c, "Ireq": b + d, "Total": a + b + c + d}
    return {"Stat": {"Total": a + b}, "Ireq": {"Total": c + d}, "Total": total}


def table_3_2() -> Values:
    """Three coefficients of Table 3.1."""
    cells = [[row["Stat"], row["Ireq"]] for row in list(numbers(TABLE_3_1).values())[:2]]
    found = measure(Judgements.from_contingency(cells, ["Stat", "Ireq"]), ["s", "pi", "kappa"], ci="none")
    return {
        name: {"Observed": one.observed, "Expected": one.expected, "Corrected": one.value}
        for name, one in zip(("S", "π", "κ"), found, strict=True)
    }


def parseval() -> Values:
    """Labelled spans that both analyses have."""
    both = shared_spans(*parse_brackets(HIGH), *parse_brackets(LOW))
    found = {"Correct": both.both, "Precision": both.both / both.b, "Recall": both.both / both.a}
    return {name: {"Value": value} for name, value in found.items()}


def figure_3_4() -> Values:
    """The similarity of every word's lineage, and their mean."""
    (tree,) = parse_brackets(HIGH)
    found = lineage_similarities(tree, *parse_brackets(LOW)) or []
    mean = sum(found) / len(found)
    return {word: {"Similarity": one} for word, one in zip(tree.words(), found, strict=True)} | {
        name: {"Similarity": mean} for name in ("mean", "caption")
    }


def table_5_1() -> Values:
    """Divergent options and their share, of each sentence and of all."""
    pairs = {row: (cells["Options"], cells["Equal"]) for row, cells in numbers(TABLE_5_1).items() if row != "all"}
    rows = {row: {"Divergent": n - equal, "P_D": divergence([(n, equal)])} for row, (n, equal) in pairs.items()}
    n = sum(options for options, _ in pairs.values())
    same = sum(equal for _, equal in pairs.values())
    whole = {"Options": n, "Divergent": n - same, "P_D": divergence(pairs.values())}
    return rows | {"all": whole}


def table_5_2() -> Values:
    """Observed agreement with the estimate of equation 5.5, and without."""
    p_d = float(figures(TABLE_5_1)["all"]["P_D"])
    rows = {}
    for row, n in numbers(TABLE_5_2).items():
        if n:
            known = (n["Equal"], n["Unique"], n["Options"])
            ratings = {"With": observed_when_rejected(*known, p_d), "Without": observed_when_rejected(*known, 1.0)}
            rows[row] = {"Estimated": estimated_equal(n["Unique"], p_d), **ratings}
            rows[row]["Options"] = n["Common"] + n["Unique"]
    means = {name: sum(row[name] for row in rows.values()) / len(rows) for name in ("With", "Without")}
    return {**rows, "Average": means}


def corpus() -> Values:
    """Sums of the counts."""
    n = {row: cells["Number"] for row, cells in numbers(CORPUS).items() if cells}
    alone = n["accepted only by 1"] + n["accepted only by 2"]
    sums = {
        "parsed": sum(list(n.values())[:5]),
        "with countable decisions": n["accepted by both"] + n["rejected by both"] + alone,
        "accepted by at least one": n["accepted by both"] + alone,
        "rejected by at least one": n["rejected by both"] + n["rejected only by 1"] + n["rejected only by 2"],
        "rejected only by 1": n["accepted only by 2"],
        "rejected only by 2": n["accepted only by 1"],
    }
    return {row: {"Number": number} for row, number in sums.items()}


def trees() -> Values:
    """F over all sentences, those with one tree counted as 0."""
    share, own = (stands_for(figures(TREES)[row]["Share"]) for row in ("sentences with both trees", "F of these"))
    return {"F of all": {"Share": Range(low=share.low * own.low, high=share.high * own.high)}}


STUDY = PublishedStudy(
    key="castro",
    title="Agreement of treebankers",
    citation="Castro, S. R. (2011). Developing reliability metrics and validation tools for datasets with deep "
    "linguistic information. Master's thesis, University of Lisbon.",
    tables=(
        PrintedTable(
            name="Table 3.1",
            about="dialogue acts of 100 utterances by two coders",
            figures=TABLE_3_1,
            compute=table_3_1,
            given="the table is all there is of the data",
        ),
        PrintedTable(name="Table 3.2", about="coefficients of Table 3.1", figures=TABLE_3_2, compute=table_3_2),
        PrintedTable(name="Figure 3.3", about="Parseval of two analyses", figures=PARSEVAL, compute=parseval),
        PrintedTable(
            name="Figure 3.4",
            about="Leaf-Ancestor of two analyses",
            figures=FIGURE_3_4,
            compute=figure_3_4,
            known={
                ("caption", "Similarity"): Known(
                    kind="misprint", right="0.914", why="the text above the figure has it; two digits are swapped"
                )
            },
            notes=("The headings Parse Analysis and Gold Standard of the figure are swapped.",),
        ),
        PrintedTable(
            name="Table 5.1",
            about="divergent options of five sentences",
            figures=TABLE_5_1,
            compute=table_5_1,
            given="the counts are an example",
        ),
        PrintedTable(
            name="Table 5.2",
            about="agreement on five sentences rejected by an annotator",
            figures=TABLE_5_2,
            compute=table_5_2,
            known={
                (str(row), column): Known(kind="rounding", right=right, why=FLOOR)
                for row, known in enumerate(EXACT, 1)
                for column, right in zip(("Estimated", "With"), known, strict=True)
            }
            | {("Average", "With"): Known(kind="rounding", right="0.636", why=FLOOR)},
            given="the counts are an example",
        ),
        PrintedTable(
            name="Equation 5.8",
            about="average number of options",
            figures=EXAMPLES,
            compute=lambda: {"5.8": {"Value": average_options(20000 + 6000, 1400 + 600)}},
            notes=(
                "The average cancels in equation 5.9: a sentence without options gets "
                f"{observed_without_options(13, 0.4):g} at P_D = 0.40, whatever the average is.",
            ),
        ),
        PrintedTable(
            name="Figures 6.3 and 6.4",
            about="the report on LXDeepGramBank",
            figures=CORPUS,
            compute=corpus,
            not_public=NOT_PUBLIC,
        ),
        PrintedTable(
            name="Section 5.5.2",
            about="trees of LXDeepGramBank",
            figures=TREES,
            compute=trees,
            not_public=NOT_PUBLIC,
        ),
    ),
)
