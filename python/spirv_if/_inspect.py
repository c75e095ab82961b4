"""`inspect` and `vulkan_requirements`."""

import html
import json
import os
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Literal, SupportsIndex, final

from spirv_if import _native
from spirv_if._device import Device
from spirv_if._specialize import Compatibility
from spirv_if._values import ModuleSource, Record


@final
@dataclass(frozen=True, slots=True, repr=False)
class EntryPoint(Record):
    """What an entry point requires, or an exported function that nothing in its module calls. Each requirement has its condition.

    Attributes:
        name: The name.
        stage: The stage; None for an exported function.
        when: The condition under which the module has it.
        capabilities: The required capabilities.
        extensions: The required extensions.
        aspects: The required SYCL aspects.
        declared_aspects: The SYCL aspects that its source declares.
        work_group_size: The size by dimension, and whether the host can set another.
        sub_group_size: The size, and whether the host can set another.
        devices_as_is: The number of devices that are known to run it from the module as it stands.
        devices_after_pack: The number that run it once the module is packed and specialized for them, trimmed, or split by entry point.
        devices_after_set: The number of other devices that run it once specialization constants are set.
        devices_after_adapt: The number of further devices that run it once the module is adapted to them.
        devices_after_lower: The number of further devices that run it once features that they lack are lowered.
        devices_after_trap: The number of further devices that run it with traps.
        devices_not_known: The number of devices that may or may not run it from the module as it stands.
        each_device: The devices of `devices`, and the verdicts on each in these two ways: as the module stands, and after packing. Last
            come the options of `spirv-if specialize` with which the device runs it, if it does not even then.
    """

    name: str
    stage: str | None
    when: str | None
    capabilities: tuple[tuple[str, str | None], ...]
    extensions: tuple[tuple[str, str | None], ...]
    aspects: tuple[tuple[str, str | None], ...]
    declared_aspects: tuple[tuple[str, str | None], ...]
    work_group_size: tuple[tuple[int, int, int], bool] | None
    sub_group_size: tuple[int, bool] | None
    devices_as_is: int
    devices_after_pack: int
    devices_after_set: int
    devices_after_adapt: int
    devices_after_lower: int
    devices_after_trap: int
    devices_not_known: int
    each_device: tuple[tuple[str, Compatibility, Compatibility, str | None], ...]


@final
@dataclass(frozen=True, slots=True, repr=False)
class SpecConstant(Record):
    """A specialization constant that hosts can set, and what it decides.

    Attributes:
        spec_id: The SpecId.
        name: The name, if the module has it.
        type_name: The type.
        default: The default value.
        branches: The number of branches that it decides.
        array_sizes: The number of arrays whose length depends on it.
        work_group_size: True if the size of work-groups depends on it.
    """

    spec_id: int
    name: str | None
    type_name: str
    default: str
    branches: int
    array_sizes: int
    work_group_size: bool


@final
@dataclass(frozen=True, slots=True, repr=False)
class Violation(Record):
    """A rule that the module breaks: a denied requirement, or a device that does not run it.

    Attributes:
        rule: The name of the rule.
        place: The place in the source, as `file:line:column`.
        message: The message.
        chain: The call path to the cause: functions, each with the place of the call.
    """

    rule: str
    place: str | None
    message: str
    chain: tuple[tuple[str, str | None], ...]


@final
@dataclass(frozen=True, slots=True, repr=False)
class Inspection(Record):
    """What a module requires.

    Attributes:
        entry_points: The entry points, and the exported functions that nothing in the module calls.
        spec_constants: The specialization constants that hosts can set.
        superfluous: The capabilities and extensions that nothing requires.
        violations: The rules of `deny` and `require_devices` that the module breaks.
        json: All of it, as the program's JSON has a module.
    """

    entry_points: tuple[EntryPoint, ...]
    spec_constants: tuple[SpecConstant, ...]
    superfluous: tuple[str, ...]
    violations: tuple[Violation, ...]
    json: str = field(repr=False)

    def to_dict(self) -> dict[str, Any]:
        """Returns what `spirv-if inspect --format json` writes of the module."""
        content: dict[str, Any] = json.loads(self.json)
        return content

    def to_html(self, name: str = "the module") -> str:
        """Returns the report that `spirv-if inspect --format html` writes, as one page without links to others.

        It has the devices of `devices`, and with `details` call paths, the call graph and sizes. `name` is the module's name in it.
        """
        return _native.html_from_json({"name": name, "json": self.json})

    def _repr_html_(self) -> str:
        """Returns the report in a frame, for notebooks."""
        return f'<iframe srcdoc="{html.escape(self.to_html())}" title="spirv-if inspect" style="width: 100%; height: 40em; border: 0"></iframe>'


def inspect(
    module: ModuleSource,
    *,
    annotations: str | os.PathLike[str] | None = None,
    properties: str | os.PathLike[str] | None = None,
    why: str | None = None,
    devices: Device | str | Iterable[Device | str] | None = None,
    deny: Iterable[str] = (),
    require_devices: Device | str | Iterable[Device | str] = (),
    details: bool = False,
    api: Literal["vulkan", "opencl"] | None = None,
    api_version: tuple[SupportsIndex, SupportsIndex] | None = None,
) -> Inspection:
    """Finds the requirements of each entry point, with their conditions, and the devices that meet them.

    Args:
        module: The bytes of the module, or its path.
        annotations: The text of an annotations file, or its path.
        properties: The text of its properties, or their path.
        why: A requirement whose call paths `json` then has.
        devices: The devices to list one by one, and to count; names may be globs. By default all of the table are counted.
        deny: Conditions that no entry point may require, such as `cap(Float64)`.
        require_devices: The devices that must run all entry points; names may be globs.
        details: Include details in `json` and in the report.
        api: The API whose requirements `json` then has.
        api_version: The version of the API.
    """
    return _native.inspect(locals())


@final
@dataclass(frozen=True, slots=True, repr=False)
class VulkanRequirements(Record):
    """The features, extensions and limits that a Vulkan device needs for a module.

    Attributes:
        version: The required version of Vulkan: the one given, or a later one that the module needs, which is then also missing.
        extensions: The device extensions to enable, with those that they depend on.
        features: The features to enable: structure and member, such as `("VkPhysicalDeviceVulkan12Features", "shaderFloat16")`.
        properties: The properties that the device must have: structure, member and value, which is `VK_TRUE` or a bit.
        limits: The limits that the device must have: the member of VkPhysicalDeviceLimits, and its least value.
        missing: What the device is known not to have.
        unknown: The capabilities, extensions and versions of the module that the tables do not have.
    """

    version: tuple[int, int]
    extensions: tuple[str, ...]
    features: tuple[tuple[str, str], ...]
    properties: tuple[tuple[str, str, str], ...]
    limits: tuple[tuple[str, int], ...]
    missing: tuple[str, ...]
    unknown: tuple[str, ...]


def vulkan_requirements(
    module: ModuleSource,
    api_version: tuple[SupportsIndex, SupportsIndex],
    *,
    device: Device | str | None = None,
    annotations: str | os.PathLike[str] | None = None,
    properties: str | os.PathLike[str] | None = None,
) -> VulkanRequirements:
    """Finds what Vulkan of a version must enable for a module as it is. Of alternatives, one is chosen that `device` supports."""
    return _native.vulkan_requirements(locals())
