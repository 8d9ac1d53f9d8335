"""Peers at pinned versions: what all comparisons with other tools share."""

import os

# ranx compiles for more than a minute before its first answer; uncompiled it runs the same functions at once
os.environ["NUMBA_DISABLE_JIT"] = "1"
