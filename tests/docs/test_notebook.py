"""The notebook of the documentation runs from top to bottom, and shows what it says."""

import os
import sys
from pathlib import Path
from typing import Any

import nbformat
import pytest
from jupyter_client.kernelspec import KernelSpecManager
from nbclient import NotebookClient

NOTEBOOK = Path(__file__).parents[2] / "docs" / "tutorials" / "in-a-notebook.ipynb"


@pytest.fixture(scope="module")
def outputs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    """What every cell of code shows, by its first line."""
    home = tmp_path_factory.mktemp("jupyter")
    kernel = home / "kernels" / "here"
    kernel.mkdir(parents=True)
    start = f'{{"argv": ["{sys.executable}", "-m", "ipykernel_launcher", "-f", "{{connection_file}}"], '
    (kernel / "kernel.json").write_text(start + '"display_name": "here", "language": "python"}')
    page = nbformat.read(NOTEBOOK, as_version=4)
    os.environ["IPYTHONDIR"] = str(home / "ipython")
    specs = KernelSpecManager(kernel_dirs=[str(home / "kernels")])
    client = NotebookClient(page, kernel_name="here", timeout=120)
    client.create_kernel_manager().kernel_spec_manager = specs
    client.execute()
    cells = [cell for cell in page.cells if cell.cell_type == "code"]
    return {cell.source.splitlines()[-1]: cell.outputs[-1].data for cell in cells}


def shown(outputs: dict[str, dict[str, Any]], line: str) -> dict[str, Any]:
    """The outputs of the cell that ends so."""
    return next(data for source, data in outputs.items() if source.startswith(line))


def test_results_are_tables_with_bars(outputs: dict[str, dict[str, Any]]) -> None:
    page = shown(outputs, "results")["text/html"]
    assert page.count("<svg") == 4
    assert "Krippendorff" in page
    assert "0.595" in page


def test_pictures_show_themselves(outputs: dict[str, dict[str, Any]]) -> None:
    assert shown(outputs, "cc.plot")["image/svg+xml"].lstrip().startswith("<?xml")
    assert "image/svg+xml" in shown(outputs, "cc.align")


def test_findings_are_told_in_words(outputs: dict[str, dict[str, Any]]) -> None:
    assert "J5" in shown(outputs, "cc.diagnose")["text/html"]


def test_the_signature_verifies(outputs: dict[str, dict[str, Any]]) -> None:
    assert "matches=True" in shown(outputs, "cc.verify")["text/plain"]
