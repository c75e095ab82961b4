#!/usr/bin/env python3
"""Writes spec-extensions/amd-processors.csv anew from clang, which must be 23 or newer.

    scripts/amd-processors.py [--check]

With --check nothing is written: the table is compared with what the compiler says, and then, for every processor and wavefront size, with
what `__builtin_amdgcn_is_invocable` of each of the compiler's builtins is there. The compiler is target/tools/bin/clang-23, which
scripts/setup-tools.sh --amd brings; CLANG names another. Same compiler, same bytes.
"""

import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TABLE = ROOT / "spec-extensions/amd-processors.csv"
CLANG = os.environ.get("CLANG", str(ROOT / "target/tools/bin/clang-23"))
SIZES = ["wavefrontsize32", "wavefrontsize64"]
MODES = ["sramecc", "xnack"]
COMMENT = """\
# The processors that clang compiles for with --target=amdgcn-amd-amdhsa, and the features that its builtins require. Written by
# scripts/amd-processors.py from {version}: do not edit.
# processor: the name of the compiler, by which predicates name it too (`is.gfx90a`). architecture: its name in architectures.csv.
# aliases: other names of it. modes: the features that are a matter of how code is compiled; a device that is the processor alone leaves them open.
# features: those that it has in any mode. It has no others of the list in the last row, which is that of the target that stands for all.
"""
ALL = "amdgcnspirv"


def run(arguments, source):
    """Compiles a source for nothing but its messages and its LLVM IR."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "source.c"
        file.write_text(source)
        common = ["-x", "c", "-O0", "-S", "-emit-llvm", "-nogpulib", "-ferror-limit=0", "-o", "-", str(file)]
        done = subprocess.run([CLANG, *arguments, *common], capture_output=True, text=True, check=False)
        return done.returncode, done.stdout, done.stderr


def for_processor(processor, options, source):
    return run(["--target=amdgcn-amd-amdhsa", f"-mcpu={processor}", *options], source)


def all_features():
    """The features of the target that stands for all processors."""
    status, text, _ = run(["--target=spirv64-amd-amdhsa"], "void f(void) {}")
    assert status == 0
    (features,) = re.findall(r'"target-features"="([^"]*)"', text)
    return sorted({feature.removeprefix("+") for feature in features.split(",")} | set(MODES))


def names():
    """The names of processors that predicates accept, in the compiler's order."""
    _, _, errors = run(["--target=spirv64-amd-amdhsa"], 'int f(void) { if (__builtin_amdgcn_processor_is("")) return 1; return 0; }')
    (listed,) = re.findall(r"processor identifiers are: (.*)", errors)
    supported = run(["--target=amdgcn-amd-amdhsa", "--print-supported-cpus"], "")
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
    for option in ["-mwavefrontsize64", "-mno-wavefrontsize64"]:
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
        return modes + SIZES, others[0]
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
        status, text, errors = for_processor(name, [], source)
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
    _, _, errors = run(["--target=spirv64-amd-amdhsa"], tests(f"__builtin_amdgcn_is_invocable({name})" for name in found))
    wrong = {int(line) - 2 for line in re.findall(r"source\.c:(\d+):\d+: error", errors)}
    return [name for number, name in enumerate(found) if number not in wrong]


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
        sys.exit("amd-processors.py: error: the table is not that of the compiler: scripts/amd-processors.py writes it")
    known = builtins()
    source = tests(f"__builtin_amdgcn_is_invocable({name})" for name in known)
    _, ir, _ = run(["--target=spirv64-amd-amdhsa"], source)
    names = dict(re.findall(r'^!(\d+) = !\{!"has\.(.*)"\}$', ir, re.MULTILINE))
    required = [names[number] for number in re.findall(r"named\.boolean\.spec\.constant\([^)]*metadata !(\d+)\)", ir)]
    assert len(required) == len(known), (len(required), len(known))
    cases = []
    for processor, _, _, modes, features in rows[:-1]:
        for size in SIZES if "wavefrontsize32" in modes.split() else [None]:
            option = [] if size is None else [{"wavefrontsize64": "-mwavefrontsize64"}.get(size, "-mno-wavefrontsize64")]
            cases.append((processor, option, set(features.split()) | {size}))
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
        sys.exit(f"amd-processors.py: error: {differences} answers differ from those of the compiler")
    print(f"{len(known)} builtins on {len(cases)} processors and wavefront sizes: the table gives the compiler's answers")


if __name__ == "__main__":
    if sys.argv[1:] == ["--check"]:
        check()
    elif sys.argv[1:]:
        sys.exit(__doc__)
    else:
        TABLE.write_text(text(*table()))
