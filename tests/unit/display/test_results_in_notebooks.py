"""Results in notebooks: every result shows itself, keeps its caveats, and takes names for nothing but names."""

from __future__ import annotations

import json
from html import unescape
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest

import measurand as md
from measurand.display.charts import Figure
from measurand.lattice import RunLattice
from measurand.verdict import How, Verdict, Witness

EVIL = "<script>alert(1)</script>"
TOPIC = '"><img src=x onerror=alert(2)>'
OWN = "<i>mine</i>"

GRADES = {"1": {"d1": 2, "d2": 1, "d3": 0}, TOPIC: {"d1": 1, "d4": 1}, "3": {"d2": 2}}
RANKED = {EVIL: ["d1", "d2", "d9"], "b": ["d3", "d2", "d1"], "c & d": ["d9", "d8", "d4"]}


class Page(HTMLParser):
    """What a browser would see."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: set[str] = set()
        self.heads: list[dict[str, str | None]] = []
        self.handlers: list[str] = []
        self.text = ""
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.handlers += [name for name, _ in attrs if name.startswith("on")]
        if tag == "th":
            self.heads.append(dict(attrs))
        if tag != "img":
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data


@pytest.fixture(scope="module")
def judged():
    runs = [
        md.read_run({topic: {name: 3.0 - place for place, name in enumerate(order)} for topic in topics}, name=system)
        for (system, order), topics in zip(RANKED.items(), [list(GRADES), list(GRADES), ["1", TOPIC]], strict=True)
    ]
    return md.judge(runs, md.read_qrels(GRADES))


def results(judged):
    table = md.evaluate(judged, ["AP", "P@2", "NumRet", md.define(lambda run: sum(run), name="Mine")])
    own = Verdict(False, Witness(((0, 1), (1, 0)), (2, 1), f"{EVIL} loses"), f"all {OWN}", How.COUNTEREXAMPLE)
    return {
        "judged": judged,
        "table": table,
        "ordinal scores": table.scores("AP"),
        "interval scores": table.scores("P@2"),
        "counts": table.scores("NumRet"),
        "summary": table.scores("AP").mean(),
        "pairs": md.statistics.paired_t(table.scores("AP")).adjust("holm"),
        "comparison": md.compare(judged, ["AP", "P@2"]),
        "comparison with a baseline": md.compare(judged, ["AP"], baseline=EVIL),
        "strict comparison": md.compare(judged, ["P@2"], strict=True),
        "dominance": md.dominance(judged, EVIL, "b"),
        "dominance matrix": md.dominance_matrix(judged),
        "meaning": md.meaning.check(md.meaning.Averages("mean", EVIL, "b"), table.scores("AP")),
        "unanimity": md.unanimity(judged, ["AP", "RR"], constraints=False),
        "scale effect": md.scale_effect(judged, ["AP"], 3, tests=["sign", "paired_t"]),
        "profile": md.profile(md.define(lambda run: sum(run), name="Mine"), depth=3),
        "profile of nothing": md.profile(lambda run: None, depth=3),
        "verdict": own,
        "diagram": RunLattice("swap", 3, 2).hasse("AP"),
    }


@pytest.fixture(scope="module")
def shown(judged):
    return results(judged)


KINDS = """
judged|table|ordinal scores|interval scores|counts|summary|pairs|comparison|comparison with a baseline
strict comparison|dominance|dominance matrix|meaning|unanimity|scale effect|profile|profile of nothing|verdict|diagram
"""
NAMES = [name.strip() for line in KINDS.split("\n") for name in line.split("|") if name.strip()]
DRAWN = [
    "ordinal scores",
    "interval scores",
    "counts",
    "pairs",
    "comparison",
    "comparison with a baseline",
    "strict comparison",
    "meaning",
    "profile",
    "verdict",
    "diagram",
]


def test_all_kinds_of_results_are_looked_at(shown):
    assert list(shown) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_a_result_is_html_in_which_names_are_text(shown, name):
    page = Page(shown[name]._repr_html_())
    assert not page.tags & {"script", "i", "style", "iframe", "link"}
    assert page.handlers == []
    assert all(head.get("scope") in ("col", "row") for head in page.heads)
    for odd in (EVIL, TOPIC, OWN):
        assert page.text.count(odd) == unescape(shown[name]._repr_html_()).count(odd)
    assert "nan" not in page.text.lower().split()


@pytest.mark.parametrize("name", [name for name in NAMES if name not in ("unanimity", "diagram", "scale effect")])
def test_a_result_with_names_shows_them(shown, name):
    if not name.startswith("profile"):
        assert EVIL in Page(shown[name]._repr_html_()).text


@pytest.mark.parametrize("name", NAMES)
def test_no_caveat_is_left_out_but_what_a_sentence_says_of_scales_and_gains(shown, name):
    text = Page(shown[name]._repr_html_()).text
    told = [caveat for caveat in getattr(shown[name], "caveats", ()) if caveat.kind.name not in ("SCALE", "GAINS")]
    assert [str(caveat) for caveat in told if str(caveat) not in text] == []


@pytest.mark.parametrize("name", DRAWN)
def test_a_drawing_is_a_figure_with_its_data_inside(shown, name):
    figure = shown[name].plot()
    assert isinstance(figure, Figure)
    json.dumps(figure.to_dict(), allow_nan=False)
    root = ElementTree.fromstring(figure.to_svg())
    assert not [element for element in root.iter() if element.tag.endswith(("script", "image"))]
    assert "NaN" not in figure.to_svg()
    assert figure.description


@pytest.mark.parametrize("name", ["ordinal scores", "interval scores", "pairs", "comparison", "verdict"])
def test_a_drawing_writes_names_as_they_are(shown, name):
    root = ElementTree.fromstring(shown[name].plot().to_svg())
    assert EVIL in " ".join(element.text or "" for element in root.iter() if element.tag.endswith(("text", "tspan")))


def test_a_meaning_says_its_answer_and_that_of_the_other_reading(shown):
    meaning = shown["meaning"]
    page = Page(meaning._repr_html_())
    for said in (meaning.headline, meaning.statement, meaning.certificate, meaning.other.headline):
        assert said in page.text
    assert str(meaning.answer) in meaning.plot().to_svg()


def test_a_profile_says_what_holds_and_how_it_is_known():
    page = Page(md.profile("ERR", depth=4)._repr_html_())
    for name, verdict in md.profile("ERR", depth=4).axioms.items():
        assert name.replace("_", " ") in page.text
        assert str(verdict.how) in page.text
    assert "✗" in page.text
    assert "✓" in page.text


def test_a_diagram_is_a_figure_of_itself(shown):
    diagram = shown["diagram"]
    assert diagram.plot().to_dict() == diagram.to_chart()
    page = Page(diagram._repr_html_())
    assert page.tags == {"figure", "img", "figcaption"}
    assert diagram.heading in page.text


def test_judged_runs_tell_what_was_judged(judged):
    page = Page(judged._repr_html_())
    assert "3 systems × 3 topics × 3 ranks" in page.text
    assert "Relevant documents of a topic: from 1 to 2, half of the topics up to 2." in page.text
