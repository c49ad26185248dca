"""Results files of PCIbex and Ibex."""

from pathlib import Path

import pytest

from concordant.errors import InputError
from concordant.readers import formats
from tests.readers.exported import cells, claim, study_of, write

START = """#
# Results on Monday, January 01 2024 10:00:00 UTC
# USER AGENT: Mozilla/5.0 (X11; Linux)
# Design number was non-random = 1
#
# Columns below this comment are as follows:
# 1. Results reception time.
# 2. MD5 hash of participant's IP address.
# 3. Controller name.
# 4. Order number of item.
# 5. Inner element number.
# 6. Label.
# 7. Latin Square Group.
# 8. PennElementType.
# 9. PennElementName.
# 10. Parameter.
# 11. Value.
# 12. EventTime.
"""
PENN = (
    START
    + """# 13. item.
# 14. Comments.
1700000001,aaaabbbbcccc,PennController,1,0,rate,NULL,PennController,1,_Trial_,Start,1700000000100,s1,NULL
1700000001,aaaabbbbcccc,PennController,1,0,rate,NULL,Scale,natural,Choice,3,1700000000200,s1,NULL
1700000001,aaaabbbbcccc,PennController,1,0,rate,NULL,Scale,natural,Choice,4,1700000000300,s1,NULL
1700000001,aaaabbbbcccc,PennController,1,0,rate,NULL,TextInput,why,Final,well, it is so,1700000000400,s1,NULL
1700000001,aaaabbbbcccc,PennController,2,0,rate,NULL,Selector,better,Selection,left%2C first,1700000000500,s2,NULL
# 13. Comments.
1700000001,aaaabbbbcccc,PennController,3,0,end,NULL,PennController,3,_Trial_,End,1700000000600,NULL
# 13. item.
# 14. Comments.
1700000009,aaaabbbbcccc,PennController,1,0,rate,NULL,Scale,natural,Choice,5,1700000000700,s1,NULL
"""
)
IBEX = """# Columns below this comment are as follows:
# 1. Time results were received.
# 2. MD5 hash of participant's IP address.
# 3. Controller name.
# 4. Item number.
# 5. Element number.
# 6. Type.
# 7. Group.
# 8. Sentence (or sentence MD5).
1700000001,aaaabbbb,FlashSentence,4,0,filler,NULL,The cat slept.
# 8. Question (NULL if none).
# 9. Answer.
# 10. Whether or not answer was correct (NULL if N/A).
# 11. Time taken to answer.
1700000001,aaaabbbb,Question,4,0,filler,NULL,NULL,good,NULL,1200
1700000002,ccccdddd,Question,4,0,filler,NULL,NULL,bad,NULL,900
"""


def test_choices_are_judgements_and_the_last_of_a_trial_counts(tmp_path: Path) -> None:
    study = study_of(write(tmp_path / "results", PENN))
    assert cells(study) == [
        ("s1", "aaaabbbb@1700000001", "natural", "4"),
        ("s2", "aaaabbbb@1700000001", "better", "left, first"),
        ("s1", "aaaabbbb@1700000009", "natural", "5"),
    ]
    assert study.left_out == (
        (3, "lines that are no answers to a question"),
        (1, "choices that were changed later in the same trial"),
    )
    assert "EventTime" in study.unused


def test_questions_of_ibex(tmp_path: Path) -> None:
    study = study_of(write(tmp_path / "results.csv", IBEX))
    assert cells(study) == [("filler/4", "aaaabbbb@1700000001", "good"), ("filler/4", "ccccdddd@1700000002", "bad")]


def test_a_column_names_participants_even_if_one_line_only_has_it(tmp_path: Path) -> None:
    who = "# 13. participant.\n# 14. Comments.\n1700000001,aaaabbbbcccc,PennController,0,0,x,NULL,PennController,0,_Trial_,Start,1,Ida,NULL\n"
    study = study_of(write(tmp_path / "results.txt", START + who + PENN.removeprefix(START)))
    assert study.raters == ("Ida", "aaaabbbb@1700000009")
    with pytest.raises(InputError, match="there is no such column"):
        study_of(tmp_path / "results.txt", unit="thing")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (START + "1,a,b\n", "3 cells instead of 12"),
        (START + "1,a,P,1,0,r,NULL,Scale,n,Choice,3,many,things,more\n", "14 cells instead of 12"),
        (START + "1,a,P,1,0,r,NULL,PennController,1,_Trial_,Start,5\n", "there are no judgements"),
        ("#\n" + START[START.index("# 2.") :] + "a,b\n", "no comment names the columns"),
    ],
)
def test_damaged_results_are_refused(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        study_of(write(tmp_path / "results", text), format="pcibex")


def test_decoys_are_not_taken(tmp_path: Path) -> None:
    text = "# a table with a comment\nunit,rater,value\nController name,MD5 hash of participant's IP address,1\n"
    assert claim(formats()["pcibex"], write(tmp_path / "a.csv", text)) == 0
