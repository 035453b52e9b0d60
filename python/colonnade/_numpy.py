"""Columns as NumPy arrays; NumPy is imported when it asks for one."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import numpy
    import numpy.typing

    from colonnade._colonnade import ChunkedColumn, Column

_NUMBERS = {"bool", "float16", "float32", "float64"} | {f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)}


def of_column(
    column: Column | ChunkedColumn, dtype: numpy.typing.DTypeLike | None, copy: bool | None
) -> numpy.ndarray:
    import numpy

    if copy is False:
        raise ValueError("a column becomes a NumPy array by a copy; pyarrow.array(column).to_numpy() makes views")
    array = _natural(column)
    return array if dtype is None else array.astype(numpy.dtype(dtype), copy=False)


def _natural(column: Column | ChunkedColumn) -> numpy.ndarray:
    """The array of the dtype that loses nothing: see Column.__array__."""
    import numpy

    kind, missing, stored = _dtypes(column)
    parts = column._fixed_width_values() if kind else None
    if parts is None or (parts[1] is not None and missing is None):
        return numpy.fromiter(column.to_pylist(), dtype=object, count=len(column))
    array = numpy.frombuffer(parts[0], dtype=stored or kind).astype(kind, copy=False)
    if parts[1] is not None:
        array[numpy.frombuffer(parts[1], dtype=bool)] = missing
    return array


def _dtypes(column: Column | ChunkedColumn) -> tuple[str | None, object, str | None]:
    """The dtype for the column's type, what stands for null in it, and how it is stored if otherwise."""
    kind = str(column.type)
    if kind in _NUMBERS:
        return kind, float("nan") if kind.startswith("float") else None, None
    if kind == "date32":
        return "datetime64[D]", "NaT", "int32"
    for name, dtype in (("timestamp[", "datetime64"), ("duration[", "timedelta64")):
        if kind.startswith(name):
            return f"{dtype}[{column.type.unit}]", "NaT", None
    return None, None, None
