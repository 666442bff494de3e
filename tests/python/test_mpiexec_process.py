"""How the launcher ends an mpiexec whose hosts are watched; mpiexec is a shell here."""

import os
import signal
from collections.abc import Callable, Iterator

import pytest
from tasuki.launcher import mpiexec_process
from tasuki.launcher.host_watch import Verdict
from tasuki.launcher.mpiexec_process import HOST_VANISHED, MpiexecProcess

HAS_VANISHED = "host h1 with rank 1 has vanished"
# What a rank does that ends with 73: rank 0 and that code, as of the exit record.
RECORDS_HOST_VANISHED = (
    "printf '\\000\\000\\000\\000\\111\\000\\000\\000' >> ${TASUKI_EXIT_RECORD%% *}"
)


class FakeWatch:
    """Has its verdict as soon as `when` says so."""

    def __init__(self, when: Callable[[], bool], ranks_know: bool) -> None:
        self._when = when
        self._ranks_know = ranks_know

    def verdict(self) -> Verdict | None:
        return Verdict(HAS_VANISHED, self._ranks_know) if self._when() else None

    def is_joining(self) -> bool:
        return False

    def end(self, with_job: bool = False) -> None:
        pass


@pytest.fixture
def watch() -> Iterator[Callable[[str, FakeWatch], int]]:
    mask_before = signal.pthread_sigmask(signal.SIG_BLOCK, ())

    def watch(script: str, host_watch: FakeWatch) -> int:
        environment = dict(os.environ)
        return MpiexecProcess(["sh", "-c", script], environment, True, host_watch).watch()

    yield watch
    signal.pthread_sigmask(signal.SIG_SETMASK, mask_before)


def test_ranks_have_their_time_for_last_words_after_a_verdict(watch, tmp_path, monkeypatch):
    monkeypatch.setattr(mpiexec_process, "VANISHED_GRACE_S", 4.0)
    monkeypatch.setattr(mpiexec_process, "RANKS_SPEAK_S", 600.0)
    said = tmp_path / "said"
    ends_later = f"sleep 5; {RECORDS_HOST_VANISHED}; sleep 1.5; echo words > {said}; exec sleep 600"
    assert watch(ends_later, FakeWatch(lambda: True, ranks_know=True)) == HOST_VANISHED
    assert said.exists()


def test_a_verdict_that_comes_while_mpiexec_ends_is_told(watch, tmp_path, capsys):
    ended = tmp_path / "ended"
    assert watch(f"touch {ended}; exit 9", FakeWatch(ended.exists, False)) == HOST_VANISHED
    assert HAS_VANISHED in capsys.readouterr().err


def test_a_verdict_of_a_job_that_has_succeeded_counts_no_more(watch, tmp_path, capsys):
    ended = tmp_path / "ended"
    assert watch(f"touch {ended}", FakeWatch(ended.exists, False)) == 0
    assert capsys.readouterr().err == ""
