"""The work of `tasuki profile`: runs a command with the library preloaded, shows its profile."""

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from tasuki.base.errors import CommandError, usage_error
from tasuki.launcher.supervisor import say
from tasuki.profile import preload
from tasuki.profile.profiled_program import ProfiledProgram
from tasuki.profile.written_file import check_writable, written_file

if TYPE_CHECKING:
    from tasuki.profile.analysis import Analysis
    from tasuki.profile.collective_totals import CollectiveTotals
    from tasuki.profile.event_file import EventFile
    from tasuki.profile.hang_report import HangReport

FOLDER_SETTING = "TASUKI_PROFILE_FOLDER"
OUTPUT_SUFFIXES = (".html", ".json")
EXAMPLE = "tasuki profile -- mpirun -n 4 ./program"


class Wanted(NamedTuple):
    """What `tasuki profile` is to write, and how often while the program runs: the report as what
    its suffix says (`output`), a time line for Perfetto (`trace`), a message trace (`record`). With
    `tuned_settings` the command runs once more, with these in its environment, and its collectives
    are compared."""

    output: Path | None = None
    trace: Path | None = None
    record: Path | None = None
    every_s: float | None = None
    as_json: bool = False
    tuned_settings: Mapping[str, str] | None = None

    def check(self) -> None:
        """Raises CommandError if something cannot be written."""
        for path in (self.output, self.trace, self.record):
            if path is not None:
                check_writable(path)
        if self.output is not None and self.output.suffix not in OUTPUT_SUFFIXES:
            raise usage_error(
                "profile",
                f"-o {self.output}: the suffix says no form of the report",
                f"end it with {' or '.join(OUTPUT_SUFFIXES)}",
            )


def profile(command: list[str], wanted: Wanted) -> int:
    """Runs the command and returns its exit code. Raises CommandError if there is no profile."""
    wanted.check()
    environment = preload.preloaded_environment("profile")
    preload.warn_of_others(command, "profile")
    with _event_folder() as folder:
        environment[FOLDER_SETTING] = str(folder)
        # Standard output has the JSON object alone.
        stdout = sys.stderr if wanted.as_json else None
        program = ProfiledProgram(command, environment, stdout, "profile", EXAMPLE)
        exit_code = program.watch(lambda: _try_report(folder), wanted.every_s)
        tuned, refused = None, None
        if wanted.tuned_settings is not None and exit_code == 0:
            if _is_of_runtime(folder):
                refused = _no_tuned_run()
            else:
                tuned = _tuned_collectives(command, environment | dict(wanted.tuned_settings))
        files = _report(folder, command, exit_code, wanted, tuned)
        unfinished = _unfinished_ranks(files) if exit_code == 0 else ""
    if refused is not None:
        raise refused
    if unfinished:
        # As the launcher of MPICH 4.2 does now and then where a signal has ended a rank.
        say(f"the command ended with 0, but these ranks not by themselves: {unfinished}")
        return 1
    return exit_code


def _unfinished_ranks(files: "list[EventFile]") -> str:
    """As in "0, 3"; "" if all have come to their ends."""
    from tasuki.profile.event_file import State

    begun = (State.RUNNING, State.ABORTED)
    return ", ".join(str(one.rank) for one in files if one.state in begun)


def _is_of_runtime(folder: Path) -> bool:
    from tasuki.profile.event_file import Recorded, event_files

    return any(one.recorded == Recorded.RUNTIME for one in event_files(folder))


def _no_tuned_run() -> CommandError:
    return usage_error(
        "profile --beside-tuned",
        "the program's collectives are those of Tasuki's runtime already, so nothing was compared",
        "leave the option out; tasuki tune measures which algorithms are best for such programs",
    )


def _tuned_collectives(
    command: list[str], environment: dict[str, str]
) -> "list[CollectiveTotals] | None":
    """Those of a second run, of which the output is dropped; None if it fails."""
    from tasuki.profile.analysis import Analysis
    from tasuki.profile.collective_totals import collective_totals
    from tasuki.profile.event_file import event_files
    from tasuki.profile.job_events import JobEvents

    say("runs the command a second time, with tuned collectives")
    with _event_folder() as folder:
        environment[FOLDER_SETTING] = str(folder)
        program = ProfiledProgram(command, environment, subprocess.DEVNULL, "profile", EXAMPLE)
        exit_code = program.watch(lambda: None, None)
        files = event_files(folder)
        if exit_code != 0 or not files:
            say(f"the second run ended with exit code {exit_code}: nothing is compared")
            return None
        return collective_totals(Analysis(JobEvents(files)))


def _report(
    folder: Path,
    command: list[str],
    exit_code: int,
    wanted: Wanted,
    tuned: "list[CollectiveTotals] | None",
) -> "list[EventFile]":
    """Returns: the files that the report is of."""
    from tasuki.profile.analysis import Analysis
    from tasuki.profile.event_file import all_finished, event_files
    from tasuki.profile.hang_report import HangReport
    from tasuki.profile.job_events import JobEvents, Moment
    from tasuki.profile.missing_events import no_events_error

    now = Moment.now()
    files = event_files(folder)
    if not files:
        failure = no_events_error(command)
        if exit_code == 0:
            raise failure
        sys.stderr.write(f"{failure}\n")  # The command's own exit code says more.
        return files
    analysis = Analysis(JobEvents(files, now))
    # All processes have ended by now: that says nothing.
    state = None if all_finished(files) else HangReport(analysis, asks_system=False)
    _write(analysis, state, command, wanted, tuned)
    return files


def _write(
    analysis: "Analysis",
    state: "HangReport | None",
    command: list[str],
    wanted: Wanted,
    tuned: "list[CollectiveTotals] | None",
) -> None:
    from tasuki.output.report import print_json
    from tasuki.profile.message_record import write_record
    from tasuki.profile.page import write_page
    from tasuki.profile.rows import report_of
    from tasuki.profile.tables import print_tables
    from tasuki.profile.trace_file import write_trace

    # First: a reader of the tables may go away.
    if wanted.output is not None and wanted.output.suffix == ".html":
        write_page(analysis, state, command, wanted.output)
    elif wanted.output is not None:
        with written_file(wanted.output) as file:
            json.dump(report_of(analysis, state, tuned), file, indent=1)
    if wanted.trace is not None:
        write_trace(analysis, wanted.trace)
    if wanted.record is not None:
        write_record(analysis, command, wanted.record)
    if wanted.as_json:
        print_json(report_of(analysis, state, tuned))
    else:
        print_tables(analysis, tuned=tuned)
        if state is not None:
            state.print()


def _try_report(folder: Path) -> None:
    """The program goes on, whatever becomes of a report on the way."""
    try:
        _report_so_far(folder)
    except Exception as failure:
        say(f"no report so far: {failure}")


def _report_so_far(folder: Path) -> None:
    from tasuki.profile.analysis import Analysis
    from tasuki.profile.event_file import event_files
    from tasuki.profile.hang_report import HangReport
    from tasuki.profile.job_events import JobEvents, Moment
    from tasuki.profile.tables import print_tables

    now = Moment.now()
    files = event_files(folder)
    if not files:
        say("no rank has recorded an event so far")
        return
    analysis = Analysis(JobEvents(files, now))
    print_tables(analysis)
    HangReport(analysis, asks_system=True).print()


@contextmanager
def _event_folder() -> Iterator[Path]:
    """A fresh folder, which is removed afterwards, whatever happens."""
    try:
        # A rank that outlives its launcher may still make a file.
        made = tempfile.TemporaryDirectory(prefix="tasuki-profile-", ignore_cleanup_errors=True)
    except OSError as failure:
        raise CommandError(
            "profile",
            f"no folder for the events can be made: {failure.strerror}",
            "set TMPDIR to a folder that can be written",
        ) from failure
    with made as name:
        yield Path(name)
