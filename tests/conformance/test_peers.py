"""Measures, ties and missing topics against what other tools compute from the same campaigns."""

import shutil
from collections import defaultdict

import ir_measures
import numpy as np
import polars as pl
import pytest
import pytrec_eval

import measurand as md
from measurand.measures.aliases import NOT_OFFERED

SEEDS = range(8)
TOPICS = 12

TREC_NAMES = {
    "G",
    "P",
    "Rprec",
    "Rprec_mult",
    "binG",
    "bpref",
    "infAP",
    "map",
    "map_cut",
    "ndcg",
    "ndcg_cut",
    "ndcg_rel",
    "num_nonrel_judged_ret",
    "num_rel",
    "num_rel_ret",
    "num_ret",
    "recall",
    "recip_rank",
    "relative_P",
    "set_F",
    "set_P",
    "set_map",
    "set_recall",
    "set_relative_P",
    "success",
    "utility",
}
"""What pytrec_eval is asked for; it answers with every cutoff that trec_eval has by default."""

IR_MEASURES = {
    "AP": "AP",
    "AP(rel=2)": "AP(rel=2)",
    "AP@10": "AP@10",
    "Bpref": "Bpref",
    "BPM(max_rel=3)@5": "BPM(max_rel=3)@5",
    "BPM(T=1.5,min_rel=1,max_rel=3)@10": "BPM(T=1.5, min_rel=1, max_rel=3)@10",
    "INSQ(max_rel=3)": "INSQ(max_rel=3)",
    "INSQ(T=2.5,max_rel=3)": "INSQ(T=2.5, max_rel=3)",
    "INST(max_rel=3)": "INST(gmax=3)",
    "INST(T=2.5,max_rel=3)": "INST(T=2.5, gmax=3)",
    "Judged@10": "Judged@10",
    "NERR8(max_rel=3)@10": "NERR8(max_rel=3)@10",
    "NERR9(max_rel=3)@10": "NERR9(max_rel=3)@10",
    "NERR10(p=0.8,max_rel=3)": "NERR10(p=0.8, max_rel=3)",
    "NERR11(T=2.0,max_rel=3)": "NERR11(T=2, max_rel=3)",
    "NumRet": "NumRet",
    "NumRet(rel=1)": "NumRet(rel=1)",
    "P(judged_only=True)@5": "P(judged_only=True)@5",
    "P(rel=2)@5": "P(rel=2)@5",
    "P@5": "P@5",
    "R@20": "R@20",
    "RBP(rel=1,p=0.8)": "RBP(rel=1, p=0.8)",
    "RBP(rel=2,p=0.5)": "RBP(rel=2, p=0.5)",
    "RR": "RR",
    "RR@10": "RR@10",
    "Rprec": "Rprec",
    "SDCG(max_rel=3)@10": "SDCG(max_rel=3)@10",
    "SetAP": "SetAP",
    "SetF": "SetF",
    "SetP": "SetP",
    "SetP(relative=True)": "SetP(relative=True)",
    "SetR": "SetR",
    "Success@5": "Success@5",
    "infAP": "infAP",
    "nDCG": "nDCG",
    "nDCG(gains={1: 1, 2: 3, 3: 7})@10": 'nDCG(gain="exp2")@10',
    "nDCG@10": "nDCG@10",
}
"""ir_measures' spellings and ours."""

RANX = (
    *(
        "map",
        "map@10",
        "map@10-l2",
        "mrr",
        "mrr@3",
        "mrr@3-l3",
        "precision",
        "precision@5",
        "precision@5-l2",
        "recall@20",
    ),
    *("f1", "f1@5", "f1@5-l2", "r-precision", "r-precision-l2", "hits", "hits@5", "hits@5-l2", "hit_rate@3"),
    *("hit_rate@3-l2", "ndcg", "ndcg@10", "ndcg@10-l2", "ndcg_burges@10", "dcg@10", "dcg@10-l2", "dcg_burges@10"),
)
"""What ranx calls measures whose values it shares with us, whatever the grades."""


def campaign(seed, *, lowest=0, complete=False):
    """Return judgments and a run with ties, unjudged documents and topics without relevant documents.

    A quarter is a number that 32-bit floats have, too. Unless it is complete, the run leaves topics out
    and has one that was never judged. Grades go from `lowest` to 3.
    """
    rng = np.random.default_rng(seed)
    documents = [f"{prefix}{number}" for prefix in ("d", "doc-", "D", "é") for number in range(15)]
    qrels, run = {}, {}
    for topic in map(str, range(TOPICS)):
        top = rng.choice([0, 1, 3, 3])
        judged = rng.choice(documents, rng.integers(1, 40), replace=False).tolist()
        found = rng.choice(documents, rng.integers(1, 50), replace=False).tolist()
        qrels[topic] = {document: int(rng.integers(lowest, top + 1)) for document in judged}
        run[topic] = {document: float(rng.integers(0, 40) / 4) for document in found}
    if not complete:
        for topic in rng.choice(TOPICS, 2, replace=False).tolist():
            del run[str(topic)]
        run["99"] = {"d1": 1.0}
    return qrels, run


def without_ties(run):
    """Return a run that trec_eval ranks in the same way, every score another, best first."""
    ranked = {topic: sorted(found, key=lambda d: (found[d], d), reverse=True) for topic, found in run.items()}
    return {topic: {d: float(len(order) - i) for i, d in enumerate(order)} for topic, order in ranked.items()}


def ours_by_topic(qrels, run, measures, **options):
    """Return our scores by topic for each measure."""
    table = md.evaluate(qrels, run, measures, **options)
    return {
        str(measure): dict(zip(table.topics, table.scores(measure).values[0].tolist(), strict=True))
        for measure in measures
    }


def close(numbers):
    return pytest.approx(numbers, rel=1e-12, abs=1e-12)


def pytrec_eval_by_topic(qrels, run, names, **options):
    """Return pytrec_eval's scores by topic for each name that it answers with."""
    answers = pytrec_eval.RelevanceEvaluator(qrels, names, **options).evaluate(run)
    by_name = defaultdict(dict)
    for topic, values in answers.items():
        for name, value in values.items():
            by_name[name][topic] = value
    return by_name


def as_frame(run):
    """Return a run as a frame, whose documents go another way than those of a dictionary."""
    rows = [(topic, document, score) for topic, found in run.items() for document, score in found.items()]
    return pl.DataFrame(rows, schema=["topic", "document", "score"], orient="row")


def check_against_pytrec_eval(theirs, qrels, run, **changes):
    """Check our scores, the measures changed as far as they can be, on every topic that has an answer."""
    measures = {}
    for name in theirs:
        measure = md.parse(name)
        known = measure.parameters()
        # what has no level of its own (the number retrieved) is left alone, as by -l
        measures[name] = measure(**{key: value for key, value in changes.items() if known.get(key) is not None})
    ours = ours_by_topic(qrels, run, measures.values())
    for name, values in theirs.items():
        assert {topic: ours[str(measures[name])][topic] for topic in values} == close(values), name


@pytest.mark.parametrize("level", [1, 2])
@pytest.mark.parametrize("seed", SEEDS)
def test_every_topic_scores_as_pytrec_eval_says(seed, level):
    qrels, run = campaign(seed, lowest=-1)
    theirs = pytrec_eval_by_topic(qrels, run, TREC_NAMES, relevance_level=level)
    check_against_pytrec_eval(theirs, qrels, run, rel=level)
    check_against_pytrec_eval(theirs, qrels, as_frame(run), rel=level)


@pytest.mark.parametrize("name", ["G", "Rndcg", "ndcg_rel"])
def test_gains_that_are_named_are_as_grades_of_that_height(name):
    gains = {1: 3, 2: 9, 3: 10}
    measure = md.parse(name)(gain=gains)
    for seed in SEEDS[:4]:
        qrels, run = campaign(seed, lowest=-1)
        raised = {t: {d: gains.get(grade, grade) for d, grade in found.items()} for t, found in qrels.items()}
        theirs = pytrec_eval_by_topic(raised, run, {name})[name]
        ours = ours_by_topic(qrels, run, [measure])[str(measure)]
        assert {topic: ours[topic] for topic in theirs} == close(theirs)


def test_ndcg_over_the_levels_of_gain_is_that_of_pytrec_eval():
    for seed in SEEDS:
        qrels, run = campaign(seed, lowest=-1)
        # with a higher level of relevance, trec_eval puts 0 where nothing reaches it, though the gains are the same
        check_against_pytrec_eval(pytrec_eval_by_topic(qrels, run, {"Rndcg"}), qrels, run)


@pytest.mark.parametrize("seed", SEEDS)
def test_without_unjudged_documents_every_topic_scores_as_pytrec_eval_says(seed):
    qrels, run = campaign(seed, lowest=-1)
    theirs = pytrec_eval_by_topic(qrels, run, TREC_NAMES, judged_docs_only_flag=True)
    check_against_pytrec_eval(theirs, qrels, run, judged_only=True)


@pytest.mark.parametrize("seed", SEEDS)
def test_topics_left_out_count_as_zero_or_not_at_all(seed):
    qrels, run = campaign(seed)
    theirs = pytrec_eval_by_topic(qrels, run, {"map"})["map"]
    assert len(theirs) == TOPICS - 2
    zero, skip = (
        md.evaluate(qrels, run, "AP", missing_topics=missing).scores("AP").mean()[0] for missing in ("zero", "skip")
    )
    assert zero == close(sum(theirs.values()) / TOPICS)
    assert skip == close(sum(theirs.values()) / len(theirs))


@pytest.mark.parametrize("seed", SEEDS)
def test_scores_compared_in_single_precision_rank_as_in_pytrec_eval(seed):
    qrels, run = campaign(seed)
    rng = np.random.default_rng(seed)
    run = {topic: {d: score + 1e-9 * rng.random() for d, score in found.items()} for topic, found in run.items()}
    theirs = pytrec_eval_by_topic(qrels, run, {"map"})["map"]
    single, double = (
        ours_by_topic(qrels, run, ["AP"], precision=precision)["AP"] for precision in ("single", "double")
    )
    assert {topic: single[topic] for topic in theirs} == close(theirs)
    assert {topic: double[topic] for topic in theirs} != close(theirs)


def ir_measure(name):
    """Return a measure of ir_measures by its spelling, whose own parser does not run on Python 3.14."""
    return eval(name, dict(vars(ir_measures)))


@pytest.mark.parametrize(("their_name", "our_name"), IR_MEASURES.items())
def test_every_topic_scores_as_ir_measures_says(their_name, our_name):
    for seed in SEEDS[:4]:
        qrels, run = campaign(seed)
        run = without_ties(run)
        measure = ir_measure(their_name)
        theirs = {metric.query_id: metric.value for metric in ir_measures.iter_calc([measure], qrels, run)}
        assert ours_by_topic(qrels, run, [our_name])[our_name] == close(theirs)


@pytest.mark.parametrize("name", ["Compat", "Compat(p=0.8)", "Compat(p=0.8,normalize=False)"])
def test_compatibility_down_to_the_last_document_is_that_of_ir_measures(name):
    qrels, run = campaign(3, complete=True)
    run = without_ties(run)
    theirs = {metric.query_id: metric.value for metric in ir_measures.iter_calc([ir_measure(name)], qrels, run)}
    for topic in qrels:
        last = max(len(run[topic]), sum(grade > 0 for grade in qrels[topic].values()))
        ours = md.evaluate({topic: qrels[topic]}, {topic: run[topic]}, f"{name}@{last}")
        assert float(ours) == close(theirs[topic])


@pytest.mark.parametrize("name", ["Accuracy", "Accuracy(rel=2)@10"])
def test_accuracy_is_that_of_ir_measures_on_topics_that_it_has_one_for(name):
    qrels, run = campaign(3, complete=True)
    run = without_ties(run)
    theirs = {metric.query_id: metric.value for metric in ir_measures.iter_calc([ir_measure(name)], qrels, run)}
    ours = ours_by_topic(qrels, run, [name])[name]
    assert len(theirs) > 2
    assert {topic: ours[topic] for topic in theirs} == close(theirs)
    assert {ours[topic] for topic in qrels if topic not in theirs} <= {0}


def test_a_player_whose_aim_changes_is_that_of_cwl_eval_whose_patience_does_not():
    from cwl.ruler.measures.cwl_bpm import BPMDCWLMetric
    from cwl.ruler.ranking import Ranking

    rng = np.random.default_rng(7)
    for aim, patience, change, middle in [(1.0, 5, 1.0, 0.5), (2.0, 10, 0.5, 0.25), (3.0, 4, 2.0, 0.75)] * 8:
        grades = rng.integers(0, 3, rng.integers(1, 12)).tolist()
        ranking = Ranking("1", [grade / 2 for grade in grades], [1.0] * len(grades))
        theirs = BPMDCWLMetric(aim, patience, change, 1.0, middle).measure(ranking)
        ours = md.parse(f"BPMD(T={aim}, K={patience}, hb={change}, hc=0, gain_med={middle}, gmax=2)")
        assert ours.value(grades) == close(theirs)


@pytest.mark.skipif(not shutil.which("perl"), reason="gdeval needs perl")
@pytest.mark.parametrize(
    ("their_name", "our_name"),
    [("nDCG(dcg='exp-log2')@10", "nDCG(dcg='exp-log2')@10"), ("ERR@20", "ERR(gmax=4)@20")],
)
def test_every_topic_scores_as_gdeval_says_to_its_five_digits(their_name, our_name):
    for seed in SEEDS[:4]:
        qrels, run = campaign(seed)
        run = without_ties(run)
        measure = ir_measure(their_name)
        theirs = {metric.query_id: metric.value for metric in ir_measures.iter_calc([measure], qrels, run)}
        assert ours_by_topic(qrels, run, [our_name])[our_name] == pytest.approx(theirs, abs=5.1e-6)


def test_every_topic_scores_as_ranx_says_where_nothing_ties():
    import ranx

    for seed in SEEDS[:4]:
        qrels, run = campaign(seed, complete=True)
        run = without_ties(run)
        theirs = ranx.evaluate(ranx.Qrels(qrels), ranx.Run(run), list(RANX), return_mean=False)
        ours = ours_by_topic(qrels, run, RANX)
        for name in RANX:
            assert [ours[name][topic] for topic in sorted(qrels)] == close(theirs[name].tolist()), name


def test_persistence_is_spelled_as_in_ranx_whose_gains_are_ours_where_there_are_two_grades():
    import ranx

    qrels, run = campaign(5, complete=True)
    run, binary = without_ties(run), {t: {d: min(g, 1) for d, g in found.items()} for t, found in qrels.items()}
    theirs = ranx.evaluate(ranx.Qrels(binary), ranx.Run(run), ["rbp.8", "rbp.95"], return_mean=False)
    ours = ours_by_topic(binary, run, ["rbp.8", "rbp.95"])
    for name in theirs:
        assert [ours[name][topic] for topic in sorted(qrels)] == close(theirs[name].tolist())


def test_every_name_of_ir_measures_is_read_or_refused_as_one_of_its():
    for name, theirs in ir_measures.measures.registry.items():
        if name in NOT_OFFERED:
            with pytest.raises(md.ParameterError, match="not offer"):
                md.parse(name)
        elif name != "NumRelRet":  # NumRet(rel=1) there, and a measure of its own here
            assert md.parse(name) == md.parse(repr(theirs)), name


def test_measures_of_ir_measures_are_understood_as_they_are():
    import ir_measures

    import measurand as md

    given = [ir_measures.nDCG @ 10, ir_measures.AP(rel=2) @ 100, ir_measures.RR]
    assert md.evaluate({"1": {"a": 2}}, {"1": {"a": 1.0}}, given).measures == ("nDCG@10", "AP(rel=2)@100", "RR")
