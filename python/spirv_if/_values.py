"""Values: what calls take and return."""

import os
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeAlias, final


class Buffer(Protocol):
    """An object whose bytes can be read, such as bytes, bytearray, memoryview, numpy.ndarray, array.array or mmap.mmap."""

    def __buffer__(self, flags: int, /) -> memoryview: ...


ModuleSource: TypeAlias = Buffer | str | os.PathLike[str]
"""A module: its bytes, in either byte order, or the path of a file."""

_MAX_TEXT = 80
"""Length of a part in the representation of a value, in characters."""


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
        parts = [(field, getattr(self, field)) for field in self.__slots__]
        shown = [f"{field}={_short(part)}" for field, part in parts if _says_something(part)]
        return f"{type(self).__name__}({', '.join(shown)})"


def _plain(value: Any) -> Any:
    if isinstance(value, Record):
        return value.to_dict()
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    return value


def _says_something(value: Any) -> bool:
    return value is not None and value is not False and value != 0 and value not in ("", (), {})


def _short(value: Any) -> str:
    if isinstance(value, bytes):
        return f"<{len(value)} bytes>"
    text = repr(value)
    if len(text) <= _MAX_TEXT:
        return text
    if isinstance(value, str):
        return f"<{len(value)} characters>"
    return f"<{len(value)} items>" if isinstance(value, (tuple, dict)) else f"<{type(value).__name__}>"


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
