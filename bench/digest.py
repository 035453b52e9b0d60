"""A fingerprint of a stream of record batches that does not depend on where batches begin and end, on how
strings are laid out (offsets, views, dictionary), or on what stands in null slots: equal values in equal
order give equal fingerprints.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator

import pyarrow as pa
import pyarrow.compute as pc


class ColumnDigest:
    """Checksums of validity, lengths and values, each on its own, as they come."""

    def __init__(self) -> None:
        self.num_nulls = 0
        self.validity = self.lengths = self.values = 0

    def add(self, array: pa.Array) -> None:
        if pa.types.is_dictionary(array.type):
            array = array.dictionary_decode()
        self.validity = zlib.crc32(fixed_bytes(array.is_valid().cast(pa.uint8())), self.validity)
        if is_text(array.type):  # first of all: string views cannot be filtered
            array = array.cast(pa.large_binary() if is_binary(array.type) else pa.large_string())
        if array.null_count:
            self.num_nulls += array.null_count
            array = array.drop_null()
        if is_text(array.type):
            self.add_text(array)
        elif pa.types.is_boolean(array.type):
            self.values = zlib.crc32(fixed_bytes(array.cast(pa.uint8())), self.values)
        else:
            self.values = zlib.crc32(fixed_bytes(array), self.values)

    def add_text(self, array: pa.Array) -> None:
        if len(array) == 0:
            return
        self.lengths = zlib.crc32(fixed_bytes(pc.binary_length(array)), self.lengths)
        offsets = memoryview(array.buffers()[1]).cast("B").cast("q")
        first, last = offsets[array.offset], offsets[array.offset + len(array)]
        if last > first:
            self.values = zlib.crc32(memoryview(array.buffers()[2])[first:last], self.values)

    def __str__(self) -> str:
        return f"{self.num_nulls} nulls {self.validity:08x} {self.lengths:08x} {self.values:08x}"


def is_binary(kind: pa.DataType) -> bool:
    return pa.types.is_binary(kind) or pa.types.is_large_binary(kind) or pa.types.is_binary_view(kind)


def is_text(kind: pa.DataType) -> bool:
    return (is_binary(kind) or pa.types.is_string(kind) or pa.types.is_large_string(kind)
            or pa.types.is_string_view(kind))


def parts(name: str, array: pa.Array) -> Iterator[tuple[str, pa.Array]]:
    """A column as flat ones: itself, or of a list its lengths and elements, of a struct its validity and fields, by
    position. A map is a list of structs."""
    if pa.types.is_struct(array.type):
        yield f"{name} struct", array.is_valid()
        for ordinal, field in enumerate(array.flatten()):  # null where the struct is
            yield from parts(f"{name}.{ordinal}", field)
    elif pa.types.is_map(array.type):
        entry = pa.struct([("key", array.type.key_type), ("value", array.type.item_type)])
        yield from parts(name, array.cast(pa.list_(entry)))
    elif pa.types.is_list(array.type) or pa.types.is_large_list(array.type):
        yield f"{name} lengths", lengths(array, array.offsets)
        yield from parts(f"{name}[]", array.flatten())
    else:
        yield name, array


def lengths(array: pa.Array, offsets: pa.Array) -> pa.Array:
    differences = pc.subtract(offsets[1:], offsets[:-1]).cast(pa.int64())
    return pc.if_else(array.is_valid(), differences, pa.scalar(None, pa.int64()))


def fixed_bytes(array: pa.Array) -> memoryview:
    """The bytes of the values of an array of a fixed width, without its offset."""
    width = array.type.bit_width // 8
    if len(array) == 0:
        return memoryview(b"")
    return memoryview(array.buffers()[1])[array.offset * width : (array.offset + len(array)) * width]


def digest(batches: Iterable[pa.RecordBatch]) -> dict[str, object]:
    """{"rows", "bytes" (as Arrow has them, in the form given), "columns": {name: fingerprint}}"""
    columns: dict[str, ColumnDigest] = {}
    num_rows = num_bytes = 0
    for batch in batches:
        num_rows += batch.num_rows
        num_bytes += batch.nbytes
        for name, array in zip(batch.schema.names, batch.columns, strict=True):
            for part, values in parts(name, array):
                columns.setdefault(part, ColumnDigest()).add(values)
    return {
        "rows": num_rows,
        "bytes": num_bytes,
        "columns": {name: str(column) for name, column in columns.items()},
    }
