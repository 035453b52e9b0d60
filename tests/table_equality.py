"""Equality of tables to the bit."""

import pyarrow as pa


def same(actual, expected):
    """Equal to the bit: NaN payloads and the sign of zero count, which `equals` alone would not see."""
    assert actual.schema.names == expected.schema.names
    for name in expected.schema.names:
        a, b = actual.column(name).combine_chunks(), expected.column(name).combine_chunks()
        if isinstance(a, pa.ChunkedArray):
            a, b = pa.concat_arrays(a.chunks), pa.concat_arrays(b.chunks)
        assert a.type == b.type, name
        if pa.types.is_floating(a.type):
            bits = {16: pa.uint16(), 32: pa.uint32(), 64: pa.uint64()}[a.type.bit_width]
            a, b = a.view(bits), b.view(bits)
        if not a.equals(b):
            for row, (x, y) in enumerate(zip(a, b)):
                assert x.equals(y), f"{name}, row {row}: {x} instead of {y}"
            raise AssertionError(name)
