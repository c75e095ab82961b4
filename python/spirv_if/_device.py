"""Devices."""

import json
import os
from collections.abc import Iterable, Mapping
from typing import Any, Literal, Protocol, SupportsFloat, final

from spirv_if import _native


class OpenclDevice(Protocol):
    """A `pyopencl.Device`."""

    @property
    def int_ptr(self) -> int: ...


@final
class Device:
    """A device, by its name in the table, part by part, or both. What is not listed is unknown.

    Args:
        name: A name of the table, such as `intel_gpu_pvc` or `rtx 4090`. `gfx90a:xnack+:sramecc-` is a processor of AMD in modes.
        category: The category in the device registry, such as `gpu`.
        family: The family in the device registry.
        architecture: The architecture.
        target: The instruction set in the device registry.
        features: All optional parts of the instruction set.
        capabilities: All SPIR-V capabilities that the device supports; those that they imply may be left out.
        aspects: All SYCL aspects.
        extensions: SPIR-V extensions that the device accepts besides those that it lists.
        provider_features: Features of providers, such as `amdgpu:gfx12-insts`; after `!` those that the device does not have, and
            `!amdgpu:*` for all others of a provider.
        limits: Numbers, such as `subgroup_size=32`.
        driver: The driver for Vulkan, and its version if it is known, such as `qualcomm 512.744`.
    """

    __slots__ = ("_known", "_parts")
    _known: _native.KnownDevice
    _parts: dict[str, Any] | None

    def __init__(
        self,
        name: str | None = None,
        *,
        category: str | None = None,
        family: str | None = None,
        architecture: str | None = None,
        target: str | None = None,
        features: Iterable[str] | None = None,
        capabilities: Iterable[str] | None = None,
        aspects: Iterable[str] | None = None,
        extensions: Iterable[str] | None = None,
        provider_features: Iterable[str] | None = None,
        limits: Iterable[str] | None = None,
        driver: str | None = None,
    ) -> None:
        parts = {part: _kept(value) for part, value in locals().items() if part != "self"}
        self._known = _native.describe_device(parts)
        self._parts = {part: value for part, value in parts.items() if value is not None}

    @classmethod
    def _of(cls, known: _native.KnownDevice) -> "Device":
        device = cls.__new__(cls)
        device._known, device._parts = known, None
        return device

    @staticmethod
    def from_yaml(text: str | os.PathLike[str], name: str) -> "Device":
        """Reads a device of a device configuration, its text or its path. Modes may follow the name."""
        return Device._of(_native.read_device(locals()))

    @staticmethod
    def from_json(text: str | os.PathLike[str], *, profile: str | None = None) -> "list[Device]":
        """Reads the devices that other tools describe, in a text or the file of a path.

        These are Vulkan Profiles, of which `profile` selects one, `vulkaninfo --json`, and reports of vulkan.gpuinfo.org.
        """
        return [Device._of(known) for known in _native.import_devices(locals())]

    @staticmethod
    def from_opencl(device: OpenclDevice) -> "Device":
        """Asks the driver of a `pyopencl.Device`.

        Raises:
            OSError: No driver of this machine lists the device, or its driver does not answer.
        """
        return Device._of(_native.query_device(locals()))

    @property
    def name(self) -> str:
        """The name of its entry; empty for one that was described."""
        return self._known.name

    @property
    def architecture(self) -> str | None:
        """The name of its architecture, if it is known."""
        return self._known.architecture

    @property
    def category(self) -> str | None:
        """The category, such as `gpu`, if it is known."""
        return self._known.category

    @property
    def aspects(self) -> tuple[str, ...] | None:
        """The SYCL aspects, if they are known."""
        aspects = self._known.aspects
        return None if aspects is None else tuple(aspects)

    @property
    def spirv_versions(self) -> tuple[tuple[int, int], ...] | None:
        """The versions of SPIR-V that it accepts, if they are known."""
        versions = self._known.spirv_versions
        return None if versions is None else tuple(versions)

    def holds(self, condition: str) -> bool | None:
        """Decides a condition, such as `fp16 && !arch(intel_gpu_pvc)`; None if too little is known."""
        return self._known.holds(locals())

    def to_yaml(self) -> str:
        """Returns its entry in a device configuration."""
        return self._known.to_yaml()

    def to_dict(self) -> dict[str, Any]:
        """Returns its entry in a device configuration as a dict, with its name."""
        [(name, entry)] = json.loads(self._known.to_json()).items()
        return {"name": name, **entry}

    def __eq__(self, other: object) -> bool:
        return self._known == other._known if isinstance(other, Device) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.to_yaml())

    def __repr__(self) -> str:
        if self._parts is None:
            return f"<Device {self.name!r}>"
        parts = [f"{part}={value!r}" for part, value in self._parts.items() if part != "name"]
        return f"Device({', '.join(([repr(self._parts['name'])] if 'name' in self._parts else []) + parts)})"

    def __reduce__(self) -> tuple[Any, ...]:
        # The entry of a described device would say of what is unknown that the device does not have it.
        if self._parts is None:
            return Device.from_yaml, (self.to_yaml(), self.name)
        return _described, (self._parts,)


def _kept(part: Any) -> Any:
    """Returns a part as a value that does not change any more."""
    is_list = isinstance(part, Iterable) and not isinstance(part, (str, bytes, Mapping))
    return tuple(part) if is_list else part


def _described(parts: dict[str, Any]) -> Device:
    return Device(**parts)


def devices(glob: str = "*") -> list[Device]:
    """Finds the devices of the table with these names."""
    return [Device._of(known) for known in _native.find_devices(locals())]


def probe(api: Literal["vulkan", "opencl"], *, limit: SupportsFloat = 60.0) -> list[Device]:
    """Asks the drivers of this machine for their devices, within so many seconds.

    Raises:
        OSError: There are none.
    """
    return [Device._of(known) for known in _native.probe_devices(locals())]
