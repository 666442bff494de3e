"""`tasuki bench rpc`: calls beside bare connections."""

from conftest import parse_envelope
from demo_server import CAN_SHARE_MEMORY, needs_server

pytestmark = needs_server


def test_calls_are_measured_beside_bare_connections(tasuki) -> None:
    result = tasuki("bench", "rpc", "-n", 2, "--size", "1M", "--repetitions", 1, "--json")
    assert result.returncode == 0, result.stderr
    rows = {row["name"]: row for row in parse_envelope(result.stdout)["results"]}
    calls = {f"call_{n}_ranks_{client}" for n in (1, 2) for client in ("cpp", "python")}
    modes = ["hand-off", "buffering", "original", *(["memory"] if CAN_SHARE_MEMORY else [])]
    matrices = {f"{way}_2_ranks_{mode}" for way in ("send", "return") for mode in modes}
    assert set(rows) == calls | matrices
    for name, row in rows.items():
        assert row["value"] > 0 and row["ratio"] > 0
        assert row["baseline"] == ("copy" if name.endswith("memory") else "tcp")
        assert row["unit"] == ("us" if name in calls else "GB/s")


def test_the_results_are_shown_as_a_table(tasuki) -> None:
    result = tasuki("bench", "rpc", "--size", "1M", "--repetitions", 1)
    assert result.returncode == 0, result.stderr
    assert "return_2_ranks_hand-off" in result.stdout and "GB/s" in result.stdout
