"""`specialize` and `compatibility`, and modules that are prepared for them."""

import os
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal, SupportsIndex, final

from spirv_if import _native
from spirv_if._device import Device
from spirv_if._values import Missing, ModuleSource, Record, SpecValues


@final
@dataclass(frozen=True, slots=True, repr=False)
class TrappedBranch(Record):
    """A block that became a trap, with all that only it leads to.

    Attributes:
        function: The function.
        block: The id of the block's label in the module before.
        source: The place in the source, if the module has debug information.
        requires: The required features that the device does not have, by name.
        trap: The trap.
    """

    function: str
    block: int
    source: str | None
    requires: tuple[str, ...]
    trap: str


@final
@dataclass(frozen=True, slots=True, repr=False)
class SpecializeReport(Record):
    """What specializing did.

    Attributes:
        multi_target: True if the module was packed.
        kept_parts: The number of conditional parts that stay.
        removed_parts: The number of conditional parts that were removed.
        removed: The removed capabilities and extensions.
        removed_functions: The number of removed functions.
        removed_definitions: The number of other removed definitions.
        branches: The number of decided branches.
        removed_blocks: The number of removed blocks.
        call_clones: Clones of functions for calls whose arguments decide branches in them: the function, the name of the clone, and the
            number of its calls.
        not_cloned: The functions with such calls that are not cloned, since the module would grow too much.
        frozen: The number of specialization constants that became ordinary ones.
        trimmed: The declarations that `trim` removed; None without `trim`.
        adapted: The changes of `adapt`, such as "removed OpAssumeTrueKHR (2 times)", and those for an older version of SPIR-V.
        lowered: The features that `lower` lowered, each with what that costs.
        undecided: The parts that stay conditional, and what each depends on.
        open: The constants for conditions that the device leaves open, where the module was not packed: the conditions by SpecId.
        unknown: The constants that annotations bind to conditions of which it is not known if the device fulfils them: these by SpecId.
        defaulted: The constants, by SpecId, that took their default values.
        new_defaults: The number of constants with a new default value.
        ignored: The settings that `ignore_unknown` ignored.
        trapped: The blocks that became traps.
        unsupported: The entry points that the device does not run, and what is missing.
        not_known: The features that the device may or may not have, by name. If there are any, the device is not known to run the module.
        removed_reflection: The instructions for hosts that were removed, each with the SpecIds that it was about.
        work_around: The changes of `work_around`, in words; None without it.
    """

    multi_target: bool
    kept_parts: int
    removed_parts: int
    removed: tuple[str, ...]
    removed_functions: int
    removed_definitions: int
    branches: int
    removed_blocks: int
    call_clones: tuple[tuple[str, str, int], ...]
    not_cloned: tuple[str, ...]
    frozen: int
    trimmed: tuple[str, ...] | None
    adapted: tuple[str, ...]
    lowered: tuple[str, ...]
    undecided: tuple[tuple[str, str], ...]
    open: dict[int, str] = field(hash=False)
    unknown: dict[int, str] = field(hash=False)
    defaulted: tuple[int, ...]
    new_defaults: int
    ignored: tuple[str, ...]
    trapped: tuple[TrappedBranch, ...]
    unsupported: tuple[tuple[str, Missing], ...]
    not_known: tuple[str, ...]
    removed_reflection: tuple[tuple[str, tuple[int, ...]], ...]
    work_around: str | None


@final
@dataclass(frozen=True, slots=True, repr=False)
class Specialized(Record):
    """A module for a device.

    Attributes:
        module: The module.
        properties: Its properties, where something stays conditional in a module that was not packed before.
        report: What specializing did.
    """

    module: bytes
    properties: str | None
    report: SpecializeReport


@final
@dataclass(frozen=True, slots=True, repr=False)
class Compatibility(Record):
    """A verdict with the features that decide it.

    Attributes:
        verdict: The device runs the module, does not run it since it does not have a feature, or that is not known since nothing says if
            it has one. Of inspections also that it takes no modules of this kind, of kernels or of shaders.
        missing: The required features that the device does not have, by name, such as `Float64` or `sub-group size 8`.
        unknown: The features that the device may or may not have, by name.
    """

    verdict: Literal["runs", "does not run", "not known", "takes no such modules"]
    missing: tuple[str, ...]
    unknown: tuple[str, ...]


def specialize(
    module: ModuleSource,
    device: Device | str | None = None,
    *,
    annotations: str | os.PathLike[str] | None = None,
    properties: str | os.PathLike[str] | None = None,
    set: SpecValues | None = None,
    set_default: SpecValues | None = None,
    leave: Iterable[SupportsIndex | str] = (),
    ignore_unknown: bool = False,
    unset: Literal["error", "keep", "default"] | None = None,
    entry_points: Iterable[str] = (),
    drop_unsupported: bool = False,
    max_clones: SupportsIndex = 8,
    keep_interface: bool = False,
    trim: bool = False,
    strip: bool = False,
    strict: bool = False,
    adapt: bool = False,
    lower: bool = False,
    wider_halves: bool = False,
    max_version: tuple[SupportsIndex, SupportsIndex] | None = None,
    work_around: Literal["nvidia", "rusticl"] | None = None,
    trap: str | None = None,
) -> Specialized:
    """Makes a plain module for a device: decides conditions, sets constants, and removes code whose condition does not hold.

    Args:
        module: The bytes of the module, or its path.
        device: The device, or its name in the table. Without one, constants are set, and conditions are not decided.
        annotations: The text of an annotations file, or its path.
        properties: The text of its properties, or their path.
        set: Values of specialization constants, by SpecId or name.
        set_default: Default values of specialization constants that stay.
        leave: Specialization constants that stay, by SpecId or name.
        ignore_unknown: Ignore constants that the module does not have.
        unset: What becomes of conditions that nothing decides: an error, they stay, or constants take their default values. By default
            they are an error.
        entry_points: The entry points to keep; all by default.
        drop_unsupported: Leave out the entry points that the device is known not to run, if it runs others. `report.unsupported` lists
            them. By default the device is refused.
        max_clones: The number of clones that a function may need.
        keep_interface: Keep variables of the interface that nothing uses.
        trim: Remove capabilities and extensions that nothing requires.
        strip: Remove names and debug information.
        strict: Refuse a device that is not known to run the result. By default `report.not_known` lists the features that it may or may
            not have.
        adapt: Change constructs that the device is known to reject, where the result computes the same or what the module permitted.
        lower: Rewrite code that requires features which the device is known to lack to code that computes the same without them: 64-bit
            integers and doubles. Code that cannot be lowered is an error.
        wider_halves: Leave out the rounding of halves that `lower` makes floats, so that results are not those of the module.
        max_version: The newest version of SPIR-V that the result may have.
        work_around: Avoid known defects of a driver.
        trap: "abort", "silent" or "store:BUFFER:OFFSET": blocks behind run-time branches that require what the device is known not to
            have become such traps.

    Raises:
        Refused: The device does not run the result.
        Undecided: Something would stay conditional on the device, or without one.
        RequestError: A setting is invalid.
        TooNew: The result uses what `max_version` does not have.
    """
    return _native.specialize(locals())


def compatibility(
    module: ModuleSource,
    device: Device | str | None = None,
    *,
    annotations: str | os.PathLike[str] | None = None,
    properties: str | os.PathLike[str] | None = None,
    set: SpecValues | None = None,
    set_default: SpecValues | None = None,
    leave: Iterable[SupportsIndex | str] = (),
    ignore_unknown: bool = False,
    unset: Literal["error", "keep", "default"] | None = None,
    entry_points: Iterable[str] = (),
    drop_unsupported: bool = False,
    max_clones: SupportsIndex = 8,
    keep_interface: bool = False,
    trim: bool = False,
    adapt: bool = False,
    lower: bool = False,
    wider_halves: bool = False,
    max_version: tuple[SupportsIndex, SupportsIndex] | None = None,
    work_around: Literal["nvidia", "rusticl"] | None = None,
    trap: str | None = None,
) -> Compatibility:
    """Finds the verdict of `specialize` on a device, without a module. Arguments are those of `specialize`.

    Raises what `specialize` raises, except Refused.
    """
    return _native.compatibility(locals())


@final
class Prepared:
    """A module that is prepared once, to specialize it many times: for devices, and with settings. Threads can share it.

    Everything that depends neither on a device nor on settings is computed once. Results are the same as those of the functions.

    Args:
        module: The bytes of the module, or its path.
        annotations: The text of an annotations file, or its path.
        properties: The text of its properties, or their path.
    """

    __slots__ = ("_module",)
    _module: _native.PreparedModule

    def __init__(
        self,
        module: ModuleSource,
        *,
        annotations: str | os.PathLike[str] | None = None,
        properties: str | os.PathLike[str] | None = None,
    ) -> None:
        self._module = _native.prepare(locals())

    def specialize(
        self,
        device: Device | str | None = None,
        *,
        set: SpecValues | None = None,
        set_default: SpecValues | None = None,
        leave: Iterable[SupportsIndex | str] = (),
        ignore_unknown: bool = False,
        unset: Literal["error", "keep", "default"] | None = None,
        entry_points: Iterable[str] = (),
        drop_unsupported: bool = False,
        max_clones: SupportsIndex = 8,
        keep_interface: bool = False,
        trim: bool = False,
        strip: bool = False,
        strict: bool = False,
        adapt: bool = False,
        lower: bool = False,
        wider_halves: bool = False,
        max_version: tuple[SupportsIndex, SupportsIndex] | None = None,
        work_around: Literal["nvidia", "rusticl"] | None = None,
        trap: str | None = None,
    ) -> Specialized:
        """Makes a plain module for a device, as `spirv_if.specialize` does."""
        return self._module.specialize(locals())

    def compatibility(
        self,
        device: Device | str | None = None,
        *,
        set: SpecValues | None = None,
        set_default: SpecValues | None = None,
        leave: Iterable[SupportsIndex | str] = (),
        ignore_unknown: bool = False,
        unset: Literal["error", "keep", "default"] | None = None,
        entry_points: Iterable[str] = (),
        drop_unsupported: bool = False,
        max_clones: SupportsIndex = 8,
        keep_interface: bool = False,
        trim: bool = False,
        adapt: bool = False,
        lower: bool = False,
        wider_halves: bool = False,
        max_version: tuple[SupportsIndex, SupportsIndex] | None = None,
        work_around: Literal["nvidia", "rusticl"] | None = None,
        trap: str | None = None,
    ) -> Compatibility:
        """Finds the verdict on a device, as `spirv_if.compatibility` does."""
        return self._module.compatibility(locals())

    def cache_key(
        self,
        device: Device | str | None = None,
        *,
        set: SpecValues | None = None,
        set_default: SpecValues | None = None,
        leave: Iterable[SupportsIndex | str] = (),
        ignore_unknown: bool = False,
        unset: Literal["error", "keep", "default"] | None = None,
        entry_points: Iterable[str] = (),
        drop_unsupported: bool = False,
        max_clones: SupportsIndex = 8,
        keep_interface: bool = False,
        trim: bool = False,
        strip: bool = False,
        strict: bool = False,
        adapt: bool = False,
        lower: bool = False,
        wider_halves: bool = False,
        max_version: tuple[SupportsIndex, SupportsIndex] | None = None,
        work_around: Literal["nvidia", "rusticl"] | None = None,
        trap: str | None = None,
    ) -> str:
        """Computes a key of the result of `specialize`, without specializing: 32 hexadecimal digits, the same in every process.

        Equal keys are of equal modules, or of the same refusal. Another version of this package has other keys.
        """
        return self._module.cache_key(locals())

    def __repr__(self) -> str:
        place = "" if self._module.path is None else f" {self._module.path!r}"
        return f"<Prepared{place}>"
