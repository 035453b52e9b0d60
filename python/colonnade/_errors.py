"""Colonnade's errors as Python exceptions, one kind for one kind."""

from __future__ import annotations

import errno as _errno
import os as _os


class Place:
    """Where something failed: file, column, row_group, page_offset; None where it is not known."""

    __slots__ = ("column", "file", "page_offset", "row_group")

    def __init__(
        self,
        file: str | None = None,
        column: str | None = None,
        row_group: int | None = None,
        page_offset: int | None = None,
    ) -> None:
        self.file = file
        self.column = column
        self.row_group = row_group
        self.page_offset = page_offset

    def _parts(self) -> tuple[str | None, str | None, int | None, int | None]:
        return (self.file, self.column, self.row_group, self.page_offset)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Place) and self._parts() == other._parts()

    def __hash__(self) -> int:
        return hash(self._parts())

    def __reduce__(self) -> tuple[type[Place], tuple[str | int | None, ...]]:
        return (Place, self._parts())

    def __repr__(self) -> str:
        named = zip(("file", "column", "row_group", "page_offset"), self._parts())
        return f"Place({', '.join(f'{name}={value!r}' for name, value in named if value is not None)})"


class CorruptError(Exception):
    """The bytes of a file, or an imported Arrow array, contradict their format.

    >>> try:
    ...     colonnade.open(b"PAR1 and not much more PAR1")
    ... except colonnade.CorruptError as error:
    ...     print(error.code)
    corrupt data
    """

    code: str = "corrupt data"
    place: Place = Place()


class DataError(Exception):
    """A value cannot be had in the form that was asked for.

    `error_class` and `parameters` say it in words that a program can compare, where there are some.
    """

    code: str = "data error"
    place: Place = Place()
    error_class: str | None = None
    parameters: dict[str, str] = {}


class Cancelled(Exception):
    """The work was stopped, for instance by Stream.close() from another thread."""

    code: str = "cancelled"
    place: Place = Place()


class ColumnNotFoundError(KeyError):
    """There is no column of that name.

    >>> try:
    ...     colonnade.open("trips.parquet").batches(columns=["town"])
    ... except KeyError as error:
    ...     print(type(error).__name__, error.place.column)
    ColumnNotFoundError town
    """

    code: str = "not found"
    place: Place = Place()

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else ""


def _system_error(kind: type[OSError], number: int, message: str, file: str | None) -> OSError:
    if number in (_errno.ENOENT, _errno.EACCES, _errno.EPERM) and file is not None:
        return kind(number, _os.strerror(number), file)  # as open() says it
    return kind(number, message) if number else kind(message)


def _not_found(number: int, message: str, happened: str, file: str | None, column: str | None) -> Exception:
    if number == 0 and (column is not None or file is None):
        return ColumnNotFoundError(message)
    if number == 0:
        return FileNotFoundError(_errno.ENOENT, happened, file)  # a folder or glob without files
    return _system_error(FileNotFoundError, number, message, file)


def make(
    code: str,
    message: str,
    happened: str,
    number: int,
    file: str | None,
    column: str | None,
    row_group: int | None,
    page_offset: int | None,
    error_class: str | None,
    parameters: list[tuple[str, str]],
) -> Exception:
    """The exception for an error.

    code: its name in C++. message: all of it; happened: without place and values. number: its errno or 0.
    """
    exception: Exception
    if code == "not found":
        exception = _not_found(number, message, happened, file, column)
    elif code == "permission denied":
        exception = _system_error(PermissionError, number or _errno.EACCES, message, file)
    elif code == "I/O error":
        exception = _system_error(OSError, number, message, None)
    else:
        exception = _PLAIN.get(code, RuntimeError)(message)
    exception.__dict__["code"] = code
    exception.__dict__["place"] = Place(file, column, row_group, page_offset)
    if isinstance(exception, DataError):
        exception.error_class = error_class
        exception.parameters = dict(parameters)
    return exception


_PLAIN: dict[str, type[Exception]] = {
    "invalid argument": ValueError,
    "corrupt data": CorruptError,
    "not supported": NotImplementedError,
    "out of budget": MemoryError,
    "cancelled": Cancelled,
    "data error": DataError,
    "internal error": RuntimeError,
}
