"""Where the compressed pages of a Parquet file stand: what the floor "decompression alone" works on.

The column chunks come from pyarrow's footer; page headers (Thrift's compact protocol) are parsed here.
"""

from __future__ import annotations

import mmap
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

DATA_PAGE, INDEX_PAGE, DICTIONARY_PAGE, DATA_PAGE_V2 = range(4)
CODECS = {"UNCOMPRESSED": 0, "SNAPPY": 1, "ZSTD": 2}
DEPTH_LIMIT = 16


class Malformed(ValueError):
    """The bytes are not the page header they should be."""


@dataclass(frozen=True)
class Page:
    """`offset` is the position in the file of the bytes to decompress; the levels of v2 pages stand before it."""

    type: int
    offset: int
    compressed_bytes: int
    uncompressed_bytes: int
    codec: int


class CompactReader:
    """Reads structs of Thrift's compact protocol as {field id: value}."""

    def __init__(self, data: bytes | memoryview | mmap.mmap, position: int, end: int) -> None:
        self.data, self.position, self.end = data, position, end

    def byte(self) -> int:
        if self.position >= self.end:
            raise Malformed(f"a page header goes past its column chunk's end at {self.end}")
        self.position += 1
        return self.data[self.position - 1]

    def varint(self) -> int:
        value = 0
        for shift in range(0, 70, 7):
            byte = self.byte()
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                return value
        raise Malformed(f"a varint of more than ten bytes ends at {self.position}")

    def zigzag(self) -> int:
        value = self.varint()
        return (value >> 1) ^ -(value & 1)

    def skip_bytes(self, count: int) -> None:
        if count > self.end - self.position:
            raise Malformed(f"a page header goes past its column chunk's end at {self.end}")
        self.position += count

    def value(self, kind: int, depth: int) -> object:
        """Numbers and structs as they are; strings, lists and maps are stepped over."""
        match kind:
            case 1 | 2:
                return kind == 1
            case 3:
                return self.byte()
            case 4 | 5 | 6:
                return self.zigzag()
            case 7:
                return self.skip_bytes(8)
            case 8:
                return self.skip_bytes(self.varint())
            case 9 | 10:
                header = self.byte()
                count = header >> 4 if header >> 4 != 15 else self.varint()
                return self.skip_elements(count, [header & 15], depth)
            case 11:
                count = self.varint()
                if count:
                    kinds = self.byte()
                    self.skip_elements(count, [kinds >> 4, kinds & 15], depth)
                return None
            case 12:
                return self.struct(depth + 1)
        raise Malformed(f"no Thrift type has the number {kind} (at {self.position})")

    def skip_elements(self, count: int, kinds: list[int], depth: int) -> None:
        for _ in range(count):
            for kind in kinds:
                # A boolean in a list is one byte; in a struct it is part of the field's header.
                self.byte() if kind in (1, 2) else self.value(kind, depth)

    def struct(self, depth: int = 0) -> dict[int, object]:
        if depth > DEPTH_LIMIT:
            raise Malformed(f"structs nest deeper than {DEPTH_LIMIT} (at {self.position})")
        fields: dict[int, object] = {}
        field_id = 0
        while header := self.byte():
            field_id = field_id + (header >> 4) if header >> 4 else self.zigzag()
            fields[field_id] = self.value(header & 15, depth)
        return fields


def number(fields: dict[int, object], field_id: int, name: str) -> int:
    value = fields.get(field_id)
    if not isinstance(value, int) or value < 0:
        raise Malformed(f"{name} is {value}")
    return value


def chunk_pages(data: bytes | memoryview | mmap.mmap, start: int, end: int, codec: int) -> Iterator[Page]:
    """The pages of the column chunk that takes the bytes [start, end) of `data`."""
    if not 0 <= start <= end <= len(data):
        raise Malformed(f"a column chunk [{start}, {end}) in a file of {len(data)} bytes")
    position = start
    while position < end:
        reader = CompactReader(data, position, end)
        header = reader.struct()
        uncompressed_bytes = number(header, 2, "uncompressed_page_size")
        compressed_bytes = number(header, 3, "compressed_page_size")
        if compressed_bytes > end - reader.position:
            raise Malformed(f"the page at {position} goes past its column chunk's end at {end}")
        position = reader.position + compressed_bytes
        level_bytes, page_codec = 0, codec
        v2 = header.get(8)
        if isinstance(v2, dict):
            level_bytes = number(v2, 5, "definition_levels_byte_length")
            level_bytes += number(v2, 6, "repetition_levels_byte_length")
            if level_bytes > min(compressed_bytes, uncompressed_bytes):
                raise Malformed(f"the page at {position} has {level_bytes} bytes of levels")
            if v2.get(7) is False:
                page_codec = CODECS["UNCOMPRESSED"]
        yield Page(
            type=number(header, 1, "type"),
            offset=position - compressed_bytes + level_bytes,
            compressed_bytes=compressed_bytes - level_bytes,
            uncompressed_bytes=uncompressed_bytes - level_bytes,
            codec=page_codec,
        )


def file_pages(path: Path) -> list[Page]:
    """All pages of a file, column chunk by column chunk."""
    import pyarrow.parquet as pq

    metadata = pq.read_metadata(path)
    pages: list[Page] = []
    with open(path, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        for group in range(metadata.num_row_groups):
            for leaf in range(metadata.num_columns):
                chunk = metadata.row_group(group).column(leaf)
                start = chunk.data_page_offset
                if chunk.has_dictionary_page and chunk.dictionary_page_offset is not None:
                    start = min(start, chunk.dictionary_page_offset)
                if chunk.compression not in CODECS:
                    raise NotImplementedError(f"{path}: the floor has no codec {chunk.compression}")
                codec = CODECS[chunk.compression]
                pages += chunk_pages(data, start, start + chunk.total_compressed_size, codec)
    return pages
