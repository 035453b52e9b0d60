"""The benchmarks' C++ part: drain.cc and floor.cc, compiled on first use and called by ctypes."""

from __future__ import annotations

import ctypes
import functools
import os
import shlex
import subprocess
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
SOURCES = [HERE / "drain.cc", HERE / "floor.cc"]
LIBRARY = ROOT / "build" / "bench" / "libbench_native.so"
FLAGS = ["-std=c++20", "-O3", "-DNDEBUG", "-fPIC", "-shared", "-pthread"]
MESSAGE_BYTES = 1024


def compiler() -> list[str]:
    return shlex.split(os.environ.get("CXX", "c++"))


def command(output: Path) -> list[str]:
    """What compiles the library; BENCH_CXXFLAGS goes in before the codecs, to choose other ones."""
    extra = shlex.split(os.environ.get("BENCH_CXXFLAGS", ""))
    return [*compiler(), *FLAGS, f"-I{ROOT / 'include'}", *extra, "-o", str(output), *map(str, SOURCES),
            "-lsnappy", "-lzstd"]


def is_current() -> bool:
    inputs = [*SOURCES, ROOT / "include" / "colonnade" / "arrow_c.h", Path(__file__)]
    return LIBRARY.exists() and LIBRARY.stat().st_mtime > max(path.stat().st_mtime for path in inputs)


def build() -> Path:
    if not is_current():
        LIBRARY.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".native-", dir=LIBRARY.parent) as folder:
            output = Path(folder) / LIBRARY.name
            done = subprocess.run(command(output), capture_output=True, text=True, check=False)
            if done.returncode != 0:
                raise RuntimeError(f"{shlex.join(done.args)} failed:\n{done.stderr}")
            os.replace(output, LIBRARY)
    return LIBRARY


class Page(ctypes.Structure):
    """BenchPage of floor.cc."""

    _fields_ = [
        ("offset", ctypes.c_int64),
        ("compressed_bytes", ctypes.c_int64),
        ("uncompressed_bytes", ctypes.c_int64),
        ("codec", ctypes.c_int32),
        ("reserved", ctypes.c_int32),
    ]


@functools.cache
def library() -> ctypes.CDLL:
    loaded = ctypes.CDLL(str(build()))
    pointer, i64, i32, text = ctypes.c_void_p, ctypes.c_int64, ctypes.c_int32, ctypes.c_char_p
    for name, result, arguments in [
        ("bench_drain", i64, [pointer, text, i64]),
        ("bench_keep", i64, [pointer, ctypes.POINTER(pointer), text, i64]),
        ("bench_let_go", None, [pointer]),
        ("bench_touch", i64, [i64]),
        ("bench_floor_open", pointer, [text, ctypes.POINTER(Page), i64, i64, i64, i32, i32]),
        ("bench_floor_close", None, [pointer]),
        ("bench_floor_read", i64, [pointer]),
        ("bench_floor_decompress", i64, [pointer]),
        ("bench_floor_copy", i64, [pointer, i32]),
        ("bench_snappy_version", text, []),
        ("bench_zstd_version", text, []),
    ]:
        function = getattr(loaded, name)
        function.restype = result
        function.argtypes = arguments
    return loaded


def stream_address(capsule: object) -> int:
    get_pointer = ctypes.pythonapi.PyCapsule_GetPointer
    get_pointer.restype = ctypes.c_void_p
    get_pointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
    return get_pointer(capsule, b"arrow_array_stream")


def drain(exporter: object) -> int:
    """Takes all batches of an object with __arrow_c_stream__ and drops each; gives the number of rows."""
    capsule = exporter.__arrow_c_stream__()
    message = ctypes.create_string_buffer(MESSAGE_BYTES)
    num_rows = library().bench_drain(stream_address(capsule), message, MESSAGE_BYTES)
    if num_rows < 0:
        raise RuntimeError(message.value.decode(errors="replace"))
    return num_rows


class Kept:
    """All batches of an exported stream, held until close()."""

    def __init__(self, exporter: object) -> None:
        capsule = exporter.__arrow_c_stream__()
        message = ctypes.create_string_buffer(MESSAGE_BYTES)
        self._handle = ctypes.c_void_p()
        self.num_rows = library().bench_keep(stream_address(capsule), self._handle, message, MESSAGE_BYTES)
        if self.num_rows < 0:
            raise RuntimeError(message.value.decode(errors="replace"))

    def close(self) -> None:
        if self._handle:
            library().bench_let_go(self._handle)
            self._handle = ctypes.c_void_p()


def touch(num_bytes: int) -> None:
    if library().bench_touch(num_bytes) < 0:
        raise MemoryError(f"{num_bytes} bytes")


def versions() -> dict[str, str]:
    compiled_by = subprocess.run([*compiler(), "--version"], capture_output=True, text=True, check=True)
    return {
        "snappy": library().bench_snappy_version().decode(),
        "zstd": library().bench_zstd_version().decode(),
        "compiler": compiled_by.stdout.splitlines()[0],
        "flags": " ".join(FLAGS),
    }
