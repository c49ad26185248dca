"""Make `intervals.json`: errors, intervals and tests of other tools on invented data, by their public interfaces.

Run with an interpreter that has irrCAC, statsmodels, scipy and pingouin; they are only compared with:

    python tests/reference/make_intervals.py
"""

import json
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

Cells = np.ndarray[Any, np.dtype[Any]]
rng = np.random.default_rng(5)


def ratings() -> Cells:
    """40 units, four raters, categories 1 to 4, some missing, one unit with one judgement."""
    truth = rng.integers(1, 5, 40)
    cells = np.where(rng.random((40, 4)) < 0.7, truth[:, None], rng.integers(1, 5, (40, 4))).astype(float)
    cells[rng.random((40, 4)) < 0.15] = np.nan
    cells[0] = [2, np.nan, np.nan, np.nan]
    return cells


def irrcac(cells: Cells) -> dict[str, Any]:
    """Gwet's variances with three kinds of weights."""
    frame, tool = import_module("pandas").DataFrame(cells), import_module("irrCAC.raw").CAC
    found = {}
    for weights in ("identity", "linear", "quadratic"):
        for name in ("gwet", "fleiss", "conger", "bp", "krippendorff"):
            est = getattr(tool(frame, weights=weights, digits=14), name)()["est"]
            found[f"{name} {weights}"] = {"value": float(est["coefficient_value"]), "error": float(est["se"])}
    return found


def kappas(table: Cells) -> dict[str, Any]:
    """Cohen's kappa with and without weights."""
    steps = np.abs(np.subtract.outer(np.arange(len(table)), np.arange(len(table))))
    kappa = import_module("statsmodels.stats.inter_rater").cohens_kappa
    results = {
        "identity": kappa(table),
        "linear": kappa(table, weights=steps),
        "quadratic": kappa(table, weights=steps**2),
    }
    return {name: {"value": float(r.kappa), "error": float(r.std_kappa)} for name, r in results.items()}


def reliability(scores: Cells) -> dict[str, Any]:
    """Intraclass correlations and Cronbach's alpha; the latter's ends are rounded by the tool."""
    pandas, pingouin = import_module("pandas"), import_module("pingouin")
    pingouin.options.update({"round": None, "round.column.CI95": 12})
    long = pandas.DataFrame(scores).stack().reset_index()
    long.columns = ["unit", "rater", "score"]
    table = pingouin.intraclass_corr(long, targets="unit", raters="rater", ratings="score")
    ends = next(name for name in table.columns if str(name).startswith("CI95"))
    icc = {r["Type"]: {"value": float(r["ICC"]), "interval": [float(x) for x in r[ends]]} for _, r in table.iterrows()}
    cronbach = [float(x) for x in pingouin.cronbach_alpha(pandas.DataFrame(scores))[1]]
    return {"intraclass_corr": icc, "cronbach_alpha": cronbach}


def tests(groups: list[list[float]], scores: Cells) -> dict[str, Any]:
    """Pearson's interval and Welch's tests."""
    stats, oneway = import_module("scipy.stats"), import_module("statsmodels.stats.oneway")
    pearson = stats.pearsonr(scores[:, 0], scores[:, 1])
    t = stats.ttest_ind(groups[0], groups[1], equal_var=False)
    f = oneway.anova_oneway(groups, use_var="unequal", welch_correction=True)
    ends = pearson.confidence_interval(0.95)
    return {
        "pearsonr": {"value": float(pearson.statistic), "interval": [float(ends.low), float(ends.high)]},
        "ttest_ind": {"statistic": float(t.statistic), "freedom": float(t.df), "p": float(t.pvalue)},
        "anova_oneway": {"statistic": float(f.statistic), "freedom": [float(x) for x in f.df], "p": float(f.pvalue)},
    }


def main() -> None:
    """Write the file."""
    cells = ratings()
    table = np.array([[22, 6, 2, 0], [5, 18, 4, 3], [1, 5, 15, 4], [0, 2, 6, 17]])
    scores = rng.normal(size=(15, 1)) * 2 + rng.normal(size=(15, 3)) + np.array([0.0, 0.8, -0.5])
    kinds = ((1, 1, 20), (1.6, 2, 35), (0.5, 0.5, 11))
    groups = [rng.normal(mean, spread, size).tolist() for mean, spread, size in kinds]
    out = {
        "provenance": {name: version(name) for name in ("irrCAC", "statsmodels", "pingouin", "scipy")},
        "ratings": [[None if np.isnan(x) else int(x) for x in row] for row in cells],
        "irrCAC": irrcac(cells),
        "table": table.tolist(),
        "cohens_kappa": kappas(table),
        "scores": scores.tolist(),
        **reliability(scores),
        "groups": groups,
        **tests(groups, scores),
    }
    Path(__file__).with_name("intervals.json").write_text(json.dumps(out, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
