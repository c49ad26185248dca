"""Write the reference fixtures: what other tools answer, through their public API, on small data sets.

Run it in an environment of its own with the tools installed; the tests only read the JSON it leaves behind:

    pip install scikit-learn statsmodels nltk irrCAC krippendorff scipy pingouin
    python tests/reference/make_fixtures.py

A case is `equal` (our value must be the same to 1e-9) or `differs` with a note that says which definition differs.
The tools are only compared with; none is a dependency, and none of their code is used.
"""

import json
from collections.abc import Callable, Iterator
from importlib.metadata import version
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

HERE = Path(__file__).parent
LICENCES = {
    "scikit-learn": "BSD-3-Clause",
    "statsmodels": "BSD-3-Clause",
    "nltk": "Apache-2.0",
    "irrCAC": "not stated in the package (compared with only)",
    "krippendorff": "GPL-3.0-or-later (compared with only)",
    "scipy": "BSD-3-Clause",
    "pingouin": "GPL-3.0 (compared with only)",
}
Case = dict[str, Any]
nan = float("nan")

# Krippendorff (2011), section C: four observers, twelve units, missing judgements; Gwet (2014) uses the same table.
FOUR_OBSERVERS = [
    [1, 1, nan, 1],
    [2, 2, 3, 2],
    [3, 3, 3, 3],
    [3, 3, 3, 3],
    [2, 2, 2, 2],
    [1, 2, 3, 4],
    [4, 4, 4, 4],
    [1, 1, 2, 1],
    [2, 2, 2, 2],
    [nan, 5, 5, 5],
    [nan, nan, 1, 1],
    [nan, nan, 3, nan],
]


def make_datasets() -> dict[str, np.ndarray]:
    """Small data sets, units in rows, raters in columns; the random ones are invented."""
    random = np.random.default_rng(20110)
    truth = random.integers(1, 5, size=(40, 1))
    panel = np.where(random.random((40, 4)) < 0.6, truth, random.integers(1, 5, size=(40, 4))).astype(float)
    uneven = np.array([1.0, 2.0, 5.0])[random.choice(3, size=(50, 2), p=[0.5, 0.3, 0.2])]
    uneven[:30, 1] = uneven[:30, 0]
    scores = random.normal(50, 10, size=(30, 1)) + random.normal([0, 2, -1], 4, size=(30, 3))
    return {
        "four-observers": np.array(FOUR_OBSERVERS),
        "panel": panel,
        "two": panel[:, :2],
        "values-1-2-5": uneven,
        "scores": scores,
    }


DATA = make_datasets()


def case(dataset: str, call: str, value: Any, measure: str, level: str, **more: Any) -> Case:
    """One answer of a tool and what it is to be compared with."""
    options = {name: more.pop(name) for name in ("weights", "distance", "shares", "weight") if name in more}
    note = more.pop("note", "")
    return {
        "data": dataset,
        "call": call,
        "value": float(value),
        "measure": measure,
        "level": level,
        "options": options,
        "relation": "differs" if note else "equal",
        "note": note,
        **more,
    }


def sklearn_cases() -> Iterator[Case]:
    """Cohen's kappa and accuracy."""
    from sklearn.metrics import accuracy_score, cohen_kappa_score

    one, two = DATA["two"].T
    yield case("two", "cohen_kappa_score(a, b)", cohen_kappa_score(one, two), "kappa", "nominal")
    yield case("two", "accuracy_score(a, b)", accuracy_score(one, two), "percent", "nominal")
    for kind in ("linear", "quadratic"):
        key, call = f"weighted_kappa_{kind}", f"cohen_kappa_score(a, b, weights={kind!r})"
        yield case("two", call, cohen_kappa_score(one, two, weights=kind), key, "ordinal")
        a, b = DATA["values-1-2-5"].T
        note = "sklearn spaces categories by their place; ours uses the values 1, 2, 5 of a numeric scale"
        yield case("values-1-2-5", call, cohen_kappa_score(a, b, weights=kind), key, "ordinal", note=note)


def statsmodels_cases() -> Iterator[Case]:
    """Kappas from tables."""
    from statsmodels.stats.inter_rater import aggregate_raters, cohens_kappa, fleiss_kappa, to_table

    pair, panel = to_table(DATA["two"])[0], aggregate_raters(DATA["panel"])[0]
    yield case("two", "cohens_kappa(table)", cohens_kappa(pair).kappa, "kappa", "nominal")
    for kind in ("linear", "quadratic"):
        value = cohens_kappa(pair, wt=kind).kappa
        yield case("two", f"cohens_kappa(table, wt={kind!r})", value, f"weighted_kappa_{kind}", "ordinal")
    yield case("panel", "fleiss_kappa(table)", fleiss_kappa(panel), "fleiss", "nominal")
    randolph = fleiss_kappa(panel, method="randolph")
    yield case("panel", "fleiss_kappa(table, method='randolph')", randolph, "s", "nominal")


def nltk_cases() -> Iterator[Case]:
    """nltk's names: multi_kappa is Conger's, pi is Fleiss', kappa is Light's."""
    from nltk.metrics.agreement import AnnotationTask
    from nltk.metrics.distance import interval_distance

    rows = [(str(r), str(u), v) for u, unit in enumerate(DATA["panel"].tolist()) for r, v in enumerate(unit)]
    task = AnnotationTask(data=rows)
    yield case("panel", "AnnotationTask.multi_kappa()", task.multi_kappa(), "conger", "nominal")
    note = "nltk's multi_kappa is Conger's (Davies & Fleiss), not Fleiss' kappa"
    yield case("panel", "AnnotationTask.multi_kappa()", task.multi_kappa(), "fleiss", "nominal", note=note)
    yield case("panel", "AnnotationTask.pi()", task.pi(), "fleiss", "nominal")
    yield case("panel", "AnnotationTask.kappa()", task.kappa(), "light", "nominal")
    yield case("panel", "AnnotationTask.S()", task.S(), "s", "nominal")
    yield case("panel", "AnnotationTask.avg_Ao()", task.avg_Ao(), "percent", "nominal")
    yield case("panel", "AnnotationTask.alpha()", task.alpha(), "alpha", "nominal")
    spaced = AnnotationTask(data=rows, distance=interval_distance)
    yield case("panel", "AnnotationTask(distance=interval_distance).alpha()", spaced.alpha(), "alpha", "interval")


def krippendorff_cases() -> Iterator[Case]:
    """Alpha at four levels, with missing judgements."""
    import krippendorff

    for dataset in ("four-observers", "panel"):
        for level in ("nominal", "ordinal", "interval", "ratio"):
            value = krippendorff.alpha(reliability_data=DATA[dataset].T, level_of_measurement=level)
            yield case(dataset, f"alpha(reliability_data, level_of_measurement={level!r})", value, "alpha", level)


def irrcac_cases() -> Iterator[Case]:
    """Gwet's package: every coefficient with missing judgements, plain and weighted."""
    import pandas as pd
    from irrCAC.raw import CAC

    ours = {"fleiss": "fleiss", "gwet": "ac1", "conger": "conger", "bp": "s", "krippendorff": "alpha"}
    for dataset in ("four-observers", "panel"):
        plain = CAC(pd.DataFrame(DATA[dataset]), weights="identity", digits=15)
        for method, key in ours.items():
            estimate = getattr(plain, method)()["est"]
            shares = {} if key == "alpha" else {"shares": "all"}
            call = f"CAC(weights='identity').{method}()"
            yield case(dataset, call, estimate["coefficient_value"], key, "nominal", **shares)
        yield case(dataset, "CAC(...).fleiss()['pa']", plain.fleiss()["est"]["pa"], "percent", "nominal")
    for kind in ("linear", "quadratic", "ordinal", "radical", "ratio", "circular", "bipolar"):
        weighted = CAC(pd.DataFrame(DATA["four-observers"]), weights=kind, digits=15)
        for method, key in {
            "fleiss": "fleiss",
            "gwet": "ac2",
            "conger": "weighted_kappa",
            "bp": "brennan_prediger",
        }.items():
            value = getattr(weighted, method)()["est"]["coefficient_value"]
            call = f"CAC(weights={kind!r}).{method}()"
            yield case("four-observers", call, value, key, "ordinal", weights=kind, shares="all")
    value = CAC(pd.DataFrame(DATA["four-observers"]), weights="ordinal", digits=15).krippendorff()["est"]
    note = "irrCAC puts Gwet's ordinal weights into alpha; ordinal alpha is Krippendorff's metric of ranks"
    yield case(
        "four-observers",
        "CAC(weights='ordinal').krippendorff()",
        value["coefficient_value"],
        "alpha",
        "ordinal",
        note=note,
    )


def over_pairs(dataset: str, function: Callable[[Any, Any], float]) -> float:
    """The mean over rater pairs."""
    return float(np.mean([function(a, b) for a, b in combinations(DATA[dataset].T, 2)]))


def scipy_cases() -> Iterator[Case]:
    """Rank and product-moment correlations, Friedman's test."""
    from scipy import stats

    calls: dict[str, tuple[str, Callable[[Any, Any], float]]] = {
        "tau_b": ("kendalltau(a, b)", lambda a, b: stats.kendalltau(a, b).statistic),
        "tau_c": ("kendalltau(a, b, variant='c')", lambda a, b: stats.kendalltau(a, b, variant="c").statistic),
        "spearman": ("spearmanr(a, b)", lambda a, b: stats.spearmanr(a, b).statistic),
        "pearson": ("pearsonr(a, b)", lambda a, b: stats.pearsonr(a, b).statistic),
    }
    for key, (call, function) in calls.items():
        for dataset, level in (("two", "ordinal"), ("panel", "ordinal"), ("scores", "interval")):
            yield case(dataset, f"mean over rater pairs of {call}", over_pairs(dataset, function), key, level)
    one, two = DATA["two"].T
    directed = stats.somersd(one, two).statistic
    yield case("two", "somersd(a, b)", directed, "somers_d", "ordinal", detail="second_given_first")
    note = "scipy's somersd is directed; ours is symmetric and has both directions in its details"
    yield case("two", "somersd(a, b)", directed, "somers_d", "ordinal", note=note)
    chi_square = stats.friedmanchisquare(*DATA["panel"]).statistic
    yield case("panel", "friedmanchisquare(*units)", chi_square, "kendall_w", "ordinal", detail="chi_square")


def pingouin_cases() -> Iterator[Case]:
    """Intraclass correlations and Cronbach's alpha."""
    import pandas as pd
    import pingouin

    names = {
        "ICC(1,1)": "icc1",
        "ICC(1,k)": "icc1k",
        "ICC(A,1)": "icc_a1",
        "ICC(A,k)": "icc_ak",
        "ICC(C,1)": "icc_c1",
        "ICC(C,k)": "icc_ck",
    }
    for dataset, level in (("scores", "interval"), ("panel", "interval")):
        wide = pd.DataFrame(DATA[dataset])
        long = wide.stack().reset_index().set_axis(["unit", "rater", "score"], axis=1)
        table = pingouin.intraclass_corr(long, targets="unit", raters="rater", ratings="score").set_index("Type")["ICC"]
        for name, key in names.items():
            yield case(dataset, f"intraclass_corr(...)[{name!r}]", table[name], key, level)
        yield case(dataset, "cronbach_alpha(wide)", pingouin.cronbach_alpha(wide)[0], "cronbach_alpha", level)


TOOLS: dict[str, Callable[[], Iterator[Case]]] = {
    "scikit-learn": sklearn_cases,
    "statsmodels": statsmodels_cases,
    "nltk": nltk_cases,
    "krippendorff": krippendorff_cases,
    "irrCAC": irrcac_cases,
    "scipy": scipy_cases,
    "pingouin": pingouin_cases,
}


def write(name: str, content: Any) -> None:
    """One JSON file beside this script."""
    (HERE / f"{name}.json").write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


def main() -> None:
    """Ask every tool and write what it says."""
    cells = {name: [[None if np.isnan(v) else v for v in row] for row in data.tolist()] for name, data in DATA.items()}
    write("datasets", cells)
    for tool, cases in TOOLS.items():
        source = {"tool": tool, "version": version(tool), "licence": LICENCES[tool]}
        write(tool, {**source, "command": "python tests/reference/make_fixtures.py", "cases": list(cases())})


if __name__ == "__main__":
    main()
