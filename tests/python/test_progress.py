"""What a run without a terminal says while it goes on."""

import pytest
from tasuki.output import progress
from tasuki.output.progress import Progress


def test_without_a_terminal_runs_are_told_at_times(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    now_s = 100.0
    monkeypatch.setattr(progress.time, "monotonic", lambda: now_s)
    with Progress(3) as shown:
        shown.begin_figure("fig6", "Speed-up")
        shown.begin_step("IS")
        now_s += 11
        shown.begin_step("CG")
        shown.begin_step("MG")
    assert capsys.readouterr().err.splitlines() == [
        "fig6: Speed-up (0 of 3 runs done)",
        "run 2 of 3: CG",
    ]
