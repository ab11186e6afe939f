"""Where and with what a measurement was made, and how processes are measured."""

import compileall
import os
import platform
import sqlite3
import statistics
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent.parent


def described() -> dict[str, Any]:
    """The machine, what runs on it, and how busy it is with other work."""
    return {
        "cores": os.cpu_count(),
        "cpu": _cpu(),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "sqlite": sqlite3.sqlite_version,
        "load": round(os.getloadavg()[0], 1),  # processes that ran or waited, over the last minute
    }


def _cpu() -> str:
    info = Path("/proc/cpuinfo")
    lines = info.read_text("utf-8").splitlines() if info.is_file() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or "unknown"


def commit() -> str | None:
    """The commit that was measured, with a mark if files differ from it; None outside a checkout."""
    try:
        told = subprocess.run(
            ["git", "-C", str(ROOT), "describe", "--always", "--dirty", "--abbrev=10"],
            check=True, capture_output=True, text=True,
        )  # fmt: skip
    except (OSError, subprocess.CalledProcessError):
        return None
    return told.stdout.strip()


@dataclass(frozen=True)
class Taken:
    """What a process took: seconds by the clock, seconds of the processor, and its peak of memory."""

    wall: float
    cpu: float
    peak_mb: int

    def as_json(self) -> dict[str, float]:
        """Rounded."""
        return {"wall": round(self.wall, 3), "cpu": round(self.cpu, 3), "peak_mb": self.peak_mb}


def process(command: Sequence[str], env: Mapping[str, str] | None = None) -> Taken:
    """Runs a command to its end and tells what it and its own children took. Raises RuntimeError."""
    start = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=env) as running:
        assert running.stderr is not None
        told = running.stderr.read()
        _, status, used = os.wait4(running.pid, 0)
        wall = time.perf_counter() - start
        running.returncode = os.waitstatus_to_exitcode(status)
    if running.returncode:
        raise RuntimeError(f"{' '.join(command)[:200]} ended with {running.returncode}: {told.decode()}")
    return Taken(wall, used.ru_utime + used.ru_stime, used.ru_maxrss // 1024)


def median(taken: Sequence[Taken]) -> Taken:
    """Of each figure the median."""
    return Taken(
        statistics.median(one.wall for one in taken),
        statistics.median(one.cpu for one in taken),
        max(one.peak_mb for one in taken),
    )


def storyheat(*arguments: str) -> list[str]:
    """The command as a process of this Python."""
    return [sys.executable, "-m", "storyheat", *arguments]


def compile_all() -> None:
    """Compiles the package, as installers do; else every process of a fresh checkout would do so first."""
    compileall.compile_dir(ROOT / "src" / "storyheat", quiet=2)
