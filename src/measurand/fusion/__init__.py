"""Fusion: one ranking from several."""

from measurand.fusion.fuse import TIES, fuse, granularity, method_of
from measurand.fusion.methods import METHODS
from measurand.fusion.normalisation import NORMALISATIONS
from measurand.fusion.others import fuse_others

__all__ = ["METHODS", "NORMALISATIONS", "TIES", "fuse", "fuse_others", "granularity", "method_of"]
