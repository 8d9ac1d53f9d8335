"""Proofs that inverse logarithms are independent as far as ranks need it."""
