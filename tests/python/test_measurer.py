"""The job that is asked for times: what does not apply, and that it ends."""

import json
import os

import pytest
from tasuki.base.errors import CommandError, ProgramError
from tasuki.bench.peers import WaitingJob
from tasuki.launcher.mpiexec import allow_root
from tasuki.measurement import measurer
from tasuki.measurement.jobs import Job
from tasuki.measurement.measurer import CHOSEN, Candidate, Cell, JobMeasurer

CELL = Cell("allreduce", 2, 4)
JOB = Job("program", (), 1, "shm")


@pytest.fixture
def script(monkeypatch):
    """Says which shell script the job is."""

    def become(text):
        monkeypatch.setattr(measurer, "command_of", lambda _: ["sh", "-c", text])

    return become


def _answering(**fields):
    answer = {"right": True, "same_bits": True, "unavailable": "", "samples_ns": [1e9]} | fields
    return f"while read command rest; do echo '{json.dumps(answer)}'; done"


def test_different_bits_do_not_apply_where_the_same_are_needed(script):
    script(_answering(same_bits=False))
    with JobMeasurer(JOB, needs_same_bits=True) as strict, JobMeasurer(JOB) as lenient:
        assert strict.measure(CELL, Candidate("native"), 1, 0) == []
        assert strict.measure(CELL, CHOSEN, 1, 0) == [1.0]
        assert lenient.measure(CELL, Candidate("native"), 1, 0) == [1.0]


def test_a_wrong_result_is_an_error(script):
    script(_answering(right=False))
    with pytest.raises(CommandError, match="wrong result"), JobMeasurer(JOB) as job:
        job.measure(CELL, Candidate("ring"), 1, 0)


def test_that_root_may_start_jobs_is_said_once(monkeypatch, capsys):
    """Seven times when each job of a reproduction said it."""
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    environment = {}
    for _ in range(2):
        allow_root(environment)
    assert capsys.readouterr().err.count("running as root") == 1
    assert set(environment.values()) == {"1"}


def test_a_job_that_does_not_end_is_ended(script, monkeypatch):
    monkeypatch.setattr(measurer, "END_S", 0.2)
    script("trap '' TERM; echo '{}'; while :; do read line || sleep 0.05; done")
    with pytest.raises(ZeroDivisionError), JobMeasurer(JOB) as job:
        job._ask("anything")
        raise ZeroDivisionError
    assert job._process.returncode == -9


def test_a_waiting_job_that_fails_to_start_does_not_stay(script, monkeypatch):
    script("exec sleep 60")
    waiting = WaitingJob(JOB)

    def fail(_):
        raise ProgramError("no answer", 1)

    monkeypatch.setattr(waiting._measurer, "_ask", fail)
    with pytest.raises(ProgramError):
        waiting.__enter__()
    assert waiting._measurer._process.returncode is not None
