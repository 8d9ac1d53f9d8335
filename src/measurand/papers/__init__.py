"""The five papers' experiments, as functions of any campaign."""
