"""What is finished is kept until all is."""

from __future__ import annotations

import pytest

from measurand.papers.scale_tables import KeptParts


def test_parts_of_other_computations_are_none_of_ours(tmp_path):
    one, other = KeptParts(tmp_path, "aa"), KeptParts(tmp_path, "bb")
    assert one.made("depth-5", lambda: {"tau": 1}) == {"tau": 1}
    assert other.made("depth-5", lambda: {"tau": 2}) == {"tau": 2}
    other.forget()
    assert (one.names, other.names) == (("depth-5",), ())


@pytest.mark.parametrize("garbage", ['{"tau"', "[]", "null", ""])
def test_a_damaged_part_is_made_again(tmp_path, garbage):
    kept = KeptParts(tmp_path, "aa")
    (tmp_path / "depth-5.aa.json").write_text(garbage, encoding="utf-8")
    assert kept.made("depth-5", lambda: {"tau": 1}) == {"tau": 1}
    assert kept.made("depth-5", lambda: {"tau": 2}) == {"tau": 1}


@pytest.mark.parametrize("folder", ["file", "file/folder", 300 * "x"])
def test_where_nothing_can_be_kept_everything_is_made(tmp_path, folder):
    (tmp_path / "file").write_text("", encoding="utf-8")
    kept = KeptParts(tmp_path / folder, "aa")
    assert [kept.made("depth-5", lambda n=n: {"tau": n})["tau"] for n in (1, 2)] == [1, 2]
    kept.forget()
