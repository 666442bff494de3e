"""GridRPC and Ninf's calls: the examples of the guide, and errors by their names."""

import ctypes
import gc
import itertools
import os
import re
import shutil
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import tasuki
from conftest import REPOSITORY, wait_for
from demo_server import needs_server
from serving import Serving
from tasuki.base.programs import BUILD_TREE, find_library

pytestmark = needs_server
LAYOUTS = Path(__file__).parent / "routines"
VOID = -1
NO_SERVER = "tasuki://localhost:1"
PRODUCT = "2 1\n4 3\n"


class Handle(ctypes.Structure):
    """grpc_function_handle_t."""

    _fields_ = (("number", ctypes.c_int64),)


class Grid:
    """The library's functions without their prefix; what they return is an error's name."""

    def __init__(self) -> None:
        self._library = ctypes.CDLL(str(find_library("tasuki_client")))
        self._library.grpc_error_string.restype = ctypes.c_char_p
        self._library.tasuki_client_error_text.restype = ctypes.c_char_p

    def __getattr__(self, name: str):
        function = getattr(self._library, f"grpc_{name}")
        return lambda *arguments: self.name_of(function(*arguments))

    def name_of(self, error: int) -> str:
        name = self._library.grpc_error_string(error).decode()
        assert name.startswith("GRPC_")
        return name.removeprefix("GRPC_")

    def text(self) -> str:
        """What has happened to the thread's last call that failed."""
        return self._library.tasuki_client_error_text().decode()

    def handle(self, url: str, function: str) -> Handle:
        made = Handle()
        assert self.function_handle_init(ctypes.byref(made), url.encode(), function.encode()) == OK
        return made

    def begin(self, handle: Handle, *arguments: object) -> int:
        session = ctypes.c_int()
        error = self.call_async(ctypes.byref(handle), ctypes.byref(session), *arguments)
        assert error == OK, self.text()
        return session.value


OK = "NO_ERROR"
GRID = Grid()


@pytest.fixture(scope="module")
def served(tmp_path_factory) -> Iterator[Serving]:
    """The modules matrices, stats and layouts."""
    folder = tmp_path_factory.mktemp("served")
    for name in ("matrices.idl", "counter.idl"):
        shutil.copy(REPOSITORY / "examples" / name, folder)
    for file in LAYOUTS.glob("layouts.*"):
        shutil.copy(file, folder)
    serving = Serving(folder, "-n", 2)
    with serving:
        yield serving


@pytest.fixture
def grid() -> Iterator[Grid]:
    assert GRID.initialize(None) == OK
    yield GRID
    assert GRID.finalize() == OK


def run(name: str, *arguments: str, server: str = "") -> subprocess.CompletedProcess:
    environment = {key: value for key, value in os.environ.items() if key != "TASUKI_SERVER"}
    if server:
        environment["TASUKI_SERVER"] = server
    return subprocess.run(
        [BUILD_TREE / "bin" / f"example_{name}", *arguments],
        capture_output=True,
        text=True,
        timeout=300,
        env=environment,
    )


def matrix(*values: float) -> ctypes.Array:
    return (ctypes.c_double * len(values))(*values)


A, B = matrix(1, 2, 3, 4), matrix(0, 1, 1, 0)


def product_arguments(result: ctypes.Array) -> tuple[object, ...]:
    return ctypes.c_int(2), A, B, result


def test_a_program_calls_the_server_of_the_setting_or_of_a_file(served, tmp_path: Path) -> None:
    assert run("grid_product", server=served.url).stdout == PRODUCT
    config = tmp_path / "client.conf"
    config.write_text(f"server {NO_SERVER}\nserver {served.url}\nmode relay\nwire xdr\n")
    assert run("grid_product", str(config)).stdout == PRODUCT


def test_a_program_begins_sessions_waits_for_them_and_cancels_them(served) -> None:
    done = run("grid_sessions", served.url)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        "wait: GRPC_NO_ERROR",
        "wait_or: GRPC_NO_ERROR",
        "wait_and: GRPC_NO_ERROR",
        "2 1 4 3",
        "begun by rest: 1",
        "probe: GRPC_NOT_COMPLETED",
        "probe_or: GRPC_NONE_COMPLETED",
        "wait_any: GRPC_SESSION_FAILED",
        "the one cancelled: 1",
        "last_error_get_np: GRPC_SESSION_FAILED",
        "wait_all: GRPC_SESSION_FAILED",
        "the other one failed: 1",
        "get_error: GRPC_SESSION_FAILED",
    ]


def test_a_program_puts_arguments_on_a_stack(served) -> None:
    done = run("grid_stack", server=served.url)
    assert done.returncode == 0, done.stderr
    lines = ["GRPC_NO_ERROR", "0", "2 1, 4 3", "GRPC_NO_ERROR", "GRPC_NO_ERROR", "5, 5"]
    assert done.stdout.splitlines() == lines


def test_a_program_has_objects(served) -> None:
    done = run("grid_object", served.url, server=served.url)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        "invoke: GRPC_NO_ERROR",
        "invoke_async: GRPC_NO_ERROR",
        "begun by the second: 1",
        "wait: GRPC_NO_ERROR",
        "105 1100",
        "invoke_arg_stack: 0",
        "wait: GRPC_NO_ERROR",
        "125",
        "subtract: GRPC_FUNCTION_NOT_FOUND",
        "destruct: GRPC_NO_ERROR",
        "destructed: GRPC_INVALID_FUNCTION_HANDLE",
    ]
    server = tasuki.connect(served.url)
    wait_for(lambda: not server.kept)


def test_a_program_tells_where_the_time_of_its_calls_went(served, monkeypatch) -> None:
    monkeypatch.setenv("TASUKI_RPC_MODE", "hand-off")
    done = run("grid_report", server=served.url)
    assert done.returncode == 0, done.stderr
    last, status, of_session = done.stdout.splitlines()
    assert status == "done: 1"
    for line in (last, of_session):
        assert line.startswith("hand-off, 1 ranks: client 0.")
        client_s, *parts = map(float, re.findall(r"([0-9.]+) s", line))
        assert 0 < client_s < 60 and all(0 <= one <= client_s for one in parts)


def test_an_object_goes_on_while_calls_change_connections(grid: Grid, served) -> None:
    counter, now = Handle(), (ctypes.c_int64 * 1)()
    place = ctypes.byref(counter)
    assert grid.object_handle_init_np(place, served.url.encode(), b"stats/Counter") == OK
    for step in range(1, 4):
        session = ctypes.c_int()
        arguments = (ctypes.c_int64(step), now)
        assert grid.invoke_np(place, b"add", *arguments) == OK, grid.text()
        begun = grid.invoke_async_np(place, b"add", ctypes.byref(session), *arguments)
        assert (begun, grid.wait(session)) == (OK, OK), grid.text()
    assert now[0] == 100 + 2 * (1 + 2 + 3)
    [kept] = tasuki.connect(served.url).kept
    kept.free()
    assert grid.invoke_np(place, b"add", *arguments) == "SESSION_FAILED"
    assert "object" in grid.text()
    assert grid.object_handle_destruct_np(place) == OK


def test_a_program_without_a_server_says_what_to_do() -> None:
    done = run("grid_product")
    assert done.returncode == 1
    assert done.stderr.startswith("GRPC_SERVER_NOT_FOUND: tasuki: find a server: none is named.")
    assert "TASUKI_SERVER" in done.stderr
    assert "does not answer" in run("grid_product", server=NO_SERVER).stderr


def test_nothing_works_before_the_beginning_and_after_the_end() -> None:
    handle, pointer, one = Handle(), ctypes.POINTER(Handle)(), ctypes.c_int()
    sessions = (ctypes.c_int * 1)(1)
    calls = [
        ("finalize",),
        ("function_handle_default", ctypes.byref(handle), b"dmmul"),
        ("function_handle_init", ctypes.byref(handle), b"localhost", b"dmmul"),
        ("function_handle_destruct", ctypes.byref(handle)),
        ("get_handle", ctypes.byref(pointer), 1),
        ("call", ctypes.byref(handle)),
        ("call_async", ctypes.byref(handle), ctypes.byref(one)),
        ("call_argstack", ctypes.byref(handle), None),
        ("call_argstack_async", ctypes.byref(handle), ctypes.byref(one), None),
        ("wait", 1),
        ("wait_and", sessions, 1),
        ("wait_or", sessions, 1, ctypes.byref(one)),
        ("wait_all",),
        ("wait_any", ctypes.byref(one)),
        ("probe", 1),
        ("probe_or", sessions, 1, ctypes.byref(one)),
        ("cancel", 1),
        ("cancel_all",),
        ("get_error", 1),
        ("get_failed_sessionid", ctypes.byref(one)),
        ("object_handle_default_np", ctypes.byref(handle), b"Counter"),
        ("object_handle_init_np", ctypes.byref(handle), b"localhost", b"Counter"),
        ("object_handle_destruct_np", ctypes.byref(handle)),
        ("object_handle_get_from_session_np", ctypes.byref(pointer), 1),
        ("invoke_np", ctypes.byref(handle), b"add"),
        ("invoke_async_np", ctypes.byref(handle), b"add", ctypes.byref(one)),
        ("session_info_get_np", 1, None, None),
        ("get_last_info_np", None, None),
    ]
    for _ in range(2):
        for name, *arguments in calls:
            assert getattr(GRID, name)(*arguments) == "NOT_INITIALIZED", name
        assert GRID.initialize(None) == OK
        assert GRID.initialize(None) == "ALREADY_INITIALIZED"
        assert GRID.finalize() == OK


def test_configuration_files_that_are_wrong(tmp_path: Path) -> None:
    config = tmp_path / "client.conf"
    assert GRID.initialize(str(config).encode()) == "CONFIGFILE_NOT_FOUND"
    config.write_text("server localhost\nspeed high\n")
    assert GRID.initialize(str(config).encode()) == "CONFIGFILE_ERROR"
    assert f"{config}:2: 'speed' has no meaning" in GRID.text()
    assert GRID.wait_all() == "NOT_INITIALIZED"


def test_handles_of_what_is_not_there(grid: Grid, served) -> None:
    handle = Handle()
    place = ctypes.byref(handle)
    url = served.url.encode()
    assert grid.function_handle_default(place, b"dmmul") == "SERVER_NOT_FOUND"
    assert grid.function_handle_init(place, NO_SERVER.encode(), b"f") == "SERVER_NOT_FOUND"
    assert grid.function_handle_init(place, b"http://x", b"f") == "SERVER_NOT_FOUND"
    assert grid.function_handle_init(place, None, b"f") == "SERVER_NOT_FOUND"
    assert grid.function_handle_init(place, url, b"none") == "FUNCTION_NOT_FOUND"
    assert "matrices/dmmul" in grid.text()
    assert grid.function_handle_init(place, url, None) == "FUNCTION_NOT_FOUND"
    assert grid.function_handle_init(None, url, b"dmmul") == "INVALID_FUNCTION_HANDLE"
    assert grid.call(place) == "INVALID_FUNCTION_HANDLE"
    assert grid.call(None) == "INVALID_FUNCTION_HANDLE"
    handle = grid.handle(served.url, "dmmul")
    assert grid.function_handle_destruct(ctypes.byref(handle)) == OK
    assert grid.function_handle_destruct(ctypes.byref(handle)) == "INVALID_FUNCTION_HANDLE"
    assert grid.call(ctypes.byref(handle)) == "INVALID_FUNCTION_HANDLE"


def test_wrong_arguments_are_errors_at_once(grid: Grid, served) -> None:
    handle = grid.handle(served.url, "dmmul")
    place, session = ctypes.byref(handle), ctypes.c_int(7)
    result = matrix(0, 0, 0, 0)
    wrong = (ctypes.c_int(-1), result, result, result)
    assert grid.call(place, *wrong) == "OTHER_ERROR_CODE"
    assert "A has size n = -1" in grid.text()
    assert grid.call_async(place, ctypes.byref(session), *wrong) == "OTHER_ERROR_CODE"
    assert session.value == 7
    same = (ctypes.c_int(2), result, matrix(1, 2, 3, 4), result)
    assert grid.call(place, *same) == "OTHER_ERROR_CODE"
    assert "overlaps" in grid.text()
    assert grid.call_async(place, None, *product_arguments(result)) == "OTHER_ERROR_CODE"
    assert grid.call_argstack(place, None) == "OTHER_ERROR_CODE"


def test_sessions_that_there_are_not(grid: Grid) -> None:
    one, handle = ctypes.c_int(7), ctypes.POINTER(Handle)()
    for session in (0, 1, -1, 2**31 - 1):
        sessions = (ctypes.c_int * 1)(session)
        for error in (
            grid.wait(session),
            grid.wait_and(sessions, 1),
            grid.wait_or(sessions, 1, ctypes.byref(one)),
            grid.probe(session),
            grid.probe_or(sessions, 1, ctypes.byref(one)),
            grid.cancel(session),
            grid.get_error(session),
            grid.get_handle(ctypes.byref(handle), session),
        ):
            assert error == "INVALID_SESSION_ID"
    assert grid.wait_all() == grid.cancel_all() == grid.wait_any(ctypes.byref(one)) == OK
    assert one.value == VOID
    one.value = 7
    assert grid.get_failed_sessionid(ctypes.byref(one)) == OK
    assert one.value == VOID
    assert grid.wait_any(None) == grid.wait_and(None, 1) == "OTHER_ERROR_CODE"


def test_a_routine_that_fails_fails_its_session(grid: Grid, served) -> None:
    fails, multiplies = (grid.handle(served.url, name) for name in ("layouts/fail", "dmmul"))
    x, result = matrix(1, 2), matrix(0, 0, 0, 0)
    arguments = (ctypes.c_int(2), x, ctypes.c_int(1), ctypes.c_int(0))
    assert grid.call(ctypes.byref(fails), *arguments) == "SESSION_FAILED"
    assert "nothing for 2 numbers" in grid.text()
    bad, good = grid.begin(fails, *arguments), grid.begin(multiplies, *product_arguments(result))
    one, handle = ctypes.c_int(), ctypes.POINTER(Handle)()
    assert grid.wait_and((ctypes.c_int * 2)(good, bad), 2) == "SESSION_FAILED"
    assert "nothing for 2 numbers" in grid.text()
    assert list(result) == [2, 1, 4, 3]
    for expected in (bad, VOID):
        assert grid.get_failed_sessionid(ctypes.byref(one)) == OK
        assert one.value == expected
    assert grid.get_error(bad) == grid.wait(bad) == "SESSION_FAILED"
    assert grid.probe(bad) == OK  # It has ended; how, a wait tells.
    assert grid.get_error(good) == grid.wait(good) == grid.probe(good) == OK
    assert grid.get_handle(ctypes.byref(handle), bad) == OK
    assert handle.contents.number == fails.number
    assert grid.get_handle(ctypes.byref(handle), good) == "INVALID_SESSION_ID"


def test_questions_and_waits_tell_of_a_session_that_has_failed(grid: Grid, served) -> None:
    fails, rests = (grid.handle(served.url, name) for name in ("layouts/fail", "rest"))
    arguments = (ctypes.c_int(2), matrix(1, 2), ctypes.c_int(1), ctypes.c_int(0))
    bad, long = grid.begin(fails, *arguments), grid.begin(rests, ctypes.c_int(3600))
    sessions, one = (ctypes.c_int * 2)(long, bad), ctypes.c_int()
    for _ in range(2):  # Until somebody has waited for it.
        wait_for(lambda: grid.probe_or(sessions, 2, ctypes.byref(one)) == OK)
        assert one.value == bad
        assert grid.probe(bad) == OK
    assert grid.wait_or(sessions, 2, ctypes.byref(one)) == "SESSION_FAILED"
    assert one.value == bad
    assert grid.get_failed_sessionid(ctypes.byref(one)) == OK
    assert one.value == bad
    assert grid.probe_or(sessions, 2, ctypes.byref(one)) == "NONE_COMPLETED"
    assert one.value == VOID
    assert grid.cancel(bad) == OK  # It has ended.
    assert grid.cancel_all() == OK
    assert grid.wait_any(ctypes.byref(one)) == "SESSION_FAILED"
    assert one.value == long
    assert grid.wait_any(ctypes.byref(one)) == OK
    assert one.value == VOID
    assert grid.cancel(long) == OK


def test_sessions_go_on_at_the_same_time(grid: Grid, served) -> None:
    rests, deals = (grid.handle(served.url, name) for name in ("rest", "layouts/deal"))
    long = grid.begin(rests, ctypes.c_int(3600))
    a, d, e = np.ones((3, 4)), np.zeros((4, 3), complex), np.zeros(3, np.int16)
    b, c = np.ones(3, np.int8), np.ones(4, np.float32)
    pointers = [ctypes.c_void_p(one.ctypes.data) for one in (a, b, c, d, e)]
    short = grid.begin(deals, ctypes.c_int(3), ctypes.c_int(4), *pointers)
    one = ctypes.c_int()
    assert grid.wait_any(ctypes.byref(one)) == OK
    assert one.value == short
    assert a.tolist() == (2 * np.ones((3, 4))).tolist()
    assert grid.probe(long) == "NOT_COMPLETED"
    assert grid.get_error(long) == OK
    assert grid.cancel(long) == OK
    assert grid.wait(long) == "SESSION_FAILED"
    assert "the call was cancelled" in grid.text()
    assert grid.call(ctypes.byref(deals), ctypes.c_int(3), ctypes.c_int(4), *pointers) == OK


def test_threads_call_at_the_same_time(grid: Grid, served) -> None:
    handle = grid.handle(served.url, "dmmul")
    errors: list[str] = []

    def call() -> None:
        for _ in range(10):
            result = matrix(0, 0, 0, 0)
            error = grid.call(ctypes.byref(handle), *product_arguments(result))
            errors.append(error if list(result) == [2, 1, 4, 3] else "wrong result")

    threads = [threading.Thread(target=call) for _ in range(4)]
    for one in threads:
        one.start()
    for one in threads:
        one.join(timeout=300)
    assert errors == [OK] * 40


def test_connections_are_used_again_and_closed_at_the_end(served) -> None:
    def sockets_count() -> int:
        links = (Path("/proc/self/fd") / name for name in os.listdir("/proc/self/fd"))
        return sum(os.path.islink(one) and "socket:" in os.readlink(one) for one in links)

    gc.collect()  # Earlier tests may have left connections.
    before = sockets_count()
    assert GRID.initialize(None) == OK
    handle = GRID.handle(served.url, "dmmul")
    counts = set()
    for _ in range(5):
        assert GRID.call(ctypes.byref(handle), *product_arguments(matrix(0, 0, 0, 0))) == OK
        counts.add(sockets_count())
    for _ in range(5):
        result = matrix(0, 0, 0, 0)
        assert GRID.wait(GRID.begin(handle, *product_arguments(result))) == OK
        counts.add(sockets_count())
    assert len(counts) == 1 and before not in counts
    assert GRID.finalize() == OK
    assert sockets_count() == before


def test_the_end_cancels_what_goes_on(served) -> None:
    assert GRID.initialize(None) == OK
    GRID.begin(GRID.handle(served.url, "rest"), ctypes.c_int(3600))
    assert GRID.finalize() == OK


def test_a_server_that_ends_fails_its_sessions(tmp_path: Path) -> None:
    shutil.copy(REPOSITORY / "examples" / "matrices.idl", tmp_path)
    assert GRID.initialize(None) == OK
    serving = Serving(tmp_path)
    with serving:
        handle = GRID.handle(serving.url, "rest")
        session = GRID.begin(handle, ctypes.c_int(3600))
    assert GRID.wait(session) == "SESSION_FAILED"
    # The ranks may end before their server does.
    assert GRID.get_error(session) in ("COMMUNICATION_FAILED", "SESSION_FAILED")
    assert GRID.call(ctypes.byref(handle), ctypes.c_int(1)) == "COMMUNICATION_FAILED"
    assert GRID.finalize() == OK


def test_each_error_has_its_name() -> None:
    names = [GRID.name_of(number) for number in range(-1, 18)]
    assert names[0] == names[-1] == names[-2] == "UNKNOWN_ERROR_CODE"
    header = (REPOSITORY / "include/tasuki/grpc.h").read_text()
    declared = header.partition("enum {")[2].partition("};")[0]
    expected = [line.split("///")[0].strip(" ,\n") for line in declared.strip().splitlines()]
    assert [f"GRPC_{name}" for name in names[1:-2]] == expected[:-1]


def test_stacks_have_room_for_so_many_arguments() -> None:
    library = ctypes.CDLL(str(find_library("tasuki_client")))
    for name in ("new", "pop_arg"):
        getattr(library, f"grpc_arg_stack_{name}").restype = ctypes.c_void_p
    stack = ctypes.c_void_p(library.grpc_arg_stack_new(2))
    values = [ctypes.c_void_p(8), ctypes.c_void_p(16), ctypes.c_void_p(24)]
    assert [library.grpc_arg_stack_push_arg(stack, one) for one in values] == [0, 0, -1]
    taken = [library.grpc_arg_stack_pop_arg(stack) for _ in range(3)]
    assert taken == [16, 8, None]
    assert library.grpc_arg_stack_destruct(stack) == 0
    assert library.grpc_arg_stack_new(-1) is None


def test_the_guide_shows_the_routine() -> None:
    guide = (REPOSITORY / "docs" / "guide" / "calling-from-other-languages.md").read_text()
    assert f"```ninf\n{(REPOSITORY / 'examples' / 'matrices.idl').read_text()}```" in guide


def test_ninf_calls_by_name_and_by_address(served) -> None:
    assert run("ninf_product", server=served.url).stdout == PRODUCT
    port = served.url.rpartition(":")[2]
    assert run("ninf_product", "-server", "localhost", "-port", port).stdout == PRODUCT
    assert run("ninf_product", "-port", port, "matrices/dmmul").stdout == PRODUCT
    for scheme, name in itertools.product(("ninf", "tasuki"), ("dmmul", "matrices/dmmul")):
        assert run("ninf_product", f"{scheme}://localhost:{port}/{name}").stdout == PRODUCT


def test_ninf_sessions(served) -> None:
    done = run("ninf_sessions", server=served.url)
    assert done.stdout.splitlines() == ["0 1 1 0 0: 2 1 4 3", "0 0 -1 -1 0 1 -1"], done.stderr


def test_ninf_says_what_is_wrong(served) -> None:
    for arguments, server, expected in (
        ((), "", "dmmul: tasuki: find a server: TASUKI_SERVER is not set. Remedy: "),
        (("none",), served.url, "the server has no such routine. Remedy: it has "),
        (("ninf://localhost:1/dmmul",), "", "does not answer"),
    ):
        done = run("ninf_product", *arguments, server=server)
        assert done.returncode == 1
        assert expected in done.stderr


def test_texts_files_and_functions_by_grid_rpc_and_ninf(tmp_path: Path) -> None:
    for name in ("minimum.idl", "minimum.c"):
        shutil.copy(REPOSITORY / "examples" / name, tmp_path)
    serving = Serving(tmp_path / "minimum.idl")
    with serving:
        files = [tmp_path / one for one in ("first", "second", "third")]
        done = run("grid_search", *map(str, files[:2]), server=serving.url)
        steps = "40 steps by halving"
        assert done.stdout == f"minima at 3.000 and 3.000, {steps}, {steps}\n", done.stderr
        assert "the only method is halving" in done.stderr
        done = run("ninf_search", "-port", str(serving.port), str(files[2]))
        assert done.stdout == f"minimum at 3.000, {steps}\n", done.stderr
        for file, begin in zip(files, ("1\n2\n3\n", "4.5\n4\n", "1\n2\n3\n"), strict=True):
            assert file.read_text().startswith(begin)


def test_ninf_numbers_of_sessions_that_there_are_not() -> None:
    library = ctypes.CDLL(str(find_library("tasuki_client")))
    sessions = (ctypes.c_int * 1)(9999)
    assert library.Ninf_wait(9999) == -1
    assert library.Ninf_error() == -1
    assert "there is no session 9999" in GRID.text()
    assert library.Ninf_wait_all() == 0
    assert library.Ninf_error() == 0
    for result in (
        library.Ninf_probe(9999),
        library.Ninf_cancel(9999),
        library.Ninf_wait_and(sessions, 1),
        library.Ninf_wait_or(sessions, 1),
        library.Ninf_wait_any(),
        library.Ninf_call(None),
    ):
        assert result == -1
