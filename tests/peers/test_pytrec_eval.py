"""Scripts written for pytrec_eval, with the import changed: the loops of BEIR and of MTEB, and pytrec_eval's own."""

import json

import pytest
import pytrec_eval as theirs

import measurand.compat.pytrec_eval as ours

CUTOFFS = (1, 3, 5, 10, 100, 1000)

COMMON = theirs.supported_measures & ours.supported_measures


def as_beir(pytrec_eval, qrels, results):
    """Return means rounded to five digits, by the names that BEIR asks for them."""
    cutoffs = ",".join(map(str, CUTOFFS))
    families = {"NDCG": "ndcg_cut", "MAP": "map_cut", "Recall": "recall", "P": "P"}
    names = {f"{family}.{cutoffs}" for family in families.values()}
    scores = pytrec_eval.RelevanceEvaluator(qrels, names).evaluate(results)
    return {
        f"{name}@{k}": round(sum(scores[topic][f"{family}_{k}"] for topic in scores) / len(scores), 5)
        for name, family in families.items()
        for k in CUTOFFS
    }


def as_the_readme(pytrec_eval, qrels, results):
    """Return what pytrec_eval's own example prints."""
    evaluator = pytrec_eval.RelevanceEvaluator(qrels, {"map", "ndcg", "num_rel_ret", "gm_map"})
    found = evaluator.evaluate(results)
    json.dumps(found, indent=1)
    return {
        measure: pytrec_eval.compute_aggregated_measure(measure, [values[measure] for values in found.values()])
        for measure in sorted(next(iter(found.values())))
    }


@pytest.mark.parametrize("script", [as_beir, as_the_readme])
def test_a_script_gives_the_same_numbers_with_the_import_changed(script, qrels, runs):
    for run in runs.values():
        assert script(ours, qrels, run) == pytest.approx(script(theirs, qrels, run), rel=1e-12)


@pytest.mark.parametrize("options", [{}, {"relevance_level": 2}, {"judged_docs_only_flag": True}], ids=str)
def test_all_measures_on_all_topics(qrels, runs, options):
    for run in runs.values():
        expected = theirs.RelevanceEvaluator(qrels, COMMON, **options).evaluate(run)
        found = ours.RelevanceEvaluator(qrels, COMMON, **options).evaluate(run)
        assert list(found) == list(expected)
        for topic, values in expected.items():
            assert found[topic] == pytest.approx(values, rel=1e-12, abs=1e-12)


def test_no_name_is_missing():
    assert ours.supported_measures == theirs.supported_measures
