"""Names that moved: the old ones still work, and warn."""

from __future__ import annotations

import importlib
import sys

import pytest

import measurand as md
from measurand.deprecated import moved

MOVED = {
    "scales": "AS_PUBLISHED CountedSums FloatImage SetUniverse count_sums float_effect float_image set_scale_table",
    "balance": "Rejections expected_difference rejection_rate simulated_runs",
    "orders": "is_additive is_monotone set_algebra",
}


@pytest.mark.parametrize(("room", "name"), [(room, name) for room, names in MOVED.items() for name in names.split()])
def test_names_that_moved_to_papers_are_the_same_under_the_old_name(room, name):
    with pytest.warns(
        DeprecationWarning, match=rf"{room}\.{name} is deprecated and goes in 0\.3\.0; use measurand\.papers\.{name}"
    ):
        old = getattr(getattr(md, room), name)
    assert old is getattr(md.papers, name)


def test_the_warning_points_to_whoever_uses_the_old_name():
    for room, name in (("scales", "float_image"), ("orders", "set_algebra")):
        with pytest.warns(DeprecationWarning, match=name) as caught:
            getattr(getattr(md, room), name)
        assert caught[0].filename == __file__


def test_a_name_that_never_was_is_no_attribute():
    with pytest.raises(AttributeError, match="module 'somewhere' has no attribute 'nothing'"):
        moved("somewhere", {"old": "math.sqrt"})("nothing")
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        md.scales.nothing  # noqa: B018


def test_average_precision_in_doubles_may_still_be_asked_for_with_true():
    with pytest.warns(DeprecationWarning, match="ap_in_doubles=True"):
        assert md.scales.Conventions(ap_in_doubles=True, infinite_df=True) == md.papers.AS_PUBLISHED


@pytest.mark.parametrize(
    ("old", "name"),
    [
        ("measurand.balance", "balancing_index"),
        ("measurand.dominances", "dominance"),
        ("measurand.profiles", "profile"),
        ("measurand.rulers", "Position"),
        ("measurand.lattice.drawing", "Hasse"),
        ("measurand.orders.grades", "exact_grades"),
    ],
)
def test_a_room_that_moved_is_imported_by_its_old_name_with_a_warning(old, name, monkeypatch):
    monkeypatch.delitem(sys.modules, old, raising=False)
    with pytest.warns(DeprecationWarning, match=f"{old} is deprecated"):
        room = importlib.import_module(old)
    assert callable(getattr(room, name))
    with pytest.raises(AttributeError):
        _ = room.nothing_of_that_name
