"""Values: what calls take and return."""

import os
from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import Any, Literal, Protocol, SupportsFloat, SupportsIndex, TypeAlias, final


class Buffer(Protocol):
    """An object whose bytes can be read, such as bytes, bytearray, memoryview, numpy.ndarray, array.array or mmap.mmap."""

    def __buffer__(self, flags: int, /) -> memoryview: ...


ModuleSource: TypeAlias = Buffer | str | os.PathLike[str]
"""A module: its bytes, in either byte order, or the path of a file."""

SpecValue: TypeAlias = bool | int | float | str | SupportsIndex | SupportsFloat
"""A value of a specialization constant. Scalars of numpy are values, too."""


class SpecValues(Protocol):
    """Values of specialization constants, by SpecId or name: a dict or another mapping, whose keys may be of one type."""

    def items(self) -> Iterable[tuple[SupportsIndex | str, SpecValue]]:
        """Returns the constants with their values."""
        ...


_MAX_TEXT = 240
"""Length of a text in the representation of a value, in characters. Longer ones are cut."""

_MAX_ITEMS = 250
"""Length of the items of a tuple or dict in the representation of a value, in characters. The items beyond are counted. One text fits."""


class Record:
    """A value with named parts, which cannot be changed."""

    __slots__: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for field in self.__slots__:
            value = getattr(self, field)
            if isinstance(value, list):
                object.__setattr__(self, field, tuple(value))

    def to_dict(self) -> dict[str, Any]:
        """Returns the content as plain dicts, lists, texts and numbers. Modules are bytes."""
        return {field: _plain(getattr(self, field)) for field in self.__slots__}

    def __repr__(self) -> str:
        parts = [(part.name, getattr(self, part.name)) for part in fields(self) if part.repr]  # type: ignore[arg-type]
        # Zero and false say something. Nothing is to say of what is not there.
        shown = [f"{name}={_short(part)}" for name, part in parts if part is not None and part not in ("", (), {})]
        return f"{type(self).__name__}({', '.join(shown)})"


def _plain(value: Any) -> Any:
    if isinstance(value, Record):
        return value.to_dict()
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    return value


def _short(value: Any) -> str:
    """Represents a part. Modules are bytes, and texts of several lines are documents: their length says enough."""
    if isinstance(value, bytes):
        return f"<{len(value)} bytes>"
    if isinstance(value, str) and "\n" in value:
        return f"<{len(value)} characters>"
    if isinstance(value, str) and len(value) > _MAX_TEXT:
        return repr(value[:_MAX_TEXT] + "...")
    if isinstance(value, dict):
        return _first((f"{key!r}: {item!r}" for key, item in value.items()), len(value), "{}")
    if isinstance(value, tuple):
        return _first((_short(item) if isinstance(item, str) else repr(item) for item in value), len(value), "()")
    return repr(value)


def _first(items: Iterable[str], count: int, brackets: str) -> str:
    """Represents the first items that fit, and counts the others."""
    shown: list[str] = []
    length = 0
    for item in items:
        length += len(item) + len(", ")
        if length > _MAX_ITEMS:
            break
        shown.append(item)
    if not shown:
        return f"<{count} item{'' if count == 1 else 's'}>"
    if len(shown) < count:
        shown.append(f"... {count - len(shown)} more")
    only = "," if brackets == "()" and count == 1 else ""
    return f"{brackets[0]}{', '.join(shown)}{only}{brackets[1]}"


@final
@dataclass(frozen=True, slots=True, repr=False)
class Missing(Record):
    """A feature that a device is known not to have. As text it is the reason.

    Attributes:
        kind: The kind of feature.
        name: The name, short enough for a table, such as `aspect fp64`.
        reason: The reason as a clause.
    """

    kind: Literal[
        "version",
        "capability",
        "extension",
        "work-group-size",
        "aspect",
        "sub-group-size",
        "fixed-targets",
        "vulkan-feature",
        "vulkan-limit",
        "condition",
        "undecided-calls",
        "driver-defect",
        "other",
    ]
    name: str
    reason: str

    def __str__(self) -> str:
        return self.reason
