"""A profile as data for programs: what JSON can hold, exact numbers as text beside their floats."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from measurand.balance import Curve
from measurand.profiles import STATEMENTS, Profile
from measurand.scales import Image, Uneven
from measurand.verdict import Verdict, Witness

MANY = 4096
"""An image with more values is told by its summary alone."""


def profile_data(profile: Profile) -> dict[str, Any]:
    """Return a profile as nested dictionaries and lists.

    Examples
    --------
    >>> from measurand.profiles import profile
    >>> data = profile_data(profile("P", depth=3))
    >>> data["axioms"]["swap"]["holds"], data["image"]["equispaced"], data["balance"]["points"][2]
    (True, True, [3, 3])
    """
    known = profile.known
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
        "axioms": {name: _verdict(verdict, STATEMENTS[name]) for name, verdict in profile.axioms.items()},
        "scale": {
            "declared": str(profile.measure.scale),
            "literature": known
            and {"scale": str(known.scale), "condition": known.condition, "reference": known.reference},
            "spacing": profile.spacing and _verdict(profile.spacing, "neighbouring values are equally far apart"),
        },
        "image": profile.image and _image(profile.image),
        "balancing_index": profile.balancing_index,
        "balance": profile.balance and _curve(profile.balance),
    }


def _verdict(verdict: Verdict, statement: str) -> dict[str, Any]:
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
    """Return an exact number as text, and as the nearest float.

    Examples
    --------
    >>> exact(Fraction(1, 3))
    {'exact': '1/3', 'value': 0.3333333333333333}
    """
    return {"exact": str(number) if isinstance(number, Fraction) else repr(number), "value": float(number)}


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
        "around_largest_gap": around and [exact(value) for value in around],
        "unused_share": image.unused,
        "tie_groups": {str(size): count for size, count in image.ties.items()},
    }
    if image.size <= MANY:
        values = zip(image, image.sizes.tolist(), strict=True)
        data["values"] = [{"value": float(value), "runs": n} for value, n in values]
    return data


def _curve(curve: Curve) -> dict[str, Any]:
    points = [list(point) for point in curve.points]
    return {"qmin": curve.qmin, "qmax": curve.qmax, "points": points, "reading": curve.reading}
