"""What the commands give, for good and bad files, outputs, signals and terminals."""

import array
import csv
import datetime
import decimal
import fcntl
import io
import json
import os
import pathlib
import pty
import re
import resource
import signal
import struct
import subprocess
import termios
import time
from random import Random

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest

from unreadable import decimal_of_77_digits
from command_line import CLI, COMMANDS, EXIT, HANG, fails, needs_command_line, run

pytestmark = needs_command_line


@pytest.fixture
def table():
    return pa.table(
        {
            "id": pa.array([1, 2, None, 4], pa.int64()),
            "word": ["plain", "", None, 'a "quoted", b\nnext'],
            "price": pa.array([decimal.Decimal("1.50"), decimal.Decimal("-0.01"), None, decimal.Decimal("123.00")], pa.decimal128(9, 2)),
            "raw": pa.array([b"\x00\xff", b"", None, b"z"], pa.binary()),
            "when": pa.array([0, 1, None, 1_000_000], pa.timestamp("us", "UTC")),
            "number": pa.array([0.1, float("inf"), None, -0.0]),
        }
    )


@pytest.fixture
def path(tmp_path, table):
    path = tmp_path / "t.parquet"
    pq.write_table(table, path, row_group_size=3, store_schema=False)
    return path


def test_schema(path):
    text = run("schema", path).stdout.decode()
    assert re.search(r"^price +decimal\(9, 2\)", text, re.M) and re.search(r"^when +timestamp\[us, UTC\]", text, re.M)
    document = json.loads(run("schema", "--json", path).stdout)
    assert [f["name"] for f in document["fields"]] == ["id", "word", "price", "raw", "when", "number"]
    several = run("schema", "--json", path, path).stdout.splitlines()
    assert [json.loads(line)["file"] for line in several] == [str(path)] * 2


def test_meta(path):
    text = run("meta", path).stdout.decode()
    assert "4 rows, 2 row groups, 6 columns" in text and "SNAPPY" in text and "parquet-cpp" in text
    one = run("meta", "--row-group", 1, "--column", "id", path).stdout.decode()
    assert re.search(r"^ +1 +id +INT64 +SNAPPY .* 4 +4$", one, re.M), one
    document = json.loads(run("meta", "--json", path).stdout)
    reference = pq.ParquetFile(path).metadata
    assert document["num_rows"] == reference.num_rows
    for i, row_group in enumerate(document["row_groups"]):
        for j, chunk in enumerate(row_group["columns"]):
            expected = reference.row_group(i).column(j)
            assert chunk["path"] == expected.path_in_schema
            assert chunk["compressed_bytes"] == expected.total_compressed_size
            assert chunk["uncompressed_bytes"] == expected.total_uncompressed_size
            assert chunk["num_values"] == expected.num_values
            assert set(chunk["encodings"]) == set(expected.encodings)
            if expected.statistics is not None:
                assert chunk["null_count"] == expected.statistics.null_count
    fails("usage", "meta", "--row-group", 7, path)
    fails("not_found", "meta", "--column", "nope", path)


def test_what_is_not_read_is_said(tmp_path):
    path = decimal_of_77_digits(tmp_path / "wide.parquet")
    rows = run("schema", path).stdout.decode().splitlines()
    assert rows[1].split() == ["id", "int64"] and rows[2].endswith("decimals of more than 76 digits are not read")
    assert "(--columns, columns=)" in fails("not_supported", "head", path)
    assert "(--columns, columns=)" not in fails("not_supported", "head", "-c", "d", path)
    assert "'d'" in fails("not_supported", "scan", path)
    assert run("cat", "-c", "id", path).stdout == b"id\n1\n"


def test_meta_of_what_is_not_there(path):
    assert "there are 'id', " in fails("not_found", "meta", "--column", "nope", path)
    for arguments in (["meta", "--row-group", "99"], ["cat", "--row-groups", "99"]):
        assert f"no such row group: file '{path}': row group 99" in fails("usage", *arguments, path)


def test_meta_shows_an_empty_bound(tmp_path):
    pq.write_table(pa.table({"s": ["", "a"], "n": pa.array([None, None], pa.string())}), tmp_path / "t.parquet")
    rows = run("meta", tmp_path / "t.parquet").stdout.decode().splitlines()
    assert rows[-2].endswith('""   a') and rows[-1].rstrip().endswith("2")


def test_count(path, tmp_path):
    assert run("count", path).stdout == b"4\n"
    pq.write_table(pa.table({"x": [1]}), tmp_path / "u.parquet")
    assert run("count", path, tmp_path / "u.parquet").stdout == b"5\n"
    assert run("count", "--per-file", path, tmp_path / "u.parquet").stdout.decode().splitlines()[-1] == "5\ttotal"


def test_head(path):
    text = run("head", "-n", 2, "--columns", "word,id", path).stdout.decode()
    assert text.splitlines() == ["word   id", "plain   1", "        2"]
    assert run("head", "-n", 0, path).stdout.decode().splitlines() == ["id  word  price  raw  when  number"]
    assert run("head", "-n", 2, "--format", "csv", "-c", "id", path).stdout == b"id\n1\n2\n"


def test_every_column_can_be_named(tmp_path):
    names = ["a", " a", "a ", "a, b", ",", "\\", "\\,", "c\\d", "\\\\", " "]
    pq.write_table(pa.table([[i] for i in range(len(names))], names=names), tmp_path / "n.parquet")
    escaped = [name.replace("\\", "\\\\").replace(",", "\\,") for name in names]
    for i, name in enumerate(escaped):
        assert run("cat", "--no-header", "-c", name, tmp_path / "n.parquet").stdout.decode() == f"{i}\n"
    assert run("cat", "--no-header", "-c", ",".join(escaped), tmp_path / "n.parquet").stdout == b"0,1,2,3,4,5,6,7,8,9\n"
    assert run("cat", "--no-header", "-c", r"c\d", tmp_path / "n.parquet").stdout == b"7\n"
    assert "column ' c'" in fails("not_found", "cat", "-c", "a, c", tmp_path / "n.parquet")
    for nothing in ("", ",", "a,", ",a", "a,,\\,"):
        assert f"--columns '{nothing}'" in fails("usage", "cat", "-c", nothing, tmp_path / "n.parquet")


def test_csv_is_read_back_equal(path, table):
    text = run("cat", path).stdout
    rows = list(csv.reader(io.StringIO(text.decode(), newline="")))
    assert rows[0] == table.column_names
    assert rows[1] == ["1", "plain", "1.50", "00ff", "1970-01-01 00:00:00.000000Z", "0.1"]
    assert rows[4][1] == 'a "quoted", b\nnext'
    # Null and the empty string differ: only the latter has quotes.
    assert text.decode().splitlines()[2].startswith('2,"",-0.01,"",')
    assert text.decode().splitlines()[3] == ",,,,,"
    back = pyarrow.csv.read_csv(
        io.BytesIO(run("cat", "-c", "id,word,number", path).stdout),
        parse_options=pyarrow.csv.ParseOptions(newlines_in_values=True),
        convert_options=pyarrow.csv.ConvertOptions(strings_can_be_null=True, quoted_strings_can_be_null=False),
    )
    assert back.equals(table.select(["id", "word", "number"]))


def test_a_tab_may_be_written_as_escape(path):
    assert run("head", "-f", "csv", "-d", r"\t", path).stdout == run("head", "-f", "csv", "-d", "\t", path).stdout


def test_csv_options(path):
    out = run("cat", "-c", "id,word", "--delimiter", ";", "--no-header", "--null", "NULL", path).stdout.decode()
    assert out.splitlines()[:3] == ["1;plain", '2;""', "NULL;NULL"]
    for delimiter in (";;", "", '"', "\n"):
        assert "--delimiter" in fails("usage", "cat", "--delimiter", delimiter, path)
    for command, options in (("head", ["--null", "-"]), ("cat", ["-f", "jsonl", "--no-header"]), ("cat", ["-f", "table", "-d", ";"])):
        assert "belong to --format csv" in fails("usage", command, *options, path)


def test_what_stands_for_null_cannot_break_the_rows(path):
    for text in (",", "a,b", '"', "x\ny", "x\ry"):
        assert "--null" in fails("usage", "cat", path, "--null", text)
    assert "--null" in fails("usage", "cat", path, "-d", ";", "--null", "a;b")
    run("cat", path, "-d", ";", "--null", "a,b")


def test_jsonl_is_read_back_equal(path, table):
    rows = [json.loads(line, parse_float=decimal.Decimal) for line in run("cat", "-f", "jsonl", path).stdout.splitlines()]
    assert [r["id"] for r in rows] == table["id"].to_pylist()
    assert [r["word"] for r in rows] == table["word"].to_pylist()
    assert [r["price"] for r in rows] == table["price"].to_pylist()
    assert rows[1]["number"] == "Infinity"


def test_csv_of_a_single_column_has_blank_lines_for_nulls(tmp_path):
    pq.write_table(pa.table({"s": ["a", None, "", "-"]}), tmp_path / "s.parquet")
    assert run("cat", tmp_path / "s.parquet").stdout == b's\na\n\n""\n-\n'
    assert run("cat", "--null", "-", tmp_path / "s.parquet").stdout == b's\na\n-\n""\n"-"\n'


def test_columns_of_one_name(tmp_path):
    path = tmp_path / "d.parquet"
    pq.write_table(pa.Table.from_arrays([pa.array([1]), pa.array([2])], names=["x", "x"]), path)
    assert run("cat", path).stdout == b"x,x\n1,2\n"
    assert run("head", path).stdout == b"x  x\n1  2\n"
    assert "column 'x'" in fails("usage", "cat", "-f", "jsonl", path)
    assert "column 'x'" in fails("usage", "cat", "-c", "x", path)


def test_floats_stay_floats(tmp_path):
    numbers = [1.0, -0.0, 0.0, 1e20, -3.5, 1e-7, 123456789.0, float("inf")]
    pq.write_table(pa.table({"d": numbers, "f": pa.array(numbers, pa.float32())}), tmp_path / "f.parquet")
    for line, number in zip(run("cat", "-f", "jsonl", tmp_path / "f.parquet").stdout.splitlines()[:-1], numbers, strict=False):
        row = json.loads(line)
        assert type(row["d"]) is type(row["f"]) is float
        assert repr(row["d"]) == repr(number)
    table = pyarrow.csv.read_csv(io.BytesIO(run("cat", tmp_path / "f.parquet").stdout))
    assert [repr(value) for value in table["d"].to_pylist()] == [repr(number) for number in numbers]
    assert b"1.0,1.0\n-0.0,-0.0\n" in run("cat", tmp_path / "f.parquet").stdout


def test_jsonl_refuses_names_that_become_one_key(tmp_path):
    contents = io.BytesIO()
    pq.write_table(pa.table({"name_1": [1], "name_2": [2]}), contents)
    odd = contents.getvalue().replace(b"name_1", b"name_\xfe").replace(b"name_2", b"name_\xff")
    (tmp_path / "names.parquet").write_bytes(odd)
    assert "several columns" in fails("usage", "cat", "-f", "jsonl", tmp_path / "names.parquet")
    assert run("cat", tmp_path / "names.parquet").stdout == b"name_\xfe,name_\xff\n1,2\n"


def test_a_file_that_may_not_grow_leaves_nothing_behind(large, tmp_path):
    limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
    done = subprocess.run([CLI, "cat", large, "-o", tmp_path / "out.csv"], capture_output=True, text=True, preexec_fn=limit, timeout=60)
    assert done.returncode not in (0, 153) and "File too large" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_jsonl_refuses_strings_that_are_not_utf8(tmp_path):
    bad = pa.Array.from_buffers(pa.string(), 2, pa.array([b"ok", b"\xff\xfe"], pa.binary()).buffers())
    pq.write_table(pa.table({"s": bad}), tmp_path / "b.parquet")
    message = run("cat", "-f", "jsonl", tmp_path / "b.parquet", check=False)
    assert message.returncode == EXIT["corrupt"]
    assert b"column 's'" in message.stderr and b"row 1" in message.stderr


def test_files_globs_and_folders(tmp_path):
    folder = tmp_path / "sales"
    (folder / "inside").mkdir(parents=True)
    for i, name in enumerate(("b.parquet", "a.parquet", "inside/c.parquet")):
        pq.write_table(pa.table({"x": [i]}), folder / name)
    for name in ("_SUCCESS", "_metadata", ".a.parquet.crc", ".hidden.parquet", "a.crc"):
        (folder / name).write_bytes(b"not parquet")
    out = lambda *files: run("cat", "--no-header", *files).stdout.decode().split()
    assert out(folder) == ["1", "0", "2"]
    assert out(folder / "*.parquet") == ["1", "0"]
    assert out(folder / "b.parquet", folder / "a.parquet") == ["0", "1"]
    assert out(folder / "**" / "*.parquet") == ["1", "0", "2"]
    fails("not_found", "cat", folder / "*.orc")
    pq.write_table(pa.table({"y": [1]}), folder / "z.parquet")
    done = run("cat", folder, check=False)
    assert done.returncode == EXIT["usage"] and b"z.parquet" in done.stderr


def test_standard_input_and_output_file(path, tmp_path):
    data = path.read_bytes()
    assert run("count", "-", input=data).stdout == b"4\n"
    run("cat", "-", "-c", "id", "-o", tmp_path / "out.csv", input=data)
    assert (tmp_path / "out.csv").read_text() == "id\n1\n2\n\n4\n"
    fails("usage", "cat", "-", path)
    fails("corrupt", "cat", "-", input=b"")


def test_an_output_that_is_a_link_is_followed(path, tmp_path):
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "old").write_text("old")
    (tmp_path / "link").symlink_to("there/old")
    (tmp_path / "dangling").symlink_to("there/new")
    for link, target in (("link", "old"), ("dangling", "new")):
        run("cat", path, "-c", "id", "-o", tmp_path / link)
        assert (tmp_path / link).is_symlink()
        assert (tmp_path / "there" / target).read_text() == "id\n1\n2\n\n4\n"
    assert sorted(os.listdir(tmp_path / "there")) == ["new", "old"]


def test_an_output_that_is_no_file_is_written_as_it_is(path, tmp_path):
    expected = b"id\n1\n2\n\n4\n"
    assert run("cat", path, "-c", "id", "-o", "/dev/stdout").stdout == expected
    with open(tmp_path / "both", "wb") as both:
        both.write(b"before\n")
        both.flush()
        subprocess.run([CLI, "cat", path, "-c", "id", "-o", "/dev/stdout"], stdout=both, check=True, timeout=HANG)
    assert (tmp_path / "both").read_bytes() == b"before\n" + expected
    run("cat", path, "-o", "/dev/null")
    assert pathlib.Path("/dev/null").is_char_device()
    os.mkfifo(tmp_path / "pipe")
    with start("cat", path, "-c", "id", "-o", tmp_path / "pipe") as process:
        assert (tmp_path / "pipe").read_bytes() == expected
        assert process.wait(HANG) == 0
    assert (tmp_path / "pipe").is_fifo()
    with start("cat", path, "-o", tmp_path / "pipe", stderr=subprocess.PIPE) as process:
        wait_until(lambda: waits_and_catches(process, signal.SIGINT))  # nobody reads the pipe
        process.send_signal(signal.SIGINT)
        assert process.communicate(timeout=HANG)[1] == b"" and process.returncode == 130


def test_an_input_is_never_replaced(path, tmp_path):
    data = path.read_bytes()
    other = tmp_path / "other.parquet"
    other.write_bytes(data)
    os.link(path, tmp_path / "hard")
    (tmp_path / "soft").symlink_to(path)
    for name in (path, tmp_path / "hard", tmp_path / "soft", tmp_path / "." / path.name):
        for command in ("cat", "head"):
            assert str(path) in fails("usage", command, other, path, "-o", name)
    fails("usage", "cat", tmp_path / "soft", "-o", path)
    with open(path, "rb") as standard_input:
        fails("usage", "cat", "-", "-o", path, stdin=standard_input)
    with open(path, "ab") as standard_output:
        done = subprocess.run([CLI, "cat", path], stdout=standard_output, stderr=subprocess.PIPE, timeout=HANG)
    assert done.returncode == EXIT["usage"] and path.read_bytes() == data
    run("cat", path, "-o", other)  # no input of this run


def test_what_does_not_work_leaves_no_file(tmp_path, path):
    broken = tmp_path / "broken.parquet"
    data = bytearray(path.read_bytes())
    data[4:40] = b"\xff" * 36  # the first page header
    broken.write_bytes(data)
    before = sorted(os.listdir(tmp_path))
    message = fails("corrupt", "cat", broken, "-o", tmp_path / "never.csv")
    assert "broken.parquet" in message and "row group 0" in message
    assert sorted(os.listdir(tmp_path)) == before


def test_hostile_files_give_one_line(tmp_path, path):
    data = path.read_bytes()
    cases = {"empty": b"", "short": b"PAR1", "cut": data[:-20], "text": b"hello world, this is no parquet file"}
    for name, content in cases.items():
        file = tmp_path / name
        file.write_bytes(content)
        for command in COMMANDS:
            assert name in fails("corrupt", command, file)
    fails("not_found", "scan", tmp_path / "missing")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_permission(tmp_path, path):
    path.chmod(0)
    fails("permission", "scan", path)


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    """Some hundred MB of csv."""
    path = tmp_path_factory.mktemp("large") / "large.parquet"
    block = pa.table({"a": list(range(200_000)), "b": [f"value {i}" for i in range(200_000)]})
    with pq.ParquetWriter(path, block.schema) as writer:
        for _ in range(40):
            writer.write_table(block)
    return path


def test_scan(large):
    text = run("scan", "--threads", 2, "--columns", "b", large).stdout.decode()
    assert re.search(r"^rows +8,000,000$", text, re.M) and re.search(r"^peak memory ", text, re.M)
    document = json.loads(run("scan", "--json", "--batch-rows", 1000, large).stdout)
    assert document["rows"] == 8_000_000 and document["batches"] == 8_000
    peak = document["peak_memory_bytes"]  # with opening the file: so much is enough
    assert json.loads(run("scan", "--json", "--memory", peak, large).stdout)["peak_memory_bytes"] <= peak
    one = json.loads(run("scan", "--json", "--row-groups", "1, 3", large).stdout)
    assert one["rows"] == 400_000
    size = large.stat().st_size
    parts = [json.loads(run("scan", "--json", "--split", f"{at}:{size // 4 + 1}", large).stdout)["rows"] for at in range(0, size, size // 4 + 1)]
    assert sum(parts) == 8_000_000


def test_memory_budget(large):
    assert json.loads(run("scan", "--json", "--memory", "32MB", large).stdout)["peak_memory_bytes"] <= 32_000_000
    fails("budget", "count", "--memory", "1", large)


@pytest.fixture(scope="module")
def long_values(tmp_path_factory):
    """16 MiB of text, 96 MiB in JSON, and 70 MB of text in rows that a table measures."""
    folder = tmp_path_factory.mktemp("long")
    pq.write_table(pa.table({"s": ["\x01" * (1 << 24)], "b": [b"\x00" * (1 << 24)]}), folder / "one.parquet", compression="zstd")
    pq.write_table(pa.table({"s": [str(i % 10) * 70_000 for i in range(1000)]}), folder / "rows.parquet", compression="zstd")
    return folder


def peak_bytes(process):
    return 1024 * int(re.search(r"^VmHWM:\s*(\d+) kB$", pathlib.Path(f"/proc/{process.pid}/status").read_text(), re.M)[1])


@pytest.mark.parametrize("form, expected", (("csv", 3 << 24), ("jsonl", 8 << 24)))
def test_long_values_are_written_in_pieces(long_values, form, expected):
    with subprocess.Popen([CLI, "cat", *(["--no-header"] if form == "csv" else []), "-f", form, long_values / "one.parquet"], stdout=subprocess.PIPE) as process:
        left = expected - (1 << 20)  # more than pipe and buffers hold: the command still waits
        while left > 0:
            part = process.stdout.read(min(left, 1 << 20))
            assert part
            left -= len(part)
        columns = json.loads(run("scan", "--json", long_values / "one.parquet").stdout)["peak_memory_bytes"]
        assert peak_bytes(process) < columns + (24 << 20)
        assert process.stdout.read() and process.wait(HANG) == 0


def test_values_longer_than_a_piece_come_out_whole(tmp_path):
    texts = ["x" * shift + 'é日😀"\n\x01' * 20_000 for shift in range(4)]
    raw = [b"\x12" * 100_000, b"\xab" * 70_000, b"\x00", b"\xa0"]
    pq.write_table(pa.table({"s": texts, "b": raw}), tmp_path / "v.parquet")
    rows = [json.loads(line) for line in run("cat", "-f", "jsonl", tmp_path / "v.parquet").stdout.splitlines()]
    assert rows == [{"s": s, "b": b.hex()} for s, b in zip(texts, raw)]
    quoted = ['"' + s.replace('"', '""') + '"' for s in texts]
    csv_of = lambda *options: run("cat", "--no-header", *options, tmp_path / "v.parquet").stdout.decode()
    assert csv_of() == "".join(f"{s},{b.hex()}\n" for s, b in zip(quoted, raw))
    assert csv_of("-c", "b", "-d", "b").split() == [raw[0].hex(), f'"{raw[1].hex()}"', "00", "a0"]


def test_a_table_keeps_to_the_budget(long_values):
    for form in ("csv", "jsonl"):
        assert len(run("cat", "-f", form, "--memory", "64MB", long_values / "rows.parquet").stdout) > 70_000_000
    assert "rows of a table" in fails("budget", "cat", "-f", "table", "--memory", "64MB", long_values / "rows.parquet")
    assert len(run("cat", "-f", "table", "--memory", "256MB", long_values / "rows.parquet").stdout) > 70_000_000


def test_full_disk(large):
    with open("/dev/full", "wb") as full:
        done = subprocess.run([CLI, "cat", large], stdout=full, stderr=subprocess.PIPE, timeout=HANG)
    assert done.returncode == EXIT["io"] and b"No space left" in done.stderr
    assert "No space left" in fails("io", "cat", large, "-o", "/dev/full")


@pytest.mark.parametrize("arguments", (["--help"], ["--version"], ["cat", "--help"], *([command, "FILE"] for command in COMMANDS)), ids=" ".join)
def test_what_cannot_be_shown_is_an_error(path, arguments):
    with open("/dev/full", "wb") as full:
        done = subprocess.run([CLI, *(path if a == "FILE" else a for a in arguments)], stdout=full, stderr=subprocess.PIPE, timeout=HANG)
    assert done.returncode == EXIT["io"]
    assert re.fullmatch(rb"colonnade: [^\n]*No space left[^\n]*\n", done.stderr)


def test_a_closed_pipe_is_quiet(large):
    done = subprocess.run(["bash", "-c", 'set -o pipefail; "$0" cat "$1" | head -n 1', CLI, large], capture_output=True, timeout=HANG)
    assert done.stdout == b"a,b\n" and done.stderr == b""
    assert done.returncode == 128 + signal.SIGPIPE


def wait_until(condition):
    deadline = time.monotonic() + HANG
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def bytes_in(pipe):
    count = array.array("i", [0])
    fcntl.ioctl(pipe, termios.FIONREAD, count)
    return count[0]


def waits_and_catches(process, name):
    status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
    caught = int(re.search(r"^SigCgt:\s*(\w+)$", status, re.M)[1], 16)
    return bool(caught >> (name - 1) & 1) and re.search(r"^State:\s*S", status, re.M) is not None


def start(*arguments, signals="--default-signal=INT,TERM,HUP", **options):
    """The command running, with the signals that end a process at their defaults wherever the tests run."""
    return subprocess.Popen(["env", signals, CLI, *map(str, arguments)], **options)


@pytest.mark.parametrize("name", ("SIGINT", "SIGTERM", "SIGHUP"))
def test_a_signal_is_quiet_and_leaves_no_file(large, tmp_path, name):
    # So many rows that the signal comes before their end on any machine.
    with start("cat", *[large] * 50, "-o", tmp_path / "out.csv", stderr=subprocess.PIPE) as process:
        wait_until(lambda: os.listdir(tmp_path))
        process.send_signal(signal.Signals[name])
        assert process.communicate(timeout=HANG)[1] == b""
        assert process.returncode == 128 + signal.Signals[name]
    assert os.listdir(tmp_path) == []


def test_signals_close_together_are_one_request(large, tmp_path):
    for _ in range(20):  # timeout(1) sends its signal to the process and to its group
        with start("cat", *[large] * 50, "-o", tmp_path / "out.csv", stderr=subprocess.PIPE) as process:
            wait_until(lambda: os.listdir(tmp_path))
            for _ in range(3):
                process.send_signal(signal.SIGTERM)
                process.send_signal(signal.SIGINT)
            assert process.communicate(timeout=HANG)[1] == b""
            assert process.returncode in (128 + signal.SIGTERM, 128 + signal.SIGINT)
        assert os.listdir(tmp_path) == []


def test_an_ignored_signal_stays_ignored(large):
    with start("cat", large, signals="--ignore-signal=HUP", stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        wait_until(lambda: bytes_in(process.stdout))  # it has set its signals, and waits for us
        process.send_signal(signal.SIGHUP)
        out, message = process.communicate(timeout=HANG)
        assert process.returncode == 0 and message == b"" and out.endswith(b",value 199999\n")


def test_ctrl_c_ends_the_wait_for_standard_input():
    with start("cat", "-", stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdin.write(b"PAR1")
        process.stdin.flush()
        wait_until(lambda: not bytes_in(process.stdin))
        process.send_signal(signal.SIGINT)
        assert process.wait(HANG) == 130  # though standard input is still open
        assert process.stdout.read() == b"" and process.stderr.read() == b""


def shown_on(controller):
    """All that appears on the terminal until nobody has it open any more."""
    shown = b""
    while True:
        try:
            shown += os.read(controller, 65536)
        except OSError:
            break
    os.close(controller)
    return shown


def on_terminal(*arguments, **environment):
    """What appears on a terminal of 80 columns, where standard error and output are one."""
    controller, terminal = pty.openpty()
    process = subprocess.Popen([CLI, *map(str, arguments)], stdout=terminal, stderr=terminal, env={**os.environ, "TERM": "xterm", **environment})
    os.close(terminal)
    return shown_on(controller), process.wait(HANG)


def run_slowly(*arguments, stderr):
    """Lets the command wait for more than a second, on any machine: its output is a pipe that is not read before."""
    with subprocess.Popen([CLI, *map(str, arguments)], stdout=subprocess.PIPE, stderr=stderr) as process:
        wait_until(lambda: bytes_in(process.stdout))
        time.sleep(1.2)
        while process.stdout.read(1 << 20):
            pass
        assert process.wait(HANG) == 0


def test_progress_shows_on_a_terminal_only(large, tmp_path):
    arguments = ("cat", large, "--row-groups", "0,1")  # some MB of csv, which no pipe holds

    def shown(*options):
        controller, terminal = pty.openpty()
        run_slowly(*arguments, *options, stderr=terminal)
        os.close(terminal)
        return shown_on(controller)

    text = shown()
    assert b" rows/s" in text and text.endswith(b"\r\x1b[K")
    assert shown("-q") == b""
    with open(tmp_path / "messages", "wb") as messages:
        run_slowly(*arguments, stderr=messages)
    assert (tmp_path / "messages").read_bytes() == b""


def test_color(tmp_path):
    assert b"\x1b[31m" in on_terminal("count", tmp_path / "missing", NO_COLOR="")[0]
    assert b"\x1b" not in on_terminal("count", tmp_path / "missing", NO_COLOR="1")[0]
    assert b"\x1b" not in on_terminal("count", tmp_path / "missing", TERM="dumb")[0]


def test_a_system_without_memory_is_an_error(large):
    for megabytes in range(16, 64, 3):
        limit = (megabytes << 20,) * 2
        done = run("scan", "--threads", 16, large, check=False, preexec_fn=lambda limit=limit: resource.setrlimit(resource.RLIMIT_AS, limit))
        # Below some size the system's loader fails, before there is any code of ours.
        assert done.returncode in (0, EXIT["budget"], 127), (megabytes, done)


def on_terminal_of(width, *arguments):
    controller, terminal = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, width, 0, 0))
    with subprocess.Popen([CLI, *map(str, arguments)], stdout=terminal) as process:
        os.close(terminal)
        shown = shown_on(controller)
        assert process.wait(HANG) == 0
    return shown.decode()


def test_tables_fit_the_terminal(tmp_path):
    pq.write_table(pa.table({"s": ["x" * 500], "t": ["\x1b[31m\ttab"], "u": ["日本" * 60]}), tmp_path / "w.parquet")
    shown = on_terminal_of(60, "head", tmp_path / "w.parquet")
    for line in shown.splitlines():
        assert sum(2 if ord(c) > 0x2E80 else 1 for c in line) <= 60
    assert "\\x1b[31m\\ttab" in run("head", tmp_path / "w.parquet").stdout.decode()


def test_tables_never_cut_numbers_or_dates(tmp_path):
    day = datetime.date(1999, 12, 31)
    pq.write_table(pa.table({f"number_{i}": [1234567890 + i] for i in range(9)} | {"day": [day]}), tmp_path / "wide.parquet")
    shown = on_terminal_of(60, "head", tmp_path / "wide.parquet")
    assert [line.split() for line in shown.splitlines()] == [["number_0", "number_1", "number_2", "number_3", "+6"],
                                                             ["1234567890", "1234567891", "1234567892", "1234567893", "…"]]
    pq.write_table(pa.table({"day": [day], "text": ["x" * 100]}), tmp_path / "text.parquet")
    shown = on_terminal_of(30, "head", tmp_path / "text.parquet")
    assert shown.splitlines()[1] == "1999-12-31  " + "x" * 17 + "…"


def cut_one_by_one(widths, excess):
    """Takes columns off the widest, the first of several, none below 6."""
    widths = list(widths)
    while excess > 0 and max(widths) > 6:
        widths[widths.index(max(widths))] -= 1
        excess -= 1
    return widths


def test_the_widest_columns_are_cut_first(tmp_path):
    random = Random(5)
    for _ in range(20):
        widths = [random.choice([1, 5, 6, 7, 30, 31, 200, 2000]) for _ in range(random.randint(1, 8))]
        pq.write_table(pa.table({chr(97 + i): ["x" * width] for i, width in enumerate(widths)}), tmp_path / "w.parquet")
        shown = on_terminal_of(80, "head", tmp_path / "w.parquet").splitlines()[1]
        cut = cut_one_by_one(widths, sum(widths) + 2 * len(widths) - 2 - 80)
        assert shown == "  ".join("x" * have if have <= width else "x" * (width - 1) + "…" for have, width in zip(widths, cut))


def test_a_table_of_many_long_strings_is_shown_at_once(tmp_path):
    pq.write_table(pa.table({f"c{i}": ["x" * 100_000] for i in range(1000)}), tmp_path / "w.parquet", compression="zstd")
    shown = on_terminal_of(80, "head", tmp_path / "w.parquet")  # took minutes when widths were found one by one
    assert [len(line) for line in shown.splitlines()] == [len("c0      ") * 9 + len("+991"), len("xxxxx…  ") * 9 + 1]
