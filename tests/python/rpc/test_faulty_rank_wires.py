"""Connections between clients and ranks whose bytes come in pieces and late, or are lost.

A call then has the right result or one error, no client waits for ever, and the server goes on.
"""

import itertools
import random
import shutil
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import frames
import numpy as np
import pytest
from certificates import needs_openssl
from demo_server import CAN_SHARE_MEMORY, needs_server
from faulty_wire import Traffic, wire_seeds
from rank_wires import RankWires
from serving import Served, encrypted_server, plain_server
from tasuki.rpc.errors import CallError

pytestmark = [needs_server, needs_openssl]
CONNECTED = ("hand-off", "call-back", "sequential")
PATIENCE_S = 120  # No exchange takes a tenth of that, on a slow machine.


def scale(server: Any, n: int, _: Path) -> None:
    x, y = np.arange(float(n)), np.arange(n, 2.0 * n)
    doubled, z = server.exchange.scale(3.0, x, y)
    np.testing.assert_array_equal(z, 3 * x)
    np.testing.assert_array_equal(doubled, 2 * y)


def keep(server: Any, n: int, _: Path) -> None:
    x, y = np.arange(float(n)), np.arange(n, 2.0 * n)
    with server.put(x, like=server.exchange.scale.x) as kept:
        for factor in (2.0, 5.0):
            np.testing.assert_array_equal(server.exchange.scale(factor, kept, y)[1], factor * x)


def use_object(server: Any, n: int, _: Path) -> None:
    x = np.ones(n)
    with server.exchange.Sum() as total:
        for count in (1, 2):
            assert total.add(x)[0] == count * n


def call_back(server: Any, n: int, _: Path) -> None:
    def f(x: np.ndarray, y: np.ndarray) -> None:
        y[:] = x + 1

    np.testing.assert_array_equal(
        server.exchange.sample(3, f, np.arange(float(n))), np.arange(3.0, n + 3)
    )


def send_files(server: Any, n: int, folder: Path) -> None:
    source, result = folder / "source", folder / "result"
    text = "a line of words\n" * n
    source.write_text(text)
    server.exchange.shout(source, result)
    assert result.read_text() == text.upper()


Exchange = Callable[[Any, int, Path], None]
EXCHANGES = (scale, keep, use_object, call_back, send_files)
COUNTS = (300, 40_000)  # Ranks are served one after the other, or at once.


def wires_of(
    served: Served, seed: object, traffic_of: Callable[[], Traffic] = Traffic
) -> RankWires:
    return RankWires(served.serving.port, seed, traffic_of, served.tls)


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    made = tmp_path_factory.mktemp("exchange")
    shutil.copy(Path(__file__).with_name("routines") / "exchange.idl", made)
    return made


@pytest.fixture(scope="module")
def plain(folder: Path) -> Iterator[Served]:
    with plain_server(folder) as started:
        yield started


@pytest.fixture(scope="module")
def encrypted(folder: Path, plain: Served) -> Iterator[Served]:  # noqa: ARG001 (it builds them)
    with encrypted_server(folder) as started:
        yield started


@pytest.fixture
def served(request: pytest.FixtureRequest) -> Served:
    return request.getfixturevalue(request.param)


def fault_of(work: Callable[[], None]) -> BaseException | None:
    """What `work` raises; fails the test if it does not return."""
    faults: list[BaseException] = []

    def run() -> None:
        try:
            work()
        except BaseException as fault:
            faults.append(fault)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(PATIENCE_S)
    assert not thread.is_alive(), "the client waits for ever"
    return faults[0] if faults else None


def passed_bytes(served: Served, exchange: Exchange, way: str, n: int, folder: Path) -> int:
    """How many bytes pass between client and ranks if nothing is lost: in pieces, and late."""
    traffic = Traffic()
    with wires_of(served, f"{way} {n}", lambda: traffic) as wires:
        exchange(served.connect(wires.url, mode=way), n, folder)
    return traffic.passed_bytes


CASES = [
    (encryption, way, exchange, 100 * turn + number)
    for turn in wire_seeds(range(1))
    for encryption, ways in (("plain", CONNECTED), ("encrypted", ("hand-off", "call-back")))
    for number, (way, exchange) in enumerate(itertools.product(ways, EXCHANGES))
]


@pytest.mark.parametrize("way", CONNECTED)
@pytest.mark.parametrize("exchange", EXCHANGES)
def test_pieces_that_come_late_make_no_difference_to_xdr(
    plain: Served, way: str, exchange: Exchange, tmp_path: Path
) -> None:
    with wires_of(plain, way) as wires:
        client = plain.connect(wires.url, mode=way, wire="xdr")
        for n in COUNTS:
            exchange(client, n, tmp_path)


@pytest.mark.parametrize(("served", "way", "exchange", "seed"), CASES, indirect=["served"])
def test_a_lost_connection_is_an_error_or_makes_no_difference(
    served: Served, way: str, exchange: Exchange, seed: int, tmp_path: Path
) -> None:
    n = COUNTS[seed % 2]
    all_bytes = passed_bytes(served, exchange, way, n, tmp_path)
    # What is said of seconds has a few bytes more or less in other runs.
    traffic = Traffic(int(0.99 * random.Random(seed).random() * all_bytes))
    with wires_of(served, seed, lambda: traffic) as wires:
        client = served.connect(wires.url, mode=way)
        fault = fault_of(lambda: exchange(client, n, tmp_path))
        assert traffic.has_lost
        if fault is not None:
            assert isinstance(fault, CallError), fault
            assert str(fault).count("Remedy: ") == 1, fault
            assert "given it up" not in str(fault), fault
        assert fault_of(lambda: exchange(client, n, tmp_path)) is None
    # Others do not notice.
    assert fault_of(lambda: exchange(served.connect(), n, tmp_path)) is None


@pytest.mark.skipif(not CAN_SHARE_MEMORY, reason="no process may read another one here")
def test_memory_is_shared_with_who_holds_the_connection_alone(
    plain: Served, tmp_path: Path
) -> None:
    scale(plain.connect(mode="memory"), 40_000, tmp_path)
    # The rank is at the other end of the wire's connection, not of the client's.
    with (
        wires_of(plain, "memory") as wires,
        pytest.raises(CallError, match="share memory with ranks.*the call has not run"),
    ):
        scale(plain.connect(wires.url, mode="memory"), 40_000, tmp_path)


# In place of a rank's ticket: the first message of each connection, and all of it that passes.
TICKET_BYTES = len(frames.encoded({"ticket": 32 * "0"}))


@pytest.mark.parametrize(
    ("way", "passed"), [("hand-off", 0), *((one, TICKET_BYTES) for one in CONNECTED)]
)
def test_ranks_that_no_call_reaches_are_an_error(
    plain: Served, way: str, passed: int, tmp_path: Path
) -> None:
    with wires_of(plain, way, lambda: Traffic(passed)) as wires:
        client = plain.connect(wires.url, mode=way)
        fault = fault_of(lambda: scale(client, 300, tmp_path))
    assert isinstance(fault, CallError) and not fault.may_have_run, fault
    assert fault_of(lambda: scale(plain.connect(), 300, tmp_path)) is None


def test_what_does_not_reach_ranks_goes_through_the_front_end(
    plain: Served, tmp_path: Path
) -> None:
    with wires_of(plain, "auto", lambda: Traffic(0)) as wires:
        client = plain.connect(wires.url)
        assert fault_of(lambda: scale(client, 300, tmp_path)) is None
        assert client.exchange.scale.report["mode"] == "relay"
