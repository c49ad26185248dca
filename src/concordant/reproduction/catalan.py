"""Boleda, Schulte im Walde & Badia (2009): semantic classes of Catalan adjectives, judged by a crowd and by experts."""

from fractions import Fraction
from math import e, log

from concordant.diagnosis.categories import entropy
from concordant.diagnosis.printed_numbers import Range
from concordant.measures.distance import set_weighted
from concordant.model.judgements import Judgements
from concordant.reproduction.printed import Known, PrintedTable, PublishedStudy, Values, figures, stands_for
from concordant.uncertainty.front import measure

NOT_PUBLIC = "the judgements of the participants were not published"
CLASSES = {"B": "B", "BE": "B+E", "BO": "B+O", "E": "E", "EO": "E+O", "O": "O"}
EVENT = ("BE", "E", "EO")

TABLE_I = """
Type         # Suffixes  Low  Medium  High  Total
non-derived  .           23   24      23    70
denominal    8           24   23      23    70
deverbal     6           25   27      18    70
total        14          72   74      64    210
"""

PARTICIPANTS = """
Participants             Number  Share
all                      603     .
read only instructions   101     17%
filled in too little     131     22%
dropped out              .       39%
three patterns or more   15      2%
analysed                 322     .
"""

TABLE_III = """
Weight  B    E    O    BE   BO   EO
B       1    0    0    2/3  2/3  0
E       0    1    0    2/3  0    2/3
O       0    0    1    0    2/3  2/3
BE      2/3  2/3  0    1    1/3  1/3
BO      2/3  0    2/3  1/3  1    1/3
EO      0    2/3  2/3  1/3  1/3  1
"""

TABLE_IV = """
Agreement        Mean  Low   High
full, p_o        0.44  0.37  0.51
full, κ          0.27  0.20  0.34
weighted, p_o    0.66  0.62  0.70
weighted, κ      0.38  0.31  0.45
overlapping, p_o  0.78  0.73  0.83
overlapping, κ   0.51  0.42  0.60
"""

TABLE_VI = """
Agreement    p_o   κ
full         0.68  0.55
weighted     0.79  0.65
overlapping  0.85  0.72
"""

TABLE_VII = """
Experts  B   BE  BO  E   EO  O   Total
B        79  0   3   5   0   20  107
BE       3   0   0   4   0   0   7
BO       1   0   4   0   1   17  23
E        2   1   1   28  1   4   37
EO       0   0   0   2   2   2   6
O        0   0   0   0   0   30  30
Total    85  1   8   39  4   73  210
"""

DIVERGENCES = """
Disagreements            Number  Share
all                      67      .
with the event class     28      42%
of the remaining         41      .
B-O and BO-O             37      .
"""

TABLE_VIII = """
Lemma        B     BE    BO    E     EO    O     Entropy
cranià       0     0     0     0     0     1     0
conservador  0.50  0.33  0.02  0.11  0.04  0     1.17
capaç        0.06  0.11  0.39  0.17  0.03  0.25  1.52
"""

BOUND = """
Entropy      Bits
upper bound  2.58
largest      1.74
"""


def counts(text: str) -> dict[str, dict[str, int]]:
    """The numbers of a table without its totals."""
    rows = {row: cells for row, cells in figures(text).items() if row.casefold() != "total"}
    return {
        row: {name: int(cell) for name, cell in cells.items() if name != "Total" and cell.isdigit()}
        for row, cells in rows.items()
    }


def with_totals(text: str) -> Values:
    """The totals of rows and columns, from the cells; the total of the whole in the corner."""
    cells = counts(text)
    last = list(figures(text))[-1]
    names = list(figures(text)[last])
    below = {name: sum(row.get(name, 0) for row in cells.values()) for name in names if name != "Total"}
    strata = [{name: number for name, number in row.items() if "#" not in name} for row in cells.values()]
    beside = {row: {"Total": sum(own.values())} for row, own in zip(cells, strata, strict=True)}
    return beside | {last: below | {"Total": sum(one["Total"] for one in beside.values())}}


def participants() -> Values:
    """Shares of all participants, and how many are left."""
    n = {row: int(cells["Number"]) for row, cells in figures(PARTICIPANTS).items() if cells["Number"].isdigit()}
    everybody, *left_out = (n[row] for row in list(n)[:-1])
    shares = dict(zip(list(n)[1:-1], (one / everybody for one in left_out), strict=True))
    shares["dropped out"] = (left_out[0] + left_out[1]) / everybody
    found = {row: {"Share": share} for row, share in shares.items()}
    return found | {"analysed": {"Number": everybody - sum(left_out)}}


def table_iii() -> Values:
    """The weight of every two sets of classes."""
    names = list(figures(TABLE_III))
    weights = set_weighted(tuple(frozenset(name) for name in names))
    return {row: dict(zip(names, weights[i].tolist(), strict=True)) for i, row in enumerate(names)}


def table_iv() -> Values:
    """The means from the ends of their intervals, which are as far below as above."""
    ends = {row: (stands_for(cells["Low"]), stands_for(cells["High"])) for row, cells in figures(TABLE_IV).items()}
    middle = {row: Range(low=(a.low + b.low) / 2, high=(a.high + b.high) / 2) for row, (a, b) in ends.items()}
    return {row: {"Mean": one} for row, one in middle.items()}


def table_vi() -> Values:
    """Agreement between experts and participants, from their contingency table."""
    cells = [list(row.values()) for row in counts(TABLE_VII).values()]
    data = Judgements.from_contingency(cells, list(CLASSES.values()), level="set")
    found = measure(data, [f"set_{name}" for name in figures(TABLE_VI)], ci="none")
    return {name: {"p_o": one.observed, "κ": one.value} for name, one in zip(figures(TABLE_VI), found, strict=True)}


def divergences() -> Values:
    """Cells off the diagonal of the contingency table."""
    off = {(a, b): n for a, row in counts(TABLE_VII).items() for b, n in row.items() if a != b}
    n, confused = sum(off.values()), off["B", "O"] + off["BO", "O"]
    event = sum(n for pair, n in off.items() if set(pair) & set(EVENT))
    return {
        "all": {"Number": n},
        "with the event class": {"Number": event, "Share": event / n},
        "of the remaining": {"Number": n - event},
        "B-O and BO-O": {"Number": confused},
    }


def table_viii() -> Values:
    """Entropy in nats of all shares that are printed like these."""
    rows: dict[str, dict[str, Range | float]] = {}
    for lemma, cells in figures(TABLE_VIII).items():
        reaches = [stands_for(text) for name, text in cells.items() if name != "Entropy"]
        ends = [sorted(float(entropy([float(end)], base=e)) for end in (one.low, one.high)) for one in reaches]
        peaks = [1 / e if one.low <= Fraction(1 / e) <= one.high else 0.0 for one in reaches]
        high = sum(max(end[1], peak) for end, peak in zip(ends, peaks, strict=True))
        rows[lemma] = {"Entropy": Range(low=Fraction(sum(end[0] for end in ends)), high=Fraction(high))}
    return rows


STUDY = PublishedStudy(
    key="catalan",
    title="Semantic classes of Catalan adjectives",
    citation="Boleda, G., Schulte im Walde, S., & Badia, T. (2009). An analysis of human judgements on semantic "
    "classification of Catalan adjectives. Research on Language and Computation. doi:10.1007/s11168-008-9056-4.",
    tables=(
        PrintedTable(
            name="Table I",
            about="the sample of adjectives, by type and frequency",
            figures=TABLE_I,
            compute=lambda: with_totals(TABLE_I),
            not_public="the list of adjectives is not part of the article",
        ),
        PrintedTable(
            name="Section 3.3",
            about="the flow of participants",
            figures=PARTICIPANTS,
            compute=participants,
            not_public=NOT_PUBLIC,
            known={
                ("dropped out", "Share"): Known(
                    kind="rounding", right="38%", why="232 of 603; the two rounded shares were added"
                ),
                ("analysed", "Number"): Known(
                    kind="otherwise",
                    right="356",
                    why="the three numbers leave so many; nothing says why 34 more are out",
                ),
            },
        ),
        PrintedTable(name="Table III", about="weights of polysemous judgements", figures=TABLE_III, compute=table_iii),
        PrintedTable(
            name="Table IV",
            about="agreement of random pairs of participants, with 95 % intervals",
            figures=TABLE_IV,
            compute=table_iv,
            not_public=NOT_PUBLIC,
            notes=("The means are compared with the middles of the printed intervals.",),
        ),
        PrintedTable(
            name="Table VI", about="agreement of experts and participants", figures=TABLE_VI, compute=table_vi
        ),
        PrintedTable(
            name="Table VII",
            about="classes by experts and participants",
            figures=TABLE_VII,
            compute=lambda: with_totals(TABLE_VII),
            not_public=NOT_PUBLIC,
        ),
        PrintedTable(
            name="Section 5.1",
            about="where experts and participants disagree, from Table VII",
            figures=DIVERGENCES,
            compute=divergences,
            known={
                ("with the event class", "Number"): Known(
                    kind="misprint", right="26", why="67 - 26 are the remaining 41 that are printed too"
                ),
                ("with the event class", "Share"): Known(kind="misprint", right="39%", why="26 of 67; 42% is 28 of 67"),
            },
        ),
        PrintedTable(
            name="Table VIII",
            about="entropy of the judgements of three adjectives",
            figures=TABLE_VIII,
            compute=table_viii,
            not_public=NOT_PUBLIC,
            notes=(
                "Equation 8 has the logarithm to base 2, but the entropies are natural: in bits the printed shares "
                "give 1.68 and 2.21.",
            ),
        ),
        PrintedTable(
            name="Section 5.2",
            about="bounds of entropy",
            figures=BOUND,
            compute=lambda: {"upper bound": {"Bits": log(len(CLASSES), 2)}},
            not_public=NOT_PUBLIC,
            notes=("The upper bound is in bits. The largest value, of orientat, is natural like those of Table VIII.",),
        ),
    ),
)
