"""Best alignments as results."""

from dataclasses import replace
from importlib.resources import files
from typing import Any

import pandas as pd
import pytest
from matplotlib.axes import Axes

import concordant as cc
from concordant.errors import InputError
from concordant.measures.unitizing.alignment import Unfinished, best_alignment
from concordant.uncertainty import aligned as module

SPANS = str(files("concordant") / "examples" / "data" / "spans.csv")


def test_every_text_is_aligned_and_every_unit_is_in_it_once() -> None:
    found = cc.align(SPANS)
    frame = found.to_frame()
    assert [one.title for one in found] == ["ferry", "lighthouse", "orchard", "well"]
    assert len(frame) == len(pd.read_csv(SPANS))
    assert list(frame.columns)[:5] == ["text", "alignment", "disorder", "rater", "begin"]
    assert found.to_dict()["alignments"][0]["disorder"] == found[0].to_dict()["least_disorder"]
    assert found[0].is_proven
    assert not found.is_interrupted
    assert repr(found).startswith("4 texts aligned\n<ferry: 9 alignments, disorder 0.5212>")
    assert found._repr_html_().count("<tr>") == 5
    assert ">Ida, " in found._repr_html_()


def test_data_in_other_forms_and_options_of_gamma() -> None:
    table = cc.read(SPANS)
    text = cc.continua(table)[0]
    assert cc.align(text)[0].to_dict() == cc.align(SPANS)[0].to_dict()
    assert cc.align(cc.continua(table))[0].to_dict() == cc.align(pd.read_csv(SPANS))[0].to_dict()
    assert cc.align(text, delta_empty=0.1)[0].to_dict()["disorder"] < cc.align(text)[0].to_dict()["disorder"]
    with pytest.raises(InputError, match="only spans can be aligned"):
        cc.align(cc.Judgements.from_matrix([[1, 1], [2, 1]]))
    with pytest.raises(InputError, match="no option 'delta'"):
        cc.align(SPANS, delta=1)


def test_a_text_of_one_rater_is_said_and_left_out() -> None:
    frame = pd.read_csv(SPANS).query("text != 'well' or rater == 'Ida'")
    found = cc.align(frame)
    assert [one.title for one in found] == ["ferry", "lighthouse", "orchard"]
    assert found.notes[0].startswith("well: ")


def test_spans_of_zero_length_can_be_left_out() -> None:
    frame = pd.concat(
        [
            pd.read_csv(SPANS),
            pd.DataFrame([{"text": "ferry", "rater": "Ida", "begin": 3, "end": 3, "category": "dream"}]),
        ]
    )
    assert [one.title for one in cc.align(frame)] == ["lighthouse", "orchard", "well"]
    assert len(cc.align(frame, zero_length="drop")) == 4


def test_an_interrupt_keeps_what_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = cc.continua(cc.read(SPANS))
    done = cc.align(texts[1])[0].alignment
    real, asked = best_alignment, []

    def interrupted(*given: Any) -> Any:
        asked.append(given)
        if len(asked) < 2:
            return real(*given)
        ended = Unfinished.__new__(Unfinished)
        ended.__dict__["alignment"] = lambda: done
        raise ended

    monkeypatch.setattr(module, "best_alignment", interrupted)
    found = cc.align(texts)
    assert [one.title for one in found] == ["ferry", "lighthouse"]
    assert found.is_interrupted
    assert found.notes == (
        "lighthouse: interrupted, so the alignment is the best found so far, not proven the best",
        "interrupted: 2 of 4 texts were not aligned",
    )


def test_an_alignment_is_drawn() -> None:
    assert isinstance(cc.align(SPANS)[0].plot(), Axes)
    assert isinstance(cc.plot(SPANS, "alignment", where={"text": ["well"]}), Axes)
    assert len(cc.plot(SPANS, "alignment")) == 4


def test_progress_counts_texts_that_are_done() -> None:
    told: list[tuple[int, int]] = []
    cc.align(SPANS, progress=lambda done, total: told.append((done, total)))
    shares = [done / total for done, total in told]
    assert shares == sorted(shares)
    assert [pair for pair in told if pair[1] == 4] == [(1, 4), (2, 4), (3, 4), (4, 4)]


def test_twenty_texts_are_printed() -> None:
    text = cc.continua(cc.read(SPANS))[0]
    printed = repr(cc.align([text] * 25)).splitlines()
    assert printed[0] == "25 texts aligned"
    assert len(printed) == 21


def test_slices_by_one_column_or_several() -> None:
    frame = pd.read_csv(SPANS)
    frame["round"] = ["first" if place % 2 else "second" for place in range(len(frame))]
    one, same = cc.align(frame, by="round"), cc.align(frame, by=["round"])
    assert [text.title for text in one] == [text.title for text in same]
    assert {text.text.slice["round"] for text in one} == {"first", "second"}
    assert one[0].title == " · ".join(one[0].text.slice.values()) != ""
    unnamed = replace(one[0], text=replace(one[0].text, slice={}))
    assert unnamed.title == one[0].text.name != ""
