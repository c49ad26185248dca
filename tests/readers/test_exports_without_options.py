"""Every export of another tool, read without a word: what an independent count of it gave, or a refusal that fits."""

import re
from pathlib import Path
from typing import Any

import pytest

import concordant
from concordant.errors import InputError
from concordant.readers import find_format
from concordant.readers.account import account_of

pytestmark = pytest.mark.data

READ: dict[str, dict[str, Any]] = {
    "asreview/asreview-demo-project-v2.asreview": {"format": "asreview", "n_units": 24, "n_judgements": 23},
    "asreview/generic_labels.csv": {"format": "asreview", "n_units": 6, "n_judgements": 6},
    "brat/example-project": {"format": "brat", "n_texts": 7, "n_raters": 4, "n_spans": 1567},
    "catma_git": {"format": "catma", "n_texts": 1, "n_raters": 2, "n_spans": 39},
    "cgel": {"format": "cgel", "kind": "trees", "n_units": 5, "n_raters": 2},
    "doccano/bsner_admin.jsonl": {"format": "doccano", "n_texts": 454, "n_spans": 444, "n_raters": 1},
    "doccano/transformer/classification.csv": {"format": "doccano_choices", "n_units": 3, "n_judgements": 3},
    "doccano/transformer/classification.jsonl": {"format": "doccano_choices", "n_units": 3, "n_judgements": 3},
    "doccano/transformer/labeling.jsonl": {"format": "doccano", "n_texts": 2, "n_spans": 16},
    "doccano/transformer/labeling_text_label.jsonl": {"format": "doccano", "n_texts": 2, "n_spans": 11},
    "elan/childproject_example.eaf": {"format": "elan", "n_raters": 1, "n_spans": 296 + 416},
    "exmaralda/Example_basic.exb": {"format": "exmaralda", "n_raters": 1, "n_spans": 21},
    "exmaralda/Example_linear.exb": {"format": "exmaralda", "n_raters": 1, "n_spans": 42},
    "facets_app/wideRaters.csv": {"format": "table", "n_units": 22, "n_raters": 2},
    "folia/entities-deep.2.0.0.folia.xml": {"format": "folia", "n_spans": 3},
    "folia/alternatives-span.2.0.0.folia.xml": {"format": "folia", "n_raters": 2, "n_spans": 6},
    "folia/sentiments.2.0.0.folia.xml": {"format": "folia", "n_spans": 1},
    "inception/testsuite/multipleStackedAnnotationsAreNotMergedTest": {
        "format": "webanno",
        "n_raters": 2,
        "n_spans": 5,
    },
    "inception/testsuite/simpleRelGovDiffTest": {"format": "webanno", "n_raters": 2},
    "inception/testsuite/simpleSpanDiffMultiFeatureTest": {"format": "webanno", "n_raters": 2, "n_spans": 2},
    "jspsych/length_com_jspsych.csv": {"format": "jspsych", "n_units": 2, "n_raters": 50, "n_judgements": 100},
    "label_studio/converter/csv_test2.json": {"format": "label_studio_choices", "n_units": 1, "n_judgements": 1},
    "label_studio/converter/csv_test_history.json": {"format": "label_studio_choices", "n_units": 1, "n_judgements": 1},
    "labelbox/text_export_v1.json": {"format": "labelbox", "n_texts": 1, "n_spans": 4, "n_raters": 1},
    "mturk/word_alignment_batch_results.csv": {"format": "mturk", "n_units": 30, "n_raters": 3},
    "mturk_snow2008/anger.standardized.tsv": {"n_units": 100, "n_raters": 38, "n_judgements": 1000},
    "mturk_snow2008/rte.standardized.tsv": {"n_units": 800, "n_raters": 164, "n_judgements": 8000},
    "mturk_snow2008/wordsim.standardized.tsv": {"n_units": 30, "n_raters": 10, "n_judgements": 300},
    "potato": {"format": "potato", "n_units": 6, "n_raters": 2, "n_judgements": 20},
    "prodigy/fashion_brands_eval_300.jsonl": {"format": "prodigy", "n_texts": 300, "n_spans": 129},
    "prodigy/presto_distortion.jsonl": {
        "format": "prodigy_choices",
        "n_units": 593,
        "n_raters": 3,
        "n_judgements": 1776,
    },
    "prodigy/presto_types.jsonl": {"format": "prodigy_choices", "n_units": 317, "n_raters": 3},
    "qdpx/TestProject.qdpx": {"format": "qdpx", "n_raters": 1, "n_spans": 7},
    "qualtrics/legitimacy_0723.csv": {"format": "qualtrics", "n_raters": 12},
    "qualtrics/qualtRics_sample.csv": {"format": "qualtrics", "n_raters": 1, "n_judgements": 1},
    "qualtrics/qualtRics_sample_legacy.csv": {"format": "qualtrics", "n_raters": 1, "n_judgements": 1},
    "cgel/ewt-test_pilot5.nschneid.cgel": {"format": "cgel", "kind": "trees", "n_units": 5, "n_raters": 1},
    "textgrid": {"format": "textgrid", "n_texts": 4, "n_raters": 1, "n_spans": 49},
    "textgrid/bobby_phones.TextGrid": {"format": "textgrid", "n_spans": 13},
    "textgrid/mary.TextGrid": {"format": "textgrid", "n_raters": 1, "n_spans": 18},
    "webanno/curated_annotation_project_3_6_1.zip": {"format": "webanno_project", "n_texts": 1, "n_raters": 1},
    "webanno/kappatest.tsv": {"format": "webanno", "n_spans": 9, "n_raters": 1},
}
REFUSED: dict[str, str] = {
    "brat/example-project/annotation.conf": r"no format of data is known|only one column",
    "cas_json/tsv3-testSimpleSlotFeature.json": r"2 layers: SimpleLinkHost \(1 span\), SimpleSpan \(2 spans\)",
    "cas_json/tsv3-testSimpleSlotFeature.xmi": r"2 layers: SimpleLinkHost \(1 span\), SimpleSpan \(2 spans\)",
    "cas_json/tsv3-testSimpleSlotFeature-typesystem.xml": r"no format of data is known",
    "catma_git/collections/C_D32D3AFF-98A6-4596-9B32-ABDC66445290/annotations/mvgoogle_0.json": r"no format of data",
    "facets_app/narrow.csv": r"no column was found for the rater",
    "facets_app/wideOutcomes.csv": r"stands in 5 rows, and no column says who judged",
    "gate/testdoc1.xml": r"2 layers: default \(2 spans\), Set2 \(5 spans\)",
    "inception/testsuite/relationLabelTest": r"2 layers: POS \(52 spans\), Lemma \(52 spans\)",
    "label_studio/converter/csv_test.json": r"tasks: 2, .*rectangles: 3: boxes and polygons are neither",
    "label_studio/converter/csv_test2_result.csv": r"none is known to be an answer",  # the answer is not in the file
    "label_studio/converter/json_min_source.json": r"tasks: 1, .*polygons: 1: boxes and polygons are neither",
    "label_studio/evalme_bbox.json": r"tasks: 5, raters: 3, annotations: 15, rectangles: 91: boxes",
    "mmax2/corpus": r"sentiment \(80 spans\), source \(39 spans\), target \(86 spans\)",
    "prodigy/presto_distortion_published_kappa.csv": r"neither rater and value columns nor one column per rater",
    "redewiedergabe_xmi": r"Stwr \(167 spans\)",
}  # fmt: skip


@pytest.mark.parametrize("name", READ)
def test_read_as_it_is(data_dir: Path, name: str) -> None:
    path = data_dir / "exports" / name
    told = account_of(concordant.read(path), find_format(path)).to_dict()
    assert {key: told[key] for key in READ[name]} == READ[name]


@pytest.mark.parametrize("name", REFUSED)
def test_refused_for_what_it_is(data_dir: Path, name: str) -> None:
    with pytest.raises(InputError, match=REFUSED[name]) as caught:
        concordant.read(data_dir / "exports" / name)
    assert "\n" not in str(caught.value)


def test_no_file_is_misread(data_dir: Path) -> None:
    """Files that are parts of others, and texts, are refused in one line, or hold at least one judgement or span."""
    refusals, empty = [], []
    for path in sorted((data_dir / "exports").rglob("*")):
        if not path.is_file() or path.name == "README.md":
            continue
        try:
            told = account_of(concordant.read(path), find_format(path)).to_dict()
        except InputError as error:
            refusals.append(str(error))
            continue
        if not (told["n_spans"] or told["n_judgements"] or told["n_units"]):
            empty.append(path.name)
    assert not any("\n" in refusal for refusal in refusals)
    assert set(empty) <= {"curator.tsv", "curated_annotation_project_3_6_1.zip"}  # versions without a span


@pytest.mark.parametrize(
    ("name", "level", "value"),
    [("rte", "nominal", 0.2415), ("anger", "interval", 0.3533), ("wordsim", "interval", 0.6701)],
)
def test_alpha_of_snow_et_al(data_dir: Path, name: str, level: str, value: float) -> None:
    file = data_dir / "exports" / "mturk_snow2008" / f"{name}.standardized.tsv"
    found = concordant.measure(file, "alpha", level=level, ci="none")
    assert found.value == pytest.approx(value, abs=5e-5)


def test_every_folder_is_tried(data_dir: Path) -> None:
    folders = {path.name for path in (data_dir / "exports").iterdir() if path.is_dir()}
    assert folders <= {re.split("/", name)[0] for name in (*READ, *REFUSED)}
