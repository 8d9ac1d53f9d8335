"""PyTerrier: our measures in pt.Experiment, and its scores by topic in md.compare and md.gate."""

import ir_measures
import pandas as pd
import pyterrier as pt
import pytest

import measurand as md
from measurand.compat.ir_measures import measure

pytestmark = pytest.mark.filterwarnings("default")
"""What PyTerrier is warned of by pandas is not ours to mend."""

OURS = ["nDCG@10", "gRBP(p=0.8)", "interval(P@10)", "ESL"]


def frame(nested, value):
    rows = [(topic, document, number) for topic, found in nested.items() for document, number in found.items()]
    return pd.DataFrame(rows, columns=["qid", "docno", value])


@pytest.fixture(scope="module")
def experiment(qrels, runs):
    """Return a function that calls pt.Experiment with some measures on the runs of the sample."""
    topics = pd.DataFrame({"qid": list(qrels), "query": "?"})
    ranked = [pt.model.add_ranks(frame(run, "score").assign(query="?")) for run in runs.values()]
    systems = list(map(pt.Transformer.from_df, ranked))

    def call(measures, **options):
        return pt.Experiment(systems, topics, frame(qrels, "label"), measures, names=list(runs), **options)

    return call


@pytest.mark.parametrize("options", [{}, {"batch_size": 7}], ids=["at once", "in batches"])
def test_an_experiment_takes_our_measures(experiment, qrels, runs, options):
    found = experiment(["map", *map(measure, OURS)], **options).set_index("name")
    expected = md.evaluate(qrels, runs, ["AP", *OURS])
    for column, name in zip(found.columns, ["AP", *OURS], strict=True):
        if name == "AP" or expected[name].measure == column:
            assert found[column].to_dict() == pytest.approx(expected[name].mean().to_dict(), rel=1e-9)


def test_an_experiment_tests_our_measures_against_a_baseline(experiment):
    found = experiment([measure("gRBP(p=0.8)")], baseline=0, correction="holm")
    assert "gRBP(p=0.8) p-value corrected" in found.columns


def test_scores_by_topic_are_compared_as_runs_are(experiment, qrels, runs):
    scores = experiment(["map", measure("P@10")], perquery=True)
    comparison, expected = md.compare(scores), md.compare(qrels, runs, ["AP", "P@10"])
    for name in ("AP", "P@10"):
        assert comparison[name].systems == expected[name].systems
        assert comparison[name].pairs.pvalues == pytest.approx(expected[name].pairs.pvalues, rel=1e-6)


def test_means_and_scores_together_are_compared_by_topic(experiment):
    both = experiment(["map"], perquery="both")
    assert md.compare(both).to_dict() == md.compare(both.perquery).to_dict()


def test_the_files_that_an_experiment_saves_are_compared(experiment, tmp_path):
    scores = experiment([ir_measures.AP], save_dir=str(tmp_path), perquery=True)
    names = scores.name.unique()
    assert md.compare(tmp_path / "perquery.csv").primary.systems == md.compare(scores).primary.systems
    assert md.gate(tmp_path / "perquery.csv", names[0], names[0], "map").passed
    with pytest.raises(md.InputFileError, match=r"holds means over topics.*perquery"):
        md.compare(tmp_path / "aggregated.csv")
