#!/usr/bin/env python3
"""What AMD's processors are and how their compiler decides predicates, by clang, which must be 23 or newer.

    scripts/amd.py write                                      writes spec-extensions/amd-processors.csv anew: same compiler, same bytes
    scripts/amd.py check                                      compares the table
    scripts/amd.py prove [--seed NUMBER] [--programs COUNT]   compares what spirv-if makes of programs

`check` compares the table with what the compiler says, and then, for every processor and wavefront size, with what
`__builtin_amdgcn_is_invocable` of each of the compiler's builtins is there.

`prove` shows that modules with AMD's late-resolved predicates are decided as AMD's compiler decides them. Each program tests predicates, nested and
combined, with a volatile store of a number of its own below each. It is compiled for the target that stands for all of AMD's processors, at every level
of optimization, and by llc-23 to SPIR-V; `spirv-if` decides that for each processor and wavefront size, from the module and from the packed module.
Compiled for the same processor by the same clang, which decides the predicates itself, the same stores must be left. The first program tests every
predicate that there is; the others are random ones of the seed. Programs are in OpenCL C and in HIP by turns. Results must be valid wherever the
compiler's own module is. llvm-spirv 22, the newest that Debian has, does not know the intrinsic of predicates: the script says so if a newer one does.

The compiler is target/tools/bin/clang-23, which scripts/setup.sh amd brings; CLANG names another. `prove` needs a build of the program, which SPIRV_IF
names (target/debug/spirv-if).
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
TABLE = ROOT / "spec-extensions/amd-processors.csv"
CLANG = os.environ.get("CLANG", str(TOOLS / "clang-23"))
PROGRAM = os.environ.get("SPIRV_IF", str(ROOT / "target/debug/spirv-if"))
SIZES = {"wavefrontsize32": "-mno-wavefrontsize64", "wavefrontsize64": "-mwavefrontsize64"}
MODES = ["sramecc", "xnack"]
COMMENT = """\
# The processors that clang compiles for with --target=amdgcn-amd-amdhsa, and the features that its builtins require. Written by
# scripts/amd.py from {version}: do not edit.
# processor: the name of the compiler, by which predicates name it too (`is.gfx90a`). architecture: its name in architectures.csv.
# aliases: other names of it. modes: the features that are a matter of how code is compiled; a device that is the processor alone leaves them open.
# features: those that it has in any mode. It has no others of the list in the last row, which is that of the target that stands for all.
"""
ALL = "amdgcnspirv"
LEVELS = ["-O0", "-O1", "-O2", "-O3"]
EXTENSIONS = "--spirv-ext=all,-SPV_KHR_float_controls2"
HIP = ["-x", "hip", "-nogpuinc", "-nogpulib", "--offload-device-only"]
OPENCL = ["-x", "cl", "-cl-std=CL3.0", "-nogpulib"]


def clang(arguments, source):
    """Compiles a source for nothing but its messages and its LLVM IR."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "source.c"
        file.write_text(source)
        common = ["-x", "c", "-O0", "-S", "-emit-llvm", "-nogpulib", "-ferror-limit=0", "-o", "-", str(file)]
        done = subprocess.run([CLANG, *arguments, *common], capture_output=True, text=True, check=False)
        return done.returncode, done.stdout, done.stderr


def for_processor(processor, options, source):
    return clang(["--target=amdgcn-amd-amdhsa", f"-mcpu={processor}", *options], source)


def all_features():
    """The features of the target that stands for all processors."""
    status, text, _ = clang(["--target=spirv64-amd-amdhsa"], "void f(void) {}")
    assert status == 0
    (features,) = re.findall(r'"target-features"="([^"]*)"', text)
    return sorted({feature.removeprefix("+") for feature in features.split(",")} | set(MODES))


def names():
    """The names of processors that predicates accept, in the compiler's order."""
    _, _, errors = clang(["--target=spirv64-amd-amdhsa"], 'int f(void) { if (__builtin_amdgcn_processor_is("")) return 1; return 0; }')
    (listed,) = re.findall(r"processor identifiers are: (.*)", errors)
    supported = clang(["--target=amdgcn-amd-amdhsa", "--print-supported-cpus"], "")
    others = re.findall(r"^\t(\S+)$", supported[1] + supported[2], re.MULTILINE)
    listed = [name.strip() for name in listed.split(",")]
    return listed + sorted(set(others) - set(listed))


def markers(text):
    return [int(number) for number in re.findall(r"store volatile i32 (\d+),", text)]


def tests(conditions):
    lines = [f"  if ({condition}) *at = {number};" for number, condition in enumerate(conditions)]
    return "void f(volatile int *at) {\n" + "\n".join(lines) + "\n}\n"


def has(processor, options, features):
    """The features of a processor: those without which an inlined function that has them as a target is an error."""
    function = '__attribute__((always_inline, target("{}"))) static void f{}(void) {{}}\n'
    source = "".join(function.format(feature, number) for number, feature in enumerate(features))
    source += "void f(void) {\n" + "".join(f"f{number}();\n" for number in range(len(features))) + "}\n"
    _, _, errors = for_processor(processor, options, source)
    lacking = set(re.findall(r"requires target feature '([^']*)', but would be inlined", errors))
    return set(features) - lacking


def row(processor, features):
    """The modes and features of a processor."""
    by_size = {}
    for option in reversed(SIZES.values()):
        if for_processor(processor, [option], "void f(void) {}")[0] != 0:
            continue
        own = has(processor, [option], [feature for feature in features if feature not in MODES])
        sizes = own.intersection(SIZES)
        assert len(sizes) == 1, (processor, option, sizes)
        by_size[sizes.pop()] = own
    others = [own - set(SIZES) for own in by_size.values()]
    assert all(own == others[0] for own in others), f"{processor}: features depend on the wavefront size"
    modes = [mode for mode in MODES if for_processor(f"{processor}:{mode}+", [], "void f(void) {}")[0] == 0]
    if len(by_size) == 2:
        return modes + [*SIZES], others[0]
    return modes, others[0] | set(by_size)


def table():
    """The version of the compiler, and the rows."""
    version = subprocess.run([CLANG, "--version"], capture_output=True, text=True, check=True).stdout.splitlines()[0]
    # As clang says where it is from, and not where it is.
    version = " ".join(re.search(r"(clang) version (\d+\.\d+\.\d+)", version).groups())
    listed, features = names(), all_features()
    source = tests(f'__builtin_amdgcn_processor_is("{name}")' for name in listed)
    rows = {}

    def study(name):
        status, text, _ = for_processor(name, [], source)
        if status != 0:
            return name, None, None
        return name, [listed[number] for number in markers(text)], row(name, features)

    with ThreadPoolExecutor() as pool:
        for name, same, own in pool.map(study, listed):
            # Of the names of one processor, the first is its own.
            if same is None or name != same[0]:
                continue
            modes, own = own
            architecture = "amd_gpu_" + name.replace("-", "_")
            rows[name] = [name, architecture, " ".join(same[1:]), " ".join(modes), " ".join(sorted(own))]
    return version, [*rows.values(), [ALL, "", "", "", " ".join(features)]]


def text(version, rows):
    titles = "processor,architecture,aliases,modes,features"
    return COMMENT.format(version=version) + "\n".join([titles, *(",".join(own) for own in rows)]) + "\n"


def builtins():
    """The compiler's builtins for AMD's processors: the names in its library that it knows."""
    program = Path(CLANG)
    wrapped = re.search(r'"\$root/(\S+)" "-resource', program.read_text()) if program.stat().st_size < 4096 else None
    folder = program.parent.parent / "root" if wrapped else program.resolve().parent.parent
    libraries = sorted(folder.glob("**/libclang-cpp.so.*")) if wrapped else [program.resolve()]
    libraries = [library for library in libraries if re.search(r"\.so\.(2[3-9]|[3-9]\d)", library.name) or not wrapped]
    found = set()
    for library in libraries:
        found |= set(re.findall(rb"\0(__builtin_amdgcn_[a-z0-9_]+)(?=\0)", library.read_bytes()))
    found = sorted(name.decode() for name in found)
    found = [name for name in found if not name.endswith(("_processor_is", "_is_invocable"))]
    _, _, errors = clang(["--target=spirv64-amd-amdhsa"], tests(f"__builtin_amdgcn_is_invocable({name})" for name in found))
    wrong = {int(line) - 2 for line in re.findall(r"source\.c:(\d+):\d+: error", errors)}
    return [name for number, name in enumerate(found) if number not in wrong]


def requirements(known):
    """The features that each of these builtins requires, as the compiler writes them into predicates."""
    _, ir, _ = clang(["--target=spirv64-amd-amdhsa"], tests(f"__builtin_amdgcn_is_invocable({name})" for name in known))
    names = dict(re.findall(r'^!(\d+) = !\{!"has\.(.*)"\}$', ir, re.MULTILINE))
    required = [names[number] for number in re.findall(r"named\.boolean\.spec\.constant\([^)]*metadata !(\d+)\)", ir)]
    assert len(required) == len(known), (len(required), len(known))
    return required


def holds(required, features):
    """Clang's rules for required features: `,` is and, which binds tighter than `|`, which is or."""
    if not required:
        return True
    for operator in ["|", ","]:
        parts, depth, start = [], 0, 0
        for at, character in enumerate(required):
            depth += {"(": 1, ")": -1}.get(character, 0)
            if depth == 0 and character == operator:
                parts.append(required[start:at])
                start = at + 1
        if parts:
            parts.append(required[start:])
            return (any if operator == "|" else all)(holds(part, features) for part in parts)
    if required[0] == "(" and required[-1] == ")":
        return holds(required[1:-1], features)
    return required in features


def check():
    version, rows = table()
    if TABLE.read_text() != text(version, rows):
        sys.exit("amd.py: error: the table is not that of the compiler: scripts/amd.py write")
    known = builtins()
    required = requirements(known)
    source = tests(f"__builtin_amdgcn_is_invocable({name})" for name in known)
    cases = []
    for processor, _, _, modes, features in rows[:-1]:
        for size in SIZES if "wavefrontsize32" in modes.split() else [None]:
            cases.append((processor, [SIZES[size]] if size else [], set(features.split()) | {size}))
    differences = 0
    with ThreadPoolExecutor() as pool:
        results = pool.map(lambda case: (case, for_processor(case[0], case[1], source)), cases)
        for (processor, option, features), (_, ir, _) in results:
            invocable = set(markers(ir))
            for number, (builtin, needs) in enumerate(zip(known, required)):
                if holds(needs, features) != (number in invocable):
                    differences += 1
                    print(f"{processor} {' '.join(option)}: {builtin} ({needs})", file=sys.stderr)
    if differences:
        sys.exit(f"amd.py: error: {differences} answers differ from those of the compiler")
    print(f"{len(known)} builtins on {len(cases)} processors and wavefront sizes: the table gives the compiler's answers")


def run(command, **options):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False, **options)
    if done.returncode:
        sys.exit(f"amd.py: error: {' '.join(map(str, command))}\n{done.stderr[-3000:]}")
    return done.stdout


def rows():
    for line in TABLE.read_text().splitlines():
        if not line.startswith(("#", "processor,")):
            yield line.split(",")


def predicates():
    """A builtin for each list of required features, and the names of all processors."""
    known = builtins()
    first = {}
    for builtin, needs in zip(known, requirements(known)):
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
    ir = run([CLANG, *options, *option, level, "-S", "-emit-llvm", file, "-o", "-"])
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
    run([CLANG, *target, level, "-S", "-emit-llvm", file, "-o", ir])
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


def compare(source, hip, folder, level, failures):
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


def prove(seed, programs):
    all_predicates = predicates()
    random_ = random.Random(seed)
    programs = [every(all_predicates), *(some(random_, all_predicates) for _ in range(programs))]
    count, failures = 0, []
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        for number, source in enumerate(programs):
            for level in LEVELS:
                count += compare(source, bool(number % 2), folder / f"{number}{level}", level, failures)
            print(f"program {number}: {count} results so far, {len(failures)} differences", file=sys.stderr)
        if (TOOLS / "llvm-spirv").exists() and translator_reads(folder):
            print("llvm-spirv reads predicates now: compare its modules, too", file=sys.stderr)
    for failure in failures[:50]:
        print(failure, file=sys.stderr)
    if failures:
        sys.exit(f"amd.py: error: {len(failures)} of {count} results differ")
    print(f"{len(all_predicates)} predicates, {len(programs)} programs: {count} results have the code that the compiler keeps")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("write")
    commands.add_parser("check")
    of_prove = commands.add_parser("prove")
    of_prove.add_argument("--seed", type=int, default=1)
    of_prove.add_argument("--programs", type=int, default=3)
    options = parser.parse_args()
    if options.command == "write":
        TABLE.write_text(text(*table()))
    elif options.command == "check":
        check()
    else:
        prove(options.seed, options.programs)


if __name__ == "__main__":
    main()
