#!/usr/bin/env python3
"""Compiles and optimizes ubershaders as engines do that have no specialization constants: once for each set of switches.

    bundle/benches/shader_variants.py FOLDER [COUNT]

writes COUNT variants (256 by default) of fixtures/ubershaders/forward.comp, whose switches are Boolean constants, and of post.comp, whose
switches are the bits of one constant, as FOLDER/forward-N.spv and FOLDER/post-N.spv. From a quarter to all of the switches are on, the same ones in
each run. glslangValidator and spirv-opt are those of scripts/setup.sh compilers, or on PATH.
"""

import concurrent.futures
import os
import random
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CONSTANT = re.compile(r"layout\(constant_id = \d+\) const (bool|uint|int) (\w+) = [^;]+;")


def variant(source, number):
    """Returns the source with ordinary constants in place of specialization constants."""
    chosen = random.Random(number)
    share = 0.25 + 0.75 * chosen.random()

    def constant(match):
        kind, name = match.groups()
        if kind == "bool":
            value = "true" if chosen.random() < share else "false"
        else:
            value = sum((chosen.random() < share) << bit for bit in range(24))
        return f"const {kind} {name} = {value}{'u' if kind == 'uint' else ''};"

    return CONSTANT.sub(constant, source)


def tool(name):
    own = ROOT / "target/tools/bin" / name
    return str(own) if own.exists() else name


def compile_variant(folder, name, number):
    source = Path(folder, f"{name}-{number:03}.comp")
    source.write_text(variant((ROOT / f"fixtures/ubershaders/{name}.comp").read_text(), number))
    module = str(source.with_suffix(".spv"))
    subprocess.run([tool("glslangValidator"), "--quiet", "-V", "--target-env", "vulkan1.1", str(source), "-o", module], check=True)
    subprocess.run([tool("spirv-opt"), "-O", module, "-o", module], check=True)
    source.unlink()


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    folder, count = sys.argv[1], int(sys.argv[2]) if len(sys.argv) == 3 else 256
    os.makedirs(folder, exist_ok=True)
    jobs = [(name, number) for name in ("forward", "post") for number in range(count)]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(lambda job: compile_variant(folder, *job), jobs))


main()
