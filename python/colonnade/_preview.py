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
        f"{type(column).__name__} {column.name}: {column.type}, "
        f"{_counted(rows, 'row')}, {_counted(column.null_count, 'null')}"
    )
    half = _MAX_VALUES // 2
    if rows <= _MAX_VALUES:
        return f"{title}\n[{', '.join(_shown_values(column, repr))}]"
    head = ", ".join(_shown_values(column.slice(0, half), repr))
    tail = ", ".join(_shown_values(column.slice(rows - half), repr))
    return f"{title}\n[{head}, ..., {tail}]"


def _column_cells(column: Column | ChunkedColumn) -> list[str]:
    """A column as lines of one width: name, type, a rule, values."""
    if len(column) <= _MAX_ROWS:
        values = _shown_values(column, str)
    else:
        head, tail = column.slice(0, _EDGE_ROWS), column.slice(len(column) - _EDGE_ROWS)
        values = [*_shown_values(head, str), "...", *_shown_values(tail, str)]
    kind = str(column.type)
    cells = [_cut(_one_line(cell)) for cell in (column.name, kind, *values)]
    width = max(len(cell) for cell in cells)
    cells.insert(2, "-" * width)
    if kind.startswith(_RIGHT_ALIGNED):
        return [cell.rjust(width) for cell in cells]
    return [cell.ljust(width) for cell in cells]


def _shown_values(column: Column | ChunkedColumn, show: Callable[[object], str]) -> list[str]:
    """The values as text. What has no Python object is shown as the number that is stored, or as ?."""
    return [_shown(column, row, show) for row in range(len(column))]


def _shown(column: Column | ChunkedColumn, row: int, show: Callable[[object], str]) -> str:
    value: object = "?"
    for temporal in ("datetime", "int"):
        try:
            value = column.slice(row, 1).to_pylist(temporal=temporal)[0]
            break
        except (CorruptError, DataError):
            continue
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


def _one_line(text: str) -> str:
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


def _cut(text: str) -> str:
    return text if len(text) <= _MAX_CELL else text[: _MAX_CELL - 3] + "..."


def _counted(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
