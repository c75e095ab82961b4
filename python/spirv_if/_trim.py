"""`trim`, `strip`, `find_modules` and `validate`."""

from dataclasses import dataclass
from typing import final

from spirv_if import _native
from spirv_if._values import ModuleSource, Record


@final
@dataclass(frozen=True, slots=True, repr=False)
class Trimmed(Record):
    """A module without the declarations that nothing in it requires.

    Attributes:
        module: The module; empty if it is a malformed image of an executable or library that DPC++ linked.
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


@final
@dataclass(frozen=True, slots=True, repr=False)
class FoundModule(Record):
    """A module inside of a file.

    Attributes:
        offset: The offset in the file, in bytes.
        module: The module.
        properties: Its properties, where the file has some for it: an executable or library that DPC++ linked. They belong to every call
            with the module.
        error: The reason for which it is malformed, or for which the file's properties of it cannot be read. Then results of calls with the
            module may be wrong.
    """

    offset: int
    module: bytes
    properties: str | None
    error: str | None


def find_modules(file: ModuleSource) -> list[FoundModule]:
    """Finds the modules inside of a file of any kind, in their order."""
    return _native.find_modules(locals())


def validate(module: ModuleSource) -> None:
    """Validates a module with `spirv-val` of SPIRV-Tools: the program that the environment variable `SPIRV_VAL` names, or the one in the PATH.

    A shader is validated for the oldest version of Vulkan that takes its version of SPIR-V, with layouts that devices may enable. Kernels,
    libraries and packed modules are validated for their version of SPIR-V.

    Raises:
        ModuleError: The module is invalid. The message is the validator's.
        OSError: The validator does not run.
    """
    _native.validate(locals())
