"""What programs of ranks say when something is wrong, and how their jobs end."""

import ast
import re
import shlex
import subprocess
import sys

import pytest
from running_ranks import PROGRAMS, REPOSITORY, run_parts, run_ranks
from tasuki.base.programs import find_extension

EXPECTED = [
    "allreduce: input is not contiguous. Remedy: pass numpy.ascontiguousarray(array)",
    "allreduce: Sum does not apply to elements of a type without arithmetic here. Remedy: convert",
    "allreduce: Max does not apply to elements of complex128. Remedy: convert the array",
    "allreduce: BitwiseOr does not apply to elements of float64. Remedy: convert the array",
    "allreduce: input has elements of float64 (8 bytes), output of float32 (4 bytes). Remedy: give",
    "allreduce: the buffers hold 4 and 3 elements, but 4 go in and 4 come out on this rank",
    "allreduce: input is a list, which is no array. Remedy: pass a NumPy array",
    "allreduce: input is a OnDevice, which is no array. Remedy: pass a NumPy array",
    "allreduce: input is not contiguous. Remedy: pass a contiguous copy",
    "allreduce: Sum does not apply to elements of a type without arithmetic here. Remedy: convert",
    "broadcast: data may not be written. Remedy: pass an array of one's own",
    "broadcast: root 7 of a team of 1 ranks. Remedy: give a root from 0 to 0",
    "using a team: the team is empty",
]


def test_arrays_that_do_not_fit(tasuki):
    result = run_ranks(tasuki, PROGRAMS / "wrong_arrays.py", 1)
    assert (result.returncode, result.stderr) == (0, "")
    lines = result.stdout.splitlines()
    prefix = "tasuki: rank 0: "
    assert len(lines) == len(EXPECTED)
    for line, expected in zip(lines, EXPECTED, strict=True):
        assert line.startswith(prefix + expected), line


def program(tmp_path, body):
    path = tmp_path / "program.py"
    path.write_text(f"import os, signal, sys\nfrom tasuki import ranks\n{body}")
    return path


@pytest.mark.parametrize("transport", ["shm", "ompi"])
def test_an_exception_from_main_ends_the_job(tasuki, tmp_path, transport):
    body = """def main():
    sys.stdout.write(f"begun {ranks.rank()}\\n")
    if ranks.rank() == 1:
        raise ValueError("bad input")
    ranks.barrier()
ranks.run(main)
"""
    result = run_ranks(tasuki, program(tmp_path, body), 2, transport)
    assert result.returncode == 70
    assert "begun 1\n" in result.stdout
    assert 'raise ValueError("bad input")\nValueError: bad input\n' in result.stderr
    assert "tasuki: rank 1: running the program: it raised ValueError." in result.stderr


def test_a_traceback_is_one_write(tasuki, tmp_path):
    body = """class Shown:
    def write(self, text):
        os.write(1, f"[{text}]".encode())
    def flush(self):
        pass
def main():
    sys.stderr = Shown()
    raise ValueError("bad input")
ranks.run(main)
"""
    result = run_ranks(tasuki, program(tmp_path, body), 1)
    assert result.returncode == 70, result.stderr
    assert result.stdout.startswith("[Traceback (most recent call last):\n"), result.stdout
    assert result.stdout.endswith("\nValueError: bad input\n]") and result.stdout.count("[") == 1


@pytest.mark.parametrize(
    "broken",
    ["sys.stderr.close()", "sys.stderr = Broken()", "sys.stdout = Broken()", "del sys.stderr"],
)
def test_a_broken_stream_hides_no_exception(tasuki, tmp_path, broken):
    body = f"""class Broken:
    def write(self, text):
        raise OSError("no write")
    def flush(self):
        raise OSError("no flush")
def main():
    {broken}
    raise ValueError("bad input \\udcff")
ranks.run(main)
"""
    result = run_ranks(tasuki, program(tmp_path, body), 1)
    assert result.returncode == 70, result.stderr
    assert "tasuki: rank 0: running the program: it raised ValueError." in result.stderr
    if broken != "del sys.stderr":  # Of which the interpreter takes that it wants no traceback.
        assert "\nValueError: bad input \\udcff\n" in result.stderr


def test_a_hook_for_exceptions_prints_by_itself(tasuki, tmp_path):
    body = """sys.excepthook = lambda kind, value, _: print(f"hook: {value}", file=sys.stderr)
def main():
    raise ValueError("bad input")
ranks.run(main)
"""
    result = run_ranks(tasuki, program(tmp_path, body), 1)
    assert result.returncode == 70
    assert result.stderr.startswith("hook: bad input\ntasuki: rank 0: "), result.stderr


WATCHED_ABORT = r"""
#include <mpi.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static int was_asked = 0;

/* Is what standard error has been given still unread? */
int ioctl(int descriptor, unsigned long request, ...) {
  va_list values;
  va_start(values, request);
  void* const place = va_arg(values, void*);
  va_end(values);
  if (descriptor == 2 && request == FIONREAD) was_asked = 1;
  return syscall(SYS_ioctl, descriptor, request, place);
}

int MPI_Abort(MPI_Comm comm, int code) {
  FILE* const report = fopen(getenv("REPORT"), "a");
  fputs(was_asked ? "asked" : "not asked", report);
  fclose(report);
  return PMPI_Abort(comm, code);
}
"""


@pytest.mark.parametrize(("transport", "compiler"), [("ompi", "openmpi"), ("mpich", "mpich")])
def test_what_a_rank_says_is_read_before_mpi_aborts(tasuki, tmp_path, transport, compiler):
    source, library, report = (tmp_path / name for name in ("abort.c", "abort.so", "report"))
    source.write_text(WATCHED_ABORT)
    made = ["-w", "-shared", "-fPIC", source, "-o", library]
    subprocess.run([f"mpicc.{compiler}", *made], check=True)
    path = program(tmp_path, "def main():\n    raise ValueError\nranks.run(main)\n")
    words = [f"LD_PRELOAD={library}", f"REPORT={report}", sys.executable, path]
    result = run_parts(tasuki, [(1, ["env", *words])], transport)
    assert (result.returncode, report.read_text()) == (70, "asked"), result.stderr


@pytest.mark.parametrize("transport", ["shm", "ompi"])
def test_exit_codes_are_those_of_sys_exit(tasuki, tmp_path, transport):
    body = "ranks.run(lambda: sys.exit(3))\n"
    assert run_ranks(tasuki, program(tmp_path, body), 2, transport).returncode == 3


def test_a_rank_that_dies_ends_the_job(tasuki, tmp_path):
    body = """def main():
    if ranks.rank() == 1:
        os.kill(os.getpid(), signal.SIGKILL)
    ranks.barrier()
ranks.run(main)
"""
    result = run_ranks(tasuki, program(tmp_path, body), 2)
    assert result.returncode == 128 + 9
    assert "rank 1" in result.stderr and "SIGKILL" in result.stderr


PARTS = """
def shown(failure):
    print([failure.rank, failure.operation, failure.happened, failure.remedy])
    assert all(text in str(failure) for text in (failure.operation, failure.happened))

def fail():
    raise ValueError("bad input")

def main():
    for rank, argument in ((7, None), (0, (one for one in ()))):
        try:
            ranks.invoke(rank, print, argument)
        except ranks.Error as failure:
            shown(failure)
    try:
        ranks.invoke(0, fail)
    except ValueError as failure:
        shown(failure.__cause__)

ranks.run(main)
"""


def test_the_parts_of_an_error_are_attributes(tasuki, tmp_path):
    result = run_ranks(tasuki, program(tmp_path, PARTS), 1)
    assert result.returncode == 0, result.stderr
    of_extension, of_python, of_remote = map(ast.literal_eval, result.stdout.splitlines())
    assert of_extension[:2] == [0, "invoke"]
    assert of_extension[2].startswith("rank 7 does not exist")
    assert of_python[:2] == [0, "calling print"]
    assert of_python[2].startswith("it or an argument cannot be pickled: ")
    assert of_python[3] == "pass what pickle or cloudpickle takes: no open files, locks or threads"
    assert of_remote == [
        0, "remote call of fail on rank 0", "ValueError: bad input",
        "see the traceback of that rank",
    ]  # fmt: skip


FAR = """
import asyncio
from tasuki.ranks import extension

def several_lines():
    raise ValueError("first line\\nsecond line")

def after_another():
    try:
        several_lines()
    except ValueError as failure:
        raise KeyError("missing") from failure

def of_tasuki():
    raise extension.make_error("reading", "it has ended", "start anew")

def group():
    raise ExceptionGroup("two of them", [ValueError("one"), KeyError("other")])

def wrong_code():
    exec("1 +")

def full_stop():
    raise ValueError("It has ended.")

def nested():
    try:
        ranks.invoke(0, several_lines)
    except ValueError as failure:
        raise failure.__cause__

def noted():
    failure = ValueError("noted")
    failure.__notes__ = ["a note"]
    raise failure

class Raising:
    # Arrives as a function of C, which raises what has no frames, but a cause that has some.
    def __reduce__(self):
        return raising, ()

def raising():
    failure = TypeError("without frames")
    try:
        several_lines()
    except ValueError as cause:
        failure.__cause__ = cause
    future = asyncio.Future(loop=asyncio.new_event_loop())
    future.set_exception(failure)
    return future.result

def main():
    functions = [several_lines, after_another, of_tasuki, wrong_code, full_stop, nested, noted]
    for function in functions + ([group] if sys.version_info >= (3, 11) else []):
        try:
            ranks.invoke(0, function)
        except Exception as failure:
            shown(failure.__cause__ or failure)  # A RemoteError comes as itself.
    for function, arguments in ((int, ["seven"]), (Raising(), [])):
        try:
            ranks.invoke(0, function, *arguments)
        except Exception as failure:
            shown(failure.__cause__)

def shown(failure):
    print([failure.function, failure.happened, failure.remedy, str(failure)])

ranks.run(main)
"""
OF_TRACEBACK = "see the traceback of that rank"


def test_what_was_raised_on_another_rank_is_said_with_its_traceback(tasuki, tmp_path):
    result = run_ranks(tasuki, program(tmp_path, FAR), 1)
    assert result.returncode == 0, result.stderr
    said = {name: words for name, *words in map(ast.literal_eval, result.stdout.splitlines())}
    assert said["several_lines"][:2] == ["ValueError: first line", OF_TRACEBACK]
    assert said["after_another"][:2] == ["KeyError: 'missing'", OF_TRACEBACK]
    assert said["of_tasuki"][:2] == ["rank 0: reading: it has ended", "start anew"]
    assert said["wrong_code"][:2] == ["SyntaxError: invalid syntax", OF_TRACEBACK]
    assert said["full_stop"][:2] == ["ValueError: It has ended", OF_TRACEBACK]
    assert said["noted"][:2] == ["ValueError: noted", OF_TRACEBACK]
    assert said["Future.result"][:2] == ["TypeError: without frames", OF_TRACEBACK]
    happened = "rank 0: remote call of several_lines on rank 0: ValueError: first line"
    assert said["nested"][:2] == [happened, OF_TRACEBACK]
    if sys.version_info >= (3, 11):
        happened = "ExceptionGroup: two of them (2 sub-exceptions)"
        assert said["group"][:2] == [happened, OF_TRACEBACK]
    for name, (happened, remedy, text) in said.items():
        head = f"tasuki: rank 0: remote call of {name} on rank 0: {happened}. Remedy: {remedy}."
        assert text.startswith(head)
        assert text.count("Remedy: ") == (2 if name in ("of_tasuki", "nested") else 1)
        if name == "Future.result":
            assert "\nThe traceback of rank 0:\n" in text and ", in several_lines\n" in text
        elif name != "int":
            assert "\nThe traceback of rank 0:\n" in text and f", in {name}\n" in text
    assert said["int"][1] == "check what that function does on that rank; it threw this exception"
    assert said["int"][2].endswith(
        f"literal for int() with base 10: 'seven'. Remedy: {said['int'][1]}."
    )


def test_what_one_rank_says_of_an_array_is_said_on_all_as_it_is(tasuki, tmp_path):
    """Also if it reads like the beginning of a remedy."""
    body = """from tasuki.ranks import array_description, extension
def make():
    if ranks.rank() == 1:
        raise extension.make_error("making", "it has ended. Remedy: none", "start anew")

def main():
    try:
        array_description.made_on_all("making", ranks.world_team(), make)
    except ranks.Error as failure:
        sys.stdout.write(f"{failure.happened}|{failure.remedy}\\n")

ranks.run(main)
"""
    result = run_ranks(tasuki, program(tmp_path, body), 2)
    said = "on rank 1 of the team: it has ended. Remedy: none|start anew"
    assert result.stdout.splitlines() == [said, said], result.stderr


def test_outside_run_the_remedy_is_said(tasuki, tmp_path):
    result = run_ranks(tasuki, program(tmp_path, "ranks.rank()\n"), 1)
    assert "this thread does not run a rank" in result.stderr
    assert "Remedy: call Tasuki only from the function given to tasuki::run" in result.stderr


def test_a_wrong_setting_is_said_once(tasuki, tmp_path):
    tasuki.environment["TASUKI_RING_BYTE"] = "1"
    path = program(tmp_path, "ranks.run(lambda: print('begun'))\n")
    command = [sys.executable, str(path)]
    result = subprocess.run(command, env=tasuki.environment, capture_output=True, text=True)
    assert (result.returncode, result.stdout) == (69, "")
    assert "TASUKI_RING_BYTE is not a setting of Tasuki" in result.stderr


def test_ranks_with_other_extension_modules_run(tasuki, installed, tmp_path):
    """They were made of the same sources, so that their ranks are those of several programs."""
    own = find_extension("tasuki_ranks")
    content = own.read_bytes()
    note = re.search(rb"\x04\x00{3}.\x00{3}\x03\x00{3}GNU\x00", content, re.DOTALL)
    assert note is not None
    changed = content[: note.end()] + bytes([content[note.end()] ^ 1]) + content[note.end() + 1 :]
    (installed.package / "lib").mkdir()
    (installed.package / "lib" / own.name).write_bytes(changed)
    text = "@ranks.named\ndef one():\n  return 1\nranks.run(lambda: print(one.invoke(0)))\n"
    path = program(tmp_path, text)
    other = f"PYTHONPATH={shlex.quote(str(installed.package.parent))}"
    python = shlex.join([sys.executable, str(path)])
    script = f"if [ $TASUKI_RANK = 1 ]; then export {other}; fi; exec {python}"
    result = tasuki("run", "-n", 2, "sh", "-c", script)
    assert (result.returncode, result.stdout, result.stderr) == (0, "1\n1\n", "")


def test_without_the_extension_the_remedy_is_said(installed):
    command = [sys.executable, "-c", "import tasuki; from tasuki import ranks"]
    result = subprocess.run(command, env=installed.environment, capture_output=True, text=True)
    assert "its extension module is not part of this build" in result.stderr
    assert "apt install python3-dev" in result.stderr


STUCK = """
def stuck():
    ranks.Sync().read()

@ranks.named
def caller():
    ranks.invoke(0, stuck)

def main():
    if ranks.rank() == 0:
        caller.invoke(1)

ranks.run(main)
"""


def test_hang_reports_name_functions_of_python(tasuki, tmp_path):
    result = run_ranks(tasuki, program(tmp_path, STUCK), 2)
    assert result.returncode == 72
    assert "main waits for the result of caller on rank 1" in result.stderr
    place = re.escape("stuck (program.py:")
    assert re.search(
        rf"caller called by rank 0 waits for the result of {place}\d+\) on rank 0", result.stderr
    )
    assert re.search(rf"{place}\d+\) called by rank 1 waits for a value", result.stderr)


UNHEARD = """
import threading, time

@ranks.named
def fail():
    raise ValueError("unheard")

def main():
    held = [fail.ainvoke(0)]
    while not held[0].ready():
        ranks.yield_()
    threading.Thread(target=held.clear).start()
    deadline = time.monotonic() + 100
    while time.monotonic() < deadline:  # The report ends the job.
        ranks.yield_()

ranks.run(main)
"""


def test_a_failure_that_another_thread_drops_is_reported(tasuki, tmp_path):
    result = run_ranks(tasuki, program(tmp_path, UNHEARD), 1)
    assert result.returncode != 0
    assert "call of fail on rank 0, whose result nobody waits for, threw" in result.stderr
    assert "ValueError: unheard" in result.stderr


def test_interpreters_that_check_the_stack_are_refused(tasuki):
    code = "import sys; sys.version_info = (3, 14, 0); import tasuki.ranks"
    command = [sys.executable, "-c", code]
    result = subprocess.run(command, env=tasuki.environment, capture_output=True, text=True)
    assert result.returncode == 1
    assert "it is not tested with Python" in result.stderr
    assert "3.14.0 allows no stacks but those of its own threads" in result.stderr
    assert "Remedy: run the ranks with Python 3.10 to 3.13" in result.stderr


def test_importing_the_package_loads_no_extension():
    code = "import sys, tasuki, tasuki.rpc.client; sys.exit('tasuki.ranks' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=REPOSITORY / "python").returncode == 0
