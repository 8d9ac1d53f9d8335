"""Comments at the head of files: kept, written back, and read where they are metadata."""

from __future__ import annotations

import io

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

import measurand as md
from measurand.trec import bulk
from measurand.trec.files import Content
from measurand.trec.metadata import comments_of, fields_of, head_length, metadata_of

ANNOTATED = """\
# ir_metadata.start
# tag: mono
# actor:
#   name: Jimmy Lin
#   orcid: 0000-0002-0661-7189 # not a number
#   role: experimenter \n# platform:
#   hardware:
#     cpu:
#       model: 'Intel(R) Xeon(R) Gold 6144 CPU @ 3.50GHz'
#       number of cores: 16
# research goal:
#   description: |
#     Two stages:
#       bm25 first.
#   venue: {}
# method:
#   automatic: 'true'
#   retrieval:
#     -
#       name: bm25
#       k1: 0.9
#     - name: mono
#       reranks: bm25
#   reads: [title, full text]
# ir_metadata.end
# anything else
1 Q0 a 1 2.5 mono
1 Q0 b 2 1.5 mono
"""
FIELDS = {
    "tag": "mono",
    "actor": {"name": "Jimmy Lin", "orcid": "0000-0002-0661-7189", "role": "experimenter"},
    "platform": {"hardware": {"cpu": {"model": "Intel(R) Xeon(R) Gold 6144 CPU @ 3.50GHz", "number of cores": "16"}}},
    "research goal": {"description": "Two stages:\n  bm25 first.\n", "venue": {}},
    "method": {
        "automatic": "true",
        "retrieval": [{"name": "bm25", "k1": "0.9"}, {"name": "mono", "reranks": "bm25"}],
        "reads": ["title", "full text"],
    },
}


def test_the_metadata_of_a_run_are_read_kept_and_written_back(reader, tmp_path):
    run = md.read_run(io.BytesIO(ANNOTATED.encode()))
    assert run.to_dict() == {"1": {"a": 2.5, "b": 1.5}}
    assert run.metadata.fields == FIELDS == yaml.load(run.metadata.text, yaml.BaseLoader)
    assert run.comments[-1] == "# anything else"
    run.to_trec(tmp_path / "again.run")
    again = md.read_run(tmp_path / "again.run", name="renamed").down_to(1)
    assert (again.comments, again.metadata) == (run.comments, run.metadata)


def test_comments_of_judgments_and_of_several_runs_are_kept(reader, tmp_path):
    qrels = md.read_qrels(io.BytesIO(b"\xef\xbb\xbf# made by hand\r\n\r\n  # twice\r\n1 0 a 1\r\n"))
    assert qrels.comments == ("# made by hand", "  # twice")
    qrels.to_trec(tmp_path / "q")
    assert (tmp_path / "q").read_bytes() == b"# made by hand\n  # twice\n1 0 a 1\n"
    several = md.read_runs(io.BytesIO(b"# both\n1 Q0 a 1 1 x\n# no more\n1 Q0 a 1 1 y\n"))
    assert [(run.name, run.comments) for run in several] == [("x", ("# both",)), ("y", ("# both",))]


def test_a_run_without_comments_has_no_metadata(reader):
    assert md.read_run({"1": {"a": 1.0}}).metadata is None
    assert md.read_run(io.BytesIO(b"1 Q0 a 1 1 x\n# behind\n")).comments == ()
    assert md.read_run(io.BytesIO(b"# no metadata\n1 Q0 a 1 1 x\n")).metadata is None


def test_comments_that_are_not_utf_8_do_not_spoil_a_run(reader):
    run = md.read_run(io.BytesIO(b"# caf\xe9\n1 Q0 a 1 1 x\n"))
    assert (run.comments, run.to_dict()) == (("# caf�",), {"1": {"a": 1.0}})


def test_a_line_is_counted_with_the_comments_before_it(reader):
    with pytest.raises(md.InputFileError) as caught:
        md.read_run(io.BytesIO(b"# one\n# two\n1 Q0 a 1 1 x\n1 Q0 b 1 high x\n"))
    assert caught.value.line == 4
    with pytest.raises(md.InputFileError, match="is empty"):
        md.read_run(io.BytesIO(b"# one\n# two"))


@pytest.mark.usefixtures("in_c")
def test_a_head_of_comments_does_not_cost_the_quick_way():
    (run,) = bulk.read_runs(Content("x", ANNOTATED.encode()))
    assert run.topics == ("1",)


def test_a_comment_that_would_break_a_file_is_not_written(tmp_path):
    from attrs import evolve

    for comment in ("1 Q0 b 2 1 x", "# one\n1 Q0 b 2 1 x", ""):
        with pytest.raises(md.InputError, match="is no comment"):
            evolve(md.read_run({"1": {"a": 1.0}}, name="x"), comments=(comment,)).to_trec(tmp_path / "x")
    assert list(tmp_path.iterdir()) == []


lines = st.lists(st.sampled_from([b"# a", b"#", b"", b" ", b"\t# b\r", b"1 Q0 a 1 1 t", b"\xff"]), max_size=6)


@given(lines.map(b"\n".join))
def test_the_head_of_a_file_is_its_comments_and_nothing_of_its_rows(data):
    head = data[: head_length(data)]
    rest = data[len(head) :]
    if not data.startswith(b"#"):
        assert not head
        return
    assert all(not line.strip() or line.strip().startswith(b"#") for line in head.split(b"\n"))
    assert not rest or rest.split(b"\n")[0].strip()[:1] not in (b"#", b"")
    assert len(comments_of(data)) == sum(bool(line.strip()) for line in head.split(b"\n"))


words = st.text(st.sampled_from("ab 1:#-'\"[]{},|>&*!?%@`~=.\n\té"), max_size=8)
values = st.recursive(
    words, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=3), max_leaves=8
)


@settings(max_examples=60)
@given(st.one_of(st.dictionaries(words, values, max_size=4).map(yaml.safe_dump), words, st.lists(words).map("\n".join)))
def test_fields_are_those_of_a_parser_of_yaml_or_none(text):
    found = fields_of(text)
    assert found is None or found == yaml.load(text, yaml.BaseLoader)


simple = st.text("abc XY1.5/=+é", min_size=1, max_size=9).filter(lambda word: word == word.strip())
trees = st.recursive(
    simple,
    lambda inner: st.lists(inner, min_size=1, max_size=3) | st.dictionaries(simple, inner, min_size=1, max_size=3),
    max_leaves=8,
)


@settings(max_examples=40)
@given(st.dictionaries(simple, trees, min_size=1, max_size=4))
def test_simple_fields_are_read(tree):
    text = yaml.safe_dump(tree, default_flow_style=False, allow_unicode=True)
    lines = ["# ir_metadata.start", *(f"# {line}" for line in text.split("\n")), "# ir_metadata.end"]
    assert metadata_of(lines).fields == tree


def test_comments_are_written_back_with_the_spaces_at_their_ends(tmp_path):
    (tmp_path / "a.run").write_bytes("# a \u2028 b  \n#\t\n1 Q0 a 1 2.5 x\n".encode())
    md.read_run(tmp_path / "a.run").to_trec(tmp_path / "b.run")
    assert (tmp_path / "b.run").read_bytes() == (tmp_path / "a.run").read_bytes()


@pytest.mark.parametrize("head", ["# a comment\n" * 6000, "\n" * 70_000, "\ufeff" + "# a comment\n" * 6000])
@pytest.mark.parametrize(
    "rows", ["1 d1 2.5\n1 d2 1.5\n", "qid,docid,score\n1,d1,2.5\n1,d2,1.5\n", "1 Q0 d1 1 2.5 t\n1 Q0 d2 2 1.5 t\n"]
)
def test_a_format_is_found_behind_any_number_of_comments(head: str, rows: str) -> None:
    run = md.read_run(io.BytesIO((head + rows).encode()))
    assert (run.topics, list(run.documents), len(run.comments)) == (("1",), ["d1", "d2"], head.count("#"))
