"""Bundles."""

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, SupportsIndex, final

from spirv_if import _native
from spirv_if._device import Device
from spirv_if._values import ModuleSource, Record, SpecValues


@final
@dataclass(frozen=True, slots=True, repr=False)
class BundleVariant(Record):
    """A variant of a shader in a bundle. Each device gets the first one whose condition holds.

    Attributes:
        condition: The condition on devices; None for all remaining ones.
        constants: The specialization constants that the bundle fixes, by SpecId or name.
        size: The size of the module in bytes.
    """

    condition: str | None
    constants: dict[str, str] = field(hash=False)
    size: int


@final
class Bundle(Mapping[str, bytes]):
    """A bundle of shaders by name, as `spirv-if bundle` makes it: a mapping of sorted names to modules.

    Bundles compare and hash by their bytes. A bundle that was opened by its path is pickled as that path, any other one as its bytes.

    Args:
        data: The bytes of the bundle, or the path of a file, all of which is read.

    Raises:
        ModuleError: The bytes are not a bundle, or are damaged.
    """

    __slots__ = ("_open", "_path")
    _open: _native.OpenBundle
    _path: str | None

    def __init__(self, data: ModuleSource) -> None:
        self._open, self._path = _native.read_bundle(locals()), None

    @staticmethod
    def open(path: str | os.PathLike[str]) -> "Bundle":
        """Opens a file, which must not change meanwhile. Decompresses nothing."""
        opened = _native.open_bundle(locals())
        bundle = Bundle.__new__(Bundle)
        bundle._open, bundle._path = opened, os.path.abspath(path)
        return bundle

    def __len__(self) -> int:
        return len(self._open)

    def __contains__(self, name: object) -> bool:
        return name in self._open

    def __iter__(self) -> Iterator[str]:
        return iter(self._open.names())

    def __getitem__(self, name: str) -> bytes:
        """Returns the module of a shader.

        Raises:
            KeyError: There is no such shader.
            RequestError: It has several variants: `get_variant` returns one, and `get_for` the one for a device.
        """
        return self._open.get(locals())

    def __eq__(self, other: object) -> bool:
        return self._open == other._open if isinstance(other, Bundle) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._open)

    def variants(self, name: str) -> list[BundleVariant]:
        """Returns the variants of a shader.

        Raises:
            KeyError: There is no such shader.
        """
        return self._open.variants(locals())

    def get_variant(self, name: str, variant: SupportsIndex) -> bytes:
        """Returns the module of a variant of a shader, by the index in `variants`.

        Raises:
            KeyError: There is no such shader.
            RequestError: It has no such variant.
        """
        return self._open.get_variant(locals())

    def get_for(
        self,
        name: str,
        device: Device | str | None = None,
        *,
        set: SpecValues | None = None,
        ignore_unknown: bool = False,
    ) -> bytes:
        """Makes the plain module for a device: its variant, specialized, with the constants that the bundle fixes."""
        return self._open.get_for(locals())

    def __repr__(self) -> str:
        place = "" if self._path is None else f" {self._path!r}"
        return f"<Bundle{place} of {len(self)} shaders>"

    def __reduce__(self) -> tuple[Any, ...]:
        return (Bundle, (self._open.to_bytes(),)) if self._path is None else (Bundle.open, (self._path,))


def bundle(shaders: Mapping[str, ModuleSource], *, solid: bool = False) -> bytes:
    """Makes a bundle of modules by name. With `solid`, all are compressed together."""
    return _native.bundle(locals())
