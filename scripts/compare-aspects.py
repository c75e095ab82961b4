#!/usr/bin/env python3
"""Compares the aspects that we find in SYCL kernels with those that DPC++ wrote beside them, image by image, and prints the differences by class.
Then reads all property sets of these images as .prop files and writes them again, which must change nothing.

    scripts/compare-aspects.py [FOLDER]

FOLDER is where a package of libraries is unpacked that DPC++ linked. Without it, it is dpnp's of PyPI, as `scripts/build-corpus.sh dpnp` fetches it.
spec-extensions/property-sets.md has the result, and explains the differences that dpnp has.

A library is an ELF file. DPC++'s linker wrapper puts a section .tgtimg into it, with the address and size of each image, and describes each image by
a struct:

    uint16 version (3), uint8 kind, uint8 format, then pointers: target, compile options, link options,
    code begin and end, entries begin and end, property sets begin and end
    property set: pointers to its name, its properties' begin and end
    property: pointers to its name and value, uint32 type, uint64 size (the value itself, for type 1)

A value of type 2 starts with its length in bits, as in a .prop file. Pointers are relative relocations.

Aspects have the numbers of DPC++ 2026 (spec-extensions/aspects-dpcpp-2026.csv), whose runtime is libsycl.so.9; where a library
wants an older one, ours (aspects.csv), which are the same in all of those.

The program is the one that SPIRV_IF names, or else target/release/spirv-if, which is built. Exit status: 0 all aspects are the same, 1 some differ or
property sets change.
"""

import collections
import json
import os
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
REQUIREMENTS = "SYCL/device requirements"
# Of DPC++'s base64, which has no padding and takes the lowest bits first.
ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
NO_BITS, RELATIVE = 8, 8  # SHT_NOBITS, R_X86_64_RELATIVE


class Library:
    """An x86-64 ELF file."""

    def __init__(self, path):
        self.data = path.read_bytes()
        if self.data[:5] != b"\x7fELF\x02":
            raise ValueError("not a 64-bit ELF file")
        (table,) = self.unpack("<Q", 0x28)
        count, names = self.unpack("<HH", 0x3C)
        headers = [self.unpack("<IIQQQQIIQQ", table + 64 * index) for index in range(count)]
        # name: (type, address, offset, size)
        self.sections = {self.text_at(headers[names][4] + h[0]): (h[1], h[3], h[4], h[5]) for h in headers}
        self.pointers = {}
        _, _, start, size = self.sections.get(".rela.dyn", (0, 0, 0, 0))
        for place, info, addend in struct.iter_unpack("<QQq", self.data[start : start + size]):
            if info & 0xFFFFFFFF == RELATIVE:
                self.pointers[place] = addend

    def unpack(self, form, offset):
        return struct.unpack_from(form, self.data, offset)

    def text_at(self, offset):
        return self.data[offset : self.data.index(b"\0", offset)].decode()

    def offset(self, address):
        for kind, start, offset, size in self.sections.values():
            if start and kind != NO_BITS and start <= address < start + size:
                return offset + address - start
        raise ValueError(f"address {address:#x} is in no section")

    def name(self, place):
        return self.text_at(self.offset(self.pointers[place]))

    def range(self, place, step):
        """The addresses of the elements between two pointers, of which neither is there if there are none."""
        if place in self.pointers:
            yield from range(self.pointers[place], self.pointers[place + 8], step)

    def images(self):
        """For each image its offset in the file, its size, and its property sets."""
        _, start, _, size = self.sections.get(".tgtimg", (0, 0, 0, 0))
        places = [place for place in range(start, start + size, 16) if place in self.pointers]
        images = {self.pointers[place]: self.unpack("<Q", self.offset(place) + 8)[0] for place in places}
        # A description is where a pointer to the image stands before one to its end.
        for place, address in sorted(self.pointers.items()):
            if address not in images or self.pointers.get(place + 8) != address + images[address]:
                continue
            (version,) = self.unpack("<H", self.offset(place - 32))
            if version != 3:
                raise ValueError(f"an image's description has version {version}, and only 3 is known")
            yield self.offset(address), images[address], dict(self.sets(place + 32))

    def sets(self, place):
        for entry in self.range(place, 24):
            yield self.name(entry), dict(self.properties(entry + 8))

    def properties(self, place):
        for entry in self.range(place, 32):
            (kind,) = self.unpack("<I", self.offset(entry + 16))
            (size,) = self.unpack("<Q", self.offset(entry + 24))
            if kind == 1:
                yield self.name(entry), size
            elif size == 0:
                yield self.name(entry), b""
            else:
                start = self.offset(self.pointers[entry + 8])
                yield self.name(entry), self.data[start : start + size]


def base64(data):
    bits = int.from_bytes(data, "little")
    return "".join(ALPHABET[bits >> (6 * digit) & 63] for digit in range((len(data) * 8 + 5) // 6))


def prop_text(sets):
    lines = []
    for name, properties in sets.items():
        lines.append(f"[{name}]")
        for key, value in properties.items():
            lines.append(f"{key}=1|{value}" if isinstance(value, int) else f"{key}=2|{base64(value)}")
    return "".join(line + "\n" for line in lines)


def aspects_of(sets):
    value = sets.get(REQUIREMENTS, {}).get("aspects", bytes(8))
    (bits,) = struct.unpack_from("<Q", value)
    if bits != (len(value) - 8) * 8:
        raise ValueError(f"a length of {bits} bits, and {len(value) - 8} bytes follow")
    return {number for (number,) in struct.iter_unpack("<I", value[8:])}


def aspect_names(library):
    """The names of aspects by number, in the numbering of the runtime that a library is linked to."""
    names = {}
    table = "aspects-dpcpp-2026.csv" if b"\0libsycl.so.9\0" in library.data else "aspects.csv"
    for line in (ROOT / "spec-extensions" / table).read_text().splitlines():
        name, _, number = line.partition(",")
        if not line.startswith("#") and number.isdigit():
            names.setdefault(int(number), name)
    return names


def compare(program, libraries):
    """Compares the aspects. Returns true if all are the same."""
    counts, classes, examples = collections.Counter(), collections.Counter(), {}
    for path in libraries:
        library = Library(path)
        images = list(library.images())
        if not images:
            continue
        names = aspect_names(library)
        # Some libraries also hold what only looks like a module.
        done = subprocess.run([program, "inspect", "--quiet", "--format", "json", path], stdout=subprocess.PIPE)
        modules = {module["offset"]: module for file in json.loads(done.stdout)["files"] for module in file["modules"]}
        for offset, _, sets in images:
            counts["images"] += 1
            module = modules.get(offset)
            if module is None:
                counts["images in which spirv-if finds no module"] += 1
                continue
            theirs = {names.get(number, str(number)) for number in aspects_of(sets)}
            roots = module["entry_points"] + module["exported_functions"]
            ours = {aspect["name"] for root in roots for aspect in root["aspects"]}
            kernels = len(module["entry_points"])
            counts["kernels"] += kernels
            if ours == theirs:
                counts["same"] += 1
                continue
            for sign, aspects in (("DPC++ alone: ", theirs - ours), ("ours alone: ", ours - theirs)):
                for aspect in sorted(aspects):
                    classes[sign + aspect] += 1
                    kernel = module["entry_points"][0]["name"] if kernels else "no kernel"
                    examples.setdefault(sign + aspect, f"{path.name} at {offset:#x}: {kernel}")
    for what, count in counts.items():
        print(f"{count:6} {what}")
    for what, count in sorted(classes.items()):
        print(f"{count:6} {what}, first in {examples[what]}")
    return not classes


def write(folder, libraries):
    """Writes each image and its properties as LIBRARY-N.spv and .prop. Returns the names without extensions, in order."""
    names = []
    for path in libraries:
        library = Library(path)
        for count, (offset, size, sets) in enumerate(library.images(), 1):
            names.append(f"{path.name.partition('.')[0]}-{count:05}")
            (folder / f"{names[-1]}.spv").write_bytes(library.data[offset : offset + size])
            (folder / f"{names[-1]}.prop").write_text(prop_text(sets))
    return sorted(names)


def rewrite(program, libraries):
    """Reads property sets and writes them again. Returns their number."""
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        names = write(folder, libraries)
        # The filter reads every file, and its target runs all.
        (folder / "all.yaml").write_text(f"all:\n  aspects: {list(range(100))}\n")
        table = "".join(f"{name}.spv|{name}.prop\n" for name in names)
        (folder / "in.table").write_text("[Code|Properties]\n" + table)
        arguments = ["sycl", "filter", "in.table", "--target", "all", "--device-config", "all.yaml", "-o", "out.table"]
        subprocess.run([program, *arguments], check=True, cwd=folder)
        # trim takes property sets along. A command line has a limit.
        for first in range(0, len(names), 1000):
            modules = [f"{name}.spv" for name in names[first : first + 1000]]
            subprocess.run([program, "trim", "--quiet", *modules, "-o", "trimmed/"], check=True, cwd=folder)
        pairs = [("in.table", "out.table"), *((f"{name}.prop", f"trimmed/{name}.prop") for name in names)]
        changed = [one for one, other in pairs if (folder / one).read_bytes() != (folder / other).read_bytes()]
        if changed:
            raise ValueError(f"written again, these are others: {', '.join(changed)}")
        return len(names)


def main():
    folder = Path(sys.argv[1]) if len(sys.argv) == 2 else ROOT / "target/corpus-work/dpnp"
    if len(sys.argv) > 2:
        sys.exit(__doc__)
    if len(sys.argv) == 1 and not folder.is_dir():
        subprocess.run([ROOT / "scripts/build-corpus.sh", "dpnp"], check=True)
    program = os.environ.get("SPIRV_IF")
    if not program:
        subprocess.run(["cargo", "build", "--quiet", "--release", "--locked", "--package", "spirv-if-cli"], check=True, cwd=ROOT)
        program = ROOT / "target/release/spirv-if"
    libraries = sorted(path for path in folder.rglob("*.so*") if path.is_file())
    if not libraries:
        raise ValueError(f"there is no library in {folder}")
    is_same = compare(program, libraries)
    print(f"{rewrite(program, libraries)} files of property sets are the same when read and written again")
    return 0 if is_same else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (OSError, ValueError, struct.error) as error:
        sys.exit(f"compare-aspects.py: error: {error}")
