"""Make `peers.json`: numbers of other tools, computed through their public interfaces on invented data.

Run with an interpreter that has irrCAC (MIT), statsmodels (BSD), pingouin (GPL, compared with only) and scipy (BSD):

    python tests/uncertainty/references/make.py
"""

import json
from importlib.metadata import version
from pathlib import Path

import numpy as np
import pandas as pd
import pingouin
from irrCAC.raw import CAC
from scipy import stats
from statsmodels.stats.inter_rater import cohens_kappa
from statsmodels.stats.oneway import anova_oneway

pingouin.options.update({"round": None, "round.column.CI95": 12})
rng = np.random.default_rng(5)


def ratings():
    truth = rng.integers(1, 5, 40)
    cells = np.where(rng.random((40, 4)) < 0.7, truth[:, None], rng.integers(1, 5, (40, 4))).astype(float)
    cells[rng.random((40, 4)) < 0.15] = np.nan
    cells[0] = [2, np.nan, np.nan, np.nan]
    return cells


def irrcac(cells):
    found = {}
    for weights in ("identity", "linear", "quadratic"):
        tool = CAC(pd.DataFrame(cells), weights=weights, digits=14)
        for name in ("gwet", "fleiss", "conger", "bp", "krippendorff"):
            est = getattr(tool, name)()["est"]
            found[f"{name} {weights}"] = {"value": float(est["coefficient_value"]), "error": float(est["se"])}
    return found


def kappas(table):
    size = len(table)
    steps = np.abs(np.subtract.outer(np.arange(size), np.arange(size)))
    found = {}
    for name, weights in (("identity", None), ("linear", steps), ("quadratic", steps**2)):
        result = cohens_kappa(table, weights=weights)
        found[name] = {"value": float(result.kappa), "error": float(result.std_kappa)}
    return found


def iccs(scores):
    long = pd.DataFrame(scores).stack().reset_index()
    long.columns = ["unit", "rater", "score"]
    table = pingouin.intraclass_corr(long, targets="unit", raters="rater", ratings="score")
    bounds = next(name for name in table.columns if str(name).startswith("CI95"))
    return {
        row["Type"]: {"value": float(row["ICC"]), "interval": [float(x) for x in row[bounds]]}
        for _, row in table.iterrows()
    }


def main():
    cells = ratings()
    table = np.array([[22, 6, 2, 0], [5, 18, 4, 3], [1, 5, 15, 4], [0, 2, 6, 17]])
    scores = rng.normal(size=(15, 1)) * 2 + rng.normal(size=(15, 3)) + np.array([0.0, 0.8, -0.5])
    groups = [
        rng.normal(loc, spread, size).tolist() for loc, spread, size in ((1, 1, 20), (1.6, 2, 35), (0.5, 0.5, 11))
    ]
    t = stats.ttest_ind(groups[0], groups[1], equal_var=False)
    f = anova_oneway(groups, use_var="unequal", welch_correction=True)
    r, n = float(np.corrcoef(scores[:, 0], scores[:, 1])[0, 1]), 15
    pearson = stats.pearsonr(scores[:, 0], scores[:, 1]).confidence_interval(0.95)
    out = {
        "provenance": {name: version(name) for name in ("irrCAC", "statsmodels", "pingouin", "scipy")},
        "ratings": [[None if np.isnan(x) else int(x) for x in row] for row in cells],
        "irrCAC": irrcac(cells),
        "table": table.tolist(),
        "cohens_kappa": kappas(table),
        "scores": scores.tolist(),
        "intraclass_corr": iccs(scores),
        "cronbach_alpha": [float(x) for x in pingouin.cronbach_alpha(pd.DataFrame(scores))[1]],
        "pearsonr": {"value": r, "interval": [float(pearson.low), float(pearson.high)]},
        "groups": groups,
        "ttest_ind": {
            "statistic": float(t.statistic),
            "freedom": float(t.df) if hasattr(t, "df") else None,
            "p": float(t.pvalue),
        },
        "anova_oneway": {"statistic": float(f.statistic), "freedom": [float(x) for x in f.df], "p": float(f.pvalue)},
    }
    Path(__file__).with_name("peers.json").write_text(json.dumps(out, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
