"""What a server answers by HTTP: its JSON, its metrics, and requests that it refuses."""

import re
import signal
import socket
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import tasuki
from conftest import REPOSITORY, wait_for
from demo_server import connect_to, needs_server
from prometheus_client.parser import text_string_to_metric_families
from tasuki.rpc.errors import CallCancelledError, CallError, LostArrayError, LostObjectError
from web_server import WebServer

pytestmark = needs_server
BY_SOMEBODY = r"by somebody at 127\.0\.0\.1"


@pytest.fixture(scope="module")
def server(tmp_path_factory) -> Iterator[WebServer]:
    with WebServer(tmp_path_factory.mktemp("routines")) as started:
        yield started


def exchange(server: WebServer, sent: bytes) -> bytes:
    """All that comes until the server ends the connection."""
    with connect_to(server.port) as peer:
        peer.settimeout(60)
        peer.sendall(sent)
        received = b""
        while part := peer.recv(10_000):
            received += part
    return received


def test_status_tells_who_asks_and_what_there_is(server):
    status = server.ask("/api/status")
    assert (status["state"], status["user"], status["needs_token"]) == ("serving", "", False)
    assert set(status["calls"]) == {"queued", "running", "done", "failed", "cancelled"}
    assert status["uptime_seconds"] > 0 and status["connections"] >= 1


def test_routines_have_documentation_and_examples_that_name_this_server(server):
    modules = {one["module"]: one for one in server.ask("/api/routines")["modules"]}
    assert modules["linpack"]["ranks"] == 2 and modules["gates"]["ranks"] == 1
    [solve] = modules["linpack"]["routines"]
    assert solve["signature"].startswith("linpack.solve(")
    assert solve["arguments"][1] == {
        "argument": "A",
        "mode": "in",
        "type": "double (float64)",
        "shape": "[n][n]",
        "distribution": "(CYCLIC, *)",
    }
    found: dict[str, object] = {}
    exec(solve["examples"]["python"], found)
    np.testing.assert_allclose(found["A"] @ found["x"], found["b"])
    for language in ("python", "c", "shell"):
        assert f"tasuki://localhost:{server.port}" in solve["examples"][language]


def test_examples_name_the_server_as_the_request_does(server):
    [first, *_] = server.ask("/api/routines", Host="127.0.0.1:99")["modules"]
    assert "tasuki://127.0.0.1:99" in first["routines"][0]["examples"]["shell"]


def test_ranks_have_joined(server):
    server.connect().linpack.solve(np.eye(3), np.ones(3))

    def states() -> list[str]:
        modules = {one["module"]: one for one in server.ask("/api/ranks")["modules"]}
        return [one["state"] for one in modules["linpack"]["ranks"]]

    wait_for(lambda: states() == ["idle", "idle"])


def test_a_call_under_way_and_past(server):
    double_it = server.connect().gates.double_it
    server.gate.unlink()
    try:
        job = double_it.submit(np.ones(1000))
        [call] = wait_for(
            lambda: [
                one for one in server.ask("/api/calls")["current"] if one["state"] == "computing"
            ]
        )
        assert (call["module"], call["routine"]) == ("gates", "double_it")
        assert call["bytes"]["total"] == 16000
        assert call["client"]["host"] == "127.0.0.1"
        [gates] = [one for one in server.ask("/api/ranks")["modules"] if one["module"] == "gates"]
        assert gates["leased"] and gates["ranks"][0]["state"] == "computing"
        assert server.ask("/api/status")["calls"]["running"] == 1
    finally:
        server.gate.touch()
    np.testing.assert_array_equal(job.result(), np.full(1000, 2.0))
    past = wait_for(lambda: past_call(server, call["number"]))
    assert past["state"] == "done" and past["bytes"]["sent"] == 8000
    assert past["ranks"][0]["seconds"]["compute"] > 0


def current_calls(server: WebServer, state: str) -> list[dict]:
    return [one for one in server.ask("/api/calls")["current"] if one["state"] == state]


def delete(server: WebServer, path: str, **headers: str) -> int:
    return server.request(path, "DELETE", **headers)[0].status


def test_a_running_and_a_queued_call_are_cancelled_and_others_go_on(server):
    server.gate.unlink()
    try:
        running = server.connect().gates.double_it.submit(np.ones(10))
        [first] = wait_for(lambda: current_calls(server, "computing"))
        queued, later = (server.connect().gates.double_it.submit(np.ones(10)) for _ in range(2))
        second, third = wait_for(
            lambda: len(found := current_calls(server, "queued")) == 2 and found
        )
        other_site = {"Origin": "https://evil.example"}
        assert delete(server, f"/api/calls/{first['number']}", **other_site) == 403
        assert delete(server, f"/api/calls/{second['number']}") == 204
        wait_for(lambda: queued.done() or later.done())
        cancelled, left = (queued, later) if queued.done() else (later, queued)
        with pytest.raises(CallCancelledError, match=BY_SOMEBODY):
            cancelled.result()
        assert delete(server, f"/api/calls/{first['number']}") == 204
        with pytest.raises(CallCancelledError, match=BY_SOMEBODY):
            running.result(60)
    finally:
        server.gate.touch()
    np.testing.assert_array_equal(left.result(60), np.full(10, 2.0))
    for call in (first, second):
        past = wait_for(lambda call=call: past_call(server, call["number"]))
        assert past["state"] == "cancelled" and "by somebody at" in past["happened"]
    assert wait_for(lambda: past_call(server, third["number"]))["state"] == "done"


@pytest.mark.parametrize("mode", ["relay", "buffering", "original"])
def test_a_call_through_the_front_end_is_cancelled(server, mode):
    double_it = tasuki.connect(server.url, mode=mode).gates.double_it
    server.gate.unlink()
    try:
        job = double_it.submit(np.ones(10))
        [call] = wait_for(lambda: current_calls(server, "computing"))
        assert delete(server, f"/api/calls/{call['number']}") == 204
        with pytest.raises(CallCancelledError, match=BY_SOMEBODY):
            job.result(60)
    finally:
        server.gate.touch()
    np.testing.assert_array_equal(double_it(np.ones(10)), np.full(10, 2.0))


def test_calls_that_are_not_under_way_are_not_cancelled(server):
    server.connect().gates.double_it(np.ones(3))
    ended = wait_for(lambda: server.ask("/api/calls?past=1")["past"])[0]
    for number in (ended["number"], 10**30, "x", "-1", "%31"):
        assert delete(server, f"/api/calls/{number}") == 404
    assert server.connect().gates.double_it(np.ones(3)).sum() == 6


def test_arrays_and_objects_on_the_ranks_are_listed_and_freed(server):
    client = server.connect()
    before = len(server.ask("/api/arrays")["arrays"])
    matrix = client.put(np.eye(20), like=client.linpack.solve.A)
    tally = client.gates.Tally()
    listed = wait_for(
        lambda: len(found := server.ask("/api/arrays")["arrays"]) == before + 2 and found
    )
    array, thing = sorted(listed[-2:], key=lambda one: one["kind"])
    assert (array["name"], array["kind"], array["module"]) == (matrix.kept, "array", "linpack")
    assert (array["routine"], array["argument"], array["type"]) == ("solve", "A", "float64")
    assert (array["shape"], array["bytes"], array["user"]) == ([20, 20], 3200, "")
    assert array["seconds"]["left"] is None and not array["is_being_freed"]
    assert (thing["kind"], thing["module"], thing["class"]) == ("object", "gates", "Tally")
    assert delete(server, f"/api/arrays/{array['name']}", Origin="https://evil.example") == 403
    for one in (array, thing):
        assert delete(server, f"/api/arrays/{one['name']}") == 202
    wait_for(lambda: len(server.ask("/api/arrays")["arrays"]) == before)
    with pytest.raises(LostArrayError, match=f"freed {BY_SOMEBODY}"):
        client.linpack.solve(matrix, np.ones(20))
    with pytest.raises(LostObjectError, match=f"freed {BY_SOMEBODY}"):
        tally.add(np.ones(3))
    assert delete(server, f"/api/arrays/{array['name']}") == 404
    client.linpack.solve(np.eye(3), np.ones(3))


def test_what_a_call_uses_is_freed_after_it(server):
    client = server.connect()
    x = client.put(np.ones(10), like=client.gates.double_it.x)
    server.gate.unlink()
    try:
        job = client.gates.double_it.submit(x)
        wait_for(lambda: current_calls(server, "computing"))
        assert delete(server, f"/api/arrays/{x.kept}") == 202
        assert delete(server, f"/api/arrays/{x.kept}") == 202
        [listed] = [one for one in server.ask("/api/arrays")["arrays"] if one["name"] == x.kept]
        assert listed["is_being_freed"]
    finally:
        server.gate.touch()
    np.testing.assert_array_equal(job.result(), np.full(10, 2.0))
    wait_for(lambda: x.kept not in [one["name"] for one in server.ask("/api/arrays")["arrays"]])


def past_call(server: WebServer, number: int) -> dict | None:
    return next((one for one in server.ask("/api/calls")["past"] if one["number"] == number), None)


def test_a_call_that_fails_says_why(server):
    with pytest.raises(CallError):
        server.connect().gates.double_it(np.zeros(0))
    failed = wait_for(
        lambda: [one for one in server.ask("/api/calls")["past"] if one["state"] == "failed"]
    )
    assert 'x has <i>no</i> "elements"' in failed[0]["happened"]


def test_as_many_past_calls_as_are_asked_for(server):
    solve = server.connect().linpack.solve
    for _ in range(3):
        solve(np.eye(2), np.ones(2))
    wait_for(lambda: server.ask("/api/calls")["past"])
    assert len(server.ask("/api/calls?past=1")["past"]) == 1
    assert server.ask("/api/calls?past=0")["past"] == []
    assert server.request("/api/calls?past=-1")[0].status == 400
    assert server.request("/api/calls?past=x")[0].status == 400


def samples(server: WebServer) -> dict[tuple[str, tuple], float]:
    answer, text = server.request("/metrics")
    assert answer.headers["Content-Type"].startswith("text/plain; version=0.0.4")
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def test_metrics_are_in_the_format_of_prometheus(server):
    solve = server.connect().linpack.solve
    solve(np.eye(10), np.ones(10))
    routine = (("module", "linpack"), ("routine", "solve"))
    done = ("tasuki_calls_total", (routine[0], ("outcome", "done"), routine[1]))
    before = wait_for(lambda: samples(server).get(done))
    solve(np.eye(10), np.ones(10))
    after = wait_for(lambda: samples(server)[done] > before and samples(server))
    compute = (routine[0], ("phase", "compute"), routine[1])
    ended = sum(
        value
        for (name, labels), value in after.items()
        if name == "tasuki_calls_total" and set(routine) < set(labels)
    )
    assert after["tasuki_call_seconds_count", compute] == ended
    assert after["tasuki_call_seconds_sum", compute] > 0
    buckets = [
        (float(dict(labels)["le"]), value)
        for (name, labels), value in after.items()
        if name == "tasuki_call_seconds_bucket" and set(compute) < set(labels)
    ]
    assert [count for _, count in sorted(buckets)] == sorted(count for _, count in buckets)
    assert sorted(buckets)[-1] == (float("inf"), ended)
    # Whole arrays to the ranks: A by rows, and b to both.
    assert after["tasuki_call_bytes_total", (("direction", "in"), *routine)] >= 800
    assert after["tasuki_ranks", (("module", "linpack"), ("pool", "0"))] == 2
    assert after["tasuki_queue_length", (("module", "linpack"), ("pool", "0"))] == 0
    assert after["tasuki_connections", ()] >= 3


def test_head_has_the_same_head_and_no_body(server):
    whole, text = server.request("/")
    head, nothing = server.request("/", "HEAD")
    assert nothing == "" and text.startswith("<!doctype html>")
    assert head.headers["Content-Length"] == whole.headers["Content-Length"]


def test_each_answer_keeps_other_sites_out(server):
    for path in ("/", "/page.js", "/api/status", "/metrics", "/nowhere"):
        headers = server.request(path)[0].headers
        policy = headers["Content-Security-Policy"]
        assert policy.startswith("default-src 'none'; script-src 'self';")
        assert "unsafe" not in policy and "frame-ancestors 'none'" in policy
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert "Access-Control-Allow-Origin" not in headers


@pytest.mark.parametrize(
    "path", ["/nowhere", "/../etc/passwd", "/page", "/api", "/api/calls/", "/api/arrays/a/b", "//"]
)
def test_unknown_paths(server, path):
    assert server.request(path)[0].status == 404


def test_methods_that_make_no_sense(server):
    for path, method, allowed in (
        ("/", "POST", "GET"),
        ("/api/calls", "DELETE", "GET"),
        ("/api/calls/1", "GET", "DELETE"),
        ("/api/arrays", "DELETE", "GET"),
        ("/metrics", "PUT", "GET"),
        ("/login", "GET", "POST"),
        ("/api/status", "TRACE", "GET"),
    ):
        answer, _ = server.request(path, method)
        assert (answer.status, answer.headers["Allow"]) == (405, allowed), path


def test_names_of_other_sites_for_this_machine_are_refused(server):
    assert server.request("/api/status", Host=f"evil.example:{server.port}")[0].status == 421
    assert server.request("/api/status", Host='"><script>')[0].status == 400


def test_what_pages_of_other_sites_send_is_refused(server):
    assert server.request("/api/status", "POST", Origin="https://evil.example")[0].status == 403
    assert (
        server.request("/logout", "POST", Origin=f"http://localhost:{server.port}")[0].status == 204
    )


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (b"GET / HTTP/1.1\r\n\r\n", 400),  # It names no host.
        (b"nonsense\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"a" * 20_000 + b"\r\n\r\n", 431),
        (b"POST /api/status HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9999999\r\n\r\n", 413),
    ],
)  # fmt: skip
def test_bad_requests(server, sent, status):
    # Without another request nobody ends a connection that is good.
    last = b"GET /api/status HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    assert exchange(server, sent + last).startswith(b"HTTP/1.1 %d " % status)


def test_requests_follow_each_other_on_one_connection(server):
    one = b"GET /icon.svg HTTP/1.1\r\nHost: localhost\r\n"
    answers = exchange(server, one + b"\r\n" + one + b"Connection: close\r\n\r\n")
    assert answers.count(b"HTTP/1.1 200 OK") == 2


def test_slow_and_silent_browsers_hold_up_nobody(server):
    with connect_to(server.port) as slow:
        slow.sendall(b"GET /api/st")
        begin = time.monotonic()
        many = [connect_to(server.port) for _ in range(10)]
        assert server.ask("/api/status")["state"] == "serving"
        server.connect().linpack.solve(np.eye(3), np.ones(3))
        # The request has ten seconds in all, however its bytes come.
        slow.settimeout(0.5)
        received = b""
        while not received and time.monotonic() < begin + 100:
            try:
                received = slow.recv(1000)
            except TimeoutError:
                slow.sendall(b"a")
        assert received.startswith(b"HTTP/1.1 408 ")
        for one in many:
            one.close()


def test_browsers_leave_nothing_behind(server):
    def ask_often(_: int) -> None:
        for _ in range(20):
            server.ask("/api/status")

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(ask_often, range(8)))
    wait_for(lambda: server.ask("/api/status")["connections"] < 12)


def test_a_browser_and_a_client_share_the_port(server):
    with socket.create_connection(("localhost", server.port)) as half_open:
        half_open.sendall(b"\0")
        assert server.request("/")[0].status == 200


def test_the_requests_of_the_guide_are_answered(server):
    guide = (REPOSITORY / "docs" / "guide" / "server-page.md").read_text()
    requests = re.findall(r"^curl (?:-X (\S+) )?http://localhost:7777(\S+)$", guide, re.MULTILINE)
    assert len(requests) == guide.count("curl")
    server.gate.unlink()
    try:
        server.connect().gates.double_it.submit(np.ones(3))
        [call] = wait_for(lambda: current_calls(server, "computing"))
        for method, path in requests:
            own_path = re.sub(r"calls/\d+", f"calls/{call['number']}", path)
            assert server.request(own_path, method or "GET")[0].status in (200, 204), path
    finally:
        server.gate.touch()


def test_a_server_that_drains_says_so(tmp_path):
    with WebServer(tmp_path) as ending:
        ending.gate.unlink()
        job = ending.connect().gates.double_it.submit(np.ones(3))
        wait_for(lambda: current_calls(ending, "computing"))
        ending.process.send_signal(signal.SIGTERM)
        wait_for(lambda: ending.ask("/api/status")["state"] == "draining")
        ending.gate.touch()
        np.testing.assert_array_equal(job.result(60), np.full(3, 2.0))
