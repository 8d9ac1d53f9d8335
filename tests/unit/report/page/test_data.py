"""The section "Data" against what is in the files, counted by hand."""

from __future__ import annotations

import gzip
import hashlib
import shutil
import subprocess
from collections import Counter
from html.parser import HTMLParser

import numpy as np
import pytest
from jinja2 import Environment, PackageLoader, StrictUndefined

import measurand as md
from measurand.errors import CaveatKind
from measurand.report.page.data import KINDS, digests, section
from measurand.report.page.section import FILTERS
from measurand.study.plan import sources_of

NASTY = "<script>alert(1)</script> & ü"


class Tables(HTMLParser):
    """The rows of all tables, as texts."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self.inside = False
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")
            self.inside = True

    def handle_endtag(self, tag):
        self.inside = self.inside and tag not in ("td", "th")

    def handle_data(self, text):
        if self.inside:
            self.rows[-1][-1] = " ".join(f"{self.rows[-1][-1]} {text}".split())

    def of(self, name: str) -> list[list[str]]:
        return [row for row in self.rows if name in row]


def rendered(made) -> str:
    environment = Environment(loader=PackageLoader("measurand.report.page"), autoescape=True, undefined=StrictUndefined)
    environment.filters.update(FILTERS)
    return environment.get_template(f"{made.name}.html").render(section=made)


@pytest.fixture(scope="module")
def study() -> md.Study:
    runs = [run for run in md.sample.runs() if run.name.startswith(("dense-1", "rerank"))]
    return md.Study.from_files(md.sample.qrels(), runs, ["RR@10", "P@10"], fuse=False)


@pytest.fixture(scope="module")
def odd() -> md.Study:
    """A study of data in memory: a nasty name, a topic left out, one without anything relevant, no ties."""
    qrels = {"1": {"x": 2, "y": 0}, "2": {"x": 1}, NASTY: {"z": 0}}
    runs = [
        md.read_run({"1": {"x": 3.0, "u": 2.0}, "2": {"u": 1.0}}, name=NASTY),
        md.read_run({"1": {"y": 1.0}, "2": {"x": 1.0}, NASTY: {"z": 1.0}}, name="plain"),
    ]
    return md.Study.from_files(qrels, runs, ["P@2", "AP@2"], fuse=False)


def test_every_file_is_listed_with_its_digest_and_size(study):
    text = rendered(section(study))
    for path in (md.sample.qrels(), *(run for run in md.sample.runs() if run.name.startswith("rerank"))):
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        [row] = Tables(text).of(str(path))
        assert digest in row[-1]
        assert f'data-value="{path.stat().st_size}"' in text
        assert f"{digest}  {path}\n" in text


def test_the_digests_satisfy_sha256sum(study, tmp_path):
    if shutil.which("sha256sum") is None:
        pytest.skip("there is no sha256sum here")
    odd_name = tmp_path / "back\\slash.run"
    odd_name.write_text("1 Q0 d1 1 1.0 a\n")
    for sources in (study.sources, sources_of(md.sample.qrels(), [odd_name])):
        listed = tmp_path / "sums"
        listed.write_text(digests(sources))
        assert subprocess.run(["sha256sum", "--check", "--strict", "--quiet", str(listed)], check=False).returncode == 0


def test_what_is_no_file_has_no_digest_and_says_so(odd):
    content = section(odd).content
    assert content["sums"] == ""
    assert rendered(section(odd)).count("not a file") == 3


def test_judgments_are_counted_by_grade(study):
    lines = gzip.decompress(md.sample.qrels().read_bytes()).decode().splitlines()
    counted = Counter(int(line.split()[3]) for line in lines)
    rows = section(study).content["grades"]
    assert {int(row["grade"]): row["count"] for row in rows} == counted
    assert sum(row["share"] for row in rows) == pytest.approx(1)
    topics = {(line.split()[0], line.split()[3]) for line in lines}
    assert [row["topics"] for row in rows] == [sum(grade == str(row["grade"]) for _, grade in topics) for row in rows]


def test_recall_bases_are_those_of_the_judgments(study):
    lines = [line.split() for line in gzip.decompress(md.sample.qrels().read_bytes()).decode().splitlines()]
    bases = [sum(int(grade) > 0 for topic, _, _, grade in lines if topic == asked) for asked in study.topics]
    recall = section(study).content["recall"]
    assert (recall["least"], recall["greatest"]) == (min(bases), max(bases))
    assert recall["median"] == float(np.median(bases))
    assert recall["none"] == [topic for topic, base in zip(study.topics, bases, strict=True) if not base]
    few = sum(base < 10 for base in bases)
    assert f"{few} topics have fewer than 10 relevant documents" in " ".join(section(study).content["recall_words"])


def test_shares_are_means_over_the_topics_that_a_system_has(study):
    content = section(study).content
    for place, row in enumerate(content["shares"]):
        for rank, share in zip(content["ranks"], row["shares"], strict=True):
            shares = []
            for cells in study.judged.cells[place]:
                there = [cell for cell in cells[:rank].tolist() if cell != -2]
                if there:
                    shares.append(sum(cell >= 0 for cell in there) / len(there))
            assert share == pytest.approx(sum(shares) / len(shares))


def test_topics_that_a_system_left_out_are_named(odd, study):
    [row] = section(odd).content["incomplete"]
    assert (row["system"], row["missing"]) == (NASTY, [NASTY])
    [row] = section(study).content["incomplete"]
    assert row["system"] == "rerank-1"
    assert len(row["missing"]) == 3


def test_ties_are_counted_where_scores_differ_between_orders(study):
    frame = study.ties.to_polars()
    for row in section(study).content["ties"]:
        mine = frame.filter(frame["measure"] == row["measure"])
        apart = mine.filter(mine["greatest"] > mine["least"])
        assert (row["matters"], row["rankings"]) == (len(apart), len(mine))
        assert row["flattered"] == (apart["trec"] - apart["expected"] > 1e-9).sum()
        assert row["hurt"] == (apart["expected"] - apart["trec"] > 1e-9).sum()
        farthest = row["farthest"]
        largest = (apart["trec"] - apart["expected"]).abs().max()
        assert abs(farthest["trec"] - farthest["expected"]) == pytest.approx(largest)
        assert farthest["flattered"] == (farthest["trec"] > farthest["expected"])


def test_where_nothing_ties_the_page_says_so(odd):
    assert "no score depends on how ties are broken" in rendered(section(odd))


def test_every_kind_of_caveat_has_a_name():
    assert set(KINDS) == set(CaveatKind)


def test_every_caveat_is_told_once(study):
    texts = [text for several in section(study).content["caveats"].values() for text in several]
    assert sorted(texts) == sorted(map(str, study.caveats))
    assert texts


def test_names_from_files_are_escaped(odd):
    text = rendered(section(odd))
    assert "<script>" not in text
    assert Tables(text).of(NASTY)


def test_one_system_has_data_too():
    study = md.Study.from_files({"1": {"x": 1}}, {"1": {"x": 1.0}}, "P@1")
    text = rendered(section(study))
    assert "1 system on 1 judged topic, with 1 judgment; rankings of up to 1 document." in text
    assert "the documents of the system were judged" in text


def test_comments_at_the_heads_of_files_are_shown_as_they_stand(tmp_path):
    (tmp_path / "qrels.txt").write_text("1 0 d 1\n")
    (tmp_path / "a.run").write_text(f"# ir_metadata.start\n# tag: {NASTY}\n# ir_metadata.end\n1 Q0 d 1 1 a\n")
    (tmp_path / "b.run").write_text("1 Q0 d 1 1 b\n")
    memory = md.read_run(tmp_path / "a.run", name="c")
    made = md.Study.from_files(
        tmp_path / "qrels.txt", [tmp_path / "a.run", tmp_path / "b.run", memory], "P@1", fuse=False
    )
    assert [bool(source.comments) for source in made.sources] == [False, True, False, True]
    page = rendered(section(made))
    assert "at the head of 2 files" in page
    assert page.count("# tag: &lt;script&gt;alert(1)&lt;/script&gt; &amp; ü") == 2
    assert "<script>alert" not in page
