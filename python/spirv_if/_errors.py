"""Exceptions. They can be pickled with what they have."""

from spirv_if._values import Missing


class SpirvIfError(Exception):
    """The cause for which a call fails.

    The text is the message of the program `spirv-if`, after the name of the argument or of the file that it is about.
    """


class LoadError(SpirvIfError):
    """Bytes are not a module.

    Attributes:
        offset: The position of the problem, in bytes.
    """

    offset: int


class Refused(SpirvIfError):
    """The device does not run the module, or is not known to run it, which `strict` refuses.

    Attributes:
        device: The name of the device; empty for one that was described.
        missing: All missing features that are known; empty if the device is not known to run the module.
        unknown: The features that the device may or may not have, by name.
        superfluous: Those of `missing` that nothing requires: `trim` removes their declarations.
        entry_points: The entry points that require them, where it is not the whole module.
    """

    device: str
    missing: tuple[Missing, ...]
    unknown: tuple[str, ...]
    superfluous: tuple[Missing, ...]
    entry_points: tuple[str, ...]


class Undecided(SpirvIfError):
    """Something would stay conditional.

    Attributes:
        device: The name of the device; empty for one that was described, and without a device.
        parts: The number of parts of the module that would stay conditional.
        constants: The specialization constants without a value, by SpecId, each with its condition, where that is known.
        others: True if some part depends on something else.
    """

    device: str
    parts: int
    constants: tuple[tuple[int, str | None], ...]
    others: bool


class TooNew(SpirvIfError):
    """The result uses what the version of SPIR-V that was requested does not have.

    Attributes:
        version: The version.
        constructs: The constructs, each with the oldest version that has it.
    """

    version: tuple[int, int]
    constructs: tuple[tuple[str, tuple[int, int]], ...]


class RequestError(SpirvIfError):
    """The request makes no sense for this module: it names a constant, a value, a device or an entry point that does not exist."""


class ModuleError(SpirvIfError):
    """The module, its properties or its annotations break a rule that the call depends on."""
