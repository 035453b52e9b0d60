"""What `import colonnade` costs and brings."""

import pathlib
import re
import subprocess
import sys

import colonnade


def run(code):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=True).stdout


def test_import_is_light():
    code = (
        "import sys, time; before = set(sys.modules); start = time.perf_counter(); import colonnade\n"
        "print((time.perf_counter() - start) * 1000); print(*sorted(set(sys.modules) - before))"
    )
    milliseconds, modules = min((run(code).splitlines() for _ in range(5)), key=lambda lines: float(lines[0]))
    print(f"import colonnade: {float(milliseconds):.1f} ms")
    assert set(modules.split()) <= {
        "colonnade",
        "colonnade._colonnade",
        "colonnade._errors",
        "colonnade._functions",
        "atexit",
        "errno",
        "__future__",
    }


def test_it_needs_no_other_package(trips_path):
    code = (
        "import sys\n"
        "class Nothing:\n"
        "    def find_spec(self, name, *_):\n"
        "        if name.split('.')[0] in ('numpy', 'pyarrow', 'pandas', 'polars', 'typing_extensions'):\n"
        "            raise ImportError(name)\n"
        "sys.meta_path.insert(0, Nothing())\n"
        "import colonnade\n"
        f"table = colonnade.read_table({str(trips_path)!r})\n"
        "print(table); print(table['fare']); print(table.to_pylist()[0])\n"
        "print(colonnade.table(table).num_rows)\n"
    )
    assert "Decimal('45.50')" in run(code)


def test_version():
    assert re.fullmatch(r"\d+\.\d+\.\d+", colonnade.__version__)


def test_only_the_extensions_entry_is_visible():
    from colonnade import _colonnade

    done = subprocess.run(["nm", "-D", "--defined-only", _colonnade.__file__], capture_output=True, text=True)
    if done.returncode == 0:
        assert [line.split()[-1] for line in done.stdout.splitlines()] == ["PyInit__colonnade"]
    size = pathlib.Path(_colonnade.__file__).stat().st_size
    print(f"extension: {size / 1e6:.2f} MB")
    assert size < 10_000_000
