"""Runs a notebook and compares what its cells show with what is stored in it; with --bless, stores that."""

import sys
from pathlib import Path
from typing import Any

import nbclient
import nbformat


def shown(cell: Any) -> list[str]:
    """What a code cell shows, as text."""
    texts = []
    for output in cell.outputs:
        texts.append(output.text if output.output_type == "stream" else output.data["text/plain"])
    return texts


def main() -> None:
    path = Path(sys.argv[1])
    stored = nbformat.read(path, nbformat.NO_CONVERT)  # type: ignore[no-untyped-call]
    nbformat.validate(stored)
    new = nbformat.read(path, nbformat.NO_CONVERT)  # type: ignore[no-untyped-call]
    # A cell that fails ends the run.
    nbclient.NotebookClient(new, timeout=600, resources={"metadata": {"path": path.parent}}).execute()
    if sys.argv[2:] == ["--bless"]:
        for old_cell, cell in zip(stored.cells, new.cells, strict=True):
            cell.metadata = old_cell.metadata
        new.metadata = stored.metadata
        nbformat.write(new, path)  # type: ignore[no-untyped-call]
        return
    cells = [(old, new) for old, new in zip(stored.cells, new.cells, strict=True) if new.cell_type == "code"]
    assert len(cells) > 3, f"{path} has few cells"
    for old, new in cells:
        assert shown(old) == shown(new), f"the cell\n{old.source}\nshows {shown(new)}\nand not {shown(old)}; --bless stores that"


if __name__ == "__main__":
    main()
