"""A profile as data for programs: what JSON can hold, exact numbers as text beside their floats."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from attrs import asdict

from measurand.axioms import AXIOMS
from measurand.axioms.balance import Curve
from measurand.scales import Image, Uneven
from measurand.study.profile import Profile
from measurand.verdict import Verdict, Witness

MANY = 4096
"""An image with more values is told by its summary alone."""


VALUATION = "its values on the join-irreducible runs fix all others"


def profile_data(profile: Profile) -> dict[str, Any]:
    """Return a profile as nested dictionaries and lists.

    Examples
    --------
    >>> from measurand.study.profile import profile
    >>> data = profile_data(profile("P", depth=3))
    >>> data["axioms"]["swap"]["holds"], data["image"]["equispaced"], data["balance"]["points"][2]
    (True, True, [3, 3])
    """
    known, spacing = profile.known, profile.spacing
    return {
        "measure": repr(profile.measure),
        "definition": profile.definition,
        "formula": profile.formula or None,
        "citation": profile.citation or None,
        "facts": profile.facts,
        "depth": profile.depth,
        "grades": profile.grades,
        "recall_base": profile.space.pool.recall_base(),
        "collection": profile.space.collection,
        "axioms": {name: verdict_data(verdict, AXIOMS[name]) for name, verdict in profile.axioms.items()},
        "scale": {
            "label": profile.label.to_dict(),
            "literature": None if known is None else {**asdict(known), "scale": str(known.scale)},
            "spacing": None if spacing is None else verdict_data(spacing, "neighbouring values are equally far apart"),
        },
        "image": None if profile.image is None else _image(profile.image),
        "balancing_index": profile.balancing_index,
        "balance": None if profile.balance is None else _curve(profile.balance),
        "valuations": {order: verdict_data(verdict, VALUATION) for order, verdict in profile.valuations.items()},
    }


def verdict_data(verdict: Verdict, statement: str) -> dict[str, Any]:
    """Return whether a statement holds, how that is known, and what decides it."""
    return {
        "holds": verdict.holds,
        "statement": statement,
        "how": str(verdict.how),
        "checked": verdict.checked,
        "argument": verdict.argument or None,
        "witness": _witness(verdict.witness),
    }


def _witness(witness: Any) -> dict[str, Any] | None:
    if isinstance(witness, Witness):
        values = [exact(value) for value in witness.values]
        return {"runs": [list(run) for run in witness.runs], "values": values, "why": witness.why}
    if isinstance(witness, Uneven):
        gaps = [exact(witness.gap), exact(witness.other_gap)]
        return {"steps": [witness.first + 1, witness.second + 1], "gaps": gaps, "why": str(witness)}
    return None


def exact(number: Any) -> dict[str, Any]:
    """Return an exact number as text, and as the nearest float (None where it is too large for one).

    Examples
    --------
    >>> exact(Fraction(1, 3))
    {'exact': '1/3', 'value': 0.3333333333333333}
    """
    return {"exact": _spelled(number), "value": as_float(number)}


def _spelled(number: Any) -> str | None:
    """Return an exact number as text, unless it has more digits than Python writes."""
    try:
        return str(number) if isinstance(number, Fraction) else repr(number)
    except ValueError:
        return None


def as_float(number: Any) -> float | None:
    """Return the nearest float, None where the number is too large for one.

    Examples
    --------
    >>> as_float(Fraction(1, 2)), as_float(Fraction(10**400))
    (0.5, None)
    """
    try:
        return float(number)
    except OverflowError:
        return None


def _image(image: Image) -> dict[str, Any]:
    around = image.around_largest_gap
    data = {
        "depth": image.depth,
        "grades": image.grades,
        "runs": image.total,
        "size": image.size,
        "equispaced": image.equispaced,
        "lowest": exact(image.lowest),
        "highest": exact(image.highest),
        "largest_gap": exact(image.largest_gap),
        "around_largest_gap": None if around is None else [exact(value) for value in around],
        "unused_share": image.unused,
        "tie_groups": {str(size): count for size, count in image.ties.items()},
    }
    if image.size <= MANY:
        values = zip(image, image.sizes.tolist(), strict=True)
        data["values"] = [{"value": as_float(value), "runs": n} for value, n in values]
    return data


def _curve(curve: Curve) -> dict[str, Any]:
    points = [list(point) for point in curve.points]
    return {"qmin": curve.qmin, "qmax": curve.qmax, "points": points, "reading": curve.reading}
