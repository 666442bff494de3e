"""`tasuki bench rpc`: calls beside bare connections."""

from conftest import parse_envelope
from demo_server import needs_server

pytestmark = needs_server


def test_calls_are_measured_beside_bare_connections(tasuki) -> None:
    result = tasuki("bench", "rpc", "-n", 2, "--size", "1M", "--repetitions", 1, "--json")
    assert result.returncode == 0, result.stderr
    rows = {row["name"]: row for row in parse_envelope(result.stdout)["results"]}
    calls = {f"call_{n}_ranks_{client}" for n in (1, 2) for client in ("cpp", "python")}
    assert set(rows) == {*calls, "send_2_ranks", "return_2_ranks"}
    for row in rows.values():
        assert row["value"] > 0 and row["baseline"] == "tcp" and row["ratio"] > 0
        assert row["unit"] == ("us" if row["name"] in calls else "GB/s")


def test_the_results_are_shown_as_a_table(tasuki) -> None:
    result = tasuki("bench", "rpc", "--size", "1M", "--repetitions", 1)
    assert result.returncode == 0, result.stderr
    assert "return_2_ranks" in result.stdout and "GB/s" in result.stdout
