"""Two consensus classifications as a table and remarks."""

from concordant.digits import counted, percent
from concordant.gold.consensus import ConsensusComparison
from concordant.report.grid import Grid, table

TIES_SHOWN = 5


def contingency_table(found: ConsensusComparison, title: str = "") -> Grid:
    """The table with totals."""
    rows = [(category, *row, sum(row)) for category, row in zip(found.categories, found.table, strict=True)]
    columns = [sum(column) for column in zip(*found.table, strict=True)]
    rows.append(("Total", *columns, found.n_units))
    return table(title, (f"{found.names[0]} ↓ {found.names[1]} →", *found.categories, "Total"), rows)


def remarks(found: ConsensusComparison) -> list[str]:
    """The largest disagreements, and what was left out."""
    told = []
    for cell in found.largest:
        share = f"{counted(cell.n_units, 'unit')} ({percent(cell.share)} of the disagreements)"
        told.append(f"{share}: {found.names[0]} {cell.first}, {found.names[1]} {cell.second}")
    for name, ties, only in zip(found.names, found.ties, found.n_only, strict=True):
        if ties:
            shown = "; ".join(f"{tie.unit}: {' = '.join(tie.categories)}" for tie in ties[:TIES_SHOWN])
            more = " …" if len(ties) > TIES_SHOWN else ""
            told.append(f"{counted(len(ties), 'tie')} of {name} left out ({shown}{more})")
        if only:
            told.append(f"{counted(only, 'unit')} of {name} not on the other side")
    return told
