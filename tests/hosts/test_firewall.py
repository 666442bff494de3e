"""Firewalls between the hosts of ranks: what they drop without a word, ranks name in time."""

import re
import time
from typing import NamedTuple

import pytest
from conftest import REPOSITORY, wait_until
from tasuki.base.programs import BUILD_TREE

PROGRAM = BUILD_TREE / "test-bin" / "runtime_watched_ranks"
PEER_TIMEOUT = 2.0  # Shorter than what ranks wait at least for an answer:
LIMIT_LEAST_S = 16.0  # As opening_ways.cpp has it.
PORTS = "20000-20100"
# Of the whole job, on a machine that does other things beside. The kernel alone would try for two
# minutes.
WITHIN_S = 60.0
ERROR = 70  # The exit code of a rank that reports one.


@pytest.fixture
def drop(laboratory):
    """A function that has a host drop what comes over TCP, which is `what`."""
    dropping = []

    def drop(host: str, what: str) -> None:
        laboratory.drop_tcp(host, what)
        dropping.append(host)

    yield drop
    for host in dropping:
        laboratory.drop_nothing(host)


class Message(NamedTuple):
    """What one rank says of another."""

    speaker: int
    rank: int
    host: str


@pytest.fixture
def message_of_job(laboratory, tasuki):
    def message_of_job(hosts: str) -> Message:
        """Of ranks that call each other: the one message. The launcher, on a host of its own,
        reaches all."""
        options = ["--peer-timeout", f"{PEER_TIMEOUT:g}"]
        began = time.monotonic()
        result = tasuki.run(hosts, "ucx", PROGRAM, "serves", "100", options=options)
        assert LIMIT_LEAST_S < time.monotonic() - began < WITHIN_S
        assert result.returncode == ERROR, result.stderr
        found = re.findall(expected_message(), result.stderr)
        assert len(found) == result.stderr.count("Remedy") == 1, result.stderr
        assert "ERROR" not in result.stderr  # As UCX begins its own.
        # What ends the ranks of other hosts may still be on its way out.
        wait_until(lambda: not any(map(laboratory.process_count, laboratory.names)))
        (speaker, rank, host), *_ = found
        return Message(int(speaker), int(rank), host)

    return message_of_job


def expected_message() -> str:
    """That of the guide, as a pattern."""
    guide = " ".join((REPOSITORY / "docs/guide/clusters.md").read_text().split())
    (shown,) = re.findall(r"``` (tasuki: rank 0: connecting over UCX: .*?) ```", guide)
    pattern = re.escape(shown)
    for example, any_of_it in (
        ("rank 0:", "rank ([0-9]):"),
        ("rank 2 on host b", "rank ([0-9]) on host (h[0-9])"),
        ("ADDRESS port PORT", "[0-9.]+ port [0-9]+"),
        ("for 32 s", f"for {LIMIT_LEAST_S:g} s"),
    ):
        assert re.escape(example) in pattern
        pattern = pattern.replace(re.escape(example), any_of_it)
    return pattern


PLACES = {"h1,h2": ["h1", "h2"], "h1:2,h2:2": ["h1", "h1", "h2", "h2"]}


@pytest.mark.parametrize("hosts", PLACES)
@pytest.mark.parametrize("closed", ["one way", "both ways"])
def test_a_firewall_between_hosts_is_told_once_with_a_host_behind_it(
    laboratory, drop, message_of_job, hosts, closed
):
    drop("h2", f"from {laboratory.address('h1')}")
    if closed == "both ways":
        drop("h1", f"from {laboratory.address('h2')}")
    message = message_of_job(hosts)
    places = PLACES[hosts]
    assert places[message.rank] == message.host
    assert places[message.speaker] != message.host


def test_a_host_that_lets_nobody_connect_is_the_one_that_is_named(tasuki, drop, message_of_job):
    tasuki.settings["UCX_TCP_PORT_RANGE"] = PORTS
    drop("h2", f"dport {PORTS}")
    assert message_of_job("h1,h2") == Message(0, 1, "h2")
