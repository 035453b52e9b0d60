"""Exceptions: one kind for one kind, each with its code and place."""

import os
import pickle
import subprocess
import sys

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import colonnade
from unreadable import decimal_of_77_digits
from colonnade._errors import make


def test_a_missing_file(tmp_path):
    path = tmp_path / "none.parquet"
    with pytest.raises(FileNotFoundError) as caught:
        colonnade.open(path)
    assert type(caught.value) is FileNotFoundError
    assert (caught.value.errno, caught.value.filename) == (2, str(path))
    assert str(caught.value) == f"[Errno 2] No such file or directory: '{path}'"
    assert caught.value.code == "not found"
    assert caught.value.place == colonnade.Place(file=str(path))


def test_a_file_that_may_not_be_read(trips_path):
    # As another user: for root every file is readable.
    code = (
        "import os, sys, colonnade\n"
        "path = sys.argv[1]\n"
        "os.chmod(path, 0); os.chmod(os.path.dirname(path), 0o755)\n"
        "if os.getuid() == 0: os.setgid(65534); os.setuid(65534)\n"
        "try: colonnade.open(path)\n"
        "except PermissionError as e: print(type(e).__name__, e.errno, e.filename == path, e.code)\n"
    )
    folder = trips_path.parent
    while folder != folder.parent:  # let the other user get there
        try:
            os.chmod(folder, os.stat(folder).st_mode | 0o055)
        except PermissionError:
            break
        folder = folder.parent
    done = subprocess.run([sys.executable, "-c", code, str(trips_path)], capture_output=True, text=True, timeout=120)
    assert done.stdout == "PermissionError 13 True permission denied\n", done.stderr


def test_a_folder_is_no_file(tmp_path):
    with pytest.raises((ValueError, IsADirectoryError)):
        colonnade.open(tmp_path)


def test_a_missing_column(trips_path):
    file = colonnade.open(trips_path)
    table = file.read()
    uses = (
        lambda: file.batches(["town"]),
        lambda: file.read("town"),
        lambda: colonnade.read_table(trips_path, ["town"]),
        lambda: colonnade.scan([trips_path], "town"),
        lambda: table["town"],
        lambda: table.batches[0].column("town"),
        lambda: file.schema.field("town"),
    )
    for use in uses:
        with pytest.raises(KeyError, match="town") as caught:
            use()
        assert type(caught.value) is colonnade.ColumnNotFoundError
        assert caught.value.place.column == "town"
        assert caught.value.code == "not found"
        assert str(caught.value).startswith("no such column: ")
        assert str(caught.value).endswith("there are 'city', 'day', 'riders', 'fare'")


def test_messages_are_one_line(tmp_path, trips_path):
    table = colonnade.read_table(trips_path)
    with pytest.raises(colonnade.ColumnNotFoundError, match=r"'a\\x00b\\nc\\x1b'"):
        table["a\0b\nc\x1b"]
    with pytest.raises(colonnade.ColumnNotFoundError, match="no such column"):
        table[""]
    with pytest.raises(colonnade.ColumnNotFoundError, match="no such column"):
        colonnade.open(trips_path).read("")
    path = tmp_path / "two\nlines.parquet"
    path.write_bytes(b"PAR1 nothing more PAR1")
    with pytest.raises(colonnade.CorruptError, match=r"two\\nlines") as caught:
        colonnade.open(path)
    assert caught.value.place.file == str(path)
    with pytest.raises(TypeError, match="str or int"):
        table[None]


@pytest.mark.parametrize("contents", [b"", b"PAR1", b"PAR1PAR1", b"x" * 100, b"PAR1" + b"\0" * 50 + b"PAR1"])
def test_what_is_no_parquet_file(contents, tmp_path):
    with pytest.raises(colonnade.CorruptError) as caught:
        colonnade.open(contents)
    assert caught.value.code == "corrupt data"
    path = tmp_path / "bad.parquet"
    path.write_bytes(contents)
    with pytest.raises(colonnade.CorruptError, match="bad.parquet") as caught:
        colonnade.open(path)
    assert caught.value.place.file == str(path)


def damaged(tmp_path):
    path = tmp_path / "damaged.parquet"
    table = pa.table({"ok": list(range(1000)), "bad": [f"{i}" for i in range(1000)]})
    pq.write_table(table, path, use_dictionary=False, compression="snappy")
    chunk = pq.ParquetFile(path).metadata.row_group(0).column(1)
    contents = bytearray(path.read_bytes())
    middle = chunk.data_page_offset + chunk.total_compressed_size // 2
    contents[middle : middle + 200] = b"\xff" * 200
    path.write_bytes(contents)
    return path


def test_a_damaged_page(tmp_path):
    path = damaged(tmp_path)
    file = colonnade.open(path)
    assert sum(len(b) for b in file.batches(["ok"])) == 1000
    for threads in (1, 4):
        stream = file.batches(threads=threads)
        for _ in range(2):  # the same error again
            with pytest.raises(colonnade.CorruptError) as caught:
                list(stream)
            place = caught.value.place
            assert (place.file, place.column, place.row_group) == (str(path), "bad", 0)
            assert place.page_offset > 0
    with pytest.raises(colonnade.CorruptError):
        colonnade.read_table(path)


def test_what_is_not_read_yet_is_refused_by_name(tmp_path):
    file = colonnade.open(decimal_of_77_digits(tmp_path / "wide.parquet"))
    assert file.read("id")["id"].to_pylist() == [1]
    with pytest.raises(NotImplementedError, match="'d'") as caught:
        file.read()
    assert type(caught.value) is NotImplementedError
    assert caught.value.code == "not supported"


def test_too_little_memory(numbers_path):
    with pytest.raises(MemoryError) as caught:
        colonnade.read_table(numbers_path, memory_limit=100_000)
    assert type(caught.value) is MemoryError
    assert caught.value.code == "out of budget"
    with pytest.raises(MemoryError):
        list(colonnade.open(numbers_path, memory_limit=100_000).batches())
    assert colonnade.read_table(numbers_path, memory_limit=1 << 30).num_rows == 100_000
    with pytest.raises(MemoryError):
        colonnade.open(numbers_path, page_limit=100).read()
    for wrong in (0, -1, 2**63):
        with pytest.raises(ValueError, match="memory_limit"):
            colonnade.open(numbers_path, memory_limit=wrong)
    with pytest.raises(TypeError, match="memory_limit"):
        colonnade.read_table(numbers_path, memory_limit="1GB")


def test_a_file_that_shrinks(numbers_path, tmp_path):
    path = tmp_path / "shrinking.parquet"
    path.write_bytes(numbers_path.read_bytes())
    file = colonnade.open(path)
    os.truncate(path, 1000)
    with pytest.raises(OSError) as caught:
        file.read()
    assert type(caught.value) is OSError
    assert caught.value.code == "I/O error"
    assert str(path) in str(caught.value)


# ---- file-like objects ----


class Faulty:
    """A file whose read() fails once it was opened."""

    name = "faulty"

    def __init__(self, contents, fault):
        self.contents, self.fault, self.position, self.armed = contents, fault, 0, False

    def seek(self, offset, whence=0):
        self.position = offset + (len(self.contents) if whence == 2 else 0)
        return self.position

    def tell(self):
        return self.position

    def read(self, size):
        if self.armed:
            return self.fault()
        start = self.position
        self.position += size
        return self.contents[start : start + size]


class OwnError(Exception):
    pass


def raise_own():
    raise OwnError("mine")


@pytest.mark.parametrize("threads", [1, 2, 4])
def test_what_read_raises_passes_through_as_itself(numbers_path, threads):
    source = Faulty(numbers_path.read_bytes(), raise_own)
    file = colonnade.open(source)
    assert file.name == "faulty"
    source.armed = True
    stream = file.batches(threads=threads)
    for _ in range(2):  # the same error again
        with pytest.raises(OwnError, match="mine") as caught:
            next(stream)
    assert caught.traceback[-1].name == "raise_own"
    with pytest.raises(OwnError):
        file.read(threads=threads)
    source.armed = False
    assert file.read(threads=threads).num_rows == 100_000


@pytest.mark.parametrize(
    ("fault", "error", "text"),
    [
        (lambda: b"", OSError, "changed"),
        (lambda: b"x" * 10_000_000, OSError, "more bytes"),
        (lambda: "text", TypeError, "binary"),
        (lambda: None, TypeError, "NoneType"),
        (lambda: (_ for _ in ()).throw(KeyboardInterrupt), KeyboardInterrupt, None),
    ],
)
def test_what_read_may_not_give(numbers_path, fault, error, text):
    source = Faulty(numbers_path.read_bytes(), fault)
    file = colonnade.open(source)
    source.armed = True
    with pytest.raises(error, match=text):
        file.read()


def test_opening_may_fail_as_well(numbers_path):
    source = Faulty(numbers_path.read_bytes(), raise_own)
    source.armed = True
    with pytest.raises(OwnError):
        colonnade.open(source)
    source.seek = lambda *_: raise_own()
    with pytest.raises(OwnError):
        colonnade.open(source)
    source.armed = False
    source.seek, source.tell = (lambda *_: 0), (lambda: "far")
    with pytest.raises(TypeError, match="tell"):
        colonnade.open(source)


# ---- the exceptions themselves ----


@pytest.mark.parametrize(
    ("code", "number", "kind"),
    [
        ("invalid argument", 0, ValueError),
        ("not found", 2, FileNotFoundError),
        ("not found", 0, colonnade.ColumnNotFoundError),
        ("permission denied", 13, PermissionError),
        ("permission denied", 0, PermissionError),
        ("I/O error", 5, OSError),
        ("I/O error", 28, OSError),
        ("I/O error", 0, OSError),
        ("corrupt data", 0, colonnade.CorruptError),
        ("not supported", 0, NotImplementedError),
        ("out of budget", 0, MemoryError),
        ("cancelled", 0, colonnade.Cancelled),
        ("data error", 0, colonnade.DataError),
        ("internal error", 0, RuntimeError),
    ],
)
def test_every_kind(code, number, kind):
    error = make(code, "what: values", "what", number, "file", "column", 1, 2, "CLASS", [("a", "b")])
    assert type(error) is kind
    assert error.code == code
    assert error.place == colonnade.Place("file", "column", 1, 2)
    if number:
        assert error.errno == number
    if kind is colonnade.DataError:
        assert (error.error_class, error.parameters) == ("CLASS", {"a": "b"})
    copy = pickle.loads(pickle.dumps(error))
    assert type(copy) is kind and str(copy) == str(error)
    assert (copy.code, copy.place) == (error.code, error.place)


def test_places():
    place = colonnade.Place(file="a", row_group=0)
    assert repr(place) == "Place(file='a', row_group=0)"
    assert place != colonnade.Place(file="a") and place != "a"
    assert len({place, colonnade.Place("a", row_group=0)}) == 1
