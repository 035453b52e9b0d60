"""What a figure depends on: the machine, the build, the versions."""

from __future__ import annotations

import os
import platform
import re
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import native
from contenders import ALL, colonnade_size_bytes

ROOT = native.ROOT


def first_match(path: str | Path, pattern: str) -> str | None:
    try:
        found = re.search(pattern, Path(path).read_text(errors="replace"), re.MULTILINE)
    except OSError:
        return None
    return found.group(1).strip() if found else None


def output_of(*command: str) -> str | None:
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return None


def available_bytes() -> int:
    return int(first_match("/proc/meminfo", r"^MemAvailable:\s+(\d+) kB") or 0) * 1024


def simd() -> str:
    flags = set((first_match("/proc/cpuinfo", r"^flags\s*:(.*)$") or "").split())
    return next((name for flag, name in [("avx512bw", "AVX-512"), ("avx2", "AVX2"), ("sse4_2", "SSE4.2")]
                 if flag in flags), "unknown")


def machine() -> dict[str, object]:
    return {
        "cpu": first_match("/proc/cpuinfo", r"^model name\s*:(.*)$") or platform.machine(),
        "simd": simd(),
        "cpus": len(os.sched_getaffinity(0)),
        "l3": first_match("/sys/devices/system/cpu/cpu0/cache/index3/size", r"(.*)"),
        "memory_bytes": os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"),
        "huge_pages": first_match("/sys/kernel/mm/transparent_hugepage/enabled", r"\[(\w+)\]"),
        "virtual": bool(first_match("/proc/cpuinfo", r"^flags\s*:.*\b(hypervisor)\b")),
        "system": first_match("/etc/os-release", r'^PRETTY_NAME="?([^"\n]*)'),
        "kernel": platform.release(),
        "python": platform.python_version(),
        "load_average": os.getloadavg()[0],
        "date": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
    }


def cmake_value(cache: Path, key: str) -> str | None:
    return first_match(cache, rf"^{key}:[A-Z]+=(.*)$")


def package_build_cache() -> Path | None:
    """The CMake cache of the build that the Python package came from, where it is still there."""
    caches = [path for path in (ROOT / "build").glob("python*/**/CMakeCache.txt")]
    return max(caches, key=lambda path: path.stat().st_mtime, default=None)


def build() -> dict[str, object] | None:
    """How the Colonnade under test was built; None where it is not installed."""
    ours = ALL["colonnade-utf8"]
    if not ours.is_installed():
        return None
    import colonnade

    facts: dict[str, object] = {
        "version": getattr(colonnade, "__version__", None),
        "commit": output_of("git", "describe", "--always", "--dirty", "--exclude=*"),
        "package_bytes": colonnade_size_bytes(),
        "kind": "developer build: the distribution's libraries",
    }
    cache = package_build_cache()
    if cache is not None:
        build_type = cmake_value(cache, "CMAKE_BUILD_TYPE") or ""
        compiler = cmake_value(cache, "CMAKE_CXX_COMPILER") or "c++"
        facts["build_type"] = build_type
        facts["compiler"] = (output_of(compiler, "--version") or compiler).splitlines()[0]
        flags = cmake_value(cache, f"CMAKE_CXX_FLAGS_{build_type.upper()}") or ""
        facts["flags"] = " ".join(f"{cmake_value(cache, 'CMAKE_CXX_FLAGS') or ''} {flags}".split())
    return facts


def versions() -> dict[str, str]:
    return {kind.package: kind.version() for kind in ALL.values() if kind.package and kind.is_installed()}


def facts() -> dict[str, object]:
    return {"machine": machine(), "build": build(), "versions": versions(), "floor": native.versions(),
            "interpreter": sys.implementation.name}
