"""Programs that predict messages under the built libtasuki_mpi.so, and what their ranks report."""

import json
import os
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from preloaded import ALLOWED, library

SECONDS = 300


def on_cores(count: int) -> list[Path | str]:
    """Returns what to put before a command. On fewer cores than ranks those that wait yield."""
    return ["taskset", "--cpu-list", ",".join(map(str, sorted(os.sched_getaffinity(0))[:count]))]


def reports(
    command: Sequence[Path | str], folder: Path, mode: str, **settings: str
) -> tuple[subprocess.CompletedProcess[str], list[dict[str, Any]]]:
    """Runs a launcher's command with the library preloaded; the reports are in the order of ranks.

    The file of the reports is in `folder`.
    """
    report = folder / "report.jsonl"
    report.unlink(missing_ok=True)
    environment = {
        **os.environ,
        **ALLOWED,
        "LD_PRELOAD": str(library()),
        "TASUKI_PREDICT": mode,
        "TASUKI_PREDICT_REPORT": str(report),
        **settings,
    }
    ended = subprocess.run(
        command, env=environment, capture_output=True, text=True, timeout=SECONDS
    )
    lines = report.read_text().splitlines() if report.is_file() else []
    return ended, sorted((json.loads(line) for line in lines), key=lambda line: line["rank"])
