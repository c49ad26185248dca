"""The catalogue: complete, and every measure explained."""

import importlib
import os
import pkgutil
import subprocess
import sys
from pathlib import Path

import pytest

import concordant.measures
from concordant.errors import InputError
from concordant.measures.catalogue import CATALOGUE, by_key, citation, data_needed, explain, find_measure
from concordant.measures.spec import TITLES, Measure
from concordant.registry import parts

CONTRACT = [
    "percent",
    "s",
    "pi",
    "fleiss",
    "kappa",
    "conger",
    "light",
    "weighted_kappa_linear",
    "weighted_kappa_quadratic",
    "weighted_kappa",
    "alpha",
    "ac1",
    "ac2",
    "brennan_prediger",
    "set_full",
    "set_weighted",
    "set_overlapping",
    "gk_gamma",
    "tau_b",
    "tau_c",
    "somers_d",
    "spearman",
    "pearson",
    "kendall_w",
    "lin_ccc",
    "icc1",
    "icc1k",
    "icc_a1",
    "icc_ak",
    "icc_c1",
    "icc_ck",
    "cronbach_alpha",
]


def test_the_keys_of_the_public_contract_are_there() -> None:
    assert set(CONTRACT) <= set(CATALOGUE)


def test_every_measure_that_is_defined_is_listed() -> None:
    defined = set()
    for found in pkgutil.walk_packages(concordant.measures.__path__, "concordant.measures."):
        module = importlib.import_module(found.name)
        defined |= {value.key for value in vars(module).values() if isinstance(value, Measure)}
    assert defined == set(CATALOGUE)
    assert len(CATALOGUE) == sum(len(family) for family in parts("measures", "MEASURES"))


def test_a_key_belongs_to_one_measure() -> None:
    with pytest.raises(InputError, match="two measures have the key kappa"):
        by_key([[CATALOGUE["kappa"]], [CATALOGUE["kappa"]]])


def test_an_unknown_measure_suggests_the_nearest() -> None:
    assert find_measure("kappa").name == "Cohen's kappa"
    with pytest.raises(InputError, match="unknown measure 'kapa'; did you mean 'kappa'"):
        find_measure("kapa")


@pytest.mark.parametrize("key", CATALOGUE)
def test_every_measure_is_explained(key: str) -> None:
    measure = CATALOGUE[key]
    assert measure.doc.strip()
    assert measure.cite
    assert all(citation(source) for source in measure.cite)
    assert all(measure.told(title) for title in TITLES)
    assert not any(f"{title}:" in measure.doc for title in TITLES)
    text = explain(key)
    assert text.startswith(f"{measure.name} ({key})")
    assert data_needed(measure).split(";")[0] in text.replace("\n  ", " ")
    for heading in ("When not to use it:", "In other tools:", "Reading:", "Source:"):
        assert heading in text


def test_explanations_name_what_nltk_calls_them() -> None:
    assert "`multi_kappa`" in explain("conger")
    assert "not Fleiss" in explain("fleiss")


ALWAYS_HALF = '''
"""A measure of another package."""
import numpy as np
from concordant.measures.benchmarks import KRIPPENDORFF
from concordant.measures.spec import ANY, Needs, Parts, measure

@measure(
    key="always_half",
    name="Always one half",
    cite=("Nobody, A. (2026). On halves.",),
    needs=Needs(suits=ANY, missing="uses every pair"),
    view="counts",
    reads_on=(KRIPPENDORFF,),
    recommended={"nominal": (9, 9)},
)
def always_half(data, setting):
    """Chance is not asked.

    When not to use it: Ever.

    In other tools: Nowhere.

    Example: It was .5.
    """
    return Parts(value=np.full(data.weights.shape[:-1], 0.5))

MEASURES = (always_half,)
'''


def run_with_package(folder: Path, *words: str) -> "subprocess.CompletedProcess[str]":
    """Run the command line where a package of the folder is installed."""
    path = os.pathsep.join([str(folder), *filter(None, [os.environ.get("PYTHONPATH")])])
    return subprocess.run(
        [sys.executable, "-m", "concordant", *words],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": path},
    )


def install(folder: Path, text: str) -> None:
    """A package of one module that announces its measures."""
    about = folder / "halves-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: halves\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[concordant.measures]\nhalves = halves\n")
    (folder / "halves.py").write_text(text)


def test_another_package_can_bring_a_measure(tmp_path: Path) -> None:
    install(tmp_path, ALWAYS_HALF)
    data = tmp_path / "data.csv"
    data.write_text("unit,rater,value\n1,a,yes\n1,b,no\n2,a,no\n2,b,no\n")
    assert "Always one half" in run_with_package(tmp_path, "measures").stdout
    assert "Nobody, A. (2026)" in run_with_package(tmp_path, "explain", "always_half").stdout
    shown = run_with_package(tmp_path, "measure", str(data), "--ci", "none").stdout
    assert "Always one half" in shown
    assert "discard" in next(line for line in shown.splitlines() if line.startswith("Always one half"))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("import nothing_of_that_name\n", "the package that announces halves in concordant.measures cannot be loaded"),
        (ALWAYS_HALF.replace('"always_half"', '"kappa"'), "two measures have the key kappa: Cohen's kappa and Always"),
    ],
)
def test_a_package_whose_measures_cannot_be_had_is_named(tmp_path: Path, text: str, said: str) -> None:
    install(tmp_path, text)
    done = run_with_package(tmp_path, "measures")
    assert done.returncode == 2
    assert said in done.stderr


def test_agreement_comes_before_covariation_and_that_before_reliability() -> None:
    kinds = [one.kind for one in CATALOGUE.values() if one.of[0] == "judgements"]
    places = {kind: [place for place, one in enumerate(kinds) if one == kind] for kind in kinds}
    assert max(places["agreement"] + places["raw"]) < min(places["correlation"])
    assert max(places["correlation"]) < min(places["reliability"])


@pytest.mark.parametrize(("typed", "meant"), [("krippendorf", "alpha"), ("cohen", "kappa"), ("kapa", "kappa")])
def test_a_measure_that_is_called_otherwise_is_found(typed: str, meant: str) -> None:
    with pytest.raises(InputError, match=rf"unknown measure '{typed}'; .*\b{meant}\b"):
        find_measure(typed)
