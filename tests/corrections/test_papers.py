"""The five papers are treated fairly: what they say, in every reading, and on whose shoulders they stand."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from itertools import permutations, product
from math import log2, prod
from pathlib import Path

import numpy as np
import pytest

import measurand as md

DOCS = Path(__file__).resolve().parents[2] / "docs"

PAPERS = ("ffm2015", "fff2021", "br1988", "g2022", "agms2018")

ERRATA = {entry.id: entry for name in PAPERS for entry in md.papers.errata(name)}


def keys(out):
    return re.findall(r"^@\w+\{(\w+),", out, re.MULTILINE)


def lines(paper, only=""):
    return [line for exhibit in md.papers.reproduce(paper, only) for line in exhibit.lines]


def named(*columns):
    names = ("before", "after", "judgments")
    return {name: dict(enumerate(values)) for name, values in zip(names, columns, strict=True)}


# P01: Theorem 5.1 of Amigó and others in both readings


def shares(scores, gold):
    """Return for each document d₀ the share of documents as high that are judged as good or better, by definition."""
    places = range(len(scores))
    above = {one: [other for other in places if scores[other] >= scores[one]] for one in places}
    return [Fraction(sum(gold[other] >= gold[one] for other in above[one]), len(above[one])) for one in places]


def mean(scores, gold):
    """Return the share of ordered pairs d, d₀ with d as high of which d is as good, by definition."""
    pairs = [(d, e) for d, e in product(range(len(scores)), repeat=2) if scores[d] >= scores[e]]
    return Fraction(sum(gold[d] >= gold[e] for d, e in pairs), len(pairs))


@pytest.mark.parametrize(("documents", "each", "pooled"), [(3, (612, 0), (678, 6)), (4, (22_440, 0), (29_088, 1_056))])
def test_theorem_5_1_is_true_for_each_document_and_false_as_a_mean_over_pairs(documents, each, pooled):
    """P01: all strict rankings, three grades; strictly ranked documents are as effective as the product of shares."""
    counts = {"each": [0, 0], "mean": [0, 0]}
    for gold in product(range(3), repeat=documents):
        found = [
            (shares(ranks, gold), mean(ranks, gold), prod(shares(ranks, gold)))
            for ranks in permutations(range(documents))
        ]
        for (before, low, worth), (after, high, worse) in product(found, repeat=2):
            held = {"each": all(map(Fraction.__ge__, after, before)), "mean": high >= low}
            for name, holds in held.items():
                counts[name][0] += holds
                counts[name][1] += holds and worse < worth
    assert (tuple(counts["each"]), tuple(counts["mean"])) == (each, pooled)


def test_the_verdicts_are_those_of_the_definition_on_all_rankings_of_three_documents():
    """P01: a verdict for each premise in each reading, and for the conclusion."""
    failures = 0
    for before, after in product(permutations(range(3)), repeat=2):
        for gold in product(range(3), repeat=3):
            told = md.papers.additivity_of_scores(named(before, after, gold))
            one, other = shares(before, gold), shares(after, gold)
            assert bool(told.consistent_for_each) == all(map(Fraction.__ge__, other, one))
            assert bool(told.consistent) == (mean(after, gold) >= mean(before, gold))
            assert bool(told.additive) == (prod(other) >= prod(one))
            assert bool(told.fine_grained)
            assert told.additive or not told.premises_for_each
            failures += told.refutes
    assert failures == 6


def test_the_verdict_for_each_document_holds_with_ties_and_with_documents_that_nobody_names():
    """P01: shares count the whole collection; a document at the minimum has everything beside or above it."""
    chance = np.random.default_rng(51)
    verdicts = set()
    for _ in range(150):
        columns = chance.integers(0, 3, size=(3, 4)).tolist()
        unnamed = int(chance.integers(0, 3))
        told = md.papers.additivity_of_scores(md.information.Signals.of(named(*columns), 4 + unnamed))
        before, after, gold = ([*column, *[0] * unnamed] for column in columns)
        holds = all(map(Fraction.__ge__, shares(after, gold), shares(before, gold)))
        assert bool(told.consistent_for_each) == holds
        verdicts.add(holds)
    assert verdicts == {True, False}


def test_the_reproduction_has_both_verdicts_with_their_numbers():
    """P01: 3 to 5 documents, exactly; the paper is right where the premise is read as its proof reads it."""
    found = lines("agms2018", "Theorem 5.1")
    assert [line.ours for line in found if isinstance(line.ours, int) and line.ours > 1] == [
        1_260_732,
        2_070_246,
        145_302,
    ]
    said = {line.what: str(line.mark) for line in found if str(line.provenance) == "said"}
    assert said.pop("for each d₀: then it is never less effective") == "✓"
    assert not any("less effective" in what for what in said)
    text = ERRATA["E-A-8"].true
    assert all(words in text for words in ("1,260,732", "2,070,246", "145,302", "each d₀", "true", "Figure 1"))


def test_on_a_whole_collection_fine_grained_information_leaves_signals_that_agree():
    """P01: what stays of the erratum."""
    for first, second in product(product(range(3), repeat=3), repeat=2):
        signals = {"a": dict(enumerate(first)), "b": dict(enumerate(second)), "g": {0: 0, 1: 1, 2: 0}}
        told = md.papers.effectiveness_additivity(signals, "b", "g")
        if told.fine_grained:
            assert all((x - y) * (u - v) >= 0 for (x, u), (y, v) in product(zip(first, second, strict=True), repeat=2))
            assert told.effectiveness[0] == told.effectiveness[1]


# P02, P03: which errata there are, and of what kind


def test_an_assumption_that_is_declared_is_no_erratum(call):
    """P02: E-A-9 is withdrawn, as E15 was; on Table 1 the consistency is shown and not held against the paper."""
    assert not {"E-A-9", "E15", "E-G-13"} & set(ERRATA)
    assert "no erratum E-A-9" in call("reproduce", "agms2018", "--erratum", "E-A-9").err
    [line] = [
        line for line in lines("agms2018", "Assumption 1") if line.what.startswith("r2 beside r1 makes it no less (")
    ]
    assert (line.ours, line.paper) == (False, None)


def test_every_erratum_has_a_kind_and_the_first_two_are_counted():
    """P03: kinds are in the data, and only errors in a theorem or a number are errors."""
    kinds = {name: str(entry.kind) for name, entry in ERRATA.items()}
    assert set(kinds.values()) == {"theorem", "number", "wording", "scan", "remark"}
    remarks = "E19 E43 E44 E-BR-4 E-BR-5 E-BR-6 E-A-16 E-A-18 E-A-19 E-A-22 E-G-16"
    assert {kinds[name] for name in remarks.split()} == {"remark"}
    assert {kinds[name] for name in ("E20", "E25", "E27", "E32", "E42")} == {"wording"}
    assert kinds["E-BR-10"] == "scan"
    errors = [name for name, kind in kinds.items() if kind in {"theorem", "number"}]
    assert (len(errors), len(kinds)) == (45, 92)
    assert {name for name, entry in ERRATA.items() if entry.kind.is_error} == set(errors)


def test_a_kind_is_one_of_five_and_must_be_given():
    """P03: an entry without a kind, or with another one, is refused."""
    given = {"id": "E00", "where": "", "says": "", "true": "", "certificate": ">>> 1\n1\n"}
    with pytest.raises(md.errors.ParameterError, match="no kind of erratum slip"):
        md.papers.Erratum(kind="slip", **given)
    with pytest.raises(TypeError):
        md.papers.Erratum(**given)


def test_the_kind_is_shown_wherever_an_erratum_is(call):
    """P03: on the terminal, as JSON, and in the documentation, where both sorts are counted."""
    assert call("reproduce", "g2022", "--erratum", "E-G-16").out.startswith("E-G-16  remark")
    told = call("reproduce", "br1988", "--only", "Example 3.2")
    assert "1 wording" in told.out
    [entry] = json.loads(call("reproduce", "br1988", "--only", "Example 3.2", "-f", "json").out)["errata"]
    assert (entry["id"], entry["kind"]) == ("E-BR-3", "wording")
    for name in PAPERS:
        page = (DOCS / f"papers/{name}.md").read_text(encoding="utf-8")
        assert all(f"### {entry.id}, {entry.kind} " in page for entry in md.papers.errata(name))
    index = (DOCS / "papers/index.md").read_text(encoding="utf-8")
    assert "45 errata are errors" in index
    assert "47 are none" in index


@pytest.mark.parametrize("name", ["E03", "E17", "E-A-8", "E-A-14", "E-BR-5", "E-G-3", "E-G-4"])
def test_the_certificate_of_what_was_rewritten_runs(name):
    """P01 to P06."""
    assert ERRATA[name].check() == ""


# P04, P05, P06: what nobody said, what was left out, and the two readings of footnote 6


def test_nothing_is_said_for_a_paper_that_it_does_not_say():
    """P04: the ½ is for one document; nobody says that MU tells more than ties, or that swapping fixes nothing."""
    assert not [line for line in lines("br1988", "Example 2.2") if "E-BR-5" in line.errata or str(line.mark) == "✗"]
    unanimity = lines("agms2018", "metric unanimity")
    assert not [line for line in unanimity if str(line.provenance) == "said" or str(line.mark) == "✗"]
    fixed = [line for line in lines("g2022") if line.what.endswith("fixed by them")]
    assert len(fixed) == 8 + 1 + 3 + 1
    assert {(line.paper, line.errata) for line in fixed} == {(None, ())}
    assert "(Section 6.3; Section 1 is as careful)" in ERRATA["E-G-3"].says


def test_errata_tell_what_the_papers_tell():
    """P05: sums of units of relevance, Stevens' list, origins off by one, and a threshold that was ours."""
    assert "units of relevance" in ERRATA["E03"].says
    assert "Stevens (1946)" in ERRATA["E18"].true
    assert all("harmless" in ERRATA[name].true for name in ("E29", "E30"))
    assert "88 to 90 percent" in ERRATA["E17"].true
    said = [line for line in lines("ffm2015", "Figure 1b") if str(line.provenance) == "said"]
    assert not [line for line in said if "almost always" in line.what]
    sums = [line for line in lines("ffm2015", "FFM-4.1-ratio") if str(line.provenance) == "said"]
    assert [str(line.mark) for line in sums] == ["✓"]


def test_a_unanimity_means_two_tie_rates():
    """P06: footnote 6 lets ties count half in all probabilities, or in the a-priori one alone."""
    [row] = [line for line in lines("agms2018", "column MU") if line.what.startswith("RR@10: tie rate")]
    first, second = row.ours
    assert (round(log2(2 - first), 3), round(1 + log2(1 - second), 3)) == (0.162, 0.162)
    assert (round(first, 2), round(second, 2)) == (0.88, 0.44)
    assert all(text in ERRATA["E-A-14"].true for text in ("log2(2 − t)", "1 + log2(1 − t)", ".88", ".44"))
    page = (DOCS / "concepts/information.md").read_text(encoding="utf-8")
    assert all(len(re.findall(formula, page)) >= 2 for formula in (r"log₂\(2 − t\)", r"1 \+ log₂\(1 − t\)"))


# P07, P08, P10, P11: whose shoulders


@pytest.mark.parametrize(
    ("thing", "cited"),
    [
        ("unanimity", {"AmigoSpinaCarrillo2018", "Amigo2018"}),
        ("ESL", {"Cooper1968", "BollmannRaghavan1988", "Fishburn1979", "Krantz1971"}),
        ("ESL(i=2)", {"Cooper1968", "BollmannRaghavan1988", "Fishburn1979", "Krantz1971"}),
        ("LatticeRank", {"Giner2022", "Stanley1980", "Birkhoff1940", "Rota1971"}),
        ("bordalog", {"Amigo2018", "Amigo2017"}),
        ("Amigo2013", {"Amigo2013"}),
    ],
)
def test_precursors_are_cited(call, thing, cited):
    """P07."""
    assert set(keys(call("cite", thing).out)) == cited


def test_n5_and_the_five_constraints_have_their_sources():
    """P07: N5 is quoted, and AP's mark is older than Table 2."""
    assert "Pontarollo" in ERRATA["E-G-4"].says
    assert "2013" in ERRATA["E-A-5"].true


def test_giner_took_interval_scales_up_himself(call):
    """P08."""
    page = (DOCS / "concepts/lattice.md").read_text(encoding="utf-8")
    assert "to others which interval scales" not in page
    assert "bibliography.md#giner2023" in page
    assert "2304.00615" in page
    assert "10.1145/3632171" in call("cite", "Giner2023").out


@pytest.mark.parametrize(
    "key", ["BollmannRaghavan1988", "Fuhr2020", "Giner2023", "Giner2024", "FerranteFerroPontarollo2017b"]
)
def test_the_debate_tells_who_took_part(key, call):
    """P10."""
    page = (DOCS / "concepts/debate.md").read_text(encoding="utf-8")
    assert f"bibliography.md#{key.lower()}" in page
    assert keys(call("cite", key).out) == [key]


def test_what_could_not_be_looked_up_is_said(call):
    """P11: a DOI, pages that were not found, a volume."""
    br, giner, moffat = (call("cite", key).out for key in ("BollmannRaghavan1988", "Giner2022", "Moffat2022"))
    assert "10.1145/62437.62459" in br
    assert "% Not confirmed: DOI" in br
    assert "% Not confirmed: pages" in giner
    assert re.search(r"volume += \{10\}", moffat)


# P09: the fact, without the tone


def test_no_page_and_no_erratum_judges_in_moods():
    """P09."""
    moods = ("too gloomy", "nobody's merit", "tells nothing else", "in opposite ways", "puts an end to")
    texts = {
        path: path.read_text(encoding="utf-8") for path in (*DOCS.rglob("papers/*.md"), *DOCS.rglob("concepts/*.md"))
    }
    texts |= {name: f"{entry.says} {entry.true}" for name, entry in ERRATA.items()}
    assert [(where, mood) for where, text in texts.items() for mood in moods if mood in text] == []
