"""The work of `tasuki run --tuned`: runs a command with the library preloaded, and tells which
collectives Tasuki carried out."""

import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from tasuki.launcher.options import RunOptions
from tasuki.launcher.supervisor import say
from tasuki.profile import preload
from tasuki.profile.profiled_program import ProfiledProgram
from tasuki.tuned.mpirun_words import words_of_launcher
from tasuki.tuned.prediction_report import RankReport, read_reports
from tasuki.tuned.predictions import COLUMNS as PREDICTED_COLUMNS
from tasuki.tuned.predictions import rows_of
from tasuki.tuned.usage import Usage

REPORT_SETTING = "TASUKI_TUNED_REPORT"
PREDICT_REPORT_SETTING = "TASUKI_PREDICT_REPORT"
EARLIER_SETTING = "TASUKI_PREDICT_EARLIER"
BOUNCE_SETTING = "TASUKI_PREDICT_BOUNCE"
OPEN_MPI_PASSES_ON = "mca_base_env_list"
EXAMPLE = "tasuki run --tuned -- mpirun -n 4 ./program"
COLUMNS = ("collective", "carried out by", "because of", "calls", "mean bytes")


def run_tuned(options: RunOptions, policy: str) -> int:
    """Runs the command of the options and returns its exit code. `policy` is a file's path, `auto`
    or `default`.

    Raises CommandError if it cannot be started.
    """
    environment = preload.preloaded_environment("run")
    preload.warn_of_others(options.command, "run --tuned")
    with tempfile.TemporaryDirectory(prefix="tasuki-tuned-") as folder:
        usage, predictions = (Path(folder) / name for name in ("usage", "predictions"))
        usage.touch()
        environment |= preload.tuned_settings(policy, options.predict) | {
            REPORT_SETTING: str(usage)
        }
        if options.predict == "always" and PREDICT_REPORT_SETTING not in environment:
            predictions.touch()
            environment[PREDICT_REPORT_SETTING] = str(predictions)
        if options.predict_earlier is not None:
            environment[EARLIER_SETTING] = options.predict_earlier
        if options.predict_bounce is not None:
            environment[BOUNCE_SETTING] = options.predict_bounce
        command, settings = passing_on(options.command, environment)
        program = ProfiledProgram(command, environment | settings, None, "run", EXAMPLE)
        exit_code = program.watch(lambda: None, None)
        _show(Usage(usage))
        if predictions.exists():
            _show_predictions(read_reports(predictions.read_text().splitlines()))
    return exit_code


def passing_on(
    command: Sequence[str], environment: Mapping[str, str]
) -> tuple[list[str], dict[str, str]]:
    """The command, and settings, by which Open MPI gives ranks on other hosts the library too; all
    ranks of a job must have it. MPICH passes everything on. Open MPI refuses the setting beside
    `-x`, by which the user says what ranks get. The reports are files of this host."""
    changed = list(command)
    own = words_of_launcher(command)
    if any(command[index] == "-x" for index in own):
        return changed, {}
    reports = (REPORT_SETTING, PREDICT_REPORT_SETTING)
    names = [name for name in environment if name.startswith("TASUKI_") and name not in reports]
    names.insert(0, preload.NAME)
    # --mca mca_base_env_list VALUE outdoes the environment; after the first part of a job it does
    # so for Open MPI 5 alone.
    for index in own:
        if command[index - 1] == OPEN_MPI_PASSES_ON:
            changed[index] = _env_list(command[index], names)
    setting = f"OMPI_MCA_{OPEN_MPI_PASSES_ON}"
    return changed, {setting: _env_list(environment.get(setting, ""), names)}


def _env_list(given: str, names: Sequence[str]) -> str:
    """Open MPI's list of variables, some with =VALUE, that has all of the names."""
    items = [item for item in given.split(";") if item]
    there = {item.partition("=")[0] for item in items}
    return ";".join([*items, *(name for name in names if name not in there)])


def _show(usage: Usage) -> None:
    """On standard error: standard output is the program's."""
    from tasuki.output.report import print_table

    if usage.ranks_count == 0:
        say("no rank has ended MPI with tuned collectives: see what the ranks have printed")
        return
    title = (
        f"collectives of {usage.ranks_text()}: {usage.by_tasuki_count()} calls by Tasuki,"
        f" {usage.native_count()} by the MPI library"
    )
    print_table(title, COLUMNS, usage.rows(), file=sys.stderr)


def _show_predictions(ranks: list[RankReport]) -> None:
    from tasuki.output.report import print_table

    if rows := rows_of(ranks):
        print_table("predicted messages", PREDICTED_COLUMNS, rows, file=sys.stderr)
