"""A thousand opens, scans and errors: memory, descriptors and threads are back where they began."""

import gc
import io
import os
import threading

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import colonnade

ROUNDS = 150  # of each of seven kinds of work
MAX_GROWTH_BYTES = 4 << 20  # the process's heap wanders; a leak of one batch a round is 40 MB


def resident_bytes():
    with open("/proc/self/statm") as f:
        return int(f.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def descriptors():
    return len(os.listdir("/proc/self/fd"))


def threads():
    return len(os.listdir("/proc/self/task"))


@pytest.fixture(scope="module")
def contents(tmp_path_factory):
    path = tmp_path_factory.mktemp("leaks") / "leaks.parquet"
    table = pa.table({"n": pa.array(range(10_000), pa.int64()), "s": [f"text {i}" for i in range(10_000)]})
    pq.write_table(table, path, row_group_size=5000)
    return path, path.read_bytes()


def read_to_the_end(path, _):
    for batch in colonnade.open(path).batches(threads=2):
        batch["n"]


def stop_in_the_middle(path, _):
    next(colonnade.open(path).batches(batch_rows=10, threads=2))


def keep_a_table(path, data):
    pa.table(colonnade.read_table(data))


def hand_over_and_drop(path, _):
    reader = pa.RecordBatchReader.from_stream(colonnade.open(path).batches(batch_rows=10))
    reader.read_next_batch()


def read_a_file_like_object(path, data):
    colonnade.open(io.BytesIO(data)).read(threads=2)


def bring_in(path, data):
    table = colonnade.table(pa.table({"x": pa.array(["a", "b"] * 500).dictionary_encode()}))
    table.to_pylist()


def fail_in_all_ways(path, data):
    for use, error in (
        (lambda: colonnade.open("/nowhere/at/all"), FileNotFoundError),
        (lambda: colonnade.open(data[:-5]), colonnade.CorruptError),
        (lambda: colonnade.open(path).batches("x"), KeyError),
        (lambda: colonnade.open(path).read(row_groups=[9]), ValueError),
        (lambda: colonnade.read_table(path, memory_limit=1000), MemoryError),
        (lambda: list(colonnade.open(data[:4] + b"\xff" * 2000 + data[2004:]).batches()), Exception),
    ):
        with pytest.raises(error):
            use()


@pytest.mark.parametrize(
    "work",
    [read_to_the_end, stop_in_the_middle, keep_a_table, hand_over_and_drop, read_a_file_like_object, bring_in, fail_in_all_ways],
)
def test_nothing_is_left(contents, work):
    for _ in range(20):
        work(*contents)
    gc.collect()
    before = descriptors(), threads(), threading.active_count()
    growth = []
    while True:
        resident = resident_bytes()
        for _ in range(ROUNDS):
            work(*contents)
        gc.collect()
        growth.append(resident_bytes() - resident)
        # A leak grows each time; what only grew once was the heap's.
        if growth[-1] < MAX_GROWTH_BYTES or len(growth) == 3:
            break
    assert growth[-1] < MAX_GROWTH_BYTES, growth
    assert descriptors() == before[0]
    assert threads() <= before[1] + os.cpu_count()  # the process's workers may have been started meanwhile
    assert threading.active_count() == before[2]


def test_memory_that_is_kept_for_the_next_read_can_be_released(contents):
    table = colonnade.read_table(contents[0])
    colonnade.release_unused_memory()
    del table
    gc.collect()
    assert colonnade.release_unused_memory() > 10_000 * 8
    assert colonnade.release_unused_memory() == 0
