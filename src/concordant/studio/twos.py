"""Agreement of two while answers arrive: of two treebankers in all three readings, of two raters drawn at random.

Both print what the command line prints of the study's folder: `measure STUDY --measure y_option --read reading=log`,
and `measure STUDY --ci pairs`.
"""

import tempfile
from collections.abc import Sequence
from pathlib import Path

from concordant.collection.collected import collected_of
from concordant.collection.export import written
from concordant.errors import ConcordantError
from concordant.measures.kappas import kappa, set_full, set_overlapping_kappa, set_weighted_kappa
from concordant.measures.result import Agreement
from concordant.model.scale import Level
from concordant.report.treebankers import of_every_two
from concordant.studio.live import SEED, Snapshot
from concordant.studio.people import MemberPlace
from concordant.tasks.kind import kind_of
from concordant.uncertainty.studies import measure_study

LEAST_RATERS = 3
"""Of fewer raters there is one pair, and nothing to draw."""


def treebankers(place: MemberPlace, snapshot: Snapshot) -> list[Agreement]:
    """Y-Option Kappa of every two who chose parses, in the three readings; a reason where there is no value."""
    description = snapshot.study.description
    if description.profile is None or not any(kind_of(one).chooses_parses for one in description.questions):
        return []
    return snapshot.remember("treebankers", lambda: _compared(place, snapshot))


def _compared(place: MemberPlace, snapshot: Snapshot) -> list[Agreement]:
    with tempfile.TemporaryDirectory(prefix="parses-") as folder:
        goal = Path(folder) / "profiles"
        collected = collected_of(snapshot.study, snapshot.followed)
        done = written(collected, [], place.studio.log, goal, format="profile", is_raw=False)
        lexicon = next((unit.parses.lexicon for unit in snapshot.study.description.units if unit.parses), None)
        profiles = dict(zip((person.rater for person in done.kept.people), done.files, strict=False))
        return list(of_every_two(profiles, lexicon, seed=SEED))


def drawn_pairs(snapshot: Snapshot) -> Sequence[Agreement]:
    """Observed agreement and kappa of random pairs of raters, with intervals (Table IV of Boleda et al. 2009)."""
    study = snapshot.judgements
    if study is None or len(study.raters) < LEAST_RATERS or study.level not in (Level.NOMINAL, Level.SET):
        return []
    whole = (set_full, set_weighted_kappa, set_overlapping_kappa) if study.level is Level.SET else (kappa,)
    keys = [one.key for one in whole]

    def work_out() -> list[Agreement]:
        try:
            return measure_study(study, keys, ci="pairs", seed=SEED)
        except ConcordantError:  # nobody shares a unit with anybody yet
            return []

    return snapshot.remember("drawn pairs", work_out)
