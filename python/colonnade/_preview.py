"""What repr() shows of tables, batches and columns."""

from __future__ import annotations

import struct

from colonnade._errors import CorruptError, DataError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from colonnade._colonnade import Batch, ChunkedColumn, Column, Table

_EDGE_ROWS = 5  # shown of each end of a long table
_MAX_ROWS = 12  # a table of so many rows is shown whole
_MAX_VALUES = 20  # of a column
_MAX_CELL = 32  # characters
_MAX_VALUE = 100  # characters, in a list of values
_MAX_LINE = 100  # characters; columns that do not fit are counted
_NARROW_FLOATS = {"float16": "e", "float32": "f"}  # as struct packs them
_RIGHT_ALIGNED = ("int", "uint", "float", "decimal")


def of_table(table: Table | Batch) -> str:
    rows, columns = table.num_rows, table.num_columns
    lines = [f"{type(table).__name__}, {_counted(rows, 'row')}, {_counted(columns, 'column')}"]
    shown: list[list[str]] = []
    width = 0
    for i in range(columns):
        cells = _column_cells(table.column(i))
        width += len(cells[0]) + 2
        if shown and width > _MAX_LINE:
            break
        shown.append(cells)
    lines += ["  ".join(cells).rstrip() for cells in zip(*shown)]
    if len(shown) < columns:
        lines.append(f"... and {_counted(columns - len(shown), 'more column')}")
    return "\n".join(lines)


def of_column(column: Column | ChunkedColumn) -> str:
    rows = len(column)
    title = (
        f"{type(column).__name__} {one_line(column.name)}: {one_line(str(column.type))}, "
        f"{_counted(rows, 'row')}, {_counted(column.null_count, 'null')}"
    )
    shown = [_cut(value, _MAX_VALUE) for value in _edges(column, _MAX_VALUES, _MAX_VALUES // 2, repr)]
    return f"{title}\n[{', '.join(shown)}]"


def _column_cells(column: Column | ChunkedColumn) -> list[str]:
    """A column as lines of one width: name, type, a rule, values."""
    values = _edges(column, _MAX_ROWS, _EDGE_ROWS, str)
    kind = str(column.type)
    cells = [_cut(one_line(cell), _MAX_CELL) for cell in (column.name, kind, *values)]
    width = max(len(cell) for cell in cells)
    cells.insert(2, "-" * width)
    if kind.startswith(_RIGHT_ALIGNED):
        return [cell.rjust(width) for cell in cells]
    return [cell.ljust(width) for cell in cells]


def _edges(column: Column | ChunkedColumn, most: int, edge: int, show: Callable[[object], str]) -> list[str]:
    """All values as text, or where there are more than `most` of them, `edge` of each end with dots between."""
    if len(column) <= most:
        return [_shown(value, column, show) for value in _objects(column)]
    ends = _objects(column.slice(0, edge), column.slice(len(column) - edge))
    shown = [_shown(value, column, show) for value in ends]
    return [*shown[:edge], "...", *shown[edge:]]


def _objects(*columns: Column | ChunkedColumn) -> list[object]:
    """The values. Where one has no Python object, all are the numbers that are stored; what is none, is ?."""
    for temporal in ("datetime", "int"):
        try:
            return [value for column in columns for value in column.to_pylist(temporal=temporal)]
        except (CorruptError, DataError):
            continue
    return [_object(column.slice(row, 1)) for column in columns for row in range(len(column))]


def _object(one: Column | ChunkedColumn) -> object:
    try:
        return one.to_pylist(temporal="int")[0]
    except (CorruptError, DataError):
        return "?"


def _shown(value: object, column: Column | ChunkedColumn, show: Callable[[object], str]) -> str:
    if value is None:
        return "None" if show is repr else "null"
    if isinstance(value, float) and str(column.type) in _NARROW_FLOATS:
        value = _shortest(value, _NARROW_FLOATS[str(column.type)])
    return show(value)


def _shortest(value: float, packed: str) -> float:
    """The number of fewest digits that is the same in a narrow type: 0.1 rather than 0.10000000149011612."""
    for digits in range(1, 10):
        rounded = float(f"{value:.{digits}g}")
        try:
            if struct.unpack(packed, struct.pack(packed, rounded))[0] == value:
                return rounded
        except OverflowError:  # rounded up, beyond the type
            continue
    return value  # not a number, or infinite


def one_line(text: str) -> str:
    """The text with what cannot be printed escaped."""
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 3] + "..."


def _counted(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
