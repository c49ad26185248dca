"""The SAILS corpus: agreement on five features of responses, and weights from preferences."""

from concordant.measures.result import Agreement
from concordant.model.study import Study
from concordant.readers import read
from concordant.reproduction.printed import DataFile, Known, PrintedTable, PublishedStudy, Values, figures
from concordant.uncertainty.front import measure

TEST_SET = {"image": ["I28", "I29", "I30"]}
FEATURES = {
    "core_event": "Core Event", "answerhood": "Answerhood", "grammaticality": "Grammaticality",
    "interpretability": "Interpretability", "verifiability": "Verifiability",
}  # fmt: skip
SHORT = ("Core", "Answer", "Gramm", "Interp", "Verif")

JUDGEMENTS = DataFile(
    path="sails/sails_judgements.csv",
    holds="the columns response_id, image, targeting, transitivity, group, annotator, feature, value (1 or 0)",
    origin="corpus/*_master_anno.csv of https://github.com/sailscorpus/sails, a row for each value",
    open=lambda path: read(path, unit="response_id", rater="annotator", question="feature", where=TEST_SET),
)

TABLE_4_2 = """
Set               Total  A1Yes  A2Yes  AvgYes  Chance  Observed  Kappa
Intransitive      2155   0.863  0.855  0.859   0.758   0.978     0.910
Transitive        2155   0.780  0.774  0.777   0.653   0.949     0.853
Ditransitive      2155   0.812  0.786  0.799   0.678   0.924     0.764
Targeted          3390   0.829  0.818  0.824   0.709   0.949     0.823
Untargeted        3075   0.806  0.790  0.798   0.678   0.952     0.872
Core Event        1293   0.733  0.717  0.725   0.601   0.923     0.808
Answerhood        1293   0.834  0.831  0.833   0.721   0.982     0.936
Grammaticality    1293   0.861  0.872  0.866   0.768   0.960     0.827
Interpretability  1293   0.818  0.787  0.802   0.682   0.919     0.744
Verifiability     1293   0.845  0.817  0.831   0.719   0.968     0.884
"""

DISAGREEMENTS = """
Feature           Disagreements
Answerhood        23
Grammaticality    52
Interpretability  105
Verifiability     42
"""

TABLE_4_3 = """
Set     AvgYes NS  AvgYes NNS  Chance NS  Chance NNS  Observed NS  Observed NNS  Kappa NS  Kappa NNS
Core    0.686      0.805       0.569      0.686       0.922        0.927         0.819     0.767
Answer  0.800      0.899       0.680      0.819       0.977        0.993         0.928     0.961
Gramm   0.902      0.793       0.823      0.671       0.962        0.955         0.786     0.863
Interp  0.764      0.881       0.638      0.789       0.910        0.936         0.752     0.697
Verif   0.807      0.882       0.687      0.791       0.970        0.962         0.904     0.819
"""

TABLE_4_5 = """
Set    Agreed  Pairs  Chance  Observed  Kappa
Pairs  265     300    0.621   0.883     0.692
"""

TABLE_4_6 = """
Count          Core   Answer  Grammar  Interpret  Verif  Total
Tot. Pref.     944    807     910      1021       1026   4708
Tot. Dispref.  367    660     822      667        611    3127
Net Pref.      577    147     88       354        415    1581
Weight         0.365  0.093   0.056    0.224      0.263  1.0
"""


def columns(found: Agreement) -> dict[str, float | None]:
    """A result in the columns of the study's tables."""
    rates = [rate for rate in found.details.get("yes_rates", {}).values() if rate is not None]
    shares = dict(zip(("A1Yes", "A2Yes"), rates, strict=False)) | {"AvgYes": sum(rates) / max(len(rates), 1)}
    return {
        "Total": found.n_units, **(shares if len(rates) == 2 else {}), "Chance": found.expected,
        "Observed": found.observed, "Kappa": found.value,
    }  # fmt: skip


def table_4_2(study: Study) -> Values:
    """The test set by transitivity and targeting, all features together, and by feature."""
    pooled = (measure(study, "kappa", by=name, pool=True, ci="none") for name in ("transitivity", "targeting"))
    rows = {value.capitalize(): columns(one) for some in pooled for one in some for value in one.slice.values()}
    return rows | {FEATURES.get(one.question, ""): columns(one) for one in measure(study, "kappa", ci="none")}


def disagreements(study: Study) -> Values:
    """How many responses of the test set the two annotators judged differently."""
    found = measure(study, "percent", ci="none")
    return {FEATURES.get(one.question, ""): {"Disagreements": round(one.n_units * (1 - one.value))} for one in found}


def table_4_3(study: Study) -> Values:
    """Native and non-native responses side by side."""
    rows: dict[str, dict[str, float | None]] = {}
    names = dict(zip(FEATURES, SHORT, strict=True))
    for one in measure(study, "kappa", by="group", ci="none"):
        group = one.slice["group"]
        own = {f"{name} {group}": cell for name, cell in columns(one).items()}
        rows.setdefault(names.get(one.question, ""), {}).update(own)
    return rows


def table_4_5() -> Values:
    """Observed agreement from the counts, kappa from the counts and the printed chance."""
    (printed,) = figures(TABLE_4_5).values()
    observed, chance = int(printed["Agreed"]) / int(printed["Pairs"]), float(printed["Chance"])
    return {"Pairs": {"Observed": observed, "Kappa": (observed - chance) / (1 - chance)}}


def table_4_6() -> Values:
    """Net counts, totals and weights from the counts."""
    printed = figures(TABLE_4_6)
    preferred, dispreferred = (
        {name: int(text) for name, text in printed[row].items() if name != "Total"} for row in list(printed)[:2]
    )
    net = {name: preferred[name] - dispreferred[name] for name in preferred}
    weights = {name: one / sum(net.values()) for name, one in net.items()}
    return {
        "Tot. Pref.": {"Total": sum(preferred.values())},
        "Tot. Dispref.": {"Total": sum(dispreferred.values())},
        "Net Pref.": {**net, "Total": sum(net.values())},
        "Weight": {**weights, "Total": sum(weights.values())},
    }


STUDY = PublishedStudy(
    key="sails",
    title="SAILS: features of picture descriptions",
    citation="The dissertation on the SAILS corpus, chapter 4, Annotation & weighting; the corpus: King, L., & "
    "Dickinson, M. (2018). BEA 13, W18-0510.",
    tables=(
        PrintedTable(
            name="Table 4.2",
            about="agreement in the test set by properties of items and by feature",
            figures=TABLE_4_2,
            compute=table_4_2,
            needs=JUDGEMENTS,
            known={
                ("Untargeted", "Kappa"): Known(
                    kind="misprint",
                    right="0.852",
                    why="it also follows from the printed 0.952 and 0.678; one digit is wrong",
                )
            },
        ),
        PrintedTable(
            name="Section 4.2.3",
            about="numbers of disagreements in the test set",
            figures=DISAGREEMENTS,
            compute=disagreements,
            needs=JUDGEMENTS,
        ),
        PrintedTable(
            name="Table 4.3",
            about="agreement on responses of native and non-native speakers",
            figures=TABLE_4_3,
            compute=table_4_3,
            needs=JUDGEMENTS,
            known={
                ("Answer", "AvgYes NNS"): Known(kind="rounding", right="0.900", why="0.8995 was cut off"),
                ("Verif", "Chance NS"): Known(kind="rounding", right="0.688", why="0.6879 was cut off"),
            },
        ),
        PrintedTable(
            name="Table 4.5",
            about="agreement on 300 preference pairs",
            figures=TABLE_4_5,
            compute=table_4_5,
            not_public="the decisions on the 300 pairs were not published",
        ),
        PrintedTable(
            name="Table 4.6",
            about="weights of features from 1,200 preference pairs",
            figures=TABLE_4_6,
            compute=table_4_6,
            known={
                ("Weight", "Verif"): Known(
                    kind="misprint",
                    right="0.262",
                    why="415/1581 is 0.26249; as printed the weights sum to 1.001",
                )
            },
            not_public="the decisions on the 1,200 pairs were not published",
        ),
    ),
)
