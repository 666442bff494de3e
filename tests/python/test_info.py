"""`tasuki info`: what the compiled program says, as tables and as JSON."""

import json

import pytest
from conftest import parse_envelope
from tasuki.base.programs import find_program

SEEN = {
    "settings": [
        {
            "name": "TASUKI_SPIN_US",
            "type": "integer",
            "value": "70",
            "default": "50",
            "unit": "us",
            "help": "How long to spin.",
            "audience": "user",
            "is_set": True,
        }
    ],
    "topology": {
        "machine": "4 cores, made up",
        "sockets": 1,
        "numa_nodes": 1,
        "cores": 4,
        "hardware_threads": 8,
        "allowed_cores": 2,
        "memory_bytes": 1 << 33,
        "caches": [{"level": 1, "size_bytes": 32768, "count": 4}],
    },
    "transports": [
        {"name": "shm", "summary": "Shared memory.", "unavailable_because": ""},
        {"name": "mpi", "summary": "Any MPI.", "unavailable_because": "no MPI is here"},
        {"name": "ucx", "summary": "UCX.", "unavailable_because": ""},
    ],
    "ucx": {
        "version": "1.13.1",
        "here": ["tcp/eth0", "tcp/lo"],
        "between_hosts": ["tcp/eth0"],
        "within_host": ["tcp/lo"],
        "failure": "",
    },
    "mpi_plugin_directories": [
        {"directory": "/opt/first/lib/tasuki", "is_home": False},
        {"directory": "/opt/second/lib/tasuki", "is_home": True},
    ],
}


@pytest.fixture
def seeing(installed):
    installed.add_program("tasuki_info", f"cat <<'END'\n{json.dumps(SEEN)}\nEND")
    return installed


def test_json(seeing):
    found = parse_envelope(seeing("info", "--json").stdout)
    assert (found["command"], found["ranks"], found["transport"]) == ("info", None, None)
    rows = {row["name"]: row for row in found["results"]}
    assert rows["TASUKI_SPIN_US"]["value"] == "70"
    assert rows["TASUKI_SPIN_US"]["is_set"] is True
    assert (rows["memory"]["value"], rows["memory"]["unit"]) == (8192, "MiB")
    assert rows["l1_cache"]["value"] == 32
    assert rows["machine"]["value"] == "4 cores, made up"
    assert rows["shm"]["value"] == "available"
    assert rows["mpi"]["unavailable_because"] == "no MPI is here"
    directories = [row for row in found["results"] if row["kind"] == "mpi_plugin_directory"]
    assert [row["is_home"] for row in directories] == [False, True]


def test_tables(seeing):
    shown = seeing("info").stdout
    for text in (
        "*TASUKI_SPIN_US",
        "allowed_cores",
        "no MPI is here",
        "*/opt/second/lib/tasuki",
    ):
        assert text in shown


def seen_with_ucx(ucx, unavailable_because=""):
    transports = [*SEEN["transports"][:2], SEEN["transports"][2].copy()]
    transports[2]["unavailable_because"] = unavailable_because
    return SEEN | {"ucx": ucx, "transports": transports}


@pytest.mark.parametrize(
    ("seen", "shown"),
    [
        (SEEN, {"ucx_version": "1.13.1", "ucx_between_hosts": "tcp/eth0",
                "ucx_within_host": "tcp/lo", "ucx_finds": "tcp/eth0, tcp/lo"}),
        (seen_with_ucx(None, "loading UCX: it is not here; install it"),
         {"ucx": "none: loading UCX: it is not here; install it"}),
        (seen_with_ucx({"failure": "no device x. Remedy: name another"}),
         {"ucx": "none: no device x. Remedy: name another"}),
        (seen_with_ucx(SEEN["ucx"] | {"between_hosts": []}),
         {"ucx_version": "1.13.1", "ucx_within_host": "tcp/lo", "ucx_finds": "tcp/eth0, tcp/lo",
          "ucx_between_hosts": "nothing: see UCX_TLS and UCX_NET_DEVICES"}),
    ],
    ids=["there", "missing", "refused", "no network"],
)  # fmt: skip
def test_what_ucx_uses(installed, seen, shown):
    installed.add_program("tasuki_info", f"cat <<'END'\n{json.dumps(seen)}\nEND")
    rows = parse_envelope(installed("info", "--json").stdout)["results"]
    assert {row["name"]: row["value"] for row in rows if row["kind"] == "ucx"} == shown
    table = " ".join(installed("info").stdout.split())
    assert "What UCX uses here" in table
    assert all(name in table for name in shown)


@pytest.mark.parametrize(("columns", "most"), [(None, 100), ("70", 70), ("0", 100)])
def test_tables_are_folded_where_there_is_no_terminal(installed, columns, most):
    long_row = SEEN["settings"][0] | {"help": "How long to spin before it yields. " * 10}
    seen = SEEN | {"settings": [long_row]}
    installed.add_program("tasuki_info", f"cat <<'END'\n{json.dumps(seen)}\nEND")
    if columns is not None:
        installed.environment["COLUMNS"] = columns
    lines = [line.rstrip() for line in installed("info").stdout.splitlines()]
    assert 0.8 * most < max(map(len, lines)) <= most


def test_wrong_setting(installed):
    installed.add_program("tasuki_info", "echo 'tasuki: TASUKI_X is wrong' >&2; exit 2")
    result = installed("info")
    assert (result.returncode, result.stderr) == (2, "tasuki: TASUKI_X is wrong\n")


@pytest.mark.skipif(find_program("tasuki_info") is None, reason="not built")
def test_the_compiled_program_of_this_build(tasuki):
    found = parse_envelope(tasuki("info", "--json").stdout)
    kinds = {row["kind"] for row in found["results"]}
    assert kinds == {"setting", "topology", "transport", "ucx", "mpi_plugin_directory"}
    names = {row["name"] for row in found["results"]}
    assert names & {"ucx", "ucx_between_hosts"}
    assert {"TASUKI_TRANSPORT", "TASUKI_JOB_FD", "cores", "l1_cache"} <= names


@pytest.mark.skipif(find_program("tasuki_info") is None, reason="not built")
def test_the_nearest_setting_is_suggested(tasuki):
    tasuki.environment["TASUKI_SPIN_UZ"] = "1"
    result = tasuki("run", "-n", "2", "true")
    assert result.returncode == 2
    assert "TASUKI_SPIN_UZ is not a setting of Tasuki. Remedy: did you mean TASUKI_SPIN_US?" in (
        result.stderr
    )
    assert result.stderr.count("\n") == 1
