"""`pack`."""

import os
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal, SupportsIndex, final

from spirv_if import _native
from spirv_if._values import ModuleSource, Record


@final
@dataclass(frozen=True, slots=True, repr=False)
class PackSummary(Record):
    """What packing did. Names are demangled, and conditions are text.

    Attributes:
        calls: The conditional calls: the caller, the callee, and the condition.
        never_taken: The number of calls whose condition never holds.
        conditional: The capabilities and extensions that became conditional, with their conditions.
        unconditional: Those that stay unconditional, with the reasons.
        removed: Those that nothing required.
        conditional_exports: The exported functions that became conditional.
        twins: The lowered twins, each with its condition and what was lowered.
        set_by_host: The specialization constants, by SpecId, that the host sets to true where a condition holds.
        warnings: The warnings.
    """

    calls: tuple[tuple[str, str, str], ...]
    never_taken: int
    conditional: tuple[tuple[str, str], ...]
    unconditional: tuple[tuple[str, str], ...]
    removed: tuple[str, ...]
    conditional_exports: tuple[str, ...]
    twins: tuple[tuple[str, tuple[str, ...]], ...]
    set_by_host: dict[int, str] = field(hash=False)
    warnings: tuple[str, ...]


@final
@dataclass(frozen=True, slots=True, repr=False)
class Packed(Record):
    """A packed module.

    Attributes:
        module: The module.
        properties: Its properties, which the module carries too.
        summary: What packing did.
    """

    module: bytes
    properties: str
    summary: PackSummary


def pack(
    module: ModuleSource,
    *,
    annotations: str | os.PathLike[str] | None = None,
    properties: str | os.PathLike[str] | None = None,
    dialect: Literal["spec-conditional", "function-variants"] = "spec-conditional",
    exports: Iterable[str] = (),
    keep_exports: bool = False,
    lower: bool | Iterable[str] = False,
    max_clones: SupportsIndex = 8,
    property_names: Literal["design", "dpcpp"] = "design",
    strip: bool = False,
) -> Packed:
    """Makes one module for every device: everything that only conditional code requires becomes conditional.

    Args:
        module: The bytes of the module, or its path.
        annotations: The text of an annotations file, or its path.
        properties: The text of its properties, or their path.
        dialect: The form of conditions in the result.
        exports: The exported functions to keep.
        keep_exports: Keep all exported functions.
        lower: The features, such as `Int64`, for which devices without them get lowered twins of code that requires them. One that cannot
            be lowered is an error. True stands for all features that can be lowered.
        max_clones: The number of clones that a function may need.
        property_names: The spelling of properties.
        strip: Remove names and debug information.
    """
    return _native.pack(locals())
