"""concordant: from study design to a publishable reliability report.

The names below are the public API. They are loaded when first used, so that `import concordant` is quick.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from concordant.about import NAME, VERSION
from concordant.errors import MissingExtra

__version__ = VERSION

if TYPE_CHECKING:
    from concordant.collection.export import export
    from concordant.collection.opened_study import log, rebuild
    from concordant.design.examples import init
    from concordant.design.plan import design
    from concordant.design.study_file import problems as check
    from concordant.diagnosis.diagnose import Diagnosis, diagnose
    from concordant.diagnosis.limits import gate
    from concordant.diagnosis.recheck import recheck
    from concordant.errors import ConcordantError, InputError
    from concordant.gold.allocated_labels import plan_labels
    from concordant.gold.consensus import compare_sides as compare
    from concordant.gold.exchange import write_gold
    from concordant.gold.feature_values import feature_vectors as vectors
    from concordant.gold.from_features import chain
    from concordant.gold.ranks import rank_responses as rank
    from concordant.gold.standard import gold
    from concordant.gold.weights import weigh as weights
    from concordant.judging.corrected import corrected
    from concordant.judging.judge import judges
    from concordant.judging.perspective import perspectives
    from concordant.judging.severity import rasch
    from concordant.judging.signatures import verify
    from concordant.measures.catalogue import explain
    from concordant.measures.result import Agreement, Interval, Results
    from concordant.model.continuum import Continuum, continua
    from concordant.model.judgements import Judgements
    from concordant.model.scale import Level, Scale
    from concordant.model.spans import SpanTable
    from concordant.model.study import Study
    from concordant.plots.kinds import plot
    from concordant.publication.archiving import archive
    from concordant.publication.checking import verify_archive
    from concordant.publication.paper_tables import verify_printed
    from concordant.readers import read
    from concordant.report.facts import write_report as report
    from concordant.reproduction.verdicts import reproduce
    from concordant.studio.model_raters import ask
    from concordant.studio.people import researcher
    from concordant.treebank.carried import carry
    from concordant.treebank.corpus import write_vistas as vistas
    from concordant.uncertainty.aligned import align
    from concordant.uncertainty.front import decide, measure, plan, suitable
    from concordant.uncertainty.sample_sizes import sample_size
    from concordant.web.app import serve_studies as serve
    from concordant.web.demonstration import demo
    from concordant.web.own_computer import open_studio

_HOME = {
    "Agreement": "measures.result:Agreement",
    "ConcordantError": "errors:ConcordantError",
    "Continuum": "model.continuum:Continuum",
    "Diagnosis": "diagnosis.diagnose:Diagnosis",
    "InputError": "errors:InputError",
    "Interval": "measures.result:Interval",
    "Judgements": "model.judgements:Judgements",
    "Level": "model.scale:Level",
    "Results": "measures.result:Results",
    "Scale": "model.scale:Scale",
    "SpanTable": "model.spans:SpanTable",
    "Study": "model.study:Study",
    "archive": "publication.archiving:archive",
    "align": "uncertainty.aligned:align",
    "ask": "studio.model_raters:ask",
    "carry": "treebank.carried:carry",
    "chain": "gold.from_features:chain",
    "check": "design.study_file:problems",
    "compare": "gold.consensus:compare_sides",
    "continua": "model.continuum:continua",
    "corrected": "judging.corrected:corrected",
    "decide": "uncertainty.front:decide",
    "demo": "web.demonstration:demo",
    "diagnose": "diagnosis.diagnose:diagnose",
    "explain": "measures.catalogue:explain",
    "export": "collection.export:export",
    "gate": "diagnosis.limits:gate",
    "init": "design.examples:init",
    "judges": "judging.judge:judges",
    "log": "collection.opened_study:log",
    "measure": "uncertainty.front:measure",
    "perspectives": "judging.perspective:perspectives",
    "open_studio": "web.own_computer:open_studio",
    "plan": "uncertainty.front:plan",
    "plan_labels": "gold.allocated_labels:plan_labels",
    "plot": "plots.kinds:plot",
    "rank": "gold.ranks:rank_responses",
    "rasch": "judging.severity:rasch",
    "read": "readers:read",
    "rebuild": "collection.opened_study:rebuild",
    "recheck": "diagnosis.recheck:recheck",
    "reproduce": "reproduction.verdicts:reproduce",
    "researcher": "studio.people:researcher",
    "sample_size": "uncertainty.sample_sizes:sample_size",
    "serve": "web.app:serve_studies",
    "suitable": "uncertainty.front:suitable",
    "vectors": "gold.feature_values:feature_vectors",
    "verify": "judging.signatures:verify",
    "verify_archive": "publication.checking:verify_archive",
    "verify_printed": "publication.paper_tables:verify_printed",
    "vistas": "treebank.corpus:write_vistas",
    "weights": "gold.weights:weigh",
    "write_gold": "gold.exchange:write_gold",
}
"""Where each public name is at home; `design`, `gold` and `report` are packages that can be called."""

__all__ = [
    "Agreement",
    "ConcordantError",
    "Continuum",
    "Diagnosis",
    "InputError",
    "Interval",
    "Judgements",
    "Level",
    "Results",
    "Scale",
    "SpanTable",
    "Study",
    "__version__",
    "align",
    "archive",
    "ask",
    "carry",
    "chain",
    "check",
    "compare",
    "continua",
    "corrected",
    "decide",
    "demo",
    "design",
    "diagnose",
    "explain",
    "export",
    "gate",
    "gold",
    "init",
    "judges",
    "log",
    "measure",
    "open_studio",
    "perspectives",
    "plan",
    "plan_labels",
    "plot",
    "rank",
    "rasch",
    "read",
    "rebuild",
    "recheck",
    "report",
    "reproduce",
    "researcher",
    "sample_size",
    "serve",
    "suitable",
    "vectors",
    "verify",
    "verify_archive",
    "verify_printed",
    "vistas",
    "weights",
    "write_gold",
]


def __getattr__(name: str) -> Any:
    """Import a public name from its home when it is first used."""
    if name in ("design", "gold", "report"):
        return import_module(f"{NAME}.{name}")
    if name not in _HOME:
        raise AttributeError(f"module {NAME!r} has no attribute {name!r}")
    module, _, inside = _HOME[name].partition(":")
    try:
        return getattr(import_module(f"{NAME}.{module}"), inside)
    except ModuleNotFoundError as error:
        if module.partition(".")[0] not in ("collection", "studio", "web"):
            raise
        raise MissingExtra(name, "web") from error


def __dir__() -> list[str]:
    """The public names, for completion."""
    return __all__
