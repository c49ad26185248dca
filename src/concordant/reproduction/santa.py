"""Reiter (2018): gamma of eight guidelines for narrative levels, on the slides of the SANTA workshop."""

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from itertools import product
from statistics import mean, stdev

from concordant.diagnosis.printed_numbers import Range
from concordant.reproduction.printed import (
    BLANK,
    NOTHING,
    Known,
    PrintedTable,
    PublishedStudy,
    Values,
    figures,
    stands_for,
)

NOT_PUBLIC = "the annotations that these slides are about were not published"
QUANTITIES = {"observed": "observed disorder", "expected": "expected disorder", "gamma": "gamma"}
SUMMARY: dict[str, Callable[[list[float]], float]] = {"Min": min, "Mean": mean, "Max": max, "Stddev": stdev}

EXAMPLES = """
Observed, expected  γ
0.99, 0.01          0.98
0.01, 0.99          -98
0.5, 0.25           -1
0.5, 0.5            0
0.5, 0.75           0.33
0.25, 0.5           0.5
0.75, 0.5           -0.5
"""

# The tables of the slides: which annotations, which quantity
TABLES = {
    ("all", "observed"): """
Text       1     2     3     4     5     6     7     8
Buechner   2.07  1.87  2.47  2.57  1.96  2.18  2.36  1.39
Chekhov    1.85  1.90  2.62  2.67  2.41  3.04  0.88  2.50
Henry      1.93  2.57  2.27  2.17  2.60  2.16  1.35  1.70
Kafka      1.38  1.03  2.68  1.50  1.49  1.82  1.27  1.00
Kleist     1.99  1.40  2.79  1.63  2.11  1.53  1.36  0.75
Lagerloef  1.81  2.75  2.36  2.45  1.50  2.81  0.91  0.67
Storm      2.07  1.62  2.48  2.35  2.12  1.97  1.42  1.45
Tieck      1.78  1.99  2.18  2.79  2.32  2.23  1.64  1.85
Min        1.38  1.03  2.18  1.50  1.49  1.53  0.88  0.67
Mean       1.86  1.89  2.48  2.27  2.06  2.22  1.40  1.41
Max        2.07  2.75  2.79  2.79  2.60  3.04  2.36  2.50
Stddev     0.22  0.57  0.21  0.48  0.40  0.49  0.46  0.61
""",
    ("all", "expected"): """
Text       1     2     3     4     5     6     7     8
Buechner   2.28  2.41  2.66  2.34  2.27  2.34  2.33  –
Chekhov    2.10  2.24  2.47  2.54  2.51  2.88  1.96  –
Henry      2.05  2.56  2.22  2.49  2.41  2.03  2.15  –
Kafka      2.14  –     –     –     2.40  2.79  2.03  –
Kleist     2.42  2.37  2.13  –     –     2.61  1.52  1.46
Lagerloef  1.82  2.82  2.38  2.26  2.03  2.39  1.63  –
Storm      2.14  2.06  2.49  2.23  2.29  2.05  2.16  2.13
Tieck      2.02  2.05  2.55  2.25  2.39  2.08  2.38  –
Min        1.82  2.05  2.13  2.23  2.03  2.03  1.52  1.46
Mean       2.12  2.36  2.41  2.35  2.33  2.40  2.02  1.80
Max        2.42  2.82  2.66  2.54  2.51  2.88  2.38  2.13
Stddev     0.18  0.28  0.19  0.13  0.15  0.34  0.31  0.47
""",
    ("all", "gamma"): """
Text       1     2     3      4      5      6      7      8
Buechner   0.09  0.22  0.07   -0.10  0.14   0.07   -0.01  –
Chekhov    0.12  0.15  -0.06  -0.05  0.04   -0.05  0.55   –
Henry      0.06  0.00  -0.02  0.13   -0.08  -0.06  0.37   –
Kafka      0.36  –     –      –      0.38   0.35   0.37   –
Kleist     0.18  0.41  -0.31  –      –      0.41   0.11   0.49
Lagerloef  0.01  0.02  0.01   -0.08  0.26   -0.18  0.44   –
Storm      0.03  0.21  0.00   -0.05  0.07   0.04   0.34   0.32
Tieck      0.12  0.03  0.15   -0.24  0.03   -0.07  0.31   –
Min        0.01  0.00  -0.31  -0.24  -0.08  -0.18  -0.01  0.32
Mean       0.12  0.15  -0.02  -0.07  0.12   0.06   0.31   0.40
Max        0.36  0.41  0.15   0.13   0.38   0.41   0.55   0.49
Stddev     0.11  0.15  0.14   0.12   0.15   0.21   0.18   0.12
""",
    ("own and foreign", "observed"): """
Text       1     2     3     4     5     6     7     8
Buechner   1.72  1.64  2.00  1.99  1.47  1.39  1.49  1.11
Chekhov    1.54  1.33  1.90  1.96  1.68  2.00  0.56  1.84
Henry      1.61  1.64  2.00  1.42  1.00  1.26  1.20  2.12
Kafka      1.25  1.07  1.62  1.50  1.22  1.18  0.80  0.00
Kleist     1.83  0.91  1.95  1.37  2.00  1.44  0.00  0.00
Lagerloef  1.75  1.73  2.05  1.82  1.85  2.50  0.50  1.00
Storm      1.94  1.17  1.92  1.89  1.55  1.68  1.23  1.59
Tieck      1.61  1.55  1.94  2.00  1.75  1.85  1.80  0.93
Min        1.25  0.91  1.62  1.37  1.00  1.18  0.00  0.00
Mean       1.65  1.38  1.92  1.74  1.57  1.66  0.95  1.07
Max        1.94  1.73  2.05  2.00  2.00  2.50  1.80  2.12
Stddev     0.22  0.57  0.21  0.48  0.40  0.49  0.46  0.61
""",
    ("own and foreign", "expected"): """
Text       1     2     3     4     5     6     7     8
Buechner   1.68  1.81  1.60  1.79  1.83  1.44  1.49  1.55
Chekhov    1.66  1.67  1.79  1.56  1.81  1.51  1.50  1.70
Henry      1.71  1.78  1.59  1.83  1.55  1.29  1.66  1.67
Kafka      1.61  1.80  1.50  1.56  1.91  1.70  1.42  –
Kleist     1.66  1.65  1.39  1.56  –     1.81  0.00  0.00
Lagerloef  1.58  1.90  1.51  1.52  1.68  1.93  1.32  –
Storm      1.59  1.64  1.65  1.69  1.62  1.63  1.64  1.63
Tieck      1.59  1.60  1.82  1.70  1.81  1.58  1.81  1.38
Min        1.58  1.60  1.39  1.52  1.55  1.29  0.00  0.00
Mean       1.64  1.73  1.61  1.65  1.75  1.61  1.35  1.32
Max        1.71  1.90  1.82  1.83  1.91  1.93  1.81  1.70
Stddev     0.18  0.28  0.19  0.13  0.15  0.34  0.31  0.47
""",
    ("own and foreign", "gamma"): """
Text       1      2     3      4      5      6      7     8
Buechner   -0.02  0.09  -0.25  -0.11  0.20   0.04   0.00  0.28
Chekhov    0.07   0.21  -0.06  -0.26  0.07   -0.32  0.63  -0.08
Henry      0.06   0.08  -0.26  0.22   0.36   0.02   0.28  -0.27
Kafka      0.23   0.41  -0.08  0.04   0.36   0.31   0.44  1.00
Kleist     -0.10  0.45  -0.40  0.12   –      0.20   1.00  1.00
Lagerloef  -0.10  0.09  -0.36  -0.19  -0.10  -0.30  0.62  –
Storm      -0.21  0.29  -0.17  -0.11  0.05   -0.03  0.25  0.02
Tieck      -0.01  0.03  -0.06  -0.18  0.03   -0.17  0.00  0.32
Min        -0.21  0.03  -0.40  -0.26  -0.10  -0.32  0.00  -0.27
Mean       -0.01  0.21  -0.21  -0.06  0.14   -0.03  0.40  0.33
Max        0.23   0.45  -0.06  0.22   0.36   0.31   1.00  1.00
Stddev     0.11   0.15  0.14   0.12   0.15   0.21   0.18  0.12
""",
    ("own and student", "observed"): """
Text       1     2     3     4     5     6     7     8
Buechner   1.48  1.07  1.77  1.00  1.53  1.99  1.87  1.33
Chekhov    1.70  1.69  1.86  1.33  1.72  2.50  0.84  1.33
Henry      1.59  2.11  1.59  1.67  1.69  1.75  0.97  1.50
Kafka      1.33  1.00  2.00  0.00  1.16  2.25  0.90  1.00
Kleist     1.62  1.31  1.95  1.00  1.73  1.25  1.36  0.75
Lagerloef  1.58  2.00  1.59  0.67  0.63  2.01  0.95  0.00
Storm      1.47  1.30  1.82  0.57  1.70  1.71  1.05  0.42
Tieck      1.52  1.49  1.54  1.32  1.90  1.70  0.92  1.00
Min        1.33  1.00  1.54  0.00  0.63  1.25  0.84  0.00
Mean       1.53  1.50  1.76  0.94  1.51  1.90  1.11  0.92
Max        1.70  2.11  2.00  1.67  1.90  2.50  1.87  1.50
Stddev     0.22  0.57  0.21  0.48  0.40  0.49  0.46  0.61
""",
    ("own and student", "expected"): """
Text       1     2     3     4     5     6     7     8
Buechner   1.58  1.75  1.86  –     1.65  1.75  1.64  1.35
Chekhov    1.66  1.72  1.67  1.34  1.76  1.88  1.57  1.30
Henry      1.51  1.91  1.63  1.77  1.48  1.70  1.60  1.44
Kafka      1.77  1.80  1.64  –     1.68  2.09  1.54  –
Kleist     1.70  1.74  1.61  1.43  1.78  1.82  1.52  1.51
Lagerloef  1.40  1.94  1.68  1.19  1.43  1.41  1.37  1.50
Storm      1.49  1.48  1.77  1.50  1.67  1.70  1.66  1.55
Tieck      1.49  1.45  1.88  1.36  1.74  1.64  1.71  1.44
Min        1.40  1.45  1.61  1.19  1.43  1.41  1.37  1.30
Mean       1.58  1.72  1.72  1.43  1.65  1.75  1.58  1.44
Max        1.77  1.94  1.88  1.77  1.78  2.09  1.71  1.55
Stddev     0.18  0.28  0.19  0.13  0.15  0.34  0.31  0.47
""",
    ("own and student", "gamma"): """
Text       1      2      3      4     5      6      7      8
Buechner   0.07   0.39   0.05   –     0.07   -0.14  -0.14  0.01
Chekhov    -0.02  0.02   -0.11  0.01  0.03   -0.33  0.47   -0.02
Henry      -0.05  -0.10  0.02   0.06  -0.14  -0.03  0.39   -0.04
Kafka      0.25   0.44   -0.22  1.00  0.31   -0.07  0.42   –
Kleist     0.05   0.25   -0.21  0.30  0.02   0.32   0.11   0.50
Lagerloef  -0.13  -0.03  0.06   0.44  0.56   -0.43  0.31   1.00
Storm      0.01   0.12   -0.03  0.62  -0.02  -0.01  0.37   0.73
Tieck      -0.02  -0.03  0.18   0.03  -0.09  -0.04  0.47   0.30
Min        -0.13  -0.10  -0.22  0.01  -0.14  -0.43  -0.14  -0.04
Mean       0.02   0.13   -0.03  0.35  0.09   -0.09  0.30   0.35
Max        0.25   0.44   0.18   1.00  0.56   0.32   0.47   1.00
Stddev     0.11   0.15   0.14   0.12  0.15   0.21   0.18   0.12
""",
    ("foreign and student", "observed"): """
Text       1     2     3     4     5     6     7     8
Buechner   1.67  1.67  1.97  1.86  1.68  1.88  1.52  1.02
Chekhov    1.38  1.69  1.61  1.75  2.17  2.07  0.88  1.51
Henry      1.52  2.17  2.00  1.77  1.83  1.66  1.20  1.52
Kafka      1.17  1.08  2.00  1.50  1.41  2.33  1.18  1.00
Kleist     1.48  0.91  1.50  1.25  1.68  1.21  0.00  0.00
Lagerloef  1.06  1.96  2.00  1.79  1.73  1.84  0.84  1.00
Storm      1.89  1.56  2.02  1.93  1.80  1.50  1.31  1.38
Tieck      1.41  1.91  2.00  2.00  1.65  1.73  1.83  1.20
Min        1.06  0.91  1.50  1.25  1.41  1.21  0.00  0.00
Mean       1.45  1.62  1.89  1.73  1.74  1.78  1.09  1.08
Max        1.89  2.17  2.02  2.00  2.17  2.33  1.83  1.52
Stddev     0.22  0.57  0.21  0.48  0.40  0.49  0.46  0.61
""",
    ("foreign and student", "expected"): """
Text       1     2     3     4     5     6     7     8
Buechner   1.61  1.82  1.52  1.43  1.76  1.85  1.51  1.20
Chekhov    1.57  1.68  1.67  1.77  1.89  1.88  1.55  –
Henry      1.55  2.06  1.55  1.72  1.60  1.49  1.70  1.52
Kafka      1.57  2.43  –     1.61  1.78  2.17  1.65  –
Kleist     1.69  1.65  –     1.39  –     1.78  0.00  0.00
Lagerloef  1.14  1.80  1.46  1.53  1.61  1.81  1.44  –
Storm      1.63  1.74  1.65  1.65  1.71  1.50  1.69  1.71
Tieck      1.63  1.73  1.86  1.51  1.84  1.55  1.79  1.49
Min        1.14  1.65  1.46  1.39  1.60  1.49  0.00  0.00
Mean       1.55  1.86  1.62  1.58  1.74  1.75  1.42  1.19
Max        1.69  2.43  1.86  1.77  1.89  2.17  1.79  1.71
Stddev     0.18  0.28  0.19  0.13  0.15  0.34  0.31  0.47
""",
    ("foreign and student", "gamma"): """
Text       1      2      3      4      5      6      7      8
Buechner   -0.04  0.09   -0.29  -0.30  0.04   -0.01  -0.01  0.15
Chekhov    0.12   0.00   0.04   0.01   -0.15  -0.10  0.44   –
Henry      0.02   -0.05  -0.29  -0.03  -0.15  -0.11  0.29   0.01
Kafka      0.25   0.56   –      0.07   0.21   -0.08  0.29   –
Kleist     0.13   0.45   –      0.10   –      0.32   1.00   1.00
Lagerloef  0.06   -0.09  -0.37  -0.17  -0.08  -0.02  0.42   –
Storm      -0.16  0.10   -0.23  -0.17  -0.05  0.00   0.23   0.19
Tieck      0.13   -0.10  -0.08  -0.32  0.10   -0.12  -0.02  0.20
Min        -0.16  -0.10  -0.37  -0.32  -0.15  -0.12  -0.02  0.01
Mean       0.07   0.12   -0.20  -0.10  -0.01  -0.01  0.33   0.31
Max        0.25   0.56   0.04   0.10   0.21   0.32   1.00   1.00
Stddev     0.11   0.15   0.14   0.12   0.15   0.21   0.18   0.12
""",
}

# What the rows Stddev should be where they are not; a point where the copied figure happens to fit
COPIED = """
Table                          1     2     3     4     5     6     7     8
own and foreign, observed      0.21  0.30  0.13  0.27  0.33  0.44  0.59  0.78
own and foreign, expected      0.05  0.11  0.15  0.12  0.13  0.20  0.57  0.66
own and foreign, gamma         0.13  0.16  .     0.17  0.17  0.22  0.34  0.50
own and student, observed      0.11  0.41  0.17  0.53  0.42  0.38  0.35  0.51
own and student, expected      0.13  0.18  0.11  0.20  0.13  0.20  0.10  0.09
own and student, gamma         .     0.21  .     0.37  0.23  0.23  0.21  0.41
foreign and student, observed  0.26  0.43  .     0.24  0.21  0.34  0.55  0.49
foreign and student, expected  .     0.26  0.14  .     0.11  0.23  0.58  0.69
foreign and student, gamma     0.13  0.25  0.15  0.16  0.13  0.14  0.32  0.39
"""
EMPTY = {
    "own and foreign": (("Kafka", "8"), ("Kleist", "7"), ("Kleist", "8")),
    "own and student": (("Kafka", "4"),),
    "foreign and student": (("Kleist", "7"), ("Kleist", "8")),
}
NOTES = {
    ("own and foreign", "observed"): (
        "With two annotators and as much for a unit left alone as for any other, no observed disorder can exceed 2. "
        "Those that do in these tables come from a program that divides otherwise.",
    )
}
COPY = "the row was copied from the table of all annotations"
PERFECT = "1 was printed for an observed disorder of 0 without an expected one, which is 0/0 or has no denominator"


def examples() -> Values:
    """Gamma from the two disorders."""
    pairs = {row: [float(text) for text in row.split(", ")] for row in figures(EXAMPLES)}
    return {row: {"γ": 1 - observed / expected} for row, (observed, expected) in pairs.items()}


def gamma(observed: str, expected: str) -> Range | None:
    """Gamma of all disorders that are printed like these; none without expected disorder, or if it is 0."""
    if BLANK in (observed, expected) or not float(expected):
        return None
    above, below = stands_for(observed), stands_for(expected)
    ends = [1 - a / b for a, b in product((above.low, above.high), (below.low, below.high))]
    return Range(low=min(ends), high=max(ends))


def summarised(texts: list[str], name: str) -> Range:
    """Minimum, mean, maximum or standard deviation of all numbers that are printed like these."""
    half = Fraction(1, 200)
    middle = Fraction(SUMMARY[name]([float(text) for text in texts]))
    # if each number moves by at most h, so do minimum, mean and maximum; the standard deviation of n by h √(n/(n-1))
    reach = half * Fraction((len(texts) / (len(texts) - 1)) ** 0.5) if name == "Stddev" else half
    return Range(low=middle - reach, high=middle + reach)


def table_of_slides(group: str, quantity: str) -> Values:
    """Gamma from the two other tables of the group; the rows below from the cells above them."""
    printed = figures(TABLES[group, quantity])
    texts = [row for row in printed if row not in SUMMARY]
    rows: dict[str, dict[str, Range | None]] = {}
    if quantity == "gamma":
        observed, expected = (figures(TABLES[group, name]) for name in ("observed", "expected"))
        rows = {row: {one: gamma(observed[row][one], expected[row][one]) for one in printed[row]} for row in texts}
    for name in SUMMARY:
        cells = {one: [printed[row][one] for row in texts if printed[row][one] != BLANK] for one in printed[name]}
        rows[name] = {one: summarised(own, name) for one, own in cells.items()}
    return rows


def known(group: str, quantity: str) -> dict[tuple[str, str], Known]:
    """The differences of a table that are understood."""
    right = figures(COPIED).get(f"{group}, {quantity}", {})
    copied = {
        ("Stddev", one): Known(kind="misprint", right=text, why=COPY) for one, text in right.items() if text != NOTHING
    }
    perfect = [place for place in EMPTY.get(group, ()) if quantity == "gamma"]
    return copied | {place: Known(kind="otherwise", right=BLANK, why=PERFECT) for place in perfect}


STUDY = PublishedStudy(
    key="santa",
    title="Guidelines for narrative levels",
    citation="Reiter, N. (2018). Inter Annotator Agreement. Slides, Workshop SANTA, 18 September 2018.",
    tables=(
        PrintedTable(
            name="Examples",
            about="gamma of observed and expected disorder",
            figures=EXAMPLES,
            compute=examples,
            known={
                ("0.99, 0.01", "γ"): Known(
                    kind="misprint", right="-98", why="the figures of the first two rows are swapped"
                ),
                ("0.01, 0.99", "γ"): Known(
                    kind="misprint", right="0.99", why="as in the row above, and 0.9899 was cut off"
                ),
            },
        ),
        *(
            PrintedTable(
                name=f"{QUANTITIES[quantity].capitalize()}, {group}",
                about=f"texts and guidelines, {group} annotations",
                figures=text,
                compute=partial(table_of_slides, group, quantity),
                known=known(group, quantity),
                not_public=NOT_PUBLIC,
                notes=NOTES.get((group, quantity), ()),
            )
            for (group, quantity), text in TABLES.items()
        ),
    ),
)
