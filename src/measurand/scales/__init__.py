"""Scales: the exact image of a measure, and what is known about the scale it is on."""

from measurand.scales.image import Image, Uneven, image
from measurand.scales.known import KnownScale, known_scale

__all__ = ["Image", "KnownScale", "Uneven", "image", "known_scale"]
