"""Executables with device images of SYCL, as DPC++ links them: position-independent ELF files that describe each image (spec-extensions/loading.md)."""

import struct
from dataclasses import dataclass

BASE, HEADER = 0x10_0000, 64


@dataclass
class Pointer:
    address: int


@dataclass
class Image:
    """An image: its code, the name of a kernel, and a property set with bytes. Descriptions of other versions than 3 cannot be read."""

    version: int
    code: bytes
    entry: str
    properties: tuple[str, str, bytes]


class Linker:
    """Bytes at addresses, with the places of pointers in them."""

    def __init__(self) -> None:
        self.data = b""
        self.pointers: list[tuple[int, int]] = []

    def add(self, data: bytes) -> int:
        self.data += bytes(-len(self.data) % 8)
        address = BASE + HEADER + len(self.data)
        self.data += data
        return address

    def add_text(self, text: str) -> Pointer:
        return Pointer(self.add(text.encode() + b"\0"))

    def add_numbers(self, *fields: int | Pointer) -> list[Pointer]:
        """Adds numbers and pointers, and returns their begin and end."""
        address = self.add(bytes(8 * len(fields)))
        for index, value in enumerate(fields):
            if isinstance(value, Pointer):
                self.pointers.append((address + 8 * index, value.address))
            else:
                place = address - BASE - HEADER + 8 * index
                self.data = self.data[:place] + struct.pack("<Q", value) + self.data[place + 8 :]
        return [Pointer(address), Pointer(address + 8 * len(fields))]

    def add_image(self, image: Image) -> list[int | Pointer]:
        """Adds an image with its description, and returns what the list of images has of it."""
        code = self.add(image.code)
        entries = self.add_numbers(0, self.add_text(image.entry), 0, 0)
        set_name, name, value = image.properties
        properties = self.add_numbers(self.add_text(name), Pointer(self.add(value)), 2, len(value))
        sets = self.add_numbers(self.add_text(set_name), *properties)
        target, options = self.add_text("spir64"), self.add_text("")
        self.add_numbers(image.version, target, options, options, Pointer(code), Pointer(code + len(image.code)), *entries, *sets)
        return [Pointer(code), len(image.code)]


def executable(images: list[Image]) -> bytes:
    """Returns a file for x86-64 with these images."""
    linker = Linker()
    listed = [part for image in images for part in linker.add_image(image)]
    data_size = len(linker.data)
    [start, end] = linker.add_numbers(*listed)
    relocations = b"".join(struct.pack("<QQQ", place, 8, address) for place, address in linker.pointers)
    relocations_at = linker.add(relocations)
    names = b"\0.data.rel.ro\0.tgtimg\0.rela.dyn\0.shstrtab\0"
    names_at = linker.add(names)
    sections = [
        (0, 0, 0, 0),
        (1, 1, BASE + HEADER, data_size),
        (14, 1, start.address, end.address - start.address),
        (22, 4, relocations_at, len(relocations)),
        (32, 3, names_at, len(names)),
    ]
    table = [struct.pack("<II7Q", name, kind, 0, address, max(address - BASE, 0), size, 0, 0, 0) for name, kind, address, size in sections]
    table_at = linker.add(b"".join(table)) - BASE
    header = bytearray(HEADER)
    header[:7] = b"\x7fELF\x02\x01\x01"
    header[0x10:0x14] = bytes([3, 0, 62, 0])
    header[0x28:0x30] = struct.pack("<Q", table_at)
    header[0x3A:0x40] = bytes([64, 0, len(sections), 0, 4, 0])
    return bytes(header) + linker.data
