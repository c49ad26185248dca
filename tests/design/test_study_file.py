"""Reading study files: a good one, and every kind of mistake with its file and line.

Every rule about settings that must fit each other and the data is tried on both sides of its limit.
"""

import shutil
from pathlib import Path

import pytest

import concordant
from concordant.design.description import (
    CleaningRules,
    Example,
    Guidelines,
    Instructions,
    Introduction,
    ParticipantQuestion,
    Presentation,
    Rater,
    Sampling,
    Thanks,
)
from concordant.design.schema import StudyError
from concordant.design.study_file import problems, read
from concordant.tasks.question import Media, Option, Pattern, Unit

GOOD = """name = "small"
title = "A small study"
open = true

[units]
file = "units.csv"
text = "text"
image = "image"

[[questions]]
id = "good"
task = "binary"
ask = "Is it good?"
"""
UNITS = "id,text,image,group\nu1,One,pictures/one.png,a\nu2,Two,pictures/one.png,b\n"


def write(folder: Path, toml: str = GOOD, units: str = UNITS, **files: str) -> Path:
    (folder / "pictures").mkdir(exist_ok=True)
    (folder / "pictures" / "one.png").write_bytes(b"png")
    (folder / "study.toml").write_text(toml, encoding="utf-8")
    (folder / "units.csv").write_text(units, encoding="utf-8")
    for name, content in files.items():
        (folder / f"{name}.csv").write_text(content, encoding="utf-8")
    return folder


def found(folder: Path) -> list[str]:
    """The mistakes, with paths relative to the study's folder."""
    return [str(problem).replace(f"{folder}/", "") for problem in problems(folder)]


def test_a_good_study_is_read(tmp_path: Path) -> None:
    study = read(write(tmp_path))
    assert [unit.id for unit in study.units] == ["u1", "u2"]
    assert study.units[0].image is not None
    assert study.units[0].image.path == "pictures/one.png"
    assert study.units[0].attributes == {"group": "a"}
    assert study.questions[0].task == "binary"
    assert [option.value for option in study.questions[0].options] == ["yes", "no"]
    assert problems(tmp_path / "study.toml") == ()


def test_a_file_may_say_its_format_and_a_newer_one_is_refused_whatever_else_it_says(tmp_path: Path) -> None:
    assert read(write(tmp_path, f"format = 1\n{GOOD}")) == read(write(tmp_path))
    newer = f"format = 2\n{GOOD}".replace('task = "binary"', 'kinds = ["binary"]').replace("open = true", "")
    assert found(write(tmp_path, newer)) == [
        "study.toml:1: this file is of format 2; this version reads up to 1; update concordant"
    ]
    assert found(write(tmp_path, f"format = 0\n{GOOD}")) == ["study.toml:1: format: expected 1 or more, found 0"]
    assert found(write(tmp_path, f'format = "1"\n{GOOD}')) == [
        "study.toml:1: format: expected a whole number, found '1'"
    ]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ('task = "binary"', 'taks = "binary"', "study.toml:12: there is no setting 'taks' here; did you mean 'task'?"),
        ('task = "binary"', 'task = "binray"', "study.toml:12: task: 'binray' is not one of binary, categorical, multilabel, number, ordinal, pairwise, parses, patterns, ranking, slider, spans, text; did you mean 'binary'?"),
        ("open = true", 'open = "yes"', "study.toml:3: open: expected true or false, found 'yes'"),
        ("open = true", "", "study.toml:1: nobody can take part; set open = true or invite [[raters]]"),
        ('name = "small"', 'name = "Small Study"', "study.toml:1: 'Small Study' is not a short name"),
        ('name = "small"\n', "", "study.toml:1: 'name' is missing"),
        ("units.csv", "unit.csv", "study.toml:6: the file 'unit.csv' does not exist"),
        ('text = "text"', 'text = "txt"', "units.csv:1: there is no column 'txt'; did you mean 'text'?"),
        ('ask = "Is it good?"', 'ask = "Is it good?', "study.toml:13: not TOML: "),
        ('ask = "Is it good?"', 'ask = "?"\nmaximum = 2', "study.toml:14: 'maximum' means nothing for the task binary"),
        ('task = "binary"', 'task = "categorical"', "study.toml:12: there must be two options or more"),
        ('task = "binary"', 'task = "pairwise"', "study.toml:12: there is nothing to compare"),
        ('task = "binary"', 'task = "ranking"', "study.toml:12: there is nothing to rank"),
        ('task = "binary"', 'task = "patterns"', "study.toml:12: there are no patterns"),
        ('task = "binary"', 'task = "spans"', "study.toml:12: there is no category to mark spans with"),
        ('task = "binary"', 'task = "slider"\nlow = 5\nhigh = 5', "study.toml:12: low must be less than high"),
        ("[units]", '[sets]\ncount = 9\n\n[units]', "study.toml:6: 9 sets cannot be made of 2 units"),
        ("[units]", '[sets]\ncount = 0\n\n[units]', "study.toml:6: count: expected 1 or more, found 0"),
        ("[units]", '[sample]\nmethod = "simple"\nsize = 3\n\n[units]',
         "study.toml:7: 3 units are wanted and there are 2"),
        ("[units]", '[sample]\nmethod = "stratified"\nsize = 2\nby = "grup"\n\n[units]',
         "study.toml:8: the units have no column 'grup'; did you mean 'group'?"),
        ("[units]", '[sample]\nmethod = "stratified"\nsize = 2\nfrequency = "group"\n\n[units]',
         "study.toml:8: every unit needs a frequency above 0"),
        ("[units]", '[guidelines]\nversion = "1"\n\n[units]', "study.toml:5: guidelines need either a file or a text"),
        ("[units]", '[guidelines]\nversion = "1"\nfile = "g.md"\n\n[units]',
         "study.toml:7: the file 'g.md' cannot be read"),
        ("[units]", '[repeats]\ncount = 2\n\n[units]',
         "study.toml:5: 2 repeats with a gap of 10 do not fit into 2 units"),
        ("[units]", '[[raters]]\nid = "A"\n\n[[raters]]\nid = "A"\n\n[units]',
         "study.toml:6: the id 'A' is used 2 times"),
        ("[units]", '[[raters]]\nid = "A"\nset = 2\n\n[units]', "study.toml:7: there is no set 2; there are 1"),
        ("[units]", '[[raters]]\nid = "A"\nkind = "robot"\n\n[units]', "study.toml:7: kind: 'robot' is not one of human, model"),
        ("[units]", '[[raters]]\nid = "A"\nprompt = "v3"\n\n[units]', "study.toml:7: a person has no prompt; set kind"),
        ("[units]", '[[participant]]\nid = "age"\nask = "?"\nkind = "choice"\n\n[units]',
         'study.toml:8: options and kind = "choice" belong together'),
        ("[units]", '[training]\nfile = "training.csv"\n\n[units]',
         "study.toml:6: the file 'training.csv' does not exist"),
        ("[units]", '[cleaning]\nspelling = "s.csv"\n\n[units]', "study.toml:6: the file 's.csv' does not exist"),
    ],
)  # fmt: skip
def test_a_mistake_is_found_on_its_line(tmp_path: Path, old: str, new: str, expected: str) -> None:
    messages = found(write(tmp_path, GOOD.replace(old, new, 1)))
    assert any(message.startswith(expected) for message in messages), messages


@pytest.mark.parametrize(
    ("units", "expected"),
    [
        (UNITS.replace("u2,Two,pictures/one.png", "u2,Two,pictures/two.png"),
         "units.csv:3: image 'pictures/two.png' does not exist"),
        (UNITS.replace("u2,Two,pictures/one.png", "u2,Two,../secret.png"),
         "units.csv:3: image '../secret.png' lies outside"),
        (UNITS.replace("u2,Two,pictures/one.png", "u2,Two,one.exe"), "units.csv:3: image 'one.exe' does not end in"),
        (UNITS.replace("u2,", "u1,"), "units.csv:3: the id 'u1' was used before, on line 2"),
        (UNITS.replace("u2,Two,pictures/one.png,b", "u2,,,b"), "units.csv:3: unit 'u2' has nothing to show"),
        (UNITS.replace("u2,", ","), "units.csv:3: the id must be a short name"),
        ("id,text,image\n", "units.csv: there are no rows"),
        (UNITS + "u3,Three\n", "units.csv:4: 2 cells where the header has 4"),
    ],
)  # fmt: skip
def test_a_mistake_in_the_data_is_found_on_its_line(tmp_path: Path, units: str, expected: str) -> None:
    messages = found(write(tmp_path, units=units))
    assert any(message.startswith(expected) for message in messages), messages


def test_all_mistakes_are_found_at_once(tmp_path: Path) -> None:
    write(tmp_path, GOOD.replace("open = true", "opne = true").replace('\nask = "', '\nquestion = "'))
    assert len(found(tmp_path)) == 3
    with pytest.raises(StudyError, match=r"study\.toml:3: .* \(and 2 more: `concordant check` shows all\)"):
        read(tmp_path)


def test_expected_answers_of_training_items_are_checked(tmp_path: Path) -> None:
    toml = GOOD.replace("[units]", '[training]\nfile = "training.csv"\n\n[units]')
    rows = "id,text,image,good,explanation\nt1,One,,yes,Because.\nt2,Two,,maybe,\nt3,Three,,,\nu1,Four,,no,\n"
    messages = found(write(tmp_path, toml, training=rows))
    assert "training.csv:3: column 'good': 'maybe' is not an option of 'good'" in messages
    assert any(message.startswith("training.csv:4: unit 't3' has no expected answer") for message in messages)
    assert any("the id 'u1' is in two files" in message for message in messages)


def test_a_missing_study_is_one_clear_line(tmp_path: Path) -> None:
    (message,) = problems(tmp_path / "nowhere")
    assert str(message) == f"{tmp_path}/nowhere: the file does not exist; `concordant init DIR` makes a study"


def test_rows_with_the_same_text_are_judged_once(tmp_path: Path) -> None:
    rows = "id,text,image,group\nu1,A dog.,,a\nu2,a  DOG,,b\nu3,A cat.,,a\n"
    study = read(write(tmp_path, GOOD.replace('text = "text"', 'text = "text"\nitem = "group"'), rows))
    assert [unit.copies for unit in study.units] == [("u1",), ("u2",), ("u3",)]  # u2 is in another item
    study = read(
        write(tmp_path, GOOD.replace('text = "text"', 'text = "text"\nitem = "group"'), rows.replace(",,b", ",,a"))
    )
    assert [unit.copies for unit in study.units] == [("u1", "u2"), ("u3",)]
    assert [unit.id for unit in study.rows] == ["u1", "u2", "u3"]


def test_json_lines_work_like_csv(tmp_path: Path) -> None:
    write(tmp_path, GOOD.replace("units.csv", "units.jsonl").replace('image = "image"\n', ""))
    (tmp_path / "units.jsonl").write_text('{"id": 1, "text": "One", "n": 2.5}\n\n{"id": 2, "text": "Two"}\n')
    assert [(unit.id, unit.attributes) for unit in read(tmp_path).units] == [("1", {"n": "2.5"}), ("2", {})]
    (tmp_path / "units.jsonl").write_text('{"id": 1, "text": "One"}\n{"id": 2,\n')
    assert found(tmp_path)[0].startswith("units.jsonl:2: not JSON")


FULL = """name = "full"
title = "A full study"
language = "ca"
seed = 7

[units]
file = "units.csv"
id = "name"
item = "of"
text = "words"
prompt = "ask"
audio = "sound"
audio_alt = "noise"
image = "picture"
image_alt = "scene"
merge_identical = false

[presentation]
passes = false
shuffle = false
shuffle_slots = false
go_back = false

[[questions]]
id = "form"
task = "patterns"
ask = "Which?"
patterns = [{ id = "p", text = "a ___" }, { id = "q", text = "b ___", category = "Q", part_of_speech = "noun" }]
optional = true

[[questions]]
id = "amount"
task = "slider"
ask = "How much?"
low = -5
high = 5
step = 0.5
not_sure = true

[introduction]
text = "Hello"
consent = "I agree"

[[participant]]
id = "age"
ask = "How old are you?"
kind = "number"
low = 18
high = 99
required = true

[[participant]]
id = "tongue"
ask = "What do you speak?"
kind = "choice"
options = ["Catalan", { value = "es", label = "Spanish", key = "s" }]

[instructions]
text = "Do it"

[[instructions.examples]]
text = "One"
answer = "p"
explanation = "so"

[training]
file = "training.csv"
second_try = true

[gold]
file = "gold.csv"

[repeats]
count = 1
gap = 2

[thanks]
text = "Thanks"
purpose = "Science"
comment = true
code = "C0DE"
return_url = "https://example.org"

[guidelines]
version = "2"
text = "Rules"

[sample]
method = "stratified"
size = 4
frequency = "f"
bands = 2
by = "kind"
within = "sort"
pool_below = 2

[sets]
count = 1

[[raters]]
id = "A"
set = 1
attributes = { role = "expert" }

[[raters]]
id = "B"

[cleaning]
min_share = 0.5
max_overfilled = 4
too_many = 2
min_gold = 0.75
min_seconds = 1.5
drop_overfilled = true
drop_several_words = true
allowed_phrases = ["to be"]
lexicon = "lexicon.csv"
spelling = "spelling.csv"
"""
FULL_UNITS = "name,of,words,ask,sound,noise,picture,scene,f,kind,sort\n" + "".join(
    f" u{i} ,i{i % 2}, Same. ,Why?,a.mp3,a bang,,,{i},k,s\n" for i in range(1, 6)
)
FULL_FILES = {
    "training": "name,of,words,ask,sound,noise,picture,scene,form,amount,explanation\nt,,T,,,,pictures/one.png,one,p=x,1.5, why \n",
    "gold": "name,of,words,ask,sound,noise,picture,scene,amount,f\ng,,G,,,,,,-5,3\n",
    "lexicon": "word,part_of_speech\nA  dog,noun\na dog, verb \nrun,verb\n",
    "spelling": "written,meant\nTeh, the \n",
}


def test_everything_a_study_file_says_is_in_the_study(tmp_path: Path) -> None:
    (tmp_path / "a.mp3").write_bytes(b"mp3")
    study = read(write(tmp_path, FULL, FULL_UNITS, **FULL_FILES))
    assert (study.name, study.title, study.language, study.seed, study.is_open) == (
        "full", "A full study", "ca", 7, False
    )  # fmt: skip
    assert study.folder == tmp_path
    assert study.profile is None
    assert [unit.id for unit in study.units] == ["u1", "u2", "u3", "u4", "u5"]
    assert study.rows == study.units
    assert study.units[0] == Unit(
        id="u1", item="i1", text="Same.", prompt="Why?", audio=Media(path="a.mp3", alt="a bang"), copies=("u1",),
        attributes={"f": "1", "kind": "k", "sort": "s"},
    )  # fmt: skip
    form, amount = study.questions
    assert form.patterns == (
        Pattern(id="p", text="a ___", category="p"),
        Pattern(id="q", text="b ___", category="Q", part_of_speech="noun"),
    )
    assert (form.is_optional, form.not_sure, amount.is_optional, amount.not_sure) == (True, False, False, True)
    assert (amount.low, amount.high, amount.step) == (-5, 5, 0.5)
    assert study.presentation == Presentation(passes=False, shuffle=False, shuffle_slots=False, go_back=False)
    assert study.introduction == Introduction(text="Hello", consent="I agree")
    assert study.participant == (
        ParticipantQuestion(id="age", ask="How old are you?", kind="number", low=18, high=99, is_required=True),
        ParticipantQuestion(
            id="tongue",
            ask="What do you speak?",
            kind="choice",
            options=(Option(value="Catalan", label="Catalan", key="1"), Option(value="es", label="Spanish", key="s")),
        ),
    )
    assert study.instructions == Instructions(
        text="Do it", examples=(Example(text="One", answer="p", explanation="so"),)
    )
    assert study.training is not None
    assert study.training.second_try
    [trained] = study.training.units
    assert (trained.id, trained.item, trained.explanation, trained.expected) == (
        "t", "t", "why", {"form": {"p": "x"}, "amount": 1.5}
    )  # fmt: skip
    assert (trained.image, trained.audio, trained.attributes) == (Media(path="pictures/one.png", alt="one"), None, {})
    [gold] = study.checks.gold
    assert (gold.id, gold.expected, gold.attributes) == ("g", {"amount": -5}, {"f": "3"})
    assert (study.checks.repeats, study.checks.gap) == (1, 2)
    assert study.thanks == Thanks(
        text="Thanks", purpose="Science", asks_comment=True, code="C0DE", return_url="https://example.org"
    )
    assert study.guidelines == Guidelines(version="2", text="Rules")
    assert study.sampling == Sampling(
        method="stratified", size=4, frequency="f", bands=2, by="kind", within="sort", pool_below=2
    )
    assert study.raters == (Rater(id="A", attributes={"role": "expert"}, set=0), Rater(id="B"))
    assert study.cleaning == CleaningRules(
        min_share=0.5, max_overfilled=4, too_many=2, min_gold=0.75, min_seconds=1.5, drop_overfilled=True,
        drop_several_words=True, allowed_phrases=("to be",), spelling={"teh": "the"},
        lexicon={"a dog": frozenset({"noun", "verb"}), "run": frozenset({"verb"})},
    )  # fmt: skip
    assert set(study.unit_by_id) == {"u1", "u2", "u3", "u4", "u5", "t", "g"}


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"lexicon": "word,pos\na,noun\n"}, ["lexicon.csv:1: there is no column 'part_of_speech'"]),
        ({"spelling": "a,b\nx,y\n"}, ["spelling.csv:1: there is no column 'written'"]),
        (
            {"lexicon": "wort\na\n", "spelling": "written,correct\nx,y\n"},
            ["lexicon.csv:1: there is no column 'word'", "spelling.csv:1: there is no column 'meant'"],
        ),
        ({"lexicon": "word,part_of_speech\n"}, ["lexicon.csv: there are no rows"]),
    ],
)
def test_mistakes_in_the_files_of_the_cleaning(tmp_path: Path, files: dict[str, str], expected: list[str]) -> None:
    (tmp_path / "a.mp3").write_bytes(b"mp3")
    assert found(write(tmp_path, FULL, FULL_UNITS, **{**FULL_FILES, **files})) == expected


def test_a_spelling_without_a_lexicon(tmp_path: Path) -> None:
    toml = f'{GOOD}\n[cleaning]\nspelling = "spelling.csv"\n'
    cleaning = read(write(tmp_path, toml, spelling="written,meant\nteh,the\n")).cleaning
    assert (cleaning.spelling, cleaning.lexicon) == ({"teh": "the"}, {})


@pytest.mark.parametrize(
    ("toml", "expected"),
    [
        ("name = \n", "study.toml:1: not TOML: "),
        ('name = "x"\ntitle = [\n', "study.toml:3: not TOML: "),
        ('name = "x"\n\ntitle = """', "study.toml:3: not TOML: "),
    ],
)
def test_what_is_not_toml_is_said_on_its_line_and_the_line_only_once(tmp_path: Path, toml: str, expected: str) -> None:
    [message] = found(write(tmp_path, toml))
    assert message.startswith(expected)
    assert len(message) > len(expected)
    assert "(at " not in message


def test_a_study_file_that_is_no_text(tmp_path: Path) -> None:
    write(tmp_path)
    (tmp_path / "study.toml").write_bytes(b"\xff\xfe")
    [message] = found(tmp_path)
    assert message.startswith("study.toml: cannot be read (")
    assert message.endswith("; `concordant init DIR` makes a study")


def test_mistakes_in_the_units_are_said_along_with_others(tmp_path: Path) -> None:
    wrong_rows = UNITS.replace("u2,", "u1,")
    repeated = "units.csv:3: the id 'u1' was used before, on line 2"
    opne = GOOD.replace("open = true", "opne = true")
    told = "study.toml:3: there is no setting 'opne' here; did you mean 'open'?"
    assert found(write(tmp_path, opne, wrong_rows)) == [told, repeated]
    broken = opne.replace('text = "text"', "text = 3")  # then the columns of the units are not known
    assert found(write(tmp_path, broken, wrong_rows)) == [told, "study.toml:7: text: expected a text, found 3"]
    without = GOOD[: GOOD.index("[units]")] + GOOD[GOOD.index("[[questions]]") :]
    assert found(write(tmp_path, without, wrong_rows)) == [
        "study.toml:1: 'units' is missing; it is the data file or the profile with what is judged"
    ]
    assert found(write(tmp_path, GOOD.replace('file = "units.csv"\n', ""))) == [
        "study.toml:5: 'file' or 'profile' is needed, and not both; name where the units are"
    ]


@pytest.mark.parametrize(
    ("path", "fault"),
    [("pictures/two.png", "does not exist"), ("../one.png", "lies outside the study's folder"), ("pictures", None)],
)
def test_a_picture_of_an_example_must_be_there(tmp_path: Path, path: str, fault: str | None) -> None:
    example = f'[[instructions.examples]]\ntext = "One"\nanswer = "yes"\nimage = "{path}"\n'
    fault = fault or "does not end in .gif, .jpeg, .jpg, .png, .svg, .webp"
    assert found(write(tmp_path, f'{GOOD}\n[instructions]\ntext = "Look."\n{example}')) == [
        f"study.toml:20: image '{path}' {fault}"
    ]


PREFERENCES = Path(concordant.__file__).parent / "examples" / "studies" / "preferences"

ROWS = "id,text,image,group,f\n" + "".join(f"u{i},Text {i},,{'ab'[i % 2]},{i}\n" for i in range(1, 13))
TEXT_QUESTION = '\n[[questions]]\nid = "why"\ntask = "text"\nask = "Why?"\n'
CHOICES = 'task = "categorical"\noptions = '
PATTERNS = 'task = "patterns"\npatterns = '


def said(folder: Path, *, before: str = "", old: str = "", new: str = "", after: str = "", **files: str) -> list[str]:
    """The mistakes of a study of twelve units, with tables before its [units], something replaced, something added."""
    assert old in GOOD
    toml = GOOD.replace(old, new, 1) if old else GOOD
    return found(write(folder, toml.replace("[units]", f"{before}\n[units]") + after, ROWS, **files))


def test_pairs_are_made_within_items_and_columns_that_exist(tmp_path: Path) -> None:
    folder = tmp_path / "study"
    shutil.copytree(PREFERENCES, folder)
    assert problems(folder) == ()
    file = folder / "study.toml"
    good = file.read_text("utf-8")
    file.write_text(good.replace('within = ["item", "targeting"]', 'within = ["item", "targetting"]'))
    [wrong] = problems(folder)
    assert str(wrong) == f"{file}:29: the units have no column 'targetting'; did you mean 'targeting'?"
    vector = next(line for line in good.splitlines() if line.startswith("vector"))
    file.write_text(good.replace(vector, 'vector = ["targeting", "colour"]'))
    [wrong] = problems(folder)
    assert wrong.what == "the units have no column 'colour'"
    file.write_text(good + TEXT_QUESTION)
    [wrong] = problems(folder)
    assert (wrong.what, wrong.hint) == (
        "with [pairs] all questions are pairwise",
        "ask the others in a study of their own",
    )


@pytest.mark.parametrize(
    "change",
    [
        {"old": '"small"', "new": '"small-2-study"'},
        {"old": "open = true", "new": 'open = true\nlanguage = "pt-BR"'},
        {"old": "open = true", "new": "open = false"},  # raters will be invited on the researcher's pages
        {"old": "open = true", "new": "", "before": '[[raters]]\nid = "A"\n'},
        {"before": '[guidelines]\nversion = "1"\ntext = "Be kind."\n'},
        {"before": '[guidelines]\nversion = "1"\nfile = "units.csv"\n'},
        {"before": '[[participant]]\nid = "age"\nask = "?"\n'},
        {"before": '[[participant]]\nid = "age"\nask = "?"\nkind = "choice"\noptions = ["old", "young"]\n'},
        {"before": '[sets]\ncount = 2\n\n[[raters]]\nid = "A"\nset = 2\n\n[[raters]]\nid = "B"\n'},
        {"after": TEXT_QUESTION},
        {"before": '[sample]\nmethod = "simple"\nsize = 12\n'},
        {"before": '[sample]\nmethod = "stratified"\nsize = 12\nby = "group"\n'},
        {"before": '[sample]\nmethod = "stratified"\nsize = 3\nfrequency = "f"\n'},
        {"before": '[sample]\nmethod = "stratified"\nsize = 3\nby = "group"\nwithin = "f"\n'},
        {"before": "[sets]\ncount = 12\n"},
        {"before": '[sets]\ncount = 4\n[sample]\nmethod = "simple"\nsize = 4\n'},
        {"before": "[repeats]\ncount = 2\n"},
        {"before": "[repeats]\ncount = 2\ngap = 4\n[sets]\ncount = 2\n"},
        {"old": 'task = "binary"', "new": CHOICES + '["a", "b", "c"]'},
    ],
)
def test_what_fits_is_taken(tmp_path: Path, change: dict[str, str]) -> None:
    assert said(tmp_path, **change) == []


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"old": '"small"', "new": '"small--study"'}, "study.toml:1: 'small--study' is not a short name; use small letters, digits and hyphens"),
        ({"old": "open = true", "new": 'open = true\nlanguage = "english"'}, "study.toml:4: 'english' is not a language code; write one like en or ca"),
        ({"before": '[guidelines]\nversion = "1"\ntext = "Be kind."\nfile = "units.csv"\n'}, "study.toml:5: guidelines need either a file or a text"),
        ({"old": 'ask = "Is it good?"', "new": 'ask = "?"\nstep = 2'}, "study.toml:15: 'step' means nothing for the task binary; it is for slider"),
        ({"old": 'task = "binary"', "new": CHOICES + '["a", "b", "a"]'}, "study.toml:14: the value 'a' is used 2 times"),
        ({"old": 'task = "binary"', "new": CHOICES + '["a", "b", "a", "a"]'}, "study.toml:14: the value 'a' is used 3 times"),
        ({"old": 'task = "binary"', "new": CHOICES + '[{ value = "a", key = "x" }, { value = "b", key = "x" }]'}, "study.toml:14: the key 'x' is used 2 times"),
        ({"old": 'task = "binary"', "new": PATTERNS + '[{ id = "p", text = "a ___" }, { id = "p", text = "b ___" }]'}, "study.toml:11: the pattern 'p' is used 2 times"),
        ({"before": '[[participant]]\nid = "age"\nask = "?"\noptions = ["old"]\n'}, 'study.toml:5: options and kind = "choice" belong together'),
        ({"before": '[sets]\ncount = 2\n\n[[raters]]\nid = "A"\nset = 3\n'}, "study.toml:10: there is no set 3; there are 2"),
        ({"after": TEXT_QUESTION + TEXT_QUESTION}, "study.toml:17: the id 'why' is used 2 times"),
        ({"before": '[[participant]]\nid = "age"\nask = "?"\n' * 3}, "study.toml:6: the id 'age' is used 3 times"),
        ({"before": '[sample]\nmethod = "simple"\nsize = 13\n'}, "study.toml:7: 13 units are wanted and there are 12"),
        ({"before": '[sample]\nmethod = "stratified"\nsize = 12\n'}, "study.toml:5: a stratified sample needs strata; name a column for frequency or by"),
        ({"before": '[sample]\nmethod = "stratified"\nsize = 3\nfrequency = "f"\nwithin = "group"\n'}, "study.toml:9: within needs by; name the types that contain these kinds"),
        ({"before": '[sample]\nmethod = "stratified"\nsize = 3\nby = "group"\nwithin = "grop"\n'}, "study.toml:9: the units have no column 'grop'; did you mean 'group'?"),
        ({"before": "[sets]\ncount = 13\n"}, "study.toml:6: 13 sets cannot be made of 12 units"),
        ({"before": '[sets]\ncount = 5\n[sample]\nmethod = "simple"\nsize = 4\n'}, "study.toml:6: 5 sets cannot be made of 4 units"),
        ({"before": "[repeats]\ncount = 3\n"}, "study.toml:5: 3 repeats with a gap of 10 do not fit into 12 units; take fewer or a smaller gap"),
        ({"before": "[repeats]\ncount = 3\ngap = 4\n[sets]\ncount = 2\n"}, "study.toml:5: 3 repeats with a gap of 4 do not fit into 6 units; take fewer or a smaller gap"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_said_and_nothing_else(tmp_path: Path, change: dict[str, str], expected: str) -> None:
    assert said(tmp_path, **change) == [expected]


@pytest.mark.parametrize(
    ("frequency", "is_good"),
    [("0.5", True), ("1e9", True), ("0", False), ("-1", False), ("inf", False), ("nan", False), ("often", False), ("", False)],
)  # fmt: skip
def test_a_frequency_is_a_number_above_0(tmp_path: Path, frequency: str, is_good: bool) -> None:
    toml = GOOD.replace("[units]", '[sample]\nmethod = "stratified"\nsize = 1\nfrequency = "f"\n[units]')
    rows = f"id,text,image,f\nu1,One,,3\nu2,Two,,{frequency}\n"
    expected = [] if is_good else ["study.toml:8: every unit needs a frequency above 0"]
    assert found(write(tmp_path, toml, rows)) == expected


@pytest.mark.parametrize(
    ("training", "gold", "expected"),
    [
        ("t1", "g1", []),
        ("u1", "g1", ["u1"]),
        ("t1", "u12", ["u12"]),
        ("x1", "x1", ["x1"]),
        ("u2", "u2", ["u2"]),
    ],
)
def test_training_and_gold_have_ids_of_their_own(tmp_path: Path, training: str, gold: str, expected: list[str]) -> None:
    tables = '[training]\nfile = "training.csv"\n[gold]\nfile = "gold.csv"\n'
    files = {"training": training, "gold": gold}
    rows = {name: f"id,text,image,good\n{id},Something,,yes\n" for name, id in files.items()}
    assert said(tmp_path, before=tables, **rows) == [
        f"study.toml:11: the id '{id}' is in two files; training and gold need their own" for id in expected
    ]


def test_one_unit_makes_one_set(tmp_path: Path) -> None:
    for count, expected in ((1, []), (2, ["study.toml:6: 2 sets cannot be made of 1 units"])):
        toml = GOOD.replace("[units]", f"[sets]\ncount = {count}\n[units]")
        assert found(write(tmp_path, toml, "id,text,image\nu1,One,\n")) == expected
