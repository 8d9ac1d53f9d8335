"""A study as data: what JSON and parquet hold, against the study itself."""

from __future__ import annotations

import csv
import io
import json
from functools import cache

import numpy as np
import polars as pl
import pytest

import measurand as md
from measurand.columns import PlainTable
from measurand.display.data import plain
from measurand.errors import InputFileError
from measurand.report.study_data import study_data, write_study_data
from measurand.report.study_frames import study_frames
from measurand.statistics import corrected, detectable

# each study is told once; what comes out is only read
data_of = cache(study_data)
frames_of = cache(study_frames)

MEASURES = ["AP@10", "P@10", "AP@60", "Judged@10"]

NASTY = "<script>alert(1)</script> ü\t\"'"


def names(folder) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.fixture(scope="module")
def study() -> md.Study:
    return md.Study.from_files(md.sample.qrels(), md.sample.runs()[:3], MEASURES, interval=True)


@pytest.fixture(scope="module")
def odd() -> md.Study:
    """Gaps, a nasty name, one common topic: intervals without bounds and scores that are missing."""
    qrels = {"1": {"x": 1, "y": 0}, "2": {"x": 2}, "3": {"z": 0}}
    runs = [
        md.read_run({"1": {"x": 1.0, "y": 1.0}, "2": {"y": 1.0}}, name=NASTY),
        md.read_run({"2": {"x": 2.0}, "3": {"x": 1.0}}, name="b"),
        md.read_run({"1": {"y": 2.0}}, name="c"),
    ]
    return md.Study.from_files(qrels, runs, ["P@1", "AP@2"], missing_topics="skip", baseline="b")


@pytest.fixture(scope="module")
def alone() -> md.Study:
    return md.Study.from_files({"1": {"x": 1}}, {"1": {"x": 1.0}}, "P@1")


@pytest.mark.parametrize("which", ["study", "odd", "alone"])
def test_the_data_are_json_and_come_back(which, request):
    data = data_of(request.getfixturevalue(which))
    assert json.loads(json.dumps(data, allow_nan=False)) == data


def test_the_same_study_gives_the_same_bytes(study):
    again = md.Study.from_files(md.sample.qrels(), md.sample.runs()[:3], MEASURES, interval=True)
    assert json.dumps(data_of(again)) == json.dumps(data_of(study))


def test_nothing_is_missing_from_the_data(study):
    data = data_of(study)
    assert [source["sha256"] for source in data["sources"]] == [source.sha256 for source in study.sources]
    assert data["plan"]["alpha"] == 0.05
    assert data["plan"]["measures"] == list(study.measures) == ["AP@10", "P@10", "AP@60"]
    assert data["plan"]["described"] == list(data["raw"]["described"]) == ["Judged@10"]
    assert data["versions"]["measurand"] == md.__version__
    assert data["scores"]["P@10"]["raw"] == study.scores("P@10").values.tolist()
    assert data["scores"]["AP@60"]["interval"] is None
    assert data["interval_scaled"].keys() == {"AP@10", "P@10"}
    assert len(data["tests"]["found"]) == 4 * 5
    assert len(data["fusion"]["rows"]) == 3 * 5
    assert {caveat["text"] for caveat in data["caveats"]} == set(map(str, study.caveats))
    assert set(data["profiles"]) == set(study.measures)
    assert data["methods"]["command"].startswith("measurand report ")


def test_one_system_has_no_pairs(alone):
    data, frames = data_of(alone), frames_of(alone)
    assert (data["unanimity"], data["fusion"]) == (None, None)
    for name in ("pairs", "effects", "dominance", "levels", "fusion"):
        assert frames[name].height == 0


def test_scores_are_long_and_complete(study):
    frame = frames_of(study)["scores"]
    assert frame.height == 3 * len(study.topics) * (3 + 2)
    row = frame.filter(measure="AP@10", scale="raw", system="dense-2", topic=study.topics[7])
    assert row["value"].item() == study.scores("AP@10").of("dense-2", study.topics[7])
    ranked = study.result_on_interval("AP@10")
    row = frame.filter(measure="AP@10", scale="interval", system="dense-2", topic=study.topics[7])
    assert row["value"].item() == ranked.scores.of("dense-2", study.topics[7])


def test_pairs_have_p_before_and_after_correction(study):
    frame = frames_of(study)["pairs"]
    assert frame.height == 3 * 4 * 5
    mine = frame.filter(measure="P@10", scale="raw", test="sign")
    assert mine["p_corrected"].to_numpy() == pytest.approx(corrected(mine["p"].to_numpy(), "holm"))
    assert mine["significant"].to_list() == (mine["p_corrected"] <= 0.05).to_list()
    assert set(frame.filter(test="two_way_anova")["correction"]) == {"tukey"}


def test_every_pair_has_its_level(study):
    frame = frames_of(study)["levels"]
    assert frame.columns == ["system", "against", "level", "ahead", "significant", "p", "p_corrected"]
    assert frame.height == 3
    for row in frame.rows(named=True):
        pair = study.raw.levels.pair(row["system"], row["against"])
        assert (row["level"], row["ahead"], row["p"]) == (str(pair.level), pair.ahead, pair.p)
        assert (row["significant"], row["p_corrected"]) == (pair.significant, pair.p_corrected)


def test_levels_of_pairs_without_the_baseline_are_not_tested(odd):
    frame = frames_of(odd)["levels"]
    without = frame.filter((pl.col("system") != "b") & (pl.col("against") != "b"))
    assert 0 < without.height < frame.height
    assert without["p_corrected"].null_count() == without["significant"].null_count() == without.height
    assert frame["significant"].null_count() == without.height


def test_pairs_without_the_baseline_are_not_tested(odd):
    frame = frames_of(odd)["pairs"]
    without = frame.filter((pl.col("a") != "b") & (pl.col("b") != "b"))
    assert without.height > 0
    assert without["p_corrected"].null_count() == without["significant"].null_count() == without.height
    assert frame.filter((pl.col("a") == "b") | (pl.col("b") == "b"))["p_corrected"].null_count() == 0


@pytest.mark.parametrize("which", ["study", "odd", "alone"])
def test_no_number_in_a_frame_is_anything_but_a_number(which, request):
    for name, frame in frames_of(request.getfixturevalue(which)).items():
        for column in frame.select(pl.selectors.float()):
            assert column.drop_nulls().is_finite().all(), (name, column.name)


def test_the_kinds_of_columns_do_not_depend_on_the_study(study, alone, odd):
    def kinds(of: md.Study):
        return {name: dict(frame.schema) for name, frame in frames_of(of).items() if name != "topics"}

    assert kinds(study) == kinds(alone) == kinds(odd)


def test_flips_add_up_to_what_the_pairs_say(study):
    frames = frames_of(study)
    for row in frames["flips"].iter_rows(named=True):
        both = [
            frames["pairs"].filter(measure=row["measure"], test=row["test"], scale=scale)["significant"].to_numpy()
            for scale in ("raw", "interval")
        ]
        raw, ranked = both
        assert (row["significant_raw"], row["significant_interval"]) == (raw.sum(), ranked.sum())
        assert (row["s2ns"], row["ns2s"]) == ((raw & ~ranked).sum(), (ranked & ~raw).sum())


def test_rankings_tell_grades_rank_by_rank(study):
    row = frames_of(study)["rankings"].filter(system="dense-3", topic=study.topics[4])
    place = study.systems.index("dense-3")
    assert row["grades"].item().to_list() == study.judged.grades[place, 4, :100].tolist()


def test_everything_is_written_and_read_again(odd, tmp_path):
    paths = write_study_data(odd, tmp_path / "out")
    assert sorted(tmp_path.joinpath("out").iterdir()) == sorted(paths)
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
    frames = frames_of(odd)
    assert {path.stem for path in paths if path.suffix == ".parquet"} == set(frames)
    for name, frame in frames.items():
        assert pl.read_parquet(tmp_path / "out" / f"{name}.parquet").equals(frame)
    text = (tmp_path / "out" / "study.json").read_text(encoding="utf-8")
    assert json.loads(text) == data_of(odd)


def spelled(value: object) -> str:
    """Return a value as it stands in a CSV file."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return "" if value is None else str(value)


@pytest.mark.parametrize("which", ["study", "odd", "alone"])
def test_csv_files_hold_the_same_frames(which, request, tmp_path):
    of = request.getfixturevalue(which)
    paths = write_study_data(of, tmp_path / "out")
    frames = frames_of(of)
    assert {path.stem for path in paths if path.suffix == ".csv"} == set(frames)
    for name, frame in frames.items():
        data = (tmp_path / "out" / f"{name}.csv").read_bytes()
        assert data.count(b"\r\n") == frame.height + 1  # RFC 4180, with a header
        header, *rows = csv.reader(io.StringIO(data.decode(), newline=""), strict=True)
        assert header == frame.columns
        for found, row in zip(rows, frame.rows(), strict=True):
            for text, value in zip(found, row, strict=True):
                # the shortest digits that give the same number
                assert (float(text) == value) if isinstance(value, float) else (text == spelled(value))


def test_a_name_with_quotes_and_line_breaks_stays_one_value():
    name = 'a,"b"\r\nc;é中'
    text = PlainTable({"system": [name], "documents": [['d"1', "d 2"]]}).to_csv()
    assert list(csv.reader(io.StringIO(text, newline=""), strict=True))[1] == [name, '["d\\"1","d 2"]']


def test_means_have_t_intervals(study):
    from scipy import stats

    frame = frames_of(study)["means"]
    assert frame.height == 3 * (3 + 2 + 1)
    row = frame.filter(measure="AP@10", scale="raw", system="dense-2").row(0, named=True)
    values = study.scores("AP@10").values[study.systems.index("dense-2")]
    expected = stats.t.interval(0.95, len(values) - 1, values.mean(), stats.sem(values))
    assert (row["value"], row["topics"], row["confidence"]) == (pytest.approx(values.mean()), 50, 0.95)
    assert (row["low"], row["high"]) == pytest.approx(expected)
    assert data_of(study)["means"] == frame.rows(named=True)


def test_pairs_say_what_could_have_been_detected(study):
    frame = frames_of(study)["effects"].filter(measure="P@10", scale="raw")
    upper = np.triu_indices(3, 1)
    result = study.result("P@10")
    wanted = [detectable(study.scores("P@10"), level)[upper] for level in result.deciding_alphas[upper]]
    assert frame["detectable"].to_numpy() == pytest.approx([each[place] for place, each in enumerate(wanted)])
    assert frame["p"].to_list() == result.uncorrected.pvalues[upper].tolist()
    assert frame["p_corrected"].to_list() == result.pairs.pvalues[upper].tolist()
    told = data_of(study)["pairs"]
    assert told["systems"] == [[0, 1], [0, 2], [1, 2]]
    mine = told["measures"]["P@10"]["raw"]
    assert (mine["test"], mine["adjusted"]) == ("paired_t", "holm")
    for name in ("mean_difference", "low", "high", "p", "p_corrected", "significant", "detectable"):
        assert mine[name] == frame[name].to_list()


def test_effects_of_pairs_without_the_baseline_are_not_tested(odd):
    frame = frames_of(odd)["effects"]
    without = (pl.col("a") != "b") & (pl.col("b") != "b")
    assert frame.filter(without)["p_corrected"].null_count() == frame.filter(without).height > 0
    assert frame.filter(~without)["significant"].null_count() == 0


def test_margins_are_those_of_the_primary_measure(study):
    matrix = md.margins_matrix(study.judged, "AP@10")
    frame = frames_of(study)["margins"]
    assert set(frame["measure"]) == {"AP@10"}
    for row, expected in zip(frame.rows(named=True), matrix.rows(), strict=True):
        assert (row["system"], row["against"], row["topics"]) == (
            expected["system"],
            expected["against"],
            expected["topics"],
        )
        for name in ("scale", "own", "topics"):
            assert (row[name] is None) == (name in row["proof"].split())
    assert data_of(study)["margins"] == plain(matrix.to_dict())


def test_a_strict_study_without_means_has_no_margins():
    strict = md.Study.from_files(md.sample.qrels(), md.sample.runs()[:2], "RR", strict=True, fuse=False)
    frames = frames_of(strict)
    assert data_of(strict)["margins"] is None
    assert frames["margins"].height == 0
    assert set(frames["means"]["statistic"]) == {"median"}
    assert frames["effects"]["detectable"].null_count() == frames["effects"].height


def test_rankings_name_documents_and_topics_have_their_texts():
    qrels = {"1": {"x": 1, "y": 0}, "2": {"x": 2}}
    runs = {"a": {"1": {"x": 2.0, "y": 1.0}}, "b": {"1": {"y": 1.0}, "2": {"z": 1.0}}}
    told = md.Study.from_files(qrels, runs, "P@1", queries={"1": "blue whales"}, fuse=False)
    frames = frames_of(told)
    assert frames["rankings"]["documents"].to_list() == [["x", "y"], [], ["y"], ["z"]]
    assert frames["topics"]["text"].to_list() == ["blue whales", None]
    assert data_of(told)["queries"] == {"1": "blue whales"}
    assert data_of(told)["conclusion"] == plain(told.conclusion.to_dict())


def test_files_of_others_stay_and_ours_are_replaced(alone, tmp_path):
    (tmp_path / "notes.txt").write_text("mine")
    (tmp_path / "study.json").write_text("old")
    write_study_data(alone, tmp_path)
    assert (tmp_path / "notes.txt").read_text() == "mine"
    assert json.loads((tmp_path / "study.json").read_text())["topics"] == ["1"]


def test_a_failure_leaves_what_was_there(alone, tmp_path, monkeypatch):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "study.json").write_text("old")

    def break_down(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(PlainTable, "to_parquet", break_down)
    with pytest.raises(KeyboardInterrupt):
        write_study_data(alone, tmp_path / "out")
    assert names(tmp_path) == ["out"]
    assert names(tmp_path / "out") == ["study.json"]
    assert (tmp_path / "out" / "study.json").read_text() == "old"


def test_a_place_that_cannot_be_written_to_is_named(alone, tmp_path):
    (tmp_path / "file").write_text("")
    for place in (tmp_path / "file", tmp_path / "file" / "folder"):
        with pytest.raises(InputFileError, match="cannot be written"):
            write_study_data(alone, place)
    assert names(tmp_path) == ["file"]


def test_infinite_numbers_become_nothing():
    assert plain({"a": [np.inf, -np.inf, np.float64("nan"), np.int64(3), np.bool_(True)]}) == {
        "a": [None, None, None, 3, True]
    }


def test_a_study_without_an_interval_scale_has_none():
    bare = md.Study.from_files(md.sample.qrels(), md.sample.runs()[:2], "AP@60", fuse=False)
    assert bare.ranked is None
    assert data_of(bare)["interval"] is None
    assert set(frames_of(bare)["scores"]["scale"]) == {"raw"}
    assert frames_of(bare)["flips"].height == 0
