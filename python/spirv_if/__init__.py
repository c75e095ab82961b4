"""One SPIR-V module for every device: pack code that is conditional on device features, and cut it down again at load time.

    packed = spirv_if.pack("blur.spv")                                   # when a program is built
    plain = spirv_if.specialize(packed.module, "intel_gpu_bmg_g21")      # when it runs

    prepared = spirv_if.Prepared(packed.module)                          # once, for many devices and settings
    small = prepared.specialize("intel_gpu_bmg_g21", set={"taps": 5})

A module is given as bytes or another buffer (bytearray, memoryview, numpy.ndarray, array.array, mmap.mmap), or as the path of a file. Results
have it as bytes. Every function that takes a module takes with it what may lie beside it: `annotations`, the text of an annotations file or its
path, and `properties`, the text of its properties. A packed module carries its properties, and needs none.

Results and devices are values: they cannot be changed, they compare and hash by content, and they can be copied and pickled. Their method
`to_dict` returns the content as plain dicts.

Errors about an argument begin with its name: TypeError, ValueError, or RequestError where the library refuses a name or a text. The other
exceptions are those below. Functions run without holding up other threads.
"""

from types import FunctionType as _FunctionType

from spirv_if._bundle import Bundle, BundleVariant, bundle
from spirv_if._device import Device, devices, probe
from spirv_if._errors import LoadError, ModuleError, RequestError, Refused, SpirvIfError, TooNew, Undecided
from spirv_if._inspect import EntryPoint, Inspection, SpecConstant, Violation, VulkanRequirements, inspect, vulkan_requirements
from spirv_if._native import __version__
from spirv_if._pack import Packed, PackSummary, pack
from spirv_if._specialize import (
    Compatibility,
    Prepared,
    Specialized,
    SpecializeReport,
    TrappedBranch,
    compatibility,
    specialize,
)
from spirv_if._trim import FoundModule, Trimmed, find_modules, strip, trim, validate
from spirv_if._values import Buffer, Missing, ModuleSource, SpecValue, SpecValues

__all__ = [
    "Buffer",
    "Bundle",
    "BundleVariant",
    "Compatibility",
    "Device",
    "EntryPoint",
    "FoundModule",
    "Inspection",
    "LoadError",
    "Missing",
    "ModuleError",
    "ModuleSource",
    "PackSummary",
    "Packed",
    "Prepared",
    "Refused",
    "RequestError",
    "SpecConstant",
    "SpecValue",
    "SpecValues",
    "SpecializeReport",
    "Specialized",
    "SpirvIfError",
    "TooNew",
    "TrappedBranch",
    "Trimmed",
    "Undecided",
    "Violation",
    "VulkanRequirements",
    "__version__",
    "bundle",
    "compatibility",
    "devices",
    "find_modules",
    "inspect",
    "pack",
    "probe",
    "specialize",
    "strip",
    "trim",
    "validate",
    "vulkan_requirements",
]

# Messages, documentation and pickled objects name what is public, and not the files of this package.
for _name in __all__:
    _public = globals()[_name]
    if isinstance(_public, (type, _FunctionType)):
        _public.__module__ = __name__
