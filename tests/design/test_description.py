"""What a study is that says nothing of it: the defaults that the documentation names."""

from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from concordant.design.description import Checks, Pairing, Presentation, Rater, Sampling
from concordant.design.schema import SECTIONS, StudyError
from concordant.design.study_file import read
from concordant.tasks.question import Media
from tests.design.samples import study
from tests.design.test_study_file import GOOD, write


def test_what_a_study_file_leaves_out(tmp_path: Path) -> None:
    study = read(write(tmp_path))
    assert study.presentation == Presentation(passes=True, shuffle=True, shuffle_slots=True, go_back=True)
    assert study.checks == Checks(gold=(), repeats=0, gap=10)
    assert study.sampling == Sampling(method="all", size=None, frequency="", bands=3, by="", within="", pool_below=20)
    assert study.n_sets == 1
    assert Pairing(vector=("a",), per_group=2).within == ("item",)
    assert study.seed == 1


@pytest.mark.parametrize(
    ("section", "made"), [("sample", Sampling), ("presentation", Presentation), ("repeats", Checks)]
)
def test_the_defaults_that_are_told_are_those_that_are_used(section: str, made: Any) -> None:
    used = {one.name: one.default for one in fields(made)}
    told = {
        name: setting.default
        for name, setting in SECTIONS[section].items()
        if name in used and setting.default is not None
    }
    assert told == {name: used[name] for name in told}
    assert told


def test_options_have_the_keys_1_to_9_unless_they_name_others(tmp_path: Path) -> None:
    labels = [f'"l{i}"' for i in range(10)] + ['{ value = "last", key = "x" }']
    toml = GOOD.replace('task = "binary"', f'task = "categorical"\noptions = [{", ".join(labels)}]')
    [question] = read(write(tmp_path, toml)).questions
    assert [option.key for option in question.options] == [*"123456789", "", "x"]


def test_an_example_of_the_instructions_may_have_a_picture(tmp_path: Path) -> None:
    example = '[[instructions.examples]]\ntext = "One"\nanswer = "yes"\n'
    toml = (
        f'{GOOD}\n[instructions]\ntext = "Look."\n{example}image = "pictures/one.png"\nimage_alt = "a one"\n{example}'
    )
    told = read(write(tmp_path, toml)).instructions
    assert told is not None
    assert [one.image for one in told.examples] == [Media(path="pictures/one.png", alt="a one"), None]


def test_what_is_shown_is_a_text_or_the_sentence_of_a_tree() -> None:
    assert study(tasks=("binary", "slider")).shown == "texts"
    assert study(tasks=("binary", "parses")).shown == "sentences"


def test_models_are_told_from_people() -> None:
    people = study().raters
    assert (study().models, study().has_models) == (frozenset(), False)
    mixed = study(raters=(*people, Rater(id="m", kind="model")))
    assert (mixed.models, mixed.has_models) == (frozenset({"m"}), True)


def test_gold_that_must_be_right_must_be_there(tmp_path: Path) -> None:
    """And where it is there, nothing is wrong."""
    rule = '[failed_check]\nmin_gold = 0.5\ntext = "Sorry"\n'
    with pytest.raises(StudyError, match="there are no gold items"):
        read(write(tmp_path, GOOD + rule))
    with_gold = GOOD + rule + '[gold]\nfile = "gold.csv"\n'
    assert read(write(tmp_path, with_gold, gold="id,text,image,good\ng1,sure,,yes\n")).failed_check.min_gold == 0.5
