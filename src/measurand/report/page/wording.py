"""Wording: how the page writes numbers, p-values and names; the filters of its templates."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from measurand.display.wording import counted, percent, pvalue
from measurand.study.comparison_view import difference, effect, number

FILTERS: Mapping[str, Callable[..., Any]] = {
    "number": number,
    "difference": difference,
    "effect": effect,
    "pvalue": pvalue,
    "percent": percent,
    "counted": counted,
}
"""What templates call them."""
