"""docs/formats/call-report.md and server-api.md have each field of what they describe."""

import json
import re
import shutil
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import exchange_messages
import msgpack
import numpy as np
import pytest
import tasuki
from conftest import REPOSITORY, wait_for
from demo_server import connect_to, needs_server
from prometheus_client.parser import text_string_to_metric_families
from serving import ServeCommand

pytestmark = needs_server

FORMATS = REPOSITORY / "docs" / "formats"
HERE = Path(__file__).parent


def section(page: str, heading: str) -> str:
    """What is below a heading, to the next one."""
    text = (FORMATS / page).read_text().partition(f"\n## {heading}\n")[2]
    return re.split(r"^## ", text, flags=re.MULTILINE)[0]


def fields(page: str, heading: str) -> set[str]:
    """The paths in the first column of a table."""
    cells = re.findall(r"^\| (`[^|]+`) \|", section(page, heading), re.MULTILINE)
    return {path for cell in cells for path in re.findall(r"`([^`]+)`", cell)}


def paths(value: Any, path: str = "") -> Iterator[str]:
    """Of all values inside of one, as the pages write them."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from paths(inner, f"{path}.{name}" if path else name)
    elif isinstance(value, list) and path:
        for inner in value:
            yield from paths(inner, f"{path}[]")
    else:
        yield path


def asked(port: int, path: str) -> str:
    with urllib.request.urlopen(f"http://localhost:{port}{path}", timeout=60) as answer:
        return answer.read().decode()


def be_refused(port: int) -> None:
    """Asks for a module that is not there, as no client of Tasuki does."""
    with connect_to(port) as client, client.makefile("rb") as coming:
        client.settimeout(60)
        for message in (
            {"message": "hello", "protocol": 1},
            {"message": "lease", "module": "none"},
        ):
            content = msgpack.packb(message)
            client.sendall(len(content).to_bytes(4, "big") + content)
            length = int.from_bytes(coming.read(4), "big")
            answer = msgpack.unpackb(coming.read(length))
        assert answer["message"] == "refused"


@dataclass
class Told:
    """What a server and its clients have told."""

    log: list[dict[str, Any]] = field(default_factory=list)
    reports: list[dict[str, Any]] = field(default_factory=list)
    answers: dict[str, Any] = field(default_factory=dict)
    metrics: str = ""


@pytest.fixture(scope="module")
def told(tmp_path_factory) -> Told:
    folder = tmp_path_factory.mktemp("served")
    for suffix in ("idl", "py"):
        shutil.copy(HERE / "routines" / f"messages.{suffix}", folder)
    (folder / "costs.idl").write_text(
        'Define cost(IN int n, IN double x[n]) "costs" CalcOrder 2 * n { }'
    )
    log = folder / "calls.log"
    found = Told()
    serving = ServeCommand(folder, "-n", 2, "--log", log, stderr=None)
    try:
        for mode in ("hand-off", "original"):
            with tasuki.connect(serving.url, mode=mode) as server:
                exchange_messages.exchange(server, folder)
                found.reports.append(server.messages.work.report)
                server.costs.cost(np.ones(3))
                found.reports.append(server.costs.cost.report)
        with tasuki.connect(serving.url) as server:
            left = server.put(np.ones(4), like=server.messages.work.a), server.messages.Total()
            # The ranks tell of it ten times a second.
            wait_for(lambda: len(json.loads(asked(serving.port, "/api/arrays"))["arrays"]) == 2, 60)
            for name in ("status", "routines", "calls?past=10", "ranks", "arrays"):
                text = asked(serving.port, f"/api/{name}")
                found.answers[name.partition("?")[0]] = json.loads(text)
            found.metrics = asked(serving.port, "/metrics")
            del left
        be_refused(serving.port)
    finally:
        serving.__exit__()
    found.log = [json.loads(line) for line in log.read_text().splitlines()]
    return found


def test_reports_of_clients_are_those_of_the_page(told: Told) -> None:
    seen = {path for report in told.reports for path in paths(report)}
    seen = {re.sub(r"^texts\..*", "texts", path) for path in seen}
    assert seen | {"ranks"} == fields("call-report.md", "The client's report")


def test_records_of_calls_are_those_of_the_page(told: Told) -> None:
    of_client = fields("call-report.md", "The client's report")
    known = fields("call-report.md", "The server's record")
    known |= {path for path in of_client if path.startswith("ranks[]")}
    records = [one for one in told.log if one["event"] == "call"]
    records += told.answers["calls"]["past"]
    seen = {path for record in records for path in paths(record)} - {"event", "time"}
    # Of more calls than are told one by one there are none here.
    assert seen | {"ranks", "calls"} == known


def test_events_of_the_log_are_those_of_the_page(told: Told) -> None:
    rows = re.findall(
        r"^\| `(\w+)` \| [^|]* \| (.*) \|$", section("call-report.md", "The log file"), re.MULTILINE
    )
    of_event = {event: set(re.findall(r"`(\w+)`", named)) for event, named in rows}
    seen = {one["event"] for one in told.log}
    assert {"connect", "disconnect", "call", "free", "refusal"} <= seen <= set(of_event)
    for one in told.log:
        if one["event"] != "call":
            assert set(one) - {"event", "time"} == of_event[one["event"]], one


def test_answers_of_the_server_are_those_of_the_page(told: Told) -> None:
    answers = told.answers
    assert set(answers["status"]) == fields("server-api.md", "The server")
    modules = answers["routines"]["modules"]
    routines = [one for module in modules for one in module["routines"]]
    known = fields("server-api.md", "Routines")
    assert all(set(one) == known for one in routines)
    arrays = answers["arrays"]["arrays"]
    assert {name for one in arrays for name in one} == fields("server-api.md", "Arrays and objects")
    others = {
        "Routines": [modules, [one["arguments"] for one in routines], routines[0]["examples"]],
        "Calls": [{name: 0 for name in answers["calls"]}],
        "Ranks": [answers["ranks"]],
        "Arrays and objects": [[one["seconds"] for one in arrays], arrays[0]["client"]],
    }
    for heading, values in others.items():
        named = set(re.findall(r"`(\w+)`", section("server-api.md", heading)))
        seen = {re.sub(r".*\.|\[\]", "", path) for value in values for path in names_in(value)}
        assert seen <= named, heading


def names_in(value: Any) -> Iterator[str]:
    """The keys of all objects inside of a value."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield name
            yield from names_in(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from names_in(inner)


def test_metrics_are_those_of_the_page(told: Told) -> None:
    rows = re.findall(
        r"^\| `(\w+)` \| (\w+) \|(.*)\|$", section("server-api.md", "Metrics"), re.MULTILINE
    )
    known = {name: (kind, set(re.findall(r"`(\w+)`", labels))) for name, kind, labels in rows}
    for family in text_string_to_metric_families(told.metrics):
        total = f"{family.name}_total" if family.type == "counter" else family.name
        kind, named = known.pop(total)
        assert family.type == kind
        labels = {label for sample in family.samples for label in sample.labels} - {"le"}
        assert labels <= named, family.name
    assert known == {}
