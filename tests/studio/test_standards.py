"""The gold standard, comparisons of groups, weights and ranks as plain functions."""

from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from concordant.collection.log import Log
from concordant.errors import InputError
from concordant.studio.disagreements import decide
from concordant.studio.people import MemberPlace, hashed, place_of
from concordant.studio.projects import NotFoundError, Studio
from concordant.studio.standards import (
    Groups,
    Method,
    compared,
    downloaded,
    each_once,
    found_gold,
    gold_view,
    groups,
    ranking_of,
    scores_in,
    system_of,
    weights_of,
    weights_view,
)
from concordant.web.demonstration import scenes
from concordant.web.players import fill, written_study

EXPERTS = Groups(attribute="rater_group", one="expert", other="participant")


def test_votes_leave_ties_and_decisions_settle_them(changing: MemberPlace) -> None:
    _, standard, accuracies = found_gold(changing, "", "")
    votes = {one.unit: one.value for one in standard.values}
    assert {unit for unit, value in votes.items() if value is None} == {"u1", "u2"}
    assert accuracies == ()
    decide(changing, "u1", "binary", "yes")
    _, standard, accuracies = found_gold(changing, "binary", Method.ADJUDICATED)
    assert {one.unit: one.value for one in standard.values}["u1"] == "yes"
    right = {one.rater: one.share_right for one in accuracies}
    assert right["Ben"] == 1
    assert right["Ada"] == pytest.approx(6 / 7)


def test_the_page_has_words_for_values_and_reasons_for_what_is_lacking(sample: MemberPlace) -> None:
    shown = gold_view(sample, "", "", "")
    assert (shown.question, shown.method, shown.comparison, shown.reason) == ("binary", Method.VOTES, None, "")
    assert sorted(shown.labels) == ["No", "No", "No", "Yes", "Yes", "Yes", "–", "–"]
    assert ("rater_group=expert=participant", "group: expert and participant") in shown.groups
    assert gold_view(sample, "", "", "rater_group=expert=participant").comparison is not None
    assert "nothing" in gold_view(sample, "", "", "nothing=a=b").reason


def test_copies_of_a_text_and_pairs_have_words_too(tmp_path: Path) -> None:
    with Log.open(f"sqlite:///{tmp_path / 'study.db'}") as log:
        shown = {scene.name: scene for scene in scenes(datetime.now(UTC))}
        made = {
            name: fill(log, written_study(tmp_path, shown[name]), shown[name]) for name in ("features", "preferences")
        }
        studio = Studio(log, made, home=tmp_path)
        studio.accounts.add_researcher("researcher", hashed("a long enough password"))
        with closing(studio.live):
            for name in made:
                place = place_of(studio, "researcher", name)
                view = gold_view(place, "", "", "")
                description = place.study.description
                assert view.standard is not None
                if name == "features":
                    assert {one.unit for one in view.standard.values} - set(description.unit_by_id)  # a copy is in it
                titles = {option.label for option in description.questions[0].options} | {"–"}
                assert set(view.labels) <= titles, name


def test_a_file_of_it(sample: MemberPlace) -> None:
    name, text = downloaded(sample, "", "")
    assert name == "sample-binary-votes.csv"
    assert len(text.splitlines()) == 9


def test_groups_of_raters(sample: MemberPlace) -> None:
    assert groups(sample)["rater_group"] == ["expert", "participant"]
    question, found = compared(sample, "", EXPERTS)
    assert (question, found.names, found.n_units) == ("binary", ("expert", "participant"), 8)


def test_what_is_not_there_is_refused(sample: MemberPlace) -> None:
    with pytest.raises(NotFoundError, match="no such method"):
        gold_view(sample, "", "guessing", "")
    with pytest.raises(NotFoundError, match="no such question"):
        found_gold(sample, "nothing", "")
    with pytest.raises(NotFoundError, match="no such groups"):
        compared(sample, "", Groups(attribute="rater_group", one="expert", other="nobody"))
    with pytest.raises(InputError, match="compared with itself"):
        compared(sample, "", Groups(attribute="rater_group", one="expert", other="expert"))


def test_ranks_follow_the_weights_and_agree_with_themselves(preferences: MemberPlace) -> None:
    ranking = ranking_of(preferences, weights_of(preferences))
    scores = {unit: repr(float(score)) for unit, score in zip(ranking.units, ranking.scores, strict=True)}
    system = system_of(ranking, scores)
    assert system.whole.spearman.value == pytest.approx(1)
    shown = weights_view(preferences)
    assert shown.rows is not None
    assert shown.rows[0][3] == 1
    assert (shown.reason, shown.system) == ("", None)


def test_scores_of_a_system(preferences: MemberPlace) -> None:
    units = preferences.study.description.units
    written = "\n".join(f"{unit.id} {number}" for number, unit in enumerate(units))
    assert weights_view(preferences, written).system is not None
    assert "units have none" in weights_view(preferences, "unknown 1").reason
    assert scores_in("unit,score\nu1\t2\n\nu3 4") == {"unit": "score", "u1": "2", "u3": "4"}
    with pytest.raises(InputError, match="two scores"):
        each_once([("u1", "1"), ("u1", "2")])
    ranking = ranking_of(preferences, weights_of(preferences))
    with pytest.raises(InputError, match="not a number"):
        system_of(ranking, dict.fromkeys(ranking.units, "good"))


def test_other_studies_have_none(sample: MemberPlace) -> None:
    assert (weights_view(sample).weights, weights_view(sample).reason) == (
        None,
        "this study has no pairs; a preference test has a table [pairs] in its study file",
    )
