"""Names that nobody has yet."""

from __future__ import annotations

from measurand.scores.summary import unlike


def test_a_name_that_is_free_is_kept_and_others_get_the_next_number():
    assert unlike("a", {"b"}) == "a"
    assert unlike("a", {"a", "a (2)"}) == "a (3)"
