"""The notebook for students runs from the first cell to the last, and shows pictures."""

from pathlib import Path

import pytest

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")


def test_the_notebook_runs():
    path = Path(__file__).parent.parent / "notebooks" / "from_array_to_hpa.ipynb"
    notebook = nbformat.read(path, as_version=4)
    nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    pictures = [output for output in outputs if "image/png" in output.get("data", {})]
    assert len(pictures) >= 4
    assert "µs a path" in "".join(output.get("text", "") for output in outputs)
