#!/usr/bin/env python3
"""Proves that modules with AMD's late-resolved predicates are decided as AMD's compiler decides them.

    scripts/prove-amd.py [--seed NUMBER] [--programs COUNT]

Each program tests predicates, nested and combined, with a volatile store of a number of its own below each. It is compiled by clang-23 for the
target that stands for all of AMD's processors, at every level of optimization, and by llc-23 to SPIR-V; `spirv-if` decides that for each processor
and wavefront size, from the module and from the packed module. Compiled for the same processor by the same clang, which decides the predicates
itself, the same stores must be left. The first program tests every predicate that there is; the others are random ones of the seed. Programs are
in OpenCL C and in HIP by turns. Results must be valid wherever the compiler's own module is.

llvm-spirv 22, the newest that Debian has, does not know the intrinsic of predicates: the script says so if a newer one does.

It needs scripts/setup-tools.sh --amd, and a build of the program, which SPIRV_IF names (target/debug/spirv-if).
"""

import argparse
import os
import random
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TOOLS = ROOT / "target/tools/bin"
PROGRAM = os.environ.get("SPIRV_IF", str(ROOT / "target/debug/spirv-if"))
TABLE = ROOT / "spec-extensions/amd-processors.csv"
LEVELS = ["-O0", "-O1", "-O2", "-O3"]
SIZES = {"wavefrontsize32": "-mno-wavefrontsize64", "wavefrontsize64": "-mwavefrontsize64"}
EXTENSIONS = "--spirv-ext=all,-SPV_KHR_float_controls2"
HIP = ["-x", "hip", "-nogpuinc", "-nogpulib", "--offload-device-only"]
OPENCL = ["-x", "cl", "-cl-std=CL3.0", "-nogpulib"]


def run(command, **options):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False, **options)
    if done.returncode:
        sys.exit(f"prove-amd.py: error: {' '.join(map(str, command))}\n{done.stderr[-3000:]}")
    return done.stdout


def rows():
    for line in TABLE.read_text().splitlines():
        if not line.startswith(("#", "processor,")):
            yield line.split(",")


def predicates():
    """A builtin for each list of required features, and the names of all processors."""
    sys.path.insert(0, str(ROOT / "scripts"))
    table = __import__("amd-processors")
    known = table.builtins()
    _, ir, _ = table.run(["--target=spirv64-amd-amdhsa"], table.tests(f"__builtin_amdgcn_is_invocable({name})" for name in known))
    names = dict(re.findall(r'^!(\d+) = !\{!"has\.(.*)"\}$', ir, re.MULTILINE))
    required = [names[number] for number in re.findall(r"named\.boolean\.spec\.constant\([^)]*metadata !(\d+)\)", ir)]
    first = {}
    for builtin, needs in zip(known, required):
        first.setdefault(needs, builtin)
    has = [f"__builtin_amdgcn_is_invocable({builtin})" for builtin in first.values()]
    processors = [name for own in rows() if own[1] for name in [own[0], *own[2].split()] if not name.startswith("generic")]
    return has + [f'__builtin_amdgcn_processor_is("{name}")' for name in processors]


class Source:
    """The text of a program. Stores are numbered from 1000, so that other constants are not taken for them."""

    def __init__(self):
        self.functions, self.stores = [], 1000

    def store(self):
        self.stores += 1
        return f"*at = {self.stores};"

    def text(self, hip):
        kernel = "__attribute__((global)) void" if hip else "__kernel void"
        space = "" if hip else "__global "
        parts = ["#pragma clang diagnostic ignored \"-Wall\""]
        for number, (is_kernel, body) in enumerate(self.functions):
            head = f"{kernel} k{number}" if is_kernel else f"__attribute__((noinline)) static void f{number}"
            if hip and not is_kernel:
                head = f"__attribute__((noinline, device)) static void f{number}"
            parts.append(f"{head}(volatile {space}int *at) {{\n{body}}}\n")
        return "\n".join(parts)


def every(all_predicates):
    """Tests each predicate alone, and in one chain."""
    source = Source()
    for predicate in all_predicates:
        source.functions.append((True, f"if ({predicate}) {source.store()} else {source.store()}\n"))
    chain = " else ".join(f"if ({predicate}) {{ {source.store()} }}" for predicate in all_predicates)
    source.functions.append((True, chain + f" else {source.store()}\n"))
    source.functions.append((True, "".join(f"if ({predicate}) {source.store()}\n" for predicate in all_predicates)))
    return source


def condition(random_, all_predicates, depth=3):
    kind = random_.randrange(5 if depth else 1)
    if kind < 2:
        return random_.choice(all_predicates)
    if kind == 2:
        return f"!({condition(random_, all_predicates, depth - 1)})"
    operator = "&&" if kind == 3 else "||"
    return f"({condition(random_, all_predicates, depth - 1)} {operator} {condition(random_, all_predicates, depth - 1)})"


def block(random_, source, few, functions, depth=3):
    lines = []
    for _ in range(random_.randrange(1, 4)):
        kind = random_.randrange(6)
        if depth == 0 or kind == 0:
            lines.append(source.store())
        elif kind == 1 and functions:
            lines.append(f"f{random_.choice(functions)}(at);")
        elif kind == 2:
            body = block(random_, source, few, functions, depth - 1)
            lines.append(f"for (int i = 0; i < *at; ++i) {{ {body} }}")
        else:
            text = f"if ({condition(random_, few)}) {{ {block(random_, source, few, functions, depth - 1)} }}"
            if random_.randrange(2):
                text += f" else {{ {block(random_, source, few, functions, depth - 1)} }}"
            lines.append(text)
    return "\n".join(lines)


def some(random_, all_predicates):
    """A random program."""
    source, functions = Source(), []
    for number in range(8):
        few = random_.sample(all_predicates, random_.choice([2, 4, 6, 20]))
        is_kernel = number >= 4
        source.functions.append((is_kernel, block(random_, source, few, functions) + "\n"))
        if not is_kernel:
            functions.append(number)
    return source


def left_by_clang(file, hip, processor, option, level):
    """The numbers that are stored where clang compiles for a processor itself."""
    options = HIP + [f"--offload-arch={processor}"] if hip else OPENCL + ["--target=amdgcn-amd-amdhsa", f"-mcpu={processor}"]
    # What is never called is left by some levels only.
    ir = run([TOOLS / "clang-23", *options, *option, level, "-S", "-emit-llvm", file, "-o", "-"])
    return {int(number) for number in re.findall(r"store volatile i32 (\d+),", ir) if int(number) > 1000}


def left_by_us(module):
    text = run([TOOLS / "spirv-dis", "--raw-id", "--no-indent", module])
    constants = dict(re.findall(r"^(%\d+) = OpConstant %\d+ (\d+)$", text, re.MULTILINE))
    stored = re.findall(r"^OpStore %\d+ (%\d+) Volatile", text, re.MULTILINE)
    rest = re.findall(r"SpecId|feature\.predicate\.ids", text)
    return {int(constants[own]) for own in stored if own in constants and int(constants[own]) > 1000}, rest


def is_valid(module):
    return subprocess.run([TOOLS / "spirv-val", "--target-env", "spv1.6", module], capture_output=True, check=False).returncode == 0


def compile_all(source, hip, folder, level):
    file = folder / ("source.hip" if hip else "source.cl")
    file.write_text(source.text(hip))
    ir, module = folder / f"{level}.ll", folder / f"{level}.spv"
    target = HIP + ["--offload-arch=amdgcnspirv", "--no-gpu-bundle-output"] if hip else OPENCL + ["--target=spirv64-amd-amdhsa"]
    run([TOOLS / "clang-23", *target, level, "-S", "-emit-llvm", file, "-o", ir])
    run([TOOLS / "llc-23", level, "-mtriple=spirv64-amd-amdhsa", EXTENSIONS, "-filetype=obj", ir, "-o", module])
    return file, ir, module


def cases():
    """The processors, each with the name of the device in every size of wavefronts."""
    for processor, architecture, _, modes, _ in rows():
        if architecture:
            for size in SIZES if "wavefrontsize32" in modes.split() else [None]:
                yield processor, architecture + (f":{size}+" if size else ""), size


def decided(module, folder):
    """Decides a module for all processors. By device: the stores that are left, what else should not be, and whether the result is valid."""
    folder.mkdir()
    devices = [device for _, device, _ in cases()]
    run([PROGRAM, "--quiet", "specialize", module, *(word for device in devices for word in ("--device", device)), "-o", f"{folder}/"])
    results, known = {}, {}
    for device in devices:
        result = folder / f"{module.stem}.{device}.spv"
        words = result.read_bytes()
        if words not in known:
            known[words] = (*left_by_us(result), is_valid(result))
        results[device] = known[words]
    return results


def prove(source, hip, folder, level, failures):
    """Compares all processors. Returns the number of comparisons."""
    folder.mkdir(parents=True)
    file, _, module = compile_all(source, hip, folder, level)
    valid = is_valid(module)
    packed = folder / "packed.spv"
    run([PROGRAM, "--quiet", "pack", module, "-o", packed])
    results = {name: decided(of, folder / name) for name, of in [("module", module), ("packed", packed)]}

    def expected(case):
        processor, _, size = case
        return case, left_by_clang(file, hip, processor, [SIZES[size]] if size else [], level)

    with ThreadPoolExecutor() as pool:
        for (_, device, _), stores in pool.map(expected, cases()):
            for name, of_devices in results.items():
                found, rest, is_good = of_devices[device]
                where = f"{file.name} {level} {device}, {name}"
                if found != stores:
                    failures.append(f"{where}: {sorted(found - stores)} too many, {sorted(stores - found)} too few")
                if rest:
                    failures.append(f"{where}: {sorted(set(rest))} is left")
                if valid and not is_good:
                    failures.append(f"{where}: not valid")
    return len(results) * len(list(cases()))


def translator_reads(folder):
    """True if llvm-spirv translates the compiler's output."""
    source = Source()
    source.functions.append((True, f'if (__builtin_amdgcn_processor_is("gfx90a")) {source.store()}\n'))
    _, ir, _ = compile_all(source, False, folder, "-O2")
    run([TOOLS / "llvm-link-23", ir, "-o", folder / "source.bc"])
    translated = subprocess.run(
        [TOOLS / "llvm-spirv", folder / "source.bc", "-o", folder / "translated.spv"], capture_output=True, check=False
    )
    return translated.returncode == 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--programs", type=int, default=3)
    options = parser.parse_args()
    all_predicates = predicates()
    random_ = random.Random(options.seed)
    programs = [every(all_predicates), *(some(random_, all_predicates) for _ in range(options.programs))]
    count, failures = 0, []
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        for number, source in enumerate(programs):
            for level in LEVELS:
                count += prove(source, bool(number % 2), folder / f"{number}{level}", level, failures)
            print(f"program {number}: {count} results so far, {len(failures)} differences", file=sys.stderr)
        if (TOOLS / "llvm-spirv").exists() and translator_reads(folder):
            print("llvm-spirv reads predicates now: compare its modules, too", file=sys.stderr)
    for failure in failures[:50]:
        print(failure, file=sys.stderr)
    if failures:
        sys.exit(f"prove-amd.py: error: {len(failures)} of {count} results differ")
    print(f"{len(all_predicates)} predicates, {len(programs)} programs: {count} results have the code that the compiler keeps")


if __name__ == "__main__":
    main()
