"""`trim`, `strip` and `find_modules`."""

from dataclasses import dataclass
from typing import final

from spirv_if import _native
from spirv_if._values import ModuleSource, Record


@final
@dataclass(frozen=True, slots=True, repr=False)
class Trimmed(Record):
    """A module without the declarations that nothing in it requires.

    Attributes:
        module: The module.
        removed: The removed capabilities and extensions.
    """

    module: bytes
    removed: tuple[str, ...]


def trim(module: ModuleSource) -> Trimmed:
    """Removes capabilities and extensions that nothing in a module requires."""
    return _native.trim(locals())


def strip(module: ModuleSource) -> bytes:
    """Removes names, debug information and reflection."""
    return _native.strip(locals())


def find_modules(file: ModuleSource) -> list[tuple[int, bytes]]:
    """Finds the modules inside of a file of any kind, each with its offset in bytes."""
    return _native.find_modules(locals())
