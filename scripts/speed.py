#!/usr/bin/env python3
"""Measures the rows of speed.txt, and fails where docs/speed.md has a value that is off by more than a tenth.

    scripts/speed.py            compares
    scripts/speed.py --write    writes the tables of the page

Speed is the number of instructions, as cachegrind counts them, in proportion to those of a peer and of commit 7bbfb99b. For a call of the library,
those of one call are subtracted from those of three, so that starting and loading do not count. The shortest of three times stands beside it, and is
not compared: machines differ. target/speed/instructions.txt has all counts: those of commit 7bbfb99b in speed.txt come from there.
"""

import functools
import itertools
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).parents[1]
PAGE = ROOT / "docs/speed.md"
TOOLS = ROOT / "target/tools"
WORK = ROOT / "target/speed"
BEGIN, END = "<!-- scripts/speed.py writes this -->\n", "<!-- until here -->\n"
HEADS = {
    "growth": "| | sizes | exponent | instructions |\n|---|---|---|---|",
    "instructions": "| | instructions | in proportion to 7bbfb99b | time |\n|---|---|---|---|",
    "value": "| | |\n|---|---|",
}
TOLERANCE = 0.1
# The programs whose last argument is the number of calls.
CALLS = ["call", "ready"]


def run(command, **options):
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", **options)
    if done.returncode != 0:
        sys.exit(f"speed.py: error: failed: {' '.join(command)}\n{done.stderr}")
    return done


def cachegrind(command):
    options = ["--cache-sim=no", "--cachegrind-out-file=/dev/null", "--trace-children=yes"]
    # One thread, so that each run executes the same.
    done = run(["cachegrind", *options, *command], env={**os.environ, "RAYON_NUM_THREADS": "1"})
    return int(re.findall(r"I +refs: +([\d,]+)", done.stderr)[-1].replace(",", ""))


@functools.cache
def instructions(command):
    words = command.split()
    if words[0] in CALLS:
        once, thrice = (cachegrind([*words, count]) for count in ("1", "3"))
        count = (thrice - once) // 2
    else:
        count = cachegrind(words)
    with open("instructions.txt", "a") as file:
        print(f"{count:>14,} {command}", file=file)
    return count


def seconds(command):
    def once():
        if command[0] in CALLS:
            return int(run([*command, "10"]).stdout) / 1e9
        start = time.monotonic()
        run(command)
        return time.monotonic() - start

    return min(once() for _ in range(3))


def memory(command):
    """The most that a process has, in bytes."""
    with open(os.devnull, "w") as null:
        process = subprocess.Popen(command, stdout=null, stderr=null)
        _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit(f"speed.py: error: failed: {' '.join(command)}")
    return usage.ru_maxrss * 1024


def size(command):
    """The size of the file that a process writes, its last argument."""
    run(command)
    return os.path.getsize(command[-1])


def rounded(value, *units):
    """In the first unit in which it is at least 1; each is a thousandth of the one before."""
    for unit in units[:-1]:
        if value >= 1:
            break
        value *= 1000
    else:
        unit = units[-1]
    return f"{value:,.0f}{unit}" if value >= 100 else f"{value:.3g}{unit}"


def ratio(count, other):
    return rounded(count / other, "") if 2 * count > other else "1/" + rounded(other / count, "")


def number(cell):
    inverse, digits = re.match(r"(1/)?([\d,.]*)", cell).groups()
    value = float(digits.replace(",", "") or "nan")
    return 1 / value if inverse else value


def is_near(pair):
    """Whether the numbers of two cells differ by a tenth at most."""
    claim, value = pair
    return claim == value or abs(number(claim) / number(value) - 1) <= TOLERANCE


def cells(kind, command, peer="", base=""):
    """The cells of a row after its name: the first two are compared."""
    words = command.split()
    if kind == "value":
        value = {"memory": memory, "size": size}[words[0]](words[1:])
        return [rounded(value / 1e6, " MB")]
    count = instructions(command)
    if peer:
        against = f"{ratio(count, instructions(peer))} of `{peer.split()[0]}`"
    else:
        against = rounded(count / 1e6, " million")
    before = ratio(count, int(base.replace(",", ""))) if base else ""
    return [against, before, rounded(seconds(words), " s", " ms", " µs")]


def rows():
    """Yields the lines of the tables."""
    version = run(["spirv-val", "--version"]).stdout.split()[1]
    yield f"Peers are of SPIRV-Tools {version}."
    for line in (ROOT / "scripts/speed.txt").read_text().splitlines():
        name, *fields = [field.strip() for field in line.split("|")]
        if name.startswith("= "):
            kind = fields[0]
            yield f"\n## {name[2:]}\n\n{HEADS[kind]}"
        elif name and not name.startswith("#"):
            yield f"| {' | '.join([name, *cells(kind, *fields)])} |"
    yield f"\n## How work grows\n\n{HEADS['growth']}\n{run(['growth']).stdout.strip()}"


def cargo(*arguments):
    """Builds, and returns the programs by their names."""
    command = ["cargo", *arguments, "--locked", "--message-format", "json"]
    built = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, cwd=ROOT)
    messages = [json.loads(line) for line in built.stdout.splitlines()]
    return {message["target"]["name"]: message["executable"] for message in messages if message.get("executable")}


def prepare():
    """Makes a folder with the programs and inputs of all rows, and works there from now on."""
    for command in (["scripts/build-corpus.sh", "large"], ["scripts/setup.sh", "spirv-tools", "valgrind", "ggml-library"]):
        subprocess.run(command, check=True, cwd=ROOT)
    programs = cargo("build", "--profile", "dist", "--package", "spirv-if-cli", "--package", "spirv-if", "--bin", "spirv-if", "--bench", "main")
    # Exponents are the same without optimization between crates, which takes minutes.
    programs |= cargo("build", "--release", "--package", "spirv-if", "--bench", "growth")
    shutil.rmtree(WORK, ignore_errors=True)
    (WORK / "bin").mkdir(parents=True)
    os.chdir(WORK)
    library = next((TOOLS / "root").rglob("libggml-vulkan.so"))
    links = {"fixtures": ROOT / "fixtures", "large": ROOT / "target/large", library.name: library}
    links |= {"bin/spirv-if": programs["spirv-if"], "bin/call": programs["main"], "bin/growth": programs["growth"]}
    for name, target in links.items():
        os.symlink(target, name)
    # The reader of bundles in C, without zstd.
    sources = [str(ROOT / "bundle/tests/c/time.c"), str(ROOT / "bundle/c/spvb.c")]
    run(["cc", "-std=c99", "-O2", "-DSPVB_WITHOUT_ZSTD", "-I", str(ROOT / "bundle/c"), "-o", "bin/ready", *sources])
    os.environ["PATH"] = f"{WORK / 'bin'}:{TOOLS / 'bin'}:{os.environ['PATH']}"
    run(["spirv-if", "pack", "-q", "fixtures/glsl/reduce.spv", "-o", "reduce.spv"])
    run(["spirv-if", "bundle", "-q", "reduce.spv", "-o", "reduce.spvb", "--ready", "--uncompressed"])


def measure():
    lines = []
    for line in rows():
        print(line, flush=True)
        lines += line.split("\n")
    return lines


def compare(page, tables):
    """Prints the lines of the page that do not say what was measured, and returns their number."""
    off = 0
    for said, measured in itertools.zip_longest(page, tables, fillvalue=""):
        pairs = list(zip(*(line.strip("| ").split(" | ") for line in (said, measured))))
        (name, measured_name), *values = pairs[:3]
        if name != measured_name or not all(map(is_near, values)):
            print(f"{PAGE.name} says\n  {said}\nand measured was\n  {measured}")
            off += 1
    return off


def main():
    if sys.argv[1:] not in ([], ["--write"]):
        sys.exit(__doc__)
    prepare()
    before, rest = PAGE.read_text().split(BEGIN)
    page, after = rest.split(END)
    tables = measure()
    if sys.argv[1:] == ["--write"]:
        PAGE.write_text(before + BEGIN + "\n".join(tables) + "\n" + END + after)
        run([str(ROOT / "scripts/plots.py")])
    elif off := compare(page.splitlines(), tables):
        sys.exit(f"speed.py: error: {off} lines are off: make it faster again, or write the page: scripts/speed.py --write")


main()
