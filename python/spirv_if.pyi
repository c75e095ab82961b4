"""One SPIR-V module for every device: pack code that is conditional on device features, and cut it down again at load time.

Modules are bytes, and taken import os
from any buffer. Every function that takes a module takes with it what may lie beside it: `annotations`, the
text of an annotations file, and `properties`, the text of its properties. A packed module carries its properties, and needs none.

Functions run without holding up other threads.
"""

from collections.abc import Mapping, Sequence
from typing import Literal, Protocol, final

from typing_extensions import Buffer

__all__: list[str]
__version__: str

class SpirvIfError(Exception):
    """The cause for which a call fails. Its text is the message of the program `spirv-if`."""

class LoadError(SpirvIfError):
    """Bytes are no module."""

    offset: int
    """The position of the problem, in bytes."""

class Refused(SpirvIfError):
    """The device does not run the module, or is not known to run it, which `strict` refuses."""

    device: str
    """The name of the device; empty for one that was described."""
    missing: list[Missing]
    """All missing features that are known; empty if the device is not known to run the module."""
    unknown: list[str]
    """The features that the device may or may not have, by name."""
    superfluous: list[Missing]
    """Those of them that nothing requires: `trim` removes their declarations."""
    entry_points: list[str]
    """The entry points that require them, where it is not the whole module."""

class Undecided(SpirvIfError):
    """Something would stay conditional."""

    device: str
    """The name of the device; empty for one that was described."""
    parts: int
    """The number of parts of the module that would stay conditional."""
    constants: list[tuple[int, str | None]]
    """The specialization constants without a value, by SpecId, each with its condition, where that is known."""
    others: bool
    """Whether some part depends on something else."""

class TooNew(SpirvIfError):
    """The result uses what the version of SPIR-V that was requested does not have."""

    version: tuple[int, int]
    constructs: list[tuple[str, tuple[int, int]]]
    """The constructs, each with the oldest version that has it."""

class RequestError(SpirvIfError):
    """The request makes no sense for this module: it names a constant, a value, a device or an entry point that does not exist."""

class ModuleError(SpirvIfError):
    """The module, its properties or its annotations break a rule that the call depends on."""

@final
class Missing:
    """A feature that a device is known not to have."""

    @property
    def kind(
        self,
    ) -> Literal[
        "version",
        "capability",
        "extension",
        "work-group-size",
        "aspect",
        "sub-group-size",
        "fixed-targets",
        "condition",
        "other",
    ]: ...
    @property
    def name(self) -> str:
        """The name, short enough for a table, such as `aspect fp64`."""

    @property
    def reason(self) -> str:
        """The reason as a clause."""

    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...

class _OpenclDevice(Protocol):
    @property
    def int_ptr(self) -> int: ...

@final
class Device:
    """A device, by its name in the table, part by part, or both. What is not listed is unknown.

    `gfx90a:xnack+:sramecc-` is a processor of AMD in modes. `provider_features` are those such as `amdgpu:gfx12-insts`; after `!` those
    that it does not have, and `!amdgpu:*` for all others of a provider. `limits` are numbers such as `subgroup_size=32`.
    """

    def __new__(
        cls,
        name: str | None = None,
        *,
        category: str | None = None,
        family: str | None = None,
        architecture: str | None = None,
        target: str | None = None,
        features: Sequence[str] | None = None,
        capabilities: Sequence[str] | None = None,
        aspects: Sequence[str] | None = None,
        extensions: Sequence[str] | None = None,
        provider_features: Sequence[str] | None = None,
        limits: Sequence[str] | None = None,
    ) -> Device: ...
    @staticmethod
    def from_yaml(text: str, name: str) -> Device:
        """A device of a device configuration. Modes may follow its name."""

    @staticmethod
    def from_json(text: str, *, profile: str | None = None) -> list[Device]:
        """Devices that other tools describe: Vulkan Profiles, `vulkaninfo --json`, and reports of vulkan.gpuinfo.org."""

    @staticmethod
    def from_opencl(device: _OpenclDevice) -> Device:
        """An OpenCL device as its driver reports it: a `pyopencl.Device`. Raises OSError if no driver of this machine lists it, or
        its driver does not answer."""

    @property
    def name(self) -> str: ...
    @property
    def architecture(self) -> str | None: ...
    @property
    def category(self) -> str | None: ...
    @property
    def aspects(self) -> list[str] | None: ...
    @property
    def spirv_versions(self) -> list[tuple[int, int]] | None: ...
    def holds(self, condition: str) -> bool | None:
        """Whether a condition holds, such as `fp16 && !arch(intel_gpu_pvc)`; None if too little is known."""

    def to_yaml(self) -> str:
        """Its entry in a device configuration."""

    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...

def devices(glob: str = "*") -> list[Device]:
    """The devices of the table with these names."""

def probe(api: Literal["vulkan", "opencl"], *, limit: float = 60.0) -> list[Device]:
    """The devices of this machine, as drivers report them within so many seconds. Raises OSError if there are none."""

@final
class Packed:
    """A packed module."""

    @property
    def module(self) -> bytes: ...
    @property
    def properties(self) -> str:
        """Its properties, which the module carries too."""

    @property
    def summary(self) -> PackSummary: ...

@final
class PackSummary:
    """What packing did. Names are demangled, and conditions text."""

    @property
    def calls(self) -> list[tuple[str, str, str]]:
        """The conditional calls: the caller, the callee, and the condition."""

    @property
    def never_taken(self) -> int: ...
    @property
    def conditional(self) -> list[tuple[str, str]]:
        """The capabilities and extensions that became conditional, with their conditions."""

    @property
    def unconditional(self) -> list[tuple[str, str]]:
        """Those that stay unconditional, with the reasons."""

    @property
    def removed(self) -> list[str]: ...
    @property
    def conditional_exports(self) -> list[str]: ...
    @property
    def set_by_host(self) -> dict[int, str]:
        """The specialization constants, by SpecId, that the host sets to true where a condition holds."""

    @property
    def warnings(self) -> list[str]: ...

def pack(
    module: Buffer,
    *,
    annotations: str | None = None,
    properties: str | None = None,
    dialect: Literal["spec-conditional", "function-variants"] = "spec-conditional",
    exports: Sequence[str] = ...,
    keep_exports: bool = False,
    max_clones: int = 8,
    property_names: Literal["design", "dpcpp"] = "design",
    strip: bool = False,
) -> Packed:
    """Makes one module for every device: everything that only conditional code requires becomes conditional."""

@final
class Specialized:
    """A module for a device."""

    @property
    def module(self) -> bytes: ...
    @property
    def properties(self) -> str | None:
        """Its properties, where something stays conditional in a module that was not packed before."""

    @property
    def report(self) -> SpecializeReport: ...

@final
class SpecializeReport:
    """What specializing did."""

    @property
    def multi_target(self) -> bool: ...
    @property
    def kept_parts(self) -> int: ...
    @property
    def removed_parts(self) -> int: ...
    @property
    def removed(self) -> list[str]: ...
    @property
    def removed_functions(self) -> int: ...
    @property
    def removed_definitions(self) -> int: ...
    @property
    def branches(self) -> int: ...
    @property
    def removed_blocks(self) -> int: ...
    @property
    def call_clones(self) -> list[tuple[str, str, int]]:
        """Clones of functions for calls whose arguments decide branches in them: the function, the name of the clone, and the number of
        its calls."""

    @property
    def not_cloned(self) -> list[str]:
        """The functions with such calls that are not cloned, since the module would grow too much."""

    @property
    def frozen(self) -> int:
        """The number of specialization constants that became ordinary ones."""

    @property
    def trimmed(self) -> list[str] | None: ...
    @property
    def adapted(self) -> list[str]:
        """The changes of `adapt`, such as "removed OpAssumeTrueKHR (2 times)", and those for an older version of SPIR-V."""

    @property
    def undecided(self) -> list[tuple[str, str]]:
        """The parts that stay conditional, and what each depends on."""

    @property
    def defaulted(self) -> list[int]:
        """The constants, by SpecId, that took their default values."""

    @property
    def new_defaults(self) -> int: ...
    @property
    def ignored(self) -> list[str]: ...
    @property
    def trapped(self) -> list[TrappedBranch]:
        """The blocks that became traps."""

    @property
    def unsupported(self) -> list[tuple[str, Missing]]:
        """The entry points that the device does not run, and what is missing."""

    @property
    def not_known(self) -> list[str]:
        """The features that the device may or may not have, by name. If there are any, the device is not known to run
        the module."""

@final
class TrappedBranch:
    """A block that became a trap, with all that only it leads to."""

    @property
    def function(self) -> str: ...
    @property
    def block(self) -> int:
        """The id of the block's label in the module before."""

    @property
    def source(self) -> str | None:
        """The place in the source, if the module has debug information."""

    @property
    def requires(self) -> list[str]:
        """The required features that the device does not have, by name."""

    @property
    def trap(self) -> str: ...

def specialize(
    module: Buffer,
    device: Device | str | None = None,
    *,
    annotations: str | None = None,
    properties: str | None = None,
    set: Mapping[int | str, bool | int | float | str] | None = None,
    set_default: Mapping[int | str, bool | int | float | str] | None = None,
    leave: Sequence[int | str] = ...,
    ignore_unknown: bool = False,
    unset: Literal["error", "keep", "default"] | None = None,
    entry_points: Sequence[str] = ...,
    max_clones: int = 8,
    keep_interface: bool = False,
    trim: bool = False,
    strip: bool = False,
    strict: bool = False,
    adapt: bool = False,
    max_version: tuple[int, int] | None = None,
    work_around: Literal["nvidia"] | None = None,
    trap: str | None = None,
) -> Specialized:
    """Makes a plain module for a device: decides conditions, sets constants, and removes code whose condition does not hold.

    Without a device, constants are set. Raises Refused if the device does not run the result, Undecided if something would stay
    conditional that may not, and RequestError if a setting is invalid. A device that is not known to run the result is refused only if
    `strict` is true; otherwise `report.not_known` lists the features that it may or may not have. `adapt` changes constructs that the device is
    known to reject, where the result computes the same or what the module permitted.
    With `trap` ("abort", "silent" or "store:BUFFER:OFFSET"), blocks behind run-time branches that require what the device is known not to have become traps.
    """

@final
class BundleVariant:
    """A variant of a shader in a bundle. Each device gets the first one whose condition holds."""

    @property
    def condition(self) -> str | None:
        """The condition on devices; None for all remaining ones."""

    @property
    def constants(self) -> dict[str, str]:
        """The specialization constants that the bundle fixes, by SpecId or name."""

    @property
    def size(self) -> int:
        """The size of the module in bytes."""

@final
class Bundle:
    """A bundle of shaders by name, as `spirv-if bundle` makes it. Raises ModuleError if the bytes are not one, or are damaged."""

    def __new__(cls, data: Buffer) -> Bundle: ...
    @staticmethod
    def open(path: str | os.PathLike[str]) -> Bundle:
        """Opens a file, which must not change meanwhile. Decompresses nothing."""

    def __len__(self) -> int: ...
    def __contains__(self, name: str) -> bool: ...
    def __getitem__(self, name: str) -> bytes: ...
    def names(self) -> list[str]:
        """The names of the shaders, sorted."""

    def variants(self, name: str) -> list[BundleVariant]: ...
    def get(self, name: str, variant: int | None = None) -> bytes:
        """The module of a shader. Raises KeyError if there is no such shader, RequestError if it has several variants and none is chosen."""

    def get_for(
        self,
        name: str,
        device: Device | str | None = None,
        *,
        set: Mapping[int | str, bool | int | float | str] | None = None,
        ignore_unknown: bool = False,
    ) -> bytes:
        """The plain module for a device: its variant, specialized, with the constants that the bundle fixes."""

def bundle(shaders: Mapping[str, Buffer], *, solid: bool = False) -> bytes:
    """Makes a bundle of modules by name. With `solid`, all are compressed together."""

@final
class Compatibility:
    """A verdict with the features that decide it."""

    @property
    def verdict(self) -> Literal["runs", "does not run", "not known"]:
        """The device runs the module, does not run it since it does not have a feature, or that is not known since nothing says if it
        has one."""

    @property
    def missing(self) -> list[str]:
        """The required features that the device does not have, by name, such as `Float64` or `sub-group size 8`."""

    @property
    def unknown(self) -> list[str]:
        """The features that the device may or may not have, by name."""

    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...

def compatibility(
    module: Buffer,
    device: Device | str | None = None,
    *,
    annotations: str | None = None,
    properties: str | None = None,
    set: Mapping[int | str, bool | int | float | str] | None = None,
    set_default: Mapping[int | str, bool | int | float | str] | None = None,
    leave: Sequence[int | str] = ...,
    ignore_unknown: bool = False,
    unset: Literal["error", "keep", "default"] | None = None,
    entry_points: Sequence[str] = ...,
    max_clones: int = 8,
    keep_interface: bool = False,
    trim: bool = False,
    adapt: bool = False,
    max_version: tuple[int, int] | None = None,
    work_around: Literal["nvidia"] | None = None,
    trap: str | None = None,
) -> Compatibility:
    """Finds the verdict of `specialize` on a device, without a module. Raises what `specialize` raises, except Refused."""

@final
class Trimmed:
    """A module without the declarations that nothing in it requires."""

    @property
    def module(self) -> bytes: ...
    @property
    def removed(self) -> list[str]: ...

def trim(module: Buffer) -> Trimmed:
    """Removes capabilities and extensions that nothing in a module requires."""

def strip(module: Buffer) -> bytes:
    """Removes names, debug information and reflection."""

def find_modules(file: Buffer) -> list[tuple[int, bytes]]:
    """The modules inside of a file of any kind, each with its offset in bytes."""

@final
class Inspection:
    """What a module requires."""

    @property
    def entry_points(self) -> list[EntryPoint]: ...
    @property
    def spec_constants(self) -> list[SpecConstant]: ...
    @property
    def superfluous(self) -> list[str]:
        """The capabilities and extensions that nothing requires."""

    @property
    def violations(self) -> list[Violation]: ...
    @property
    def json(self) -> str:
        """All of it, as the program's JSON has a module."""

@final
class EntryPoint:
    """What an entry point requires, or an exported function that nothing in its module calls. Each requirement has its condition."""

    @property
    def name(self) -> str: ...
    @property
    def stage(self) -> str | None: ...
    @property
    def when(self) -> str | None: ...
    @property
    def capabilities(self) -> list[tuple[str, str | None]]: ...
    @property
    def extensions(self) -> list[tuple[str, str | None]]: ...
    @property
    def aspects(self) -> list[tuple[str, str | None]]: ...
    @property
    def declared_aspects(self) -> list[tuple[str, str | None]]: ...
    @property
    def work_group_size(self) -> tuple[list[int], bool] | None:
        """The size by dimension, and whether the host can set another."""

    @property
    def sub_group_size(self) -> tuple[int, bool] | None: ...
    @property
    def devices_as_is(self) -> int:
        """The number of devices that are known to run it from the module as it stands."""

    @property
    def devices_after_pack(self) -> int:
        """The number that run it once the module is packed and specialized for them, trimmed, or split by
        entry point."""

    @property
    def devices_after_adapt(self) -> int:
        """The number of other devices that run it once the module is adapted to them."""

    @property
    def devices_after_trap(self) -> int:
        """The number of further devices that run it with traps."""

    @property
    def devices_not_known(self) -> int:
        """The number of devices that may or may not run it from the module as it stands."""

    @property
    def each_device(self) -> list[tuple[str, Compatibility, Compatibility, str | None]]:
        """The devices of `devices`, and the verdicts on each in these two ways: as the module stands, and after packing. Last come the
        options of `spirv-if specialize` with which the device runs it, if it does not even then."""

@final
class SpecConstant:
    """A specialization constant that hosts can set, and what it decides."""

    @property
    def spec_id(self) -> int: ...
    @property
    def name(self) -> str | None: ...
    @property
    def type_name(self) -> str: ...
    @property
    def default(self) -> str: ...
    @property
    def branches(self) -> int: ...
    @property
    def array_sizes(self) -> int: ...
    @property
    def work_group_size(self) -> bool: ...

@final
class Violation:
    """A rule that the module breaks: a denied requirement, or a device that does not run it."""

    @property
    def rule(self) -> str: ...
    @property
    def place(self) -> str | None:
        """The place in the source, as `file:line:column`."""

    @property
    def message(self) -> str: ...
    @property
    def chain(self) -> list[tuple[str, str | None]]:
        """The call path to the cause."""

def inspect(
    module: Buffer,
    *,
    annotations: str | None = None,
    properties: str | None = None,
    why: str | None = None,
    devices: str | None = None,
    deny: Sequence[str] = ...,
    require_devices: Sequence[Device | str] = ...,
    details: bool = False,
    api: Literal["vulkan", "opencl"] | None = None,
    api_version: tuple[int, int] | None = None,
) -> Inspection:
    """Finds the requirements of each entry point, with their conditions, and the devices that meet them.

    `why` names a requirement whose call paths `json` then has, `devices` is a glob of those to list one by one, `deny` has conditions that no
    entry point may require, and `require_devices` the devices that must run all of them.
    """

@final
class VulkanRequirements:
    """The features, extensions and limits that a Vulkan device needs for a module."""

    @property
    def version(self) -> tuple[int, int]:
        """The required version of Vulkan: the one given, or a later one that the module needs, which is then also missing."""

    @property
    def extensions(self) -> list[str]:
        """The device extensions to enable, with those that they depend on."""

    @property
    def features(self) -> list[tuple[str, str]]:
        """The features to enable: structure and member, such as `("VkPhysicalDeviceVulkan12Features", "shaderFloat16")`."""

    @property
    def properties(self) -> list[tuple[str, str, str]]:
        """The properties that the device must have: structure, member and value, which is `VK_TRUE` or a bit."""

    @property
    def limits(self) -> list[tuple[str, int]]:
        """The limits that the device must have: the member of VkPhysicalDeviceLimits, and its least value."""

    @property
    def missing(self) -> list[str]:
        """What the device is known not to have."""

    @property
    def unknown(self) -> list[str]:
        """The capabilities, extensions and versions of the module that the tables do not have."""

def vulkan_requirements(
    module: Buffer,
    api_version: tuple[int, int],
    *,
    device: Device | str | None = None,
    annotations: str | None = None,
    properties: str | None = None,
) -> VulkanRequirements:
    """Finds what Vulkan of a version must enable for a module as it is. Of alternatives, one is chosen that `device` supports."""
