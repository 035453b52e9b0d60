"""What the functions of colonnade take, for annotations of your own: type checkers match objects by their methods."""

from typing import Protocol


class ArrowStream(Protocol):
    """Speaks Arrow's PyCapsule protocol for streams: tables, readers, chunked columns."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...


class ArrowArray(Protocol):
    """Speaks Arrow's PyCapsule protocol for arrays: batches and columns in one piece."""

    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]: ...


class BinaryReader(Protocol):
    """A file in binary mode, or what behaves like one."""

    def read(self, size: int, /) -> bytes: ...
    def seek(self, offset: int, whence: int = 0, /) -> object: ...
    def tell(self) -> int: ...
