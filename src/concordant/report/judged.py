"""What `judges` found, as blocks: the tables of the command, and a document with a methods paragraph."""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from concordant.about import NAME, VERSION
from concordant.diagnosis.findings import named
from concordant.digits import BLANK, brief, counted, decimal, ends, interval_text, percent
from concordant.judging.facets import PREDICTABLE, Element, RaschModel
from concordant.judging.perspective import Perspective
from concordant.judging.rasch import MISFIT
from concordant.judging.results import Judging
from concordant.report.document import Block, Document, Paragraph, Points, Section
from concordant.report.grid import Grid, table

MOST_MOVED = 10


def judges_tables(found: Judging) -> list[Block]:
    """Every table that has rows."""
    many = len({one.question for one in found.judges}) > 1

    def name(one: Any) -> str:
        return f"{one.question}: {one.name}" if many else str(one.name)

    return [
        test_table(found, name),
        ceiling_table(found, name),
        without_table(found, many),
        difference_table(found, many),
        refused_table(found, name),
        slice_table(found),
        position_table(found),
        stability_table(found),
        compared_table(found),
        estimate_table(found),
        *needed_tables(found),
        table(
            "Requirements",
            ("Requirement", "Holds", "Why not"),
            [(one.text, "yes" if one.holds else "no", one.reason or BLANK) for one in found.requirements],
        ),
    ]


def test_table(found: Judging, name: Callable[[Any], str]) -> Grid:
    """Win rates and their curve."""
    tests = [
        (
            name(one),
            one.alt_test.win_rate,
            one.alt_test.advantage,
            "yes" if one.alt_test.passes else "no",
            one.alt_test.smallest_epsilon,
            *(point.win_rate for point in one.alt_test.curve),
        )
        for one in found.judges
        if one.alt_test.win_rate is not None
    ]
    curve = next((one.alt_test.curve for one in found.judges if one.alt_test.curve), ())
    head = ("Model", "Win rate", "Advantage", "Passes", "From ε", *(f"ε {brief(point.epsilon)}" for point in curve))
    return table("Alternative annotator test", head, tests)


def ceiling_table(found: Judging, name: Callable[[Any], str]) -> Grid:
    """People, the consensus of the others, and the model."""
    marks = [
        (
            name(one),
            one.ceiling.human,
            one.ceiling.consensus,
            one.ceiling.model,
            one.ceiling.gap,
            interval_text(one.ceiling.interval),
            one.ceiling.verdict,
        )
        for one in found.judges
    ]
    people = ("Model", "People", "Consensus", "Model with people", "Gap", "95 %", "Verdict")
    return table("The human ceiling", people, marks)


def without_table(found: Judging, many: bool) -> Grid:
    """Who decides a verdict, and people's agreement without them."""
    rows = []
    for one in found.judges:
        for each in one.alt_test.deciding:
            signal = each.signal
            told = BLANK if signal is None else f"{decimal(signal.value, 2)} [{ends(signal, ', ')}]"
            alone = one.ceiling.without.get(each.rater)
            name = f"{one.question}: {one.name}" if many else one.name
            rows.append((name, each.rater, each.win_rate, "yes" if each.passes else "no", told, alone))
    head = ("Model", "Without", "Win rate", "Passes", "Covaries with the others", "People then")
    return table("Who decides the verdict", head, rows)


def difference_table(found: Judging, many: bool) -> Grid:
    """How the model answers otherwise."""
    rows = [
        (
            f"{one.question}: {one.name}" if many else one.name,
            one.severity.severity,
            interval_text(one.severity.interval),
            one.severity.sd_ratio,
            one.severity.total_variation,
            percent(one.refusals, 1),
        )
        for one in found.judges
    ]
    head = ("Model", "Model − people", "95 %", "Spread ratio", "Shares apart", "Missing")
    return table("How it differs", head, rows)


def refused_table(found: Judging, name: Callable[[Any], str]) -> Grid:
    """What was not answered, by what most people said."""
    rows = [
        (name(one), of.category, of.n_asked, of.n_refused, percent(of.share, 1), one.refused.p)
        for one in found.judges
        if one.refused is not None
        for of in one.refused.of
    ]
    head = ("Model", "Most people said", "Asked", "Not answered", "Share", "p of differences")
    return table("What is not answered", head, rows)


def slice_table(found: Judging) -> Grid:
    """Bias by slices."""
    rows = [
        (
            one.name,
            each.column,
            each.value,
            each.category or BLANK,
            each.n_units,
            each.mean,
            each.contrast,
            each.p_shown,
        )
        for one in found.judges
        for each in one.slices
    ]
    head = ("Model", "Column", "Value", "Category", "Units", "Model − people", "Against the rest", "p (corrected)")
    return table("Slices", head, rows)


def position_table(found: Judging) -> Grid:
    """Preference for what stands first."""
    rows = [
        (one.name, each.n_units, percent(each.model, 1), percent(each.people, 1), each.difference,
         BLANK if each.low is None or each.high is None else f"{decimal(each.low)} … {decimal(each.high)}",
         each.p, each.n_swapped or None, BLANK if each.changed is None else percent(each.changed, 1))
        for one in found.judges
        if (each := one.position) is not None
    ]  # fmt: skip
    head = ("Model", "Units", "Picks the first", "People", "Difference", "95 %", "p", "Swapped", "Choice changes")
    return table("What stands first", head, rows)


def stability_table(found: Judging) -> Grid:
    """Repeated runs."""
    rows = [
        (
            one.name,
            one.stability.n_runs,
            one.stability.alpha,
            percent(one.stability.changed, 1),
            *(
                BLANK if found is None else f"{decimal(found[0])} … {decimal(found[1])}"
                for found in (one.stability.win_rates, one.stability.gaps)
            ),
        )
        for one in found.judges
        if one.stability is not None
    ]
    return table("Repeated runs", ("Model", "Runs", "Alpha among runs", "Units that change", "Win rates", "Gaps"), rows)


def compared_table(found: Judging) -> Grid:
    """Prompts, versions and models beside each other."""
    rows = [
        (
            each.first,
            each.second,
            each.n_units,
            percent(each.same, 1),
            each.alpha,
            each.difference,
            interval_text(each.interval),
        )
        for each in found.compared
    ]
    head = ("One", "Other", "Units", "Same answer", "Alpha", "With people: other − one", "95 %")
    return table("Prompts and models compared", head, rows)


def estimate_table(found: Any) -> Grid:
    """Figures corrected by people's labels."""
    rows = [
        (
            one.judge,
            f"{one.what} of {one.of}" if one.of != one.what else one.what,
            one.value if one.reason is None else one.reason,
            interval_text(one.interval),
            one.people_alone,
            interval_text(one.people_interval),
            one.model_alone,
            one.n_labelled,
            one.n_all,
        )
        for one in found.estimates
    ]
    head = ("Model", "Figure", "Corrected", "95 %", "People alone", "95 % alone", "Model alone", "Labelled", "Units")
    return table("Results corrected by people's labels", head, rows)


def needed_tables(found: Any) -> list[Grid]:
    """How many labelled units suffice for narrower intervals; a table for each set of half-widths."""
    grids = []
    for halves in dict.fromkeys(tuple(each.half for each in one.needed) for one in found.estimates if one.needed):
        rows = []
        for one in found.estimates:
            if tuple(each.half for each in one.needed) == halves:
                told = [f"{each.labels:,} ({each.low:,} … {each.high:,}), {each.alone:,}" for each in one.needed]
                figure = f"{one.what} of {one.of}" if one.of != one.what else one.what
                rho = f"{decimal(one.correlation, 2)} [{ends(one.correlation_interval, ', ')}]"
                rows.append((one.judge, figure, rho, *told))
        head = ("Model", "Figure", "Correlation", *(f"±{brief(half)}" for half in halves))
        grids.append(table("Labelled units that suffice: with the model, then by people alone", head, rows))
    return grids


def methods_text(found: Judging) -> str:
    """The methods paragraph: what was done, and how far it reaches."""
    corrected = f" {corrected_text(found)}" if found.estimates else ""
    if not found.judges:
        return f"{corrected.strip()} Computed with {NAME} {VERSION}."
    one = found.judges[0]
    test, mark = one.alt_test, one.ceiling
    limits = f"epsilon {brief(test.epsilon)}, q {brief(test.q)}, people with {test.least} units or more"
    names = list(dict.fromkeys(each.name for each in found.judges))
    return (
        f"{counted(len(names), 'judge')} ({named(names)}) answered {counted(one.n_units, 'unit')} that "
        f"{one.n_humans:,} people had judged. The alternative annotator test (Calderon et al. 2025; score "
        f"{test.score}, {limits}) was computed with all "
        f"people and with each left out. Agreement ({mark.measure}) has the people's expected disagreement; the gap "
        f"has a paired bootstrap interval, and one within ±{brief(mark.margin)} was taken to be none. What is said "
        "holds for units like these, these people, and the models with their prompts and versions on the day they were "
        f"asked; it does not say that an answer is right.{corrected} Computed with {NAME} {VERSION}."
    )


def corrected_text(found: Judging) -> str:
    """What was done for corrected figures."""
    one = found.estimates[0]
    drawn = (
        "a random sample"
        if one.weights is None
        else f"a sample drawn with unequal chances (column {one.weights}: how many units each stands for)"
    )
    return (
        "Shares, means and differences were corrected by the labels of people, taken for "
        f"{drawn} of {one.population}: means by prediction-powered inference (PPI++, Angelopoulos et al. 2023), shares "
        "post-stratified by the model's answers with Wilson limits joined by MOVER (Zou & Donner 2008)."
    )


def perspective_blocks(one: Perspective) -> list[Block]:
    """One question: the three reliabilities, groups, camps, units that split them, and scores."""
    rel, head = one.reliability, ("What is used", "Figure", "95 %")
    whole, ranks = (
        BLANK if low is None or high is None else f"{decimal(low)} … {decimal(high)}"
        for low, high in ((rel.aggregate_low, rel.aggregate_high), (rel.ranking_low, rel.ranking_high))
    )
    many = counted(round(rel.raters_per_unit), "rater")
    rows: list[tuple[Any, ...]] = [
        ("one rater's answer (alpha)", one.single.value, interval_text(one.single.interval)),
        (f"the {rel.of} of {many}", rel.aggregate, whole),
        ("the ranking of units by it", rel.ranking, ranks),
        ("one other rater (dependability)", rel.one_rater, BLANK),
        ("raters a unit for .8", rel.raters_needed, BLANK),
    ]
    cross = [
        (test.attribute, name, value)
        for test in one.groups
        for name, value in (*test.alphas.items(), *test.cross.items())
    ]
    groups = [
        (test.attribute, ", ".join(f"{name} {n}" for name, n in test.groups.items()), test.within, test.across, test.p,
         test.p_corrected if test.reason is None else test.reason)
        for test in one.groups
    ]  # fmt: skip
    units = [(u.unit, *(f"{name} {decimal(share, 2)}" for name, share in u.shares.items()), u.p) for u in one.units]
    scores = [(s.name, s.value, f"{decimal(s.low)} … {decimal(s.high)}", s.floor, s.chance) for s in one.scores]
    return [
        Paragraph(text=f"{one.question}: {one.sentence}" if one.question else one.sentence),
        table("Three reliabilities", head, rows),
        table("Groups of raters", ("Attribute", "Raters", "Within", "Across", "p", "p (corrected)"), groups),
        table("Agreement beyond chance, within groups and across (×)", ("Attribute", "Raters", "Agreement"), cross),
        Paragraph(text=camps_text(one)),
        table("Units that split the two sides", ("Unit", "One side", "Other side", "p (corrected)"), units),
        table("Predictions", ("Distance", "Mean", "95 %", "People's halves", "Chance"), scores),
    ]


def camps_text(one: Perspective) -> str:
    """What was found of camps, in words."""
    camps = one.camps
    if camps is None:
        return f"Camps were not looked for: {one.camps_reason}."
    seen = f"eigenvalue {decimal(camps.eigenvalue, 1)}, {decimal(camps.expected, 1)} by chance, p = {decimal(camps.p)}"
    if not camps.is_claimed:
        return f"No camps: {seen}, stability {decimal(camps.stability, 2)}."
    sizes = Counter(camps.raters.values())
    told = ", ".join(f"{name} {n}" for name, n in sorted(sizes.items()))
    left = f", {len(camps.unplaced):,} in none" if camps.unplaced else ""
    said = "p of units below is descriptive: the camps were found in the same answers"
    return f"Camps of raters: {told}{left} ({seen}, stability {decimal(camps.stability, 2)}); {said}."


def severity_blocks(one: RaschModel) -> list[Block]:
    """One model: who is severe, who does not fit, and the units that a fair average moves most."""
    facts = [
        ("spread of units (sigma, logits)", one.sigma),
        ("separation of raters", one.separation),
        ("strata of raters", one.strata),
        ("reliability of severities", one.reliability),
        ("reliability of units", one.unit_reliability),
    ]
    moved = sorted(one.fair, key=lambda unit: -abs(unit.fair - unit.mean))[:MOST_MOVED]
    units = [(unit.unit, unit.mean, unit.fair, unit.measure, unit.se, unit.n) for unit in moved]
    steps = [f"{a} | {b}" for a, b in zip(one.categories, one.categories[1:], strict=False)]
    return [
        Paragraph(text=f"{one.question}: {one.sentence}" if one.question else one.sentence),
        *(element_table(name, elements) for name, elements in one.facets.items()),
        table("", ("What the model says", "Value"), facts),
        table("Thresholds", ("Step", "Logits"), list(zip(steps, one.thresholds, strict=True))),
        table("Units that a fair average moves most", ("Unit", "Mean", "Fair", "Logits", "±", "Answers"), units),
        Points(items=one.notes),
    ]


def element_table(name: str, elements: Sequence[Element]) -> Grid:
    """Raters or questions from the mildest to the most severe."""
    rows = []
    for each in elements:
        fit = BLANK if PREDICTABLE <= each.infit <= MISFIT else "does not fit" if each.infit > MISFIT else "predictable"
        fit += "" if each.p is None else f" (p {decimal(each.p)})"
        interval = f"{decimal(each.low, 2)} … {decimal(each.high, 2)}"
        rows.append((each.name, each.measure, interval, each.points, each.infit, each.outfit, fit, each.n))
    high = "Severity" if name == "rater" else "Difficulty"
    head = (name.capitalize(), high, "95 %", "Points", "Infit", "Outfit", "Fit", "Answers")
    return table(f"{name.capitalize()}s", head, rows)


def said_of_judges(found: Judging) -> list[Block]:
    """The sentence on each model, and what must be known of them."""
    notes: list[Block] = [Points(items=tuple(found.notes))] if found.notes else []
    return [*(Paragraph(text=one.sentence) for one in found.judges), *notes]


def tables_with_rows(found: Judging) -> list[Block]:
    """The tables that say something."""
    return [block for block in judges_tables(found) if not isinstance(block, Grid) or block.rows]


def judges_document(found: Judging, source: str) -> Document:
    """The report of `judges`."""
    signatures = Points(items=found.signatures, is_code=True)
    return Document(
        title="Models as judges",
        subtitle=source,
        sections=(
            Section(key="verdict", title="Verdict", blocks=tuple(said_of_judges(found))),
            Section(key="judges", title="Models and people", blocks=tuple(tables_with_rows(found))),
            Section(key="methods", title="Methods", blocks=(Paragraph(text=methods_text(found)), signatures)),
        ),
    )
