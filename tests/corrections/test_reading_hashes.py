"""What begins with # below the header of a table is a row (R05)."""

from __future__ import annotations

from io import BytesIO

import pytest

import measurand as md
import measurand.native as native

TABLES = {
    "csv": "{head}qid,docno,{value}\n#1,#d,{one}\n#1,e,{two}\n2,d,{one}\n",
    "csv, the document first": "{head}docno,qid,{value}\n#d,#1,{one}\ne,#1,{two}\nd,2,{one}\n",
    "csv, quoted": '{head}docno,qid,{value}\n"#d","#1",{one}\n"e",#1,{two}\n"d",2,{one}\n',
    "csv of Windows": "{head}docno,qid,{value}\r\n#d,#1,{one}\r\ne,#1,{two}\r\nd,2,{one}\r\n",
    "tsv": "{head}query-id\tcorpus-id\t{value}\n#1\t#d\t{one}\n#1\te\t{two}\n2\td\t{one}\n",
    "semicolons": "{head}docno;qid;{value}\n#d;#1;{one}\ne;#1;{two}\nd;2;{one}\n",
    "spaces": "{head}docno qid {value}\n#d #1 {one}\ne #1 {two}\nd 2 {one}\n",
}


@pytest.fixture(params=TABLES)
def table(request):
    return lambda **parts: BytesIO(TABLES[request.param].format(**parts).encode())


@pytest.mark.parametrize("head", ["", "# a comment\n\n#qid,docno,score\n"])
def test_rows_of_tables_that_begin_with_a_hash_are_read(table, head):
    """R05: rows whose first cell begins with # vanished; comments stand above the header."""
    run = md.read_run(table(head=head, value="score", one="2.5", two="1.5"))
    assert run.to_dict() == {"#1": {"#d": 2.5, "e": 1.5}, "2": {"d": 2.5}}
    qrels = md.read_qrels(table(head=head, value="label", one="2", two="0"))
    assert qrels.to_dict() == {"#1": {"#d": 2, "e": 0}, "2": {"d": 2}}
    assert run.comments == (("# a comment", "#qid,docno,score") if head else ())


def test_the_score_of_a_document_that_begins_with_a_hash(tmp_path, call):
    """R05: RR was 0 in the place of 1."""
    (tmp_path / "qrels.csv").write_text("docno,qid,label\n#d1,1,1\nd2,1,0\n")
    (tmp_path / "run.csv").write_text("docno,qid,score\n#d1,1,2.5\nd2,1,1.5\n")
    said = call("evaluate", tmp_path / "qrels.csv", tmp_path / "run.csv", "-m", "rr", "-f", "tsv")
    assert said.out.splitlines()[-1] == "run\t1.0"


def test_a_comment_below_the_header_is_no_row_and_is_told(table):
    """R05: it cannot be told from a row, so it has to be one."""
    data = table(head="", value="score", one="2.5", two="1.5").read() + b"# here it ends\n"
    with pytest.raises(md.InputFileError, match=r":5: .* where the header has 3") as caught:
        md.read_run(BytesIO(data))
    assert caught.value.line == 5


def test_texts_of_topics_whose_names_begin_with_a_hash_are_read():
    """R05: the same in tables of texts of topics, with tabs and with commas."""
    wanted = {"#1": "blue whales", "2": "black bears"}
    for mark in "\t,":
        rows = f"# a comment\nqid{mark}query\n#1{mark}blue whales\n2{mark}black bears\n"
        assert dict(md.read_queries(BytesIO(rows.encode()))) == wanted


def test_comments_above_a_header_may_be_written_in_anything(table, monkeypatch):
    """R05: with a quotation mark, or without loops in C, such a table was refused."""
    data = b"# caf\xe9\n" + table(head="", value="score", one="2.5", two="1.5").read()
    assert md.read_run(BytesIO(data)).to_dict() == {"#1": {"#d": 2.5, "e": 1.5}, "2": {"d": 2.5}}
    monkeypatch.setattr(native, "_found", None)
    assert md.read_run(BytesIO(data)).to_dict() == {"#1": {"#d": 2.5, "e": 1.5}, "2": {"d": 2.5}}
