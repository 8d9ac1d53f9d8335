"""Texts of topics: every format says the same, and what is wrong with a file has its line."""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
import pickle
from io import BytesIO

import pandas as pd
import polars as pl
import pytest

import measurand as md
from measurand.errors import CallError, CaveatKind, InputError, InputFileError

TEXTS = {"301": "International Organized Crime", "302": 'Poliomyelitis, "post-polio" & café', "303": "a < b"}

TREC = """
<!-- <top><num> Number: 999 <title> not a topic </top> -->
<top>
<num> Number: 301
<title> International
  Organized Crime
<desc> Description:
Identify organizations that participate.
</top>

<top>
<num> Number: 302
<title> Poliomyelitis, "post-polio" &amp; café
<desc> Description: Is the disease under control?
<narr> Narrative: Relevant documents name <b>outbreaks</b>.
</top>
<top>
<num> Number: 303
<title> a &lt; b
"""

XML = """<?xml version="1.0" encoding="UTF-8"?>
<topics task="TREC-COVID" batch="1">
  <topic number="301" type="faceted">
    <query>International Organized Crime</query>
    <question>what is it?</question>
  </topic>
  <topic number='302'><query>Poliomyelitis, "post-polio" &amp; caf&#233;</query></topic>
  <topic number="303"><query>a &lt; b</query><narrative>none</narrative></topic>
</topics>
"""

ROWS = "".join(f"{topic}\t{text}\n" for topic, text in TEXTS.items())
QUOTED = {topic: '"' + text.replace('"', '""') + '"' for topic, text in TEXTS.items()}

FORMATS = {
    "tsv": ROWS,
    "tsv with a header": "qid\tquery\n" + ROWS,
    "tsv with a header in another order": "text\tquery_id\n" + "".join(f"{b}\t{a}\n" for a, b in TEXTS.items()),
    "tsv with comments and blank lines": "# topics\n\n" + ROWS + "\n  \n",
    "tsv of Windows": ROWS.replace("\n", "\r\n"),
    "csv": "qid,query\n" + "".join(f"{topic},{text}\n" for topic, text in QUOTED.items()),
    "csv with semicolons": "id;lang;title\n" + "".join(f"{topic};en;{text}\n" for topic, text in QUOTED.items()),
    "json": json.dumps(TEXTS, indent=2),
    "json of objects": json.dumps({topic: {"title": text, "desc": "long"} for topic, text in TEXTS.items()}),
    "json list": json.dumps([{"number": int(topic), "title": text} for topic, text in TEXTS.items()]),
    "BEIR": "".join(json.dumps({"_id": a, "text": b, "metadata": {"x": [1]}}) + "\n" for a, b in TEXTS.items()),
    "jsonl": "\n".join(json.dumps({"query": b, "qid": int(a)}) for a, b in TEXTS.items()),
    "trec": TREC,
    "xml": XML,
}


def read(text: str | bytes) -> md.Queries:
    return md.read_queries(BytesIO(text.encode() if isinstance(text, str) else text))


@pytest.mark.parametrize("text", FORMATS.values(), ids=FORMATS)
def test_every_format_says_the_same(text):
    assert dict(read(text)) == TEXTS


@pytest.mark.parametrize("text", FORMATS.values(), ids=FORMATS)
def test_a_byte_order_mark_is_no_part_of_the_first_topic(text):
    assert dict(read(b"\xef\xbb\xbf" + text.encode())) == TEXTS


@pytest.mark.parametrize("pack", [gzip.compress, lzma.compress, bz2.compress])
def test_compressed_files_are_unpacked_whatever_they_are_called(tmp_path, pack):
    (tmp_path / "topics").write_bytes(pack(ROWS.encode()))
    found = md.read_queries(tmp_path / "topics")
    assert dict(found) == TEXTS
    assert found.source == str(tmp_path / "topics")


def test_frames_dictionaries_and_parquet_files_say_the_same(tmp_path):
    columns = {"qid": [301, 302, 303], "query": list(TEXTS.values())}
    pl.DataFrame(columns).write_parquet(tmp_path / "topics")
    for source in (pd.DataFrame(columns), pl.DataFrame(columns), pl.LazyFrame(columns), tmp_path / "topics"):
        assert dict(md.read_queries(source)) == TEXTS
    assert dict(md.read_queries({int(topic): text for topic, text in TEXTS.items()})) == TEXTS
    assert md.read_queries(read(ROWS)) == read(ROWS)


def test_one_line_of_jsonl_is_a_topic_and_not_a_dictionary():
    assert dict(read('{"_id": "7", "text": "blue whales"}')) == {"7": "blue whales"}


def test_titles_come_first_and_descriptions_stand_in_for_empty_ones():
    topics = "<top><num> Number: 051 <title> <desc> Description: Airbus \n subsidies <narr> no </top>"
    assert dict(read(topics)) == {"51": "Airbus subsidies"}
    assert dict(read("<topic number='7'> free text </topic>")) == {"7": "free text"}
    assert dict(read("<TOPIC><NUM>009</NUM><TITLE>bears</TITLE></TOPIC>")) == {"009": "bears"}
    assert dict(read("<top>\n<num> Number: 5\n<title> Topic: Dumping\n</top>")) == {"5": "Dumping"}


def test_columns_behind_the_text_are_noted():
    [caveat] = read("1\tblue whales\ten\n2\tblack bears\n").caveats
    assert caveat.kind is CaveatKind.EXTRA_COLUMNS
    assert "<open file>:1: 1 line has more than 2 columns; what follows the text is ignored" in caveat.text
    assert read("qid\tquery\tlang\n1\tblue whales\ten\n").caveats == ()


def test_a_text_is_one_line():
    assert dict(read('qid,query\n1,"blue\n  whales"\n')) == {"1": "blue whales"}
    assert dict(md.read_queries({"1": " blue\twhales\n"})) == {"1": "blue whales"}


def test_topics_without_a_text_are_left_out():
    assert dict(read("1\tblue whales\n2\t\n3\t  \n")) == {"1": "blue whales"}


BROKEN = {
    "": (None, "is empty"),
    "\n \n": (None, "is empty"),
    "1\t\n2\t\n": (None, "has no text of any topic"),
    "1\tblue whales\n2 black bears\n": (2, "1 column where a topic and its text are expected, with a tab"),
    "\tblue whales\n": (1, "its id is empty"),
    "1\tblue whales\n\n1\tblack bears\n": (3, "topic 1 has two texts (lines 1 and 3)"),
    "qid,query\n1,blue whales\n2\n": (3, "1 column where the header has more"),
    'qid,query\n1,"blue\nwhales"\n2,"black" bears\n': (4, "is no CSV"),
    "1,blue whales\n": (1, "TSV (id, tab, text), CSV with a header"),
    "blue whales\n": (1, "TREC topics (<top> or <topic>) were tried"),
    "<html><title>topics</title></html>": (1, "TREC topics (<top> or <topic>) were tried"),
    "301 0 FT911-1 1\n": (1, "is this a judgment file?"),
    "301\t0\tFT911-1\t1\n": (1, "is this a judgment file?"),
    "301 Q0 FT911-1 1 2.5 tag\n": (1, "is this a run?"),
    '{"1": "blue whales",\n "2": }': (2, "is no JSON"),
    '{"_id": "1", "text": "a"}\n{"_id": "2", "text": "b"\n': (2, "is no JSON"),
    '{"_id": "1", "text": "a"}\n\n{"_id": "2"}\n': (3, "and this has _id"),
    '{"_id": "1", "text": "a"}\n[1]\n': (2, "and this is none"),
    '{"_id": null, "text": "a"}\n': (1, "_id is None, which is no name of a topic"),
    '{"1": 7}': (None, "the text of topic 1 is int where a string is expected"),
    '{"_id": "1", "text": "a"}\n{"_id": "2", "text": "\\ud800"}\n': (2, "cannot be written as UTF-8"),
    "[1, 2]": (None, "is expected, and this is none"),
    "\n<top>\n<title> bears </top>": (2, "this topic has no number"),
    b"1\tblue whales\n2\tcaf\xe9 noir\n": (2, "'caf\\\\xe9' is not UTF-8; convert the file"),
    "1\ta\n".encode("utf-16"): (1, "is written in UTF-16"),
    b"1\ta\r2\tb\r": (1, "carriage returns alone"),
}


@pytest.mark.parametrize(("text", "found"), BROKEN.items())
def test_what_is_wrong_has_its_line_and_says_what_to_do(text, found, tmp_path):
    path = tmp_path / "topics.txt"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    with pytest.raises(InputFileError) as caught:
        md.read_queries(path)
    assert (caught.value.line, found[1] in caught.value.why) == (found[0], True), caught.value
    assert caught.value.path == str(path)
    assert "\n" not in str(caught.value)


def test_a_file_that_is_not_there_is_told():
    with pytest.raises(InputFileError, match="there is no such file"):
        md.read_queries("nowhere.tsv")


@pytest.mark.parametrize("source", [7, None, ["a"], {"1": 2}, {1: "a", "1": "b"}, {"1": "\ud800"}])
def test_what_has_no_texts_is_refused_in_one_line(source):
    with pytest.raises((CallError, InputError)) as caught:
        md.read_queries(source)
    assert "\n" not in str(caught.value)


def test_a_frame_without_the_columns_names_those_that_it_has():
    with pytest.raises(InputError, match="no column topic or text; it has a, b"):
        md.read_queries(pl.DataFrame({"a": [1], "b": ["x"]}))
    with pytest.raises(InputError, match="no column text; it has qid, b"):
        md.read_queries(pl.DataFrame({"qid": [1], "b": ["x"]}))


def test_texts_of_some_topics_stand_in_the_order_of_these_with_a_caveat_for_what_is_missing(tmp_path):
    (tmp_path / "t.tsv").write_text(ROWS, encoding="utf-8")
    found = md.read_queries(tmp_path / "t.tsv").on_topics(["303", "9", "301", "8"])
    assert list(found.items()) == [("303", TEXTS["303"]), ("301", TEXTS["301"])]
    assert [str(each) for each in found.caveats] == [f"texts of 2 of 4 topics are not in {tmp_path / 't.tsv'}"]
    assert found.caveats[0].kind is CaveatKind.MISSING_TEXTS


def test_texts_of_other_topics_are_refused_with_an_id_of_each():
    with pytest.raises(InputError, match=r"the judgments have 'MB1', …; the file has '301', …"):
        read(ROWS).on_topics(["MB1", "MB2"])


def test_texts_cannot_be_changed_and_travel():
    found = read(ROWS)
    with pytest.raises(TypeError):
        found.texts["301"] = "other"
    assert pickle.loads(pickle.dumps(found)) == found
    assert found.to_dict() == TEXTS


def test_the_texts_of_a_real_campaign_are_read(data):
    found = md.read_queries(data / "trec-dl-passage-fusion" / "2019.queries.gz")
    assert found["19335"] == "anthropological definition of environment"
    topics = md.read_qrels(data / "trec-dl-passage-fusion" / "2019.qrels.gz").topics
    assert len(found.on_topics(topics)) == len(topics) == 43
