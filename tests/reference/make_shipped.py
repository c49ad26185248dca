"""Write `shipped.json`: what other tools answer on the data that come with the program, for *Coming from another tool*.

Run it in an environment of its own, where R has psych, and lme4 for its ICC:

    pip install pandas scikit-learn nltk irrCAC krippendorff pingouin pygamma-agreement
    python tests/reference/make_shipped.py

Nothing of ours is imported. The tools are only compared with; none is a dependency, and none of their code is used.
"""

import json
import subprocess
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

HERE = Path(__file__).parent
DATA = HERE.parents[1] / "src" / "concordant" / "examples" / "data"
RATINGS, FEATURES = pd.read_csv(DATA / "ratings.csv"), pd.read_csv(DATA / "features.csv")
LONG = RATINGS[RATINGS.question == "fluency"]
FLUENCY = LONG.pivot(index="unit", columns="rater", values="value")
WHOLE = FLUENCY.dropna()
TWO = FEATURES[FEATURES.question == "grammaticality"].pivot(index="unit", columns="rater", values="value")
Answers = dict[str, float | str]


def with_nltk() -> Answers:
    """On all judgements, and on the units that everybody judged."""
    from nltk.metrics.agreement import AnnotationTask
    from nltk.metrics.distance import interval_distance

    def rows(table: pd.DataFrame) -> list[tuple[str, str, float]]:
        long: Any = table.stack().dropna()
        return [(rater, unit, value) for (unit, rater), value in long.items()]

    found: Answers = {
        "AnnotationTask(fluency).alpha()": AnnotationTask(rows(FLUENCY)).alpha(),
        "AnnotationTask(fluency, distance=interval_distance).alpha()": AnnotationTask(
            rows(FLUENCY), distance=interval_distance
        ).alpha(),
    }
    try:
        AnnotationTask(rows(FLUENCY)).multi_kappa()
    except RuntimeError as error:
        found["AnnotationTask(fluency).multi_kappa()"] = f"RuntimeError: {error}"
    whole = AnnotationTask(rows(WHOLE))
    for name in ("multi_kappa", "pi", "kappa", "S", "avg_Ao"):
        found[f"AnnotationTask(whole).{name}()"] = getattr(whole, name)()
    return found


def with_sklearn() -> Answers:
    """Cohen's kappa, plain and weighted."""
    from sklearn.metrics import cohen_kappa_score

    pair = FLUENCY[["J1", "J5"]].dropna()
    return {
        "cohen_kappa_score(a, b)": cohen_kappa_score(TWO.A1, TWO.A2),
        **{
            f"cohen_kappa_score(j1, j5, weights={kind!r})": cohen_kappa_score(pair.J1, pair.J5, weights=kind)
            for kind in ("linear", "quadratic")
        },
    }


def with_krippendorff() -> Answers:
    """Alpha at three levels."""
    import krippendorff

    table = FLUENCY.T.to_numpy()
    return {
        f"alpha(fluency, level_of_measurement={level!r})": krippendorff.alpha(table, level_of_measurement=level)
        for level in ("nominal", "ordinal", "interval")
    }


def with_irrcac() -> Answers:
    """Gwet's package rounds to five digits."""
    from irrCAC.raw import CAC

    return {
        f"CAC(fluency, weights={weights!r}).{name}()": getattr(CAC(FLUENCY.reset_index(drop=True), weights), name)()[
            "est"
        ]["coefficient_value"]
        for weights, name in (
            ("identity", "fleiss"), ("identity", "gwet"), ("identity", "krippendorff"), ("ordinal", "krippendorff"),
            ("quadratic", "gwet"),
        )
    }  # fmt: skip


def with_pingouin() -> Answers:
    """Intraclass correlations of the units that everybody judged."""
    import pingouin

    found = pingouin.intraclass_corr(LONG[LONG.unit.isin(WHOLE.index)], "unit", "rater", "value")
    return {f"intraclass_corr(whole): {row.Type}": row.ICC for row in found.itertuples()} | {
        "cronbach_alpha(whole)": pingouin.cronbach_alpha(WHOLE)[0]
    }


R = """
library(psych)
table <- read.csv(commandArgs(TRUE)[1])
two <- read.csv(commandArgs(TRUE)[2])
icc <- ICC(table)$results
for (i in 1:3) cat("ICC(whole): ", icc$type[i], "\\t", format(icc$ICC[i], digits = 12), "\\n", sep = "")
cat("alpha(whole)$total$raw_alpha\\t", format(psych::alpha(table, warnings = FALSE)$total$raw_alpha, digits = 12), "\\n", sep = "")
cat("cohen.kappa(two)$kappa\\t", format(cohen.kappa(two)$kappa, digits = 12), "\\n", sep = "")
cat("version\\t", format(packageVersion("psych")), "\\n", sep = "")
"""


def with_psych(folder: Path) -> tuple[Answers, str]:
    """R's psych, and its version."""
    WHOLE.to_csv(folder / "whole.csv", index=False)
    TWO.to_csv(folder / "two.csv", index=False)
    (folder / "psych.R").write_text(R, encoding="utf-8")
    command: list[str | Path] = ["Rscript", folder / "psych.R", folder / "whole.csv", folder / "two.csv"]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    rows = dict(line.split("\t") for line in said.splitlines() if "\t" in line)
    told = rows.pop("version")
    return {call: float(value) for call, value in rows.items()}, told


def with_pygamma() -> Answers:
    """Gamma of one text; chance is sampled, so only the observed disorder is the same every time."""
    from pyannote.core import Segment
    from pygamma_agreement import Continuum

    continuum, table = Continuum(), pd.read_csv(DATA / "spans.csv")
    for row in table[table.text == "well"].itertuples():
        continuum.add(row.rater, Segment(row.begin, row.end), row.category)
    np.random.seed(1)  # noqa: NPY002 (what the tool draws from)
    found = continuum.compute_gamma(precision_level=0.01)
    return {"compute_gamma().observed_disorder": found.observed_disorder, "compute_gamma().gamma": found.gamma}


def main() -> None:
    """All of them in one file."""
    import tempfile

    makers = {
        "nltk": with_nltk, "scikit-learn": with_sklearn, "krippendorff": with_krippendorff, "irrCAC": with_irrcac,
        "pingouin": with_pingouin, "pygamma-agreement": with_pygamma,
    }  # fmt: skip
    found: dict[str, Any] = {
        name: {
            "version": version(name),
            "answers": {k: v if isinstance(v, str) else float(v) for k, v in make().items()},
        }
        for name, make in makers.items()
    }
    with tempfile.TemporaryDirectory() as folder:
        answers, told = with_psych(Path(folder))
    found["psych"] = {"version": told, "answers": answers}
    (HERE / "shipped.json").write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
