"""Files that other systems wrote: each column has pyarrow's values, or one clear error."""

import os
import pathlib

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import colonnade

from table_equality import same

ROOT = pathlib.Path(__file__).resolve().parent.parent
CORPUS = pathlib.Path(os.environ.get("COLONNADE_CORPUS", ROOT.parent / "shared" / "corpus"))
FILES = sorted(p for folder in ("parquet-testing", "velox", "comet") for p in (CORPUS / folder).rglob("*.parquet*") if p.is_file())

pytestmark = pytest.mark.skipif(not FILES, reason=f"no corpus at {CORPUS}: set COLONNADE_CORPUS")

# What this reader may say of a file; anything else is a fault.
REFUSALS = (NotImplementedError, colonnade.CorruptError, MemoryError)


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(CORPUS)))
def test_every_column(path):
    try:
        file = colonnade.open(path)
    except REFUSALS as error:
        assert path.name in str(error)
        return
    for field in file.schema:
        try:
            actual = pa.table(colonnade.read_table(path, columns=[field.name]))
        except REFUSALS as error:
            assert path.name in str(error), error
            continue
        except ValueError as error:
            assert "several columns have this name" in str(error), error
            continue
        actual.validate(full=True)
        try:
            expected = pq.ParquetFile(path).read(columns=[field.name])
        except (OSError, pa.ArrowException) as error:
            # pyarrow refuses pages whose dictionary ids have no bits, or whose bit-packed run is cut short; both are legal.
            assert "GH-43605" in path.name or "Unexpected end" in str(error) or "EOF" in str(error), error
            continue
        if expected.schema.field(0).type != actual.schema.field(0).type:
            expected = expected.cast(actual.schema)  # hints in ARROW:schema are not followed
        same(actual, expected)


def test_some_columns_are_read_and_some_are_refused():
    """Guards the test above against a reader that refuses everything."""
    read = 0
    for path in FILES:
        try:
            for field in colonnade.open(path).schema:
                read += colonnade.read_table(path, columns=[field.name]).num_rows >= 0
        except (*REFUSALS, ValueError):
            pass
    assert read > 150
