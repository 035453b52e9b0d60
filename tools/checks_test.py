"""The checks must be able to fail: each meets a planted fault here, and the same tree without it."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

TOOLS = Path(__file__).resolve().parent
ROOT = TOOLS.parent


def run(*command, **options):
    return subprocess.run([str(part) for part in command], capture_output=True, text=True, **options)


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


# ---- check_layers.py


@pytest.fixture
def tree(tmp_path):
    write(tmp_path / "tools/layers.txt", (TOOLS / "layers.txt").read_text())
    write(tmp_path / "include/colonnade/error.h", "#include <string>\n")
    write(tmp_path / "src/base/error.cc", '#include <colonnade/error.h>\n#include <fmt/format.h>\n#include "base/bits.h"\n')
    write(tmp_path / "src/base/bits.h", "#include <cstdint>\n#include <unistd.h>\n")
    write(tmp_path / "src/base/testing/fill.h", "#include <gtest/gtest.h>\n")
    write(tmp_path / "src/codec/zstd.cc", '#include <zstd.h>\n#include "base/bits.h"\n')
    write(tmp_path / "src/parquet/page/page.cc", '#include "parquet/format/footer.h"\n#include "base/bits.h"\n')
    write(tmp_path / "src/parquet/page/page_test.cc", '#include <gtest/gtest.h>\n#include "base/testing/fill.h"\n')
    return tmp_path


def layers(root):
    return run(sys.executable, TOOLS / "check_layers.py", "--root", root)


def test_layers_accept_a_clean_tree(tree):
    result = layers(tree)
    assert result.returncode == 0, result.stdout
    assert "7 files, 0 includes" in result.stdout


@pytest.mark.parametrize(
    ("path", "include", "message"),
    [
        ("src/base/bad.cc", '"codec/codec.h"', "base must not include from codec"),
        ("src/spark/bad.cc", '"parquet/format/footer.h"', "spark must not include from parquet/format"),
        ("src/exchange/bad.cc", '"spark/row.h"', "exchange must not include from spark"),
        ("src/parquet/format/bad.h", '"parquet/page/page.h"', "parquet/format must not include from parquet/page"),
        ("src/column/bad.cc", '"base/testing/fill.h"', "for tests only"),
        ("src/base/bad_test.cc", '"column/testing/reference.h"', "base must not include from column"),
        ("src/io/bad.cc", "<zstd.h>", "io must not include zstd.h"),
        ("src/io/bad.cc", "<gtest/gtest.h>", "io must not include gtest/gtest.h"),
        ("src/io/bad.cc", "<libxml/tree.h>", "unknown library header"),
        ("src/io/bad.cc", '"file.h"', "must be written with its folder"),
        ("src/io/bad.cc", '"cli/args.h"', "must be written with its folder"),
        ("src/io/bad.cc", "<colonnade/nothing.h>", "no such public header"),
        ("src/somewhere/new.cc", "<string>", "src/somewhere is not in tools/layers.txt"),
        ("include/colonnade/bad.h", "<zstd.h>", "a public header includes zstd.h"),
        ("include/colonnade/bad.h", '"base/bits.h"', "a public header includes base/bits.h"),
    ],
)
def test_layers_refuse(tree, path, include, message):
    write(tree / path, f"// planted\n#include {include}\n")
    result = layers(tree)
    assert result.returncode == 1
    line = 1 if "not in tools" in message else 2
    assert f"{path}:{line}: " in result.stdout
    assert message in result.stdout


def test_layers_refuse_an_empty_tree(tmp_path):
    write(tmp_path / "tools/layers.txt", "base\n")
    assert layers(tmp_path).returncode == 1


# ---- check_guides.py


@pytest.fixture
def guided(tmp_path):
    for guide, place in (("encoding", "src/parquet/values.cc"), ("type", "src/column/type.cc")):
        write(tmp_path / f"docs/adding-an-{guide}.md".replace("an-type", "a-type"), f"# G\n\n## Places\n1. `{place}`\n\n## Tests\n`src/a.cc`\n")
    write(tmp_path / "src/parquet/values.cc", "case ValueEncoding::kAlp:\n")
    write(tmp_path / "src/parquet/values_test.cc", "EncodingId::kAlp\n")
    write(tmp_path / "src/column/type.cc", "case TypeId::kDate32:\n")
    write(tmp_path / "src/parquet/page.cc", "EncodingId encoding = EncodingId::kPlain;\ncase TypeId::kMap:\n")
    return tmp_path


def guides(root):
    return run(sys.executable, TOOLS / "check_guides.py", "--root", root)


def test_guides_accept_what_they_list(guided):
    result = guides(guided)
    assert (result.returncode, result.stdout) == (0, "")


@pytest.mark.parametrize(
    ("path", "text", "message"),
    [
        ("src/parquet/other.cc", "\nif (e == EncodingId::kAlp)\n", "src/parquet/other.cc:2: EncodingId::kAlp in a place that docs/adding-an-encoding.md"),
        ("cli/other.h", "  case TypeId::kDate32:\n", "cli/other.h:1: case TypeId::kDate32 in a place that docs/adding-a-type.md"),
        ("docs/adding-a-type.md", "# G\n\n## Places\n1. `src/column/gone.cc`\n", "lists src/column/gone.cc, which does not exist"),
        ("docs/adding-an-encoding.md", "# G\n", 'no file below "## Places"'),
    ],
)
def test_guides_refuse(guided, path, text, message):
    write(guided / path, text)
    result = guides(guided)
    assert result.returncode == 1
    assert message in result.stdout


# ---- check_headers.py


def headers(root):
    return run(sys.executable, TOOLS / "check_headers.py", "--root", root)


def test_headers_accept_clean_ones(tmp_path):
    write(tmp_path / "include/colonnade/a.h", "#pragma once\n#include <vector>\nstruct A { std::vector<int> v; };\n")
    write(tmp_path / "include/colonnade/colonnade.h", "#pragma once\n#include <stdint.h>\nint32_t colonnade_f(void);\n")
    result = headers(tmp_path)
    assert result.returncode == 0, result.stdout


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.h", "#pragma once\nstruct A { std::string s; };\n", "does not compile alone"),
        ("a.h", "struct Twice {};\n", "does not compile alone"),
        ("a.h", "#pragma once\n#include <zstd.h>\n", "pulls in"),
        ("colonnade.h", "#pragma once\nnamespace colonnade {}\n", "-std=c11"),
        ("colonnade.h", '#pragma once\n#ifndef __cplusplus\n_Static_assert(1, "C11 only");\n#endif\n', "-std=c99"),
    ],
)
def test_headers_refuse(tmp_path, name, text, message):
    if "zstd" in text and not Path("/usr/include/zstd.h").exists():
        pytest.skip("zstd.h is not there to be planted")
    write(tmp_path / "include/colonnade" / name, text)
    result = headers(tmp_path)
    assert result.returncode == 1
    assert message in result.stdout


# ---- check_symbols.py

GOOD = """
#define SHOW __attribute__((visibility("default")))
extern "C" SHOW const char* colonnade_version() { return "1"; }
namespace colonnade {
struct SHOW Base { virtual ~Base(); virtual void f() const; int x = 0; };
struct SHOW Other { virtual ~Other(); virtual void g(); };
struct SHOW Both : Base, Other { ~Both() override; void g() override; };
Base::~Base() = default; void Base::f() const {} Other::~Other() = default; void Other::g() {}
Both::~Both() = default; void Both::g() {}
}
"""


def library(tmp_path, text, *options):
    source = tmp_path / "library.cc"
    source.write_text(text)
    result = run(
        os.environ.get("CXX", "g++"), "-shared", "-fPIC", "-fvisibility=hidden", source, "-o",
        tmp_path / "library.so", *options,
    )
    assert result.returncode == 0, result.stderr
    return run(sys.executable, TOOLS / "check_symbols.py", tmp_path / "library.so")


def test_symbols_accept_the_interface(tmp_path):
    result = library(tmp_path, GOOD)
    assert result.returncode == 0, result.stdout


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        ('extern "C" SHOW int stray() { return 1; }', [], "shown, but not ours: stray"),
        ("namespace other { SHOW int f() { return 1; } }", [], "shown, but not ours: _ZN5other1fEv"),
        ("namespace other { SHOW int f(colonnade::Base*) { return 1; } }", [], "not ours: _ZN5other1f"),
        ('extern "C" int ZSTD_isError(unsigned long); namespace colonnade { SHOW int f() { return ZSTD_isError(1); } }',
         [], "undefined: ZSTD_isError"),
        ("", ["-Wl,--no-as-needed", "-lresolv"], "needs libresolv"),
        ("", ["-Wl,-rpath,/somewhere"], "RUNPATH"),
    ],
)
def test_symbols_refuse(tmp_path, text, options, message):
    result = library(tmp_path, GOOD + text, *options)
    assert result.returncode == 1
    assert message in result.stdout


def test_symbols_refuse_a_library_without_the_c_interface(tmp_path):
    result = library(tmp_path, "int hidden() { return 1; }")
    assert result.returncode == 1
    assert "colonnade_version is not shown" in result.stdout


def test_export_list_keeps_foreign_names_inside(tmp_path):
    """The linker's export list hides what visibility alone would show."""
    text = GOOD + '#include <vector>\nextern "C" SHOW int stray() { return 1; }\n' \
        "namespace colonnade { SHOW int f() { std::vector<int> v(3); v.push_back(1); return v[0]; } }\n"
    assert library(tmp_path, text).returncode == 1
    result = library(tmp_path, text, f"-Wl,--version-script={ROOT / 'cmake/exports.map'}")
    assert result.returncode == 0, result.stdout
    shown = run("nm", "-DC", "--defined-only", tmp_path / "library.so").stdout
    for name in ("colonnade_version", "colonnade::f()", "typeinfo for colonnade::Both", "vtable for colonnade::Both",
                 "non-virtual thunk to colonnade::Both::g()"):
        assert name in shown


# ---- step.sh


@pytest.fixture
def step(tmp_path):
    shutil.copytree(TOOLS, tmp_path / "tools", ignore=shutil.ignore_patterns("__pycache__"))

    def call(*arguments):
        environment = {**os.environ, "COLONNADE_STEPS": str(tmp_path / "steps")}
        return run(tmp_path / "tools/step.sh", *arguments, cwd=tmp_path, env=environment)

    call.root = tmp_path
    call.steps = lambda: (tmp_path / "steps").read_text().splitlines()
    return call


def test_step_shows_one_line_and_the_log_of_a_failure(step):
    good = step("-c", "Good one", "echo", "quiet")
    assert good.returncode == 0
    assert good.stdout.count("\n") == 1 and "quiet" not in good.stdout and "ok (" in good.stdout
    bad = step("Bad one", "sh", "-c", "echo the reason; exit 7")
    assert bad.returncode == 1
    assert "FAILED" in bad.stdout and "the reason" in bad.stdout
    assert step.steps() == ["1\t0\tGood one", "0\t1\tBad one"]


def test_step_runs_again_only_after_a_change(step):
    write(step.root / "input/a", "1")
    count = ["-k", "input", "-o", "output", "Count", "sh", "-c", "echo x >> ran; touch output"]
    ran = step.root / "ran"
    step(*count)
    assert "up to date" in step(*count).stdout
    assert ran.read_text() == "x\n"
    write(step.root / "input/b", "2")
    step(*count)
    assert ran.read_text() == "x\n" * 2
    (step.root / "output").unlink()
    step(*count)
    assert ran.read_text() == "x\n" * 3


def test_step_that_failed_runs_again(step):
    write(step.root / "input", "1")
    assert step("-k", "input", "Fails", "false").returncode == 1
    assert step("-k", "input", "Fails", "false").returncode == 1


def test_step_counts_tests(step):
    results = '<testsuite><testcase name="a"/><testcase name="b"><failure/></testcase>' \
        '<testcase name="c"><skipped/></testcase></testsuite>'
    write(step.root / "results.in", results)
    result = step("-j", "results.xml", "Tests", "sh", "-c", "cp results.in results.xml; exit 1")
    assert "1 passed, 1 failed, 1 skipped" in result.stdout
    assert step.steps() == ["1\t1\tTests"]


@pytest.mark.parametrize(
    ("results", "status"),
    [("<testsuite/>", 0), ('<testsuite><testcase name="a"/></testsuite>', 1), (None, 1), (None, 0)],
)
def test_step_fails_when_its_tests_did_not_run(step, results, status):
    """No test at all, or a crash after the last test: neither may pass."""
    if results:
        write(step.root / "results.in", results)
    result = step("-j", "results.xml", "Tests", "sh", "-c", f"cp results.in results.xml; exit {status}")
    assert result.returncode == 1
    assert step.steps()[0].split("\t")[1] == "1"


# ---- format.sh and lint.py


@pytest.mark.skipif(not shutil.which("clang-format-19"), reason="clang-format-19 is not installed")
def test_format_refuses(tmp_path):
    write(tmp_path / "tools/format.sh", (TOOLS / "format.sh").read_text())
    write(tmp_path / ".clang-format", (ROOT / ".clang-format").read_text())
    run("git", "init", "-q", cwd=tmp_path)
    write(tmp_path / "src/a.cc", "int f() { return 1; }\n")
    assert run("bash", "tools/format.sh", cwd=tmp_path).returncode == 0
    write(tmp_path / "src/a.cc", "int  f( ){return 1;}\n")
    assert run("bash", "tools/format.sh", cwd=tmp_path).returncode != 0
    assert run("bash", "tools/format.sh", "--fix", cwd=tmp_path).returncode == 0
    assert (tmp_path / "src/a.cc").read_text() == "int f() { return 1; }\n"


@pytest.mark.skipif(not shutil.which("clang-tidy-19"), reason="clang-tidy-19 is not installed")
def test_lint_refuses(tmp_path):
    write(tmp_path / "tools/lint.py", (TOOLS / "lint.py").read_text())
    write(tmp_path / ".clang-tidy", (ROOT / ".clang-tidy").read_text())
    source = tmp_path / "src/a.cc"
    commands = f'[{{"directory": "{tmp_path}", "file": "{source}", "command": "g++ -Isrc -std=c++20 -c {source}"}}]'
    write(tmp_path / "build/dev/compile_commands.json", commands)

    def lint():
        environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path / "cache")}
        return run(sys.executable, tmp_path / "tools/lint.py", env=environment)

    write(tmp_path / "src/a.h", "inline int g(int i) { return i; }\n")
    write(source, '#include "a.h"\nint f() { return g(1); }\n')
    result = lint()
    assert result.returncode == 0
    assert "1 sources, 0 of them known" in result.stdout
    assert "1 sources, 1 of them known" in lint().stdout

    # Seen in the header too, though the source itself stayed as it was.
    write(tmp_path / "src/a.h", "struct A { A(int) {} };\ninline int g(int i) { return i; }\n")
    result = lint()
    assert result.returncode == 1
    assert "google-explicit-constructor" in result.stdout
    assert lint().returncode == 1


# ---- suite_counts.py


@pytest.mark.parametrize(
    ("listed", "message"),
    [(1, ""), (2, "org.Some: 1 tests passed, 2 are listed\n")],
)
def test_suite_counts_see_tests_that_did_not_pass(tmp_path, listed, message):
    write(tmp_path / "suites.txt", f"# suite and tests\norg.Some {listed} plugin\norg.NotRun 7\n")
    cases = '<testcase classname="org.Some" name="a"/><testcase classname="org.Some" name="b"><skipped/></testcase>'
    write(tmp_path / "results.xml", f"<testsuites><testsuite>{cases}</testsuite></testsuites>")
    result = run(sys.executable, TOOLS / "suite_counts.py", tmp_path / "suites.txt", tmp_path / "results.xml", "org.Some", "org.Other")
    assert (result.returncode, result.stdout) == (1 if message else 0, message)
