"""Stored scores on bad days: what goes wrong is said in one line, and nothing that was scored is lost."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import measurand as md
import measurand.display.writing as writing
from measurand.display.keeping import sealed
from measurand.errors import InputError, InputFileError, ParameterError
from measurand.study.store import build
from measurand.study.store.folder import Folder
from measurand.study.store.scoring import _judging, score_piece
from measurand.study.store.store_plan import DONE, PLAN, SourceFile, StorePlan, cut_sources

QRELS = {"1": {"d1": 1}, "2": {"d2": 2}, "3": {"d1": 1, "d3": 0}}
LINES = [f"{topic} Q0 d{document} 0 {3 - document} sys\n" for topic in "123" for document in range(3)]


@pytest.fixture
def run(tmp_path: Path) -> Path:
    path = tmp_path / "sys.run"
    path.write_text("".join(LINES))
    return path


def stored(run: Path, measures: Any = "AP", **options: Any) -> md.ScoreStore:
    return md.store_scores(QRELS, run, measures, into=run.parent / "scores", **{"block": 50} | options)


def breaking(after: int, error: BaseException) -> tuple[Callable[..., Any], list[int]]:
    """Return a function that scores so many pieces and then fails, and the pieces that it was called with."""
    asked: list[int] = []

    def score(job: Any, piece: Any) -> Any:
        asked.append(piece.number)
        if len(asked) > after:
            raise error
        return score_piece(job, piece)

    return score, asked


def interrupted(*_: Any) -> None:
    raise KeyboardInterrupt


@pytest.mark.parametrize("error", [KeyboardInterrupt(), MemoryError(), InputFileError("sys.run", None, "gone")])
def test_an_interrupted_store_goes_on_where_it_stopped(
    run: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException
) -> None:
    failing, _ = breaking(2, error)
    monkeypatch.setattr(build, "score_piece", failing)
    with pytest.raises(type(error)):
        stored(run)
    with pytest.raises(InputFileError, match=r"is not finished: 2 of \d+ pieces scored; go on with --resume"):
        md.open_scores(run.parent / "scores")
    with pytest.raises(InputFileError, match="begun and not finished; go on with --resume"):
        stored(run)
    going, asked = breaking(100, error)
    monkeypatch.setattr(build, "score_piece", going)
    store = stored(run, resume=True)
    assert asked == list(range(2, len(store.plan.cut)))
    assert np.array_equal(store.table()["AP"].values, md.evaluate(QRELS, run, "AP")["AP"].values)


def test_a_half_written_note_of_a_finished_piece_counts_for_nothing(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build, "score_piece", breaking(2, MemoryError())[0])
    with pytest.raises(MemoryError):
        stored(run)
    note = sorted((run.parent / "scores/done").iterdir())[0]
    note.write_bytes(note.read_bytes()[:-5])
    going, asked = breaking(100, MemoryError())
    monkeypatch.setattr(build, "score_piece", going)
    assert stored(run, resume=True).systems == ("sys",)
    assert len(asked) == len(stored(run, resume=True).plan.cut) - 1


def test_a_store_is_gone_on_with_only_as_it_was_begun(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build, "score_piece", breaking(1, MemoryError())[0])
    with pytest.raises(MemoryError):
        stored(run)
    for options, words in (
        ({"measures": "RR"}, "other measures"),
        ({"depth": 2}, "other options"),
        ({"missing_topics": "skip"}, "other options"),
    ):
        with pytest.raises(InputFileError, match=f"was begun with {words}"):
            stored(run, resume=True, **options)
    folder = Folder.at(run.parent / "scores")
    folder.write_sealed(PLAN, folder.read_sealed(PLAN) | {"version": "0.0.1"})
    with pytest.raises(InputFileError, match=r"was begun with measurand 0\.0\.1, and this is"):
        stored(run, resume=True)


def test_run_files_that_changed_or_were_added_are_scored_and_others_are_kept(
    run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = run.with_name("other.run")
    other.write_text("".join(LINES).replace("sys", "other"))
    before = md.store_scores(QRELS, run, "AP", into=run.parent / "scores", block=50)
    counting, asked = breaking(100, MemoryError())
    monkeypatch.setattr(build, "score_piece", counting)
    both = md.store_scores(QRELS, [run, other], "AP", into=run.parent / "scores", resume=True)
    assert asked == list(range(len(before.plan.cut), len(both.plan.cut)))
    for written in ("".join(LINES[:8]), "".join(LINES[:8]).replace("d1", "d7")):  # of another size, and of the same
        run.write_text(written)
        found = md.store_scores(QRELS, [run, other], "AP", into=run.parent / "scores", resume=True)
        assert np.array_equal(found.table()["AP"].values, md.evaluate(QRELS, [run, other], "AP")["AP"].values)
        files = {rows.file for entry in found.entries.values() for rows in entry["rows"]}
        assert {f"parts/{path.name}" for path in (run.parent / "scores/parts").iterdir()} == files
        assert found.lazy().collect().height == 6


def test_a_run_file_that_grows_while_it_is_scored_is_refused_and_scored_anew(
    run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def growing(job: Any, piece: Any) -> Any:
        run.write_text("".join([*LINES, "3 Q0 d9 0 0 sys\n"]))
        return score_piece(job, piece)

    with monkeypatch.context() as patch:
        patch.setattr(build, "score_piece", growing)
        with pytest.raises(InputFileError, match=r"sys\.run: changed while it was scored; .* --resume"):
            stored(run)
    found = stored(run, resume=True)
    assert np.array_equal(found.table()["AP"].values, md.evaluate(QRELS, run, "AP")["AP"].values)


def test_a_small_file_that_is_added_changes_few_pieces() -> None:
    def pieces(names: Sequence[int]) -> set[tuple[SourceFile, ...]]:
        sources = [SourceFile(f"/runs/{name:04d}.run", 1000, 0) for name in names]
        return {tuple(sources[first:behind]) for first, behind, *_ in cut_sources(sources, 1 << 25)}

    before, after = pieces(range(1, 1001)), pieces(range(1001))
    assert sum(map(len, after)) == 1001
    assert max(map(len, after)) <= 64
    assert sum(map(len, after - before)) <= 128


def test_a_topic_in_two_places_is_refused(run: Path) -> None:
    run.write_text("".join([*LINES[:2], *LINES[3:], LINES[2]]))
    with pytest.raises(InputFileError, match=r"topic 1 stands in two places; put the lines of each topic together"):
        stored(run)


def test_a_file_that_is_one_run_by_its_name_has_one_tag(run: Path) -> None:
    run.write_text("".join([*LINES[:6], *(line.replace("sys", "other") for line in LINES[6:])]))
    with pytest.raises(InputFileError, match="holds the run tags sys and other"):
        md.store_scores(QRELS, {"mine": run}, "AP", into=run.parent / "named", block=50)
    assert stored(run).systems == ("sys", "other")


def test_what_is_wrong_in_a_block_is_said_with_its_line_in_the_file(run: Path) -> None:
    run.write_text("".join([*LINES[:7], "3 Q0 d1 1 high sys\n", LINES[8]]))
    with pytest.raises(InputFileError, match=r"sys\.run:8: "):
        stored(run)


def test_other_things_that_cannot_be_stored_are_refused(run: Path) -> None:
    with pytest.raises(ParameterError, match="write the runs to files, or take evaluate"):
        md.store_scores(QRELS, {"1": {"d1": 1.0}}, "AP", into=run.parent / "scores")
    with pytest.raises(ParameterError, match=r"ESL\(i=1\) needs the size of the collection here"):
        stored(run, "ESL")
    with pytest.raises(ParameterError, match="is a measure of your own"):
        stored(run, md.define(lambda run: sum(run), name="Mine"))
    with pytest.raises(InputError, match="no topic in common with the judgments"):
        md.store_scores({"9": {"d1": 1}}, run, "AP", into=run.parent / "none")
    with pytest.raises(InputFileError, match=r"sys\.run: is a file where a folder is wanted"):
        md.store_scores(QRELS, run, "AP", into=run)
    (run.parent / "full").mkdir()
    (run.parent / "full/thesis.tex").touch()
    with pytest.raises(InputFileError, match="holds other files; name a new folder"):
        md.store_scores(QRELS, run, "AP", into=run.parent / "full")


@pytest.mark.parametrize("wrong", [{"block": 0}, {"block": "1 MB"}, {"depth": 0}, {"depth": 1.5}])
def test_a_store_that_is_refused_leaves_nothing_behind(run: Path, wrong: dict[str, Any]) -> None:
    [name] = wrong
    with pytest.raises(ParameterError, match=f"{name} must be a whole number from 1 up"):
        md.store_scores(QRELS, run, "AP", into=run.parent / "scores", **wrong)
    assert not (run.parent / "scores").exists()


def test_numbers_of_numpy_are_numbers(run: Path) -> None:
    found = stored(run, depth=np.int64(1))
    assert np.array_equal(found.values("AP"), md.evaluate(QRELS, run, "AP", depth=1)["AP"].values)


def test_a_store_that_was_interrupted_before_its_plan_was_written_is_begun_again(
    run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(StorePlan, "to_dict", interrupted)
        with pytest.raises(KeyboardInterrupt):
            stored(run)
    assert stored(run, resume=True).systems == ("sys",)


def test_a_store_that_is_finished_holds_nothing_else(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stored(run)
    run.write_text("".join(LINES[:8]))
    with monkeypatch.context() as patch:
        patch.setattr(build, "_tidy", interrupted)
        with pytest.raises(KeyboardInterrupt):
            stored(run, resume=True)
    stored(run, resume=True)
    assert pl.read_parquet(run.parent / "scores/parts/*.parquet").height == 3


def test_a_folder_without_scores_or_with_damaged_ones_is_said_to_be_so(run: Path) -> None:
    with pytest.raises(InputFileError, match="there is no such folder"):
        md.open_scores(run.parent / "nowhere")
    with pytest.raises(InputFileError, match="holds no scores"):
        md.open_scores(run.parent)
    store = stored(run)
    with pytest.raises(ParameterError, match=r"RR was not stored; there is AP; \.table\(systems, 'RR'\) computes it"):
        store.values("RR")
    with pytest.raises(ParameterError, match="there is no system 'bm25'; there is sys"):
        store.values("AP", "bm25")
    with pytest.raises(ParameterError, match="name at least one system"):
        store.means("AP", [])
    with pytest.raises(ParameterError, match="depth must be a whole number from 1 up"):
        store.judged(depth=-3)
    with pytest.raises(ParameterError, match="together must be a whole number from 1 up"):
        next(store.blocks(together=-1))
    part = run.parent / "scores" / store.entries["sys"]["rows"][0].file
    part.write_bytes(part.read_bytes()[:40])
    with pytest.raises(InputFileError, match=r"part-.*\.parquet: is damaged or gone"):
        store.values("AP")
    part.unlink()
    with pytest.raises(InputFileError, match=r"part-.*\.parquet: is damaged or gone"):
        store.judged()


def test_a_store_at_an_address_is_written_and_read(run: Path) -> None:
    pytest.importorskip("fsspec")
    address = f"memory://{run.parent.name}/scores"
    store = md.store_scores(QRELS, run, ["AP", "P@2"], into=address, block=50)
    assert np.array_equal(md.open_scores(address).table()["P@2"].values, store.values("P@2"))


def dying(marker: Path, job: Any, piece: Any) -> Any:
    """Score a piece on a worker, which is killed once when it has written all but the note that it is done."""
    if piece.number == 2 and not marker.exists():
        marker.touch()
        score_piece(job, piece)
        Path(job.place, DONE, f"{piece.name}.json").unlink()
        os.kill(os.getpid(), signal.SIGKILL)
    return score_piece(job, piece)


def test_a_cluster_stores_the_same_scores_even_if_a_worker_is_killed(
    run: Path, client: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    alone = stored(run, ["AP", "P@2"])
    marker = run.parent / "killed"
    monkeypatch.setattr(build, "score_piece", partial(dying, marker))
    far = md.store_scores(QRELS, run, ["AP", "P@2"], into=run.parent / "far", block=50, executor=client.get_executor())
    assert marker.exists()
    assert far.entries == alone.entries
    assert {path.name for path in (run.parent / "far/parts").iterdir()} == {
        path.name for path in (run.parent / "scores/parts").iterdir()
    }
    assert np.array_equal(far.values("AP"), alone.values("AP"))
    client.wait_for_workers(2, timeout=60)


def test_the_data_set_is_read_by_libraries_of_frames(run: Path) -> None:
    store = stored(run, ["AP", "P@2"])
    frame = store.lazy().sort("topic").collect()
    assert frame.columns == ["system", "topic", "AP", "P@2"]
    assert frame["system"].to_list() == ["sys"] * 3
    assert np.array_equal(frame["AP"].to_numpy(), store.values("AP")[0])
    odd = md.store_scores(QRELS, run, "AP", into=run.parent / "system=a/scores[1]")
    assert odd.lazy().collect()["system"].to_list() == ["sys"] * 3


@pytest.mark.parametrize(
    ("head", "block"),
    [(b"\xef\xbb\xbf", 30), (b"\xef\xbb\xbf# bm25\n", 30), (b"# bm25\n" * 30, 60), (b"#" * 70_000 + b"\n", 9000)],
)
def test_what_stands_before_the_first_line_is_no_block_and_no_topic_of_its_own(
    run: Path, head: bytes, block: int
) -> None:
    run.write_bytes(head + "".join(LINES).encode())
    store = md.store_scores(QRELS, run, "AP", into=run.parent / "scores", block=block)
    assert store.values("AP").tolist() == md.evaluate(QRELS, run, "AP").scores("AP").values.tolist()


def test_a_byte_order_mark_in_the_middle_is_part_of_a_topic_wherever_the_file_is_cut(run: Path) -> None:
    run.write_text("".join([*LINES[:3], "\ufeff2 Q0 d2 0 9 sys\n", *LINES[6:]]))
    assert stored(run).values("AP").tolist() == md.evaluate(QRELS, run, "AP").scores("AP").values.tolist()


def test_every_number_of_a_line_in_a_complaint_is_that_in_the_file(run: Path) -> None:
    run.write_text("".join([*LINES, LINES[-2]]))
    with pytest.raises(InputFileError) as expected:
        md.evaluate(QRELS, run, "AP")
    with pytest.raises(InputFileError, match="lines 8 and 10") as found:
        stored(run)
    assert str(found.value) == str(expected.value)


def test_lines_with_too_many_columns_are_counted_over_all_blocks(run: Path) -> None:
    run.write_text("".join(line.replace("\n", " more\n") for line in LINES))
    assert stored(run).caveats == md.evaluate(QRELS, run, "AP").caveats


@pytest.mark.parametrize("rest", ["", "".join(LINES[:4]), "".join(LINES).replace("d1", "d7")])
def test_a_run_file_that_changes_while_it_is_scored_is_refused_and_taken_anew(run: Path, rest: str) -> None:
    def changing(pieces: Any, *_: Any) -> Any:
        for number, piece in enumerate(pieces):
            if number == 1:
                run.write_text(rest)
            yield piece

    with pytest.raises(InputFileError, match=r"changed while it was scored; .* --resume|shorter"):
        stored(run, progress=changing)
    run.write_text("".join(LINES).replace("d2", "d9"))
    store = stored(run, resume=True)
    assert store.values("AP").tolist() == md.evaluate(QRELS, run, "AP").scores("AP").values.tolist()


@pytest.mark.parametrize("lost", ["parts", "index.json", "qrels.trec.gz", "everything but qrels.trec.gz"])
def test_what_was_lost_of_a_store_is_made_anew(run: Path, lost: str) -> None:
    folder, before = run.parent / "scores", stored(run).values("AP")
    if lost == "index.json":
        (folder / lost).write_text("{")
    elif lost == "parts":
        next((folder / lost).iterdir()).unlink()
    elif lost == "qrels.trec.gz":
        (folder / lost).unlink()
    else:
        for path in [*folder.glob("*/*"), *folder.glob("*.json")]:
            path.unlink()
        for path in folder.glob("[dp]*"):
            path.rmdir()
    assert stored(run, resume=True).values("AP").tolist() == before.tolist()
    assert (folder / "qrels.trec.gz").exists()


def damaged(path: Path, how: str) -> None:
    data = path.read_bytes()
    path.unlink()
    if how == "flipped":
        path.write_bytes(data[: len(data) // 2] + bytes([data[len(data) // 2] ^ 4]) + data[len(data) // 2 + 1 :])
    elif how == "cut":
        path.write_bytes(data[:-1])
    elif how == "pipe":
        os.mkfifo(path)
    elif how == "loop":
        path.symlink_to(path.name)


FILES = ["parts/*", "done/*", "index.json", "qrels.trec.gz", "measurand.json"]


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("how", ["flipped", "cut", "gone", "pipe", "loop"])
def test_what_is_damaged_in_a_store_is_not_read_and_made_anew_which_is_said(
    run: Path, name: str, how: str, caplog: pytest.LogCaptureFixture
) -> None:
    folder, values = run.parent / "scores", stored(run).values("AP").tolist()
    [file, *_] = sorted(folder.glob(name))
    damaged(file, how)
    _judging.cache_clear()
    if name in ("done/*", "measurand.json"):  # nothing that is read depends on it
        assert md.open_scores(folder).values("AP").tolist() == values
    elif (name, how) == ("index.json", "gone"):
        with pytest.raises(InputFileError, match="not finished"):
            md.open_scores(folder)
    else:
        with pytest.raises(InputFileError, match=rf"{file.name}: is damaged[^\n]* with --resume"):
            md.open_scores(folder).values("AP")
    if name == "measurand.json":
        with pytest.raises(InputFileError, match=r"store the scores anew|holds other files|cannot be read|is no file"):
            stored(run, resume=True)
        return
    assert stored(run, resume=True).values("AP").tolist() == values
    assert md.open_scores(folder).values("AP").tolist() == values
    # a note that is gone is that of a piece that was not scored yet
    said = name in ("parts/*", "done/*") and (name, how) != ("done/*", "gone")
    assert caplog.messages == [f"note: {folder}: 1 piece was damaged or lost; scoring anew"] * said


def test_one_changed_byte_anywhere_in_a_store_never_gives_another_number(run: Path) -> None:
    folder, values = run.parent / "scores", stored(run, block=1 << 20).values("AP").tolist()
    for file in sorted(path for path in folder.rglob("*") if path.is_file()):
        whole = file.read_bytes()
        for at in range(0, len(whole), 53):
            file.write_bytes(whole[:at] + bytes([whole[at] ^ 1 << at % 8]) + whole[at + 1 :])
            _judging.cache_clear()
            with suppress(InputFileError):
                assert md.open_scores(folder).values("AP").tolist() == values
        file.write_bytes(whole)


def test_what_a_killed_program_left_in_a_store_is_removed(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writing, "_looked_at", set())
    folder = run.parent / "scores"
    stored(run)
    left = [folder / under / ".measurand-0123456789ab.tmp" for under in (".", "parts", "done")]
    for path in left:
        path.touch()
        os.utime(path, (0, 0))
    monkeypatch.setattr(writing, "_looked_at", set())
    stored(run, resume=True)
    assert not any(path.exists() for path in left)


def test_a_resume_that_fails_leaves_the_finished_store_as_it_was(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, values = run.parent / "scores", stored(run).values("AP").tolist()
    added = run.with_name("added.run")
    added.write_text("1 Q0 d1 1 high added\n")

    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    for failing in (True, False):
        with monkeypatch.context() as patch:
            if failing:
                patch.setattr(os, "fsync", full)
            with pytest.raises(InputFileError, match="No space left" if failing else r"added\.run:1: "):
                md.store_scores(QRELS, [run, added], "AP", into=folder, resume=True)
        store = md.open_scores(folder)
        assert (store.systems, store.values("AP").tolist()) == (("sys",), values)
    assert "a later --resume is not finished" in store.caveats[0].text
    added.write_text("1 Q0 d1 1 2 added\n")
    both = md.store_scores(QRELS, [run, added], "AP", into=folder, resume=True)
    assert (both.systems, both.values("AP", "sys").tolist()) == (("sys", "added"), values)
    assert not any("--resume" in caveat.text for caveat in both.caveats)


def test_a_run_at_an_address_that_changes_while_it_is_scored_is_noticed(run: Path) -> None:
    fsspec = pytest.importorskip("fsspec")
    address = f"memory://{run.parent.name}/sys.run"
    text = "".join(LINES).encode()
    for written in (text.replace(b"d1", b"d7"), text):  # of the same size

        def changing(pieces: Any, *_: Any, written: bytes = written) -> Any:
            with fsspec.open(address, "wb") as file:
                file.write(written)
            yield from pieces

        with fsspec.open(address, "wb") as file:
            file.write(text)
        with pytest.raises(InputFileError, match=r"changed while it was scored; .* --resume"):
            md.store_scores(QRELS, address, "AP", into=run.parent / "far", resume=True, progress=changing)
    store = md.store_scores(QRELS, address, "AP", into=run.parent / "far", resume=True)
    assert store.values("AP").tolist() == md.evaluate(QRELS, run, "AP")["AP"].values.tolist()


def test_a_store_of_an_earlier_format_is_refused_in_words(run: Path) -> None:
    stored(run)
    for held in ({"format": 1, "version": "0.1.9"}, sealed(PLAN, {"format": 9, "version": "0.1.9"})):
        data = held if isinstance(held, bytes) else json.dumps(held).encode()
        (run.parent / "scores/measurand.json").write_bytes(data)
        (run.parent / "scores/index.json").write_text("{}")
        with pytest.raises(InputFileError, match=r"was written by measurand 0\.1\.9, which stored scores otherwise"):
            md.open_scores(run.parent / "scores")


def test_an_address_on_this_machine_is_a_path(run: Path) -> None:
    store = md.store_scores(QRELS, f"local://{run}", "AP", into=f"local://{run.parent}/scores")
    assert store.folder.place == str(run.parent / "scores")
    assert not md.open_scores(f"file://{run.parent}/scores").folder.is_remote


def test_judgments_that_trecs_format_cannot_hold_are_refused_with_a_way_out(run: Path) -> None:
    with pytest.raises(InputError, match=r"topic '#1' cannot stand .* a store keeps judgments in one; rename it"):
        md.store_scores({"#1": {"d1": 1}}, run, into=run.parent / "scores")
    assert not (run.parent / "scores").exists()
