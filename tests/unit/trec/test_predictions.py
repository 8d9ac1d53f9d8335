"""Files of MTEB and sentence-transformers: predictions are runs, means are refused."""

import json

import pytest

import measurand as md

FOUND = {"q1": {"d1": 0.5, "d2": 0.25}, "q2": {"d1": 0.125}}

MTEB_RESULT = {
    "dataset_revision": "ec0fa4fe99da2ff19ca1214b7966684033a58814",
    "task_name": "NFCorpus",
    "mteb_version": "2.26.24",
    "scores": {"test": [{"ndcg_at_10": 0.3, "main_score": 0.3, "hf_subset": "default", "languages": ["eng-Latn"]}]},
    "evaluation_time": 3.2,
}

HEADER = "epoch,steps,cosine-Accuracy@1,cosine-Precision@1,cosine-Recall@1,cosine-MRR@10,cosine-NDCG@10,cosine-MAP@100"


def predictions(**subsets):
    return json.dumps({"mteb_model_meta": {"model_name": "org/model", "revision": "1"}, **subsets})


def test_predictions_of_mteb_are_a_run_of_the_model(tmp_path):
    path = tmp_path / "NFCorpus_predictions.json"
    path.write_text(predictions(default={"test": FOUND}))
    run = md.read_run(path)
    assert (run.name, run.to_dict()) == ("org/model", FOUND)
    assert md.evaluate({"q1": {"d2": 1}}, path, "RR")["RR"]["org/model"] == {"q1": 0.5}


def test_every_subset_and_split_is_a_run(tmp_path):
    path = tmp_path / "BelebeleRetrieval_predictions.json"
    path.write_text(predictions(en={"test": FOUND, "dev": FOUND}, de={"test": FOUND}))
    assert [run.name for run in md.read_runs(path)] == [
        f"org/model/{part}" for part in ("en/test", "en/dev", "de/test")
    ]
    assert md.read_run(path, name="org/model/de/test").to_dict() == FOUND


def test_two_models_are_called_by_their_names(tmp_path):
    for name in ("a", "b"):
        text = predictions(default={"test": FOUND}).replace("org/model", f"org/{name}")
        (tmp_path / f"{name}_predictions.json").write_text(text)
    assert [run.name for run in md.read_runs(tmp_path)] == ["org/a", "org/b"]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (predictions(default={"test": [0, 1, 1]}), "default/test has no scores of documents by query"),
        (predictions(), "holds no predictions"),
        (predictions(default={"test": FOUND})[:-4], "is no whole JSON file"),
    ],
)
def test_other_predictions_are_refused(tmp_path, text, why):
    path = tmp_path / "Task_predictions.json"
    path.write_text(text)
    with pytest.raises(md.InputFileError, match=why):
        md.read_run(path)


@pytest.mark.parametrize(
    ("name", "text", "instead"),
    [
        ("NFCorpus.json", json.dumps(MTEB_RESULT, indent=2), "prediction_folder"),
        ("Information-Retrieval_evaluation_results.csv", f"{HEADER}\n-1,-1,0,0,0,0,0.5,0\n", "write_predictions=True"),
        ("aggregated.csv", "name,map,nDCG@10\nbm25,0.2,0.4\n", "perquery"),
    ],
)
def test_files_of_means_are_refused_with_what_to_keep_instead(tmp_path, name, text, instead):
    path = tmp_path / name
    path.write_text(text)
    for call in (lambda: md.compare(path), lambda: md.compare({"1": {"d": 1}}, path), lambda: md.gate(path, "a", "b")):
        with pytest.raises(md.InputFileError, match=f"holds means over topics, .*{instead}"):
            call()
    with pytest.raises(md.InputFileError, match=f"holds means over topics, .*{instead}"):
        md.read_qrels(path)


def test_a_table_of_runs_whose_names_come_first_is_no_table_of_means(tmp_path):
    (tmp_path / "runs.csv").write_text("name,query_id,docno,score\nbm25,1,a,2.5\n")
    assert md.read_run(tmp_path / "runs.csv").to_dict() == {"1": {"a": 2.5}}


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('{"mteb_model_meta": {}, "default": {"test": {"1": {"a": 2, "a": 1}}}}', "'a' stands twice in one object"),
        ('{"mteb_model_meta": ' + "[" * 100_000, "nested too deeply"),
    ],
)
def test_predictions_that_say_two_things_or_go_too_deep_are_refused(tmp_path, text, why):
    (tmp_path / "x_predictions.json").write_text(text)
    with pytest.raises(md.InputFileError, match=why):
        md.read_run(tmp_path / "x_predictions.json")
