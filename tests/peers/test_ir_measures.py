"""Calls of ir_measures: the same numbers through our functions, and through our provider."""

import ir_measures as theirs
import pytest
from ir_measures import AP, RR, Bpref, P, R, Rprec, SetP, Success, nDCG

from measurand.compat import ir_measures as ours

MEASURES = [AP, AP(rel=2), AP @ 100, nDCG, nDCG @ 10, P(rel=2) @ 10, R @ 100, RR, Rprec, Bpref, SetP, Success @ 1]


def test_means_and_values_by_topic_are_those_of_ir_measures(qrels, runs):
    for run in runs.values():
        evaluators = [
            module.evaluator(MEASURES, qrels) for module in (theirs, ours, theirs.providers.registry["measurand"])
        ]
        expected, *found = [evaluator.calc(run) for evaluator in evaluators]
        for each in found:
            assert each.aggregated == pytest.approx(expected.aggregated, rel=1e-12)
            by_topic, wanted = (
                {(metric.query_id, str(metric.measure)): metric.value for metric in every.per_query}
                for every in (each, expected)
            )
            assert by_topic == pytest.approx(wanted, rel=1e-12, abs=1e-12)
