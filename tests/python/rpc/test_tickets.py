"""Tickets are good for one connection, of one lease: whoever shows another one is not served."""

import socket
import threading
from collections.abc import Iterator
from typing import Any

import frames
import numpy as np
import pytest
import tasuki
from demo_server import DemoServer, needs_server
from process_use import nothing_grows
from protocol_client import ProtocolClient, connected, is_ended
from rank_wires import RankWires
from test_users import made_token

pytestmark = needs_server
A, B = np.array([[2.0, 1.0], [1.0, 3.0]]), np.array([5.0, 10.0])


@pytest.fixture(scope="module")
def tokens(tmp_path_factory) -> dict[str, Any]:
    folder = tmp_path_factory.mktemp("users")
    return {
        **{name: made_token(folder, name) for name in ("ann", "bob")},
        "users": folder / "users.json",
    }


@pytest.fixture(scope="module")
def serving(tokens: dict[str, Any]) -> Iterator[DemoServer]:
    with DemoServer(2, "--no-warm", "--users", tokens["users"]) as started:
        solve(started.url, tokens["ann"])  # The ranks have joined.
        with nothing_grows(started):
            yield started


@pytest.fixture
def ann(serving: DemoServer, tokens: dict[str, Any]) -> Iterator[ProtocolClient]:
    with ProtocolClient(serving.port, token=tokens["ann"]) as client:
        yield client


def solve(url: str, token: str, mode: str = "auto") -> Any:
    """A client whose call has been served, and which has the ranks."""
    client = tasuki.connect(url, token=token, mode=mode)
    np.testing.assert_allclose(client.linpack.solve(A, B), [1, 3])
    return client


def call(ranks: list[socket.socket], number: int) -> None:
    """Solves no equations."""
    message = {"message": "call", "call": number, "routine": "solve", "scalars": {"n": 0}}
    for one in ranks:
        one.sendall(frames.encoded(message))
    for one in ranks:
        assert frames.receive(one)["message"] == "results"


def test_a_ticket_that_was_used_is_refused_during_its_lease(ann: ProtocolClient) -> None:
    ann.lease("linpack")
    ranks = [ann.connect_to_rank(i) for i in range(2)]
    call(ranks, 1)
    for i in range(2):
        assert is_ended(ann.connect_to_rank(i))
    call(ranks, 2)


def test_a_ticket_that_was_used_before_the_first_call_is_refused(ann: ProtocolClient) -> None:
    ann.lease("linpack")
    ranks = [ann.connect_to_rank(i) for i in range(2)]
    again = ann.connect_to_rank(0)
    call(ranks, 1)
    assert is_ended(again)
    call(ranks, 2)


def test_a_ticket_of_another_rank_is_refused(ann: ProtocolClient) -> None:
    ann.lease("linpack")
    for i in range(2):
        assert is_ended(ann.connect_to_rank(i, ann.ranks[1 - i]["ticket"]))
    call([ann.connect_to_rank(i) for i in range(2)], 1)


def test_a_ticket_of_a_lease_that_has_ended_is_refused(
    serving: DemoServer, tokens: dict[str, Any], ann: ProtocolClient
) -> None:
    ann.lease("linpack")
    call([ann.connect_to_rank(i) for i in range(2)], 1)
    assert "happened" not in ann.settle("linpack")
    assert is_ended(ann.connect_to_rank(0))  # Nobody has the ranks.
    solve(serving.url, tokens["ann"])


def test_a_ticket_of_another_user_is_refused(
    serving: DemoServer, tokens: dict[str, Any], ann: ProtocolClient
) -> None:
    ann.lease("linpack")
    call([ann.connect_to_rank(i) for i in range(2)], 1)
    bob = solve(serving.url, tokens["bob"], "hand-off")
    assert is_ended(ann.connect_to_rank(0))
    np.testing.assert_allclose(bob.linpack.solve(A, B), [1, 3])


@pytest.mark.parametrize("way", ["relay", "original"])
def test_a_way_through_the_front_end_is_for_one_connection(
    serving: DemoServer, tokens: dict[str, Any], ann: ProtocolClient, way: str
) -> None:
    ann.lease("linpack", through=way)
    tickets = [rank["ticket"] for rank in ann.ranks]
    ways = [through_front_end(serving, one) for one in tickets]
    call(ways, 1)
    for one in tickets:
        with through_front_end(serving, one) as again:
            assert is_ended(again)
    call(ways, 2)
    for one in ways:
        one.close()
    solve(serving.url, tokens["bob"], way)
    for one in tickets:
        with through_front_end(serving, one) as late:
            assert is_ended(late)


def through_front_end(serving: DemoServer, ticket: str) -> socket.socket:
    made = connected(serving.port)
    made.sendall(frames.encoded({"ticket": ticket}))
    return made


class SlowAnswers(RankWires):
    """Tells a client of its lease when `may_tell` is set."""

    def __init__(self, server_port: int) -> None:
        super().__init__(server_port, "slow")
        self.has_leased = threading.Event()
        self.may_tell = threading.Event()

    def turned(self, message: dict[str, Any]) -> dict[str, Any]:
        if message.get("message") == "leased":
            self.has_leased.set()
            assert self.may_tell.wait(120)
        return super().turned(message)


def test_a_client_that_comes_after_its_lease_gets_another_one(
    serving: DemoServer, tokens: dict[str, Any]
) -> None:
    with SlowAnswers(serving.port) as answers:
        late = tasuki.connect(answers.url, token=tokens["ann"], mode="hand-off")
        job = late.linpack.solve.submit(A, B)
        assert answers.has_leased.wait(60)
        bob = solve(serving.url, tokens["bob"], "hand-off")  # Has the ranks from now on.
        answers.may_tell.set()
        np.testing.assert_allclose(job.result(60), [1, 3])
        np.testing.assert_allclose(bob.linpack.solve(A, B), [1, 3])
