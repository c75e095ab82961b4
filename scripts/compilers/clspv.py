#!/usr/bin/env python3
"""Compiles OpenCL C for Vulkan by clspv with its default options: PyPI's pyclspv, which is brought to target/tools/clspv and is for Python 3.11.

    scripts/compilers/clspv.py FILE -o FILE.spv
"""

import subprocess
import sys
from pathlib import Path

PACKAGE = "pyclspv==0.0.1"
FOLDER = Path(__file__).resolve().parents[2] / "target/tools/clspv"


def main():
    source, _, output = sys.argv[1:]
    if not FOLDER.exists():
        command = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps", "--target", FOLDER, PACKAGE]
        subprocess.run(command, check=True, stdout=sys.stderr)
    sys.path.insert(0, str(FOLDER))
    import pyclspv  # pylint: disable=import-outside-toplevel

    Path(output).write_bytes(pyclspv.compile(Path(source).read_text()))


main()
