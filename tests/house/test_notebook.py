"""The tutorial notebook runs from top to bottom, and what it promises to show is shown."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import nbformat

NOTEBOOK = Path(__file__).resolve().parents[2] / "docs" / "tutorial" / "notebook.ipynb"


def stored():
    return nbformat.read(NOTEBOOK, as_version=4)


def code_cells(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def promised(source: str) -> str | None:
    """Return what a cell shows: nothing, a drawing, or a table."""
    last = ast.parse(source).body[-1]
    if not isinstance(last, ast.Expr) or ".save(" in ast.unparse(last):
        return None
    return "image/svg+xml" if ast.unparse(last).endswith(".plot()") else "text/html"


def shown(cell) -> set[str]:
    return {kind for output in cell.outputs if "data" in output for kind in output.data}


def executed(folder: Path):
    """Return the notebook with what its cells show, run by the Python that runs the tests."""
    from nbclient import NotebookClient

    notebook = stored()
    notebook.cells.append(nbformat.v4.new_code_cell("import sys\n\nsys.executable", id="python"))
    NotebookClient(
        notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(folder)}}
    ).execute()
    return notebook


def test_every_cell_of_the_notebook_runs_and_shows_what_it_promises(tmp_path, monkeypatch):
    # kernels that somebody has installed for other Pythons are not meant
    monkeypatch.setenv("JUPYTER_PATH", str(Path(sys.prefix) / "share" / "jupyter"))
    notebook = executed(tmp_path)
    *cells, python = code_cells(notebook)
    assert ast.literal_eval(python.outputs[0].data["text/plain"]) == sys.executable
    assert all(cell.execution_count for cell in cells)
    assert {output.output_type for cell in cells for output in cell.outputs} == {"execute_result"}
    missing = {cell.id: kind for cell in cells if (kind := promised(cell.source)) and kind not in shown(cell)}
    assert missing == {}
    assert (tmp_path / "comparison.svg").read_text(encoding="utf-8").startswith("<svg")
    assert (tmp_path / "report.html").read_text(encoding="utf-8").startswith("<!doctype html>")
    assert "does not hold" in next(cell for cell in cells if cell.id == "verdict").outputs[0].data["text/html"]


def test_the_notebook_promises_tables_and_drawings():
    promises = [promised(cell.source) for cell in code_cells(stored())]
    assert promises.count("text/html") >= 8
    assert promises.count("image/svg+xml") >= 5


def test_the_notebook_is_stored_without_what_its_cells_show():
    nbformat.validate(stored())
    assert [cell.id for cell in code_cells(stored()) if cell.outputs or cell.execution_count] == []
