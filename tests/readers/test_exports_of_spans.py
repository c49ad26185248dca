"""Real exports of other tools give what an independent count of them gave."""

from collections import Counter
from pathlib import Path

import pytest

from concordant.errors import InputError
from concordant.readers import read

pytestmark = pytest.mark.data


@pytest.fixture
def exports(data_dir: Path) -> Path:
    """The folder of other tools' exports."""
    return data_dir / "exports"


def test_brat(exports: Path) -> None:
    table = read(exports / "brat" / "example-project")
    assert Counter(table.rater.tolist()) == {"Lisa": 404, "Maria": 404, "Max": 358, "Peter": 401}
    assert len(set(table.text.tolist())) == 7
    spans = zip(table.rater, table.text, table.begin, table.end, table.category, strict=True)
    exact: dict[str, set[object]] = {rater: set() for rater in table.raters}
    for rater, *span in spans:
        exact[rater].add(tuple(span))

    def f1(a: str, b: str) -> float:
        return 2 * len(exact[a] & exact[b]) / (len(exact[a]) + len(exact[b]))

    assert f1("Lisa", "Maria") == pytest.approx(0.9455, abs=5e-5)
    assert f1("Maria", "Max") == pytest.approx(0.8163, abs=5e-5)


@pytest.mark.parametrize("name", ["kappatest", "kappaarcdiff", "kappaspandiff", "kappaspanarcdiff"])
def test_webanno_tsv_1(exports: Path, name: str) -> None:
    table = read(exports / "webanno" / f"{name}.tsv")
    assert (len(table), table.raters) == (9, (name,))


def test_webanno_project(exports: Path) -> None:
    table = read(exports / "webanno" / "curated_annotation_project_3_6_1.zip")
    assert table.seen == {("example_sentence.txt", "admin")}
    assert "curation/example_sentence.txt/CURATION_USER.tsv" in table.unused


@pytest.mark.parametrize(
    ("case", "layer", "sizes"),
    [
        ("multipleStackedAnnotationsAreNotMergedTest", None, {"user1": 2, "user2": 3}),
        ("relationLabelTest", "POS", {"user1": 26, "user2": 26}),
        ("simpleRelGovDiffTest", None, {"user1": 2, "user2": 2}),
        ("simpleSpanDiffMultiFeatureTest", None, {"user1": 1, "user2": 1}),
    ],
)
def test_inception(exports: Path, case: str, layer: str | None, sizes: dict[str, int]) -> None:
    table = read(exports / "inception" / "testsuite" / case, layer=layer)
    assert Counter(table.rater.tolist()) == sizes
    assert "curator.tsv" in table.unused


def test_inception_asks_for_the_layer(exports: Path) -> None:
    with pytest.raises(InputError, match=r"2 layers: POS \(52 spans\), Lemma \(52 spans\)"):
        read(exports / "inception" / "testsuite" / "relationLabelTest")


@pytest.mark.parametrize("ending", ["json", "xmi"])
def test_cas(exports: Path, ending: str) -> None:
    file = exports / "cas_json" / f"tsv3-testSimpleSlotFeature.{ending}"
    with pytest.raises(InputError, match=r"2 layers: SimpleLinkHost \(1 span\), SimpleSpan \(2 spans\)"):
        read(file)
    spans = read(file, layer="SimpleSpan")
    assert (spans.begin.tolist(), spans.end.tolist(), list(spans.lengths.values())) == ([5, 8], [7, 9], [16])


def test_redewiedergabe(exports: Path) -> None:
    folder = exports / "redewiedergabe_xmi"
    with pytest.raises(InputError, match=r"Stwr \(167 spans\)"):
        read(folder)
    table = read(folder, layer="Stwr", feature=("RType",))
    found = Counter(zip((text.removeprefix("rwk_digbib_") for text in table.text), table.rater, strict=True))
    first = ("earth", "jupiter", "mars", "neptune", "pluto", "saturn", "uranus")
    assert found == {
        **{("1039-1", rater): n for rater, n in zip(first, (18, 14, 9, 11, 9, 10, 7), strict=True)},
        ("1014-1", "earth"): 9, ("1014-1", "jupiter"): 14, ("1017-1", "mars"): 7, ("1017-1", "uranus"): 6,
        ("1019-3", "jupiter"): 29, ("1019-3", "mars"): 24,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("file", "n_texts", "n_spans"),
    [
        ("doccano/bsner_admin.jsonl", 454, 444),
        ("doccano/transformer/labeling.jsonl", 2, 16),
        ("doccano/transformer/labeling_text_label.jsonl", 2, 11),
        ("prodigy/fashion_brands_eval_300.jsonl", 300, 129),
        ("labelbox/text_export_v1.json", 1, 4),
        ("folia/entities-deep.2.0.0.folia.xml", 1, 3),
        ("folia/alternatives-span.2.0.0.folia.xml", 1, 6),
        ("folia/sentiments.2.0.0.folia.xml", 1, 1),
    ],
)
def test_spans_of_single_files(exports: Path, file: str, n_texts: int, n_spans: int) -> None:
    table = read(exports / file)
    assert (len({text for text, _ in table.seen}), len(table)) == (n_texts, n_spans)


def test_categories_of_doccano(exports: Path) -> None:
    found = Counter(read(exports / "doccano" / "bsner_admin.jsonl").category.tolist())
    assert (len(found), found["PERSON"], found["LOC"], found["ORG"]) == (7, 178, 105, 91)


def test_alternatives_of_folia_are_readings(exports: Path) -> None:
    table = read(exports / "folia" / "alternatives-span.2.0.0.folia.xml")
    assert sorted(Counter(table.rater.tolist()).values()) == [3, 3]


def test_gate_asks_what_its_sets_are(exports: Path) -> None:
    file = exports / "gate" / "testdoc1.xml"
    with pytest.raises(InputError, match=r"2 layers: default \(2 spans\), Set2 \(5 spans\)"):
        read(file)
    assert Counter(read(file, sets="raters").rater.tolist()) == {"default": 2, "Set2": 5}


@pytest.mark.parametrize(
    ("layer", "feature", "sizes"),
    [
        ("sentiment", "polarity", (33, 47)), ("target", "none", (37, 49)), ("source", "none", (16, 23)),
        ("emo-expression", "polarity", (96, 106)),
    ],
)  # fmt: skip
def test_mmax2(exports: Path, layer: str, feature: str, sizes: tuple[int, int]) -> None:
    table = read(exports / "mmax2" / "corpus", layer=layer, feature=(feature,))
    found = Counter(table.rater.tolist())
    assert (found["annotator-1"], found["annotator-2"]) == sizes
    assert table.lengths == {"1.general": 1743.0}


def test_qdpx(exports: Path) -> None:
    table = read(exports / "qdpx" / "TestProject.qdpx")
    n_other = sum(number for number, reason in table.left_out if "coding" in reason)
    n_sources = len(set(table.text.tolist())) + sum(name.startswith("source ") for name in table.unused)
    assert (len(table) + n_other, n_sources) == (16, 6)


def test_catma(exports: Path) -> None:
    table = read(exports / "catma_git")
    assert Counter(table.rater.tolist()) == {"MVauth": 20, "mvgoogle": 19}
    assert set(table.category.tolist()) == {"process_event", "stative_event", "change_of_state", "non_event"}
    assert sum(note.startswith("2 discontinuous annotations") for note in table.notes) == 2
    assert "collection gold_annotation" in table.unused
