"""What the tests of the command line share: a small campaign."""

from __future__ import annotations

from pathlib import Path

import pytest

QRELS = """\
1 0 a 1
1 0 b 0
1 0 c 2
2 0 a 1
3 0 z 0
"""

ALPHA = """\
1 Q0 x 1 4.0 alpha
1 Q0 a 2 3.0 alpha
1 Q0 b 3 2.0 alpha
2 Q0 a 1 1.0 alpha
2 Q0 b 2 1.0 alpha
"""

BETA = """\
1 Q0 a 1 0.922262145375258 beta
1 Q0 c 2 0.922262145 beta
2 Q0 a 1 5 beta
3 Q0 z 1 1 beta
"""


@pytest.fixture
def small(tmp_path, monkeypatch) -> Path:
    """Return a folder, also the working directory, with judgments and two runs.

    Alpha has an unjudged document first on topic 1, a tie on topic 2 and nothing on topic 3. Beta has
    two scores on topic 1 that 32-bit floats do not tell apart. Topic 3 has no relevant document.
    """
    (tmp_path / "qrels").write_text(QRELS)
    (tmp_path / "alpha.run").write_text(ALPHA)
    (tmp_path / "beta.run").write_text(BETA)
    monkeypatch.chdir(tmp_path)
    return tmp_path
