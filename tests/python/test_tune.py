"""`tasuki tune`: on a made-up cost model whose best table is known, and on the real program."""

import json
import random
import re
from itertools import pairwise

import pytest
from conftest import REPOSITORY
from tasuki.base.errors import CommandError
from tasuki.base.programs import find_program
from tasuki.commands.values import parse_ranks
from tasuki.launcher.binding import cores_allowed
from tasuki.measurement.collectives import ALL_COLLECTIVES
from tasuki.measurement.measured_hosts import require_nodes
from tasuki.measurement.measurer import Candidate, Cell, JobNodes
from tasuki.measurement.policy_file import PolicyRow, rows_of, text_of, write
from tasuki.measurement.policy_parts import NodeRange, parts_of, require_known_nodes
from tasuki.measurement.race import MARGIN, Result, Time, one_for_all, race, smoothed, time_of
from tasuki.tune import command
from tasuki.tune.search import SIZES, Search
from tasuki.tune.tune_place import tune_place

LATENCY = Candidate("latency")  # 1 us + 10 ns/B
BANDWIDTH = Candidate("bandwidth")  # 20 us + 1 ns/B: faster from 2,111 bytes on
SLOW = Candidate("slow")  # never the best
CROSSOVER_BYTES = 19e-6 / 9e-9

MACHINE = '{"command": "machine"}\n'
LIST = '{"command": "list", "collective": "allreduce", "message_bytes": 64}\n'


class CostModel:
    """Times that follow a formula, with noise that only ever slows down, and a clock of its own."""

    def __init__(self, incumbent: Candidate, seed: int, noise: float = 0.1) -> None:
        self.incumbent = incumbent
        self.noise = noise
        self.now = 0.0
        self.asked: list[Candidate] = []
        self._random = random.Random(seed)

    def cost(self, cell: Cell, candidate: Candidate) -> float:
        size = cell.message_bytes
        return {
            LATENCY: 1e-6 + 10e-9 * size,
            BANDWIDTH: 20e-6 + 1e-9 * size,
            SLOW: 30e-6 + 12e-9 * size,
        }[candidate]

    def candidates(self, _: Cell) -> tuple[list[Candidate], Candidate]:
        return [LATENCY, BANDWIDTH, SLOW], self.incumbent

    def measure(self, cell: Cell, candidate: Candidate, samples: int, _: float) -> list[float]:
        self.asked.append(candidate)
        found = [
            self.cost(cell, candidate) * (1 + self._random.expovariate(1 / self.noise))
            for _ in range(samples)
        ]
        self.now += sum(found) + 1e-3
        return found

    def clock(self) -> float:
        return self.now


@pytest.mark.parametrize("seed", range(5))
def test_known_best_table_is_found(seed):
    model = CostModel(SLOW, seed)
    search = Search(model, 20, random.Random(seed), clock=model.clock)
    results = search.run(["allreduce"], 4)
    for one in results:
        best = min((LATENCY, BANDWIDTH), key=lambda candidate: model.cost(one.cell, candidate))
        ratio = model.cost(one.cell, one.winner) / model.cost(one.cell, best)
        assert ratio <= MARGIN + 0.05, one.cell
    rows = rows_of(results, cores=4)
    assert [row.winner for row in rows] == [LATENCY, BANDWIDTH]
    assert rows[0].bytes_up_to == pytest.approx(CROSSOVER_BYTES, rel=0.3)
    assert rows[1].bytes_up_to is None


def test_crossover_is_narrowed_down():
    model = CostModel(LATENCY, seed=3)
    results = Search(model, 20, random.Random(3), clock=model.clock).run(["scan"], 2)
    sizes = [one.cell.message_bytes for one in results]
    assert set(SIZES) < set(sizes)
    around = [(low, high) for low, high in pairwise(results) if low.winner != high.winner]
    ((low, high),) = around
    assert high.cell.message_bytes <= 1.6 * low.cell.message_bytes


def test_what_is_used_now_stays_unless_another_is_clearly_faster():
    class Alike(CostModel):
        def cost(self, _, candidate):
            return 1e-6 * (0.99 if candidate == BANDWIDTH else 1)

    for seed in range(20):
        model = Alike(LATENCY, seed)
        cell = Cell("allreduce", 2, 64)
        found = race(model, cell, 1, random.Random(seed), model.clock)
        assert found.winner == LATENCY


def test_one_disturbed_round_makes_no_winner():
    class Disturbed(CostModel):
        """What is used now is disturbed, as by another program, the first time it is measured."""

        def cost(self, _, candidate):
            return 1e-3 if self.asked.count(LATENCY) == 1 and candidate == LATENCY else 1e-6

    for seed in range(20):
        model = Disturbed(LATENCY, seed)
        found = race(model, Cell("scan", 2, 64), 1e-6, random.Random(seed), model.clock)
        assert found.winner == LATENCY


def test_hopeless_candidates_are_not_measured_again():
    model = CostModel(LATENCY, seed=1)
    race(model, Cell("allreduce", 2, 4), 10, random.Random(1), model.clock)
    assert model.asked.count(SLOW) == 1
    assert model.asked.count(LATENCY) > 0


def test_order_is_shuffled():
    firsts = set()
    for seed in range(20):
        model = CostModel(LATENCY, seed)
        race(model, Cell("allreduce", 2, 4), 0.001, random.Random(seed), model.clock)
        firsts.add(model.asked[0])
    assert firsts == {LATENCY, BANDWIDTH, SLOW}


def test_interval_holds_the_median():
    found = time_of([5.0, 1.0, 2.0, 3.0, 4.0, 9.0, 7.0])
    assert found == Time(median=4.0, low=1.0, high=9.0, samples=7)
    many = time_of([float(value) for value in range(101)])
    assert many.median == 50
    assert 38 <= many.low <= 42
    assert 58 <= many.high <= 62


def test_equals_need_no_crossover():
    def cell(size, winner, times):
        return Result(Cell("scan", 2, size), winner, SLOW, times)

    def lasting(seconds):
        return Time(seconds, seconds, seconds, 5)

    alike = {LATENCY: lasting(1.0), BANDWIDTH: lasting(0.99), SLOW: lasting(3.0)}
    apart = {LATENCY: lasting(2.0), BANDWIDTH: lasting(1.0), SLOW: lasting(3.0)}
    kept = smoothed(
        [cell(8, LATENCY, alike), cell(64, BANDWIDTH, alike), cell(512, BANDWIDTH, apart)]
    )
    assert [one.winner for one in kept] == [LATENCY, LATENCY, BANDWIDTH]


@pytest.mark.parametrize(
    ("slow_us", "spread", "winner"),
    [(3.0, 1.1, LATENCY), (1.1, 1.01, SLOW), (3.0, 3.0, SLOW)],
    ids=["better", "in the end no better", "not for certain"],
)
def test_sizes_that_cannot_be_told_apart_have_one_winner(slow_us, spread, winner):
    # LATENCY is faster at most sizes, SLOW is what is used now.
    often = {LATENCY: 1.0, SLOW: slow_us}
    results = [
        Result(
            Cell("alltoallv", 2, 4 * number), SLOW, SLOW,
            {one: Time(time, time / spread, time * spread, 5) for one, time in cell.items()},
        )
        for number, cell in enumerate([often, often, {LATENCY: 2.0, SLOW: 1.6}])
    ]  # fmt: skip
    assert [one.winner for one in one_for_all(results)] == [winner] * 3
    assert [row.bytes_up_to for row in rows_of(one_for_all(results), 2)] == [None]


def test_what_shares_cores_does_not_hold_for_what_need_not():
    def result(ranks, winner):
        times = {one: Time(1.0, 1.0, 1.0, 5) for one in (LATENCY, SLOW)}
        return Result(Cell("scan", ranks, 4), winner, SLOW, times)

    results = [result(2, LATENCY), result(3, SLOW), result(8, SLOW), result(16, LATENCY)]
    rows = rows_of(results, cores=6)
    assert [(row.ranks_up_to, row.winner) for row in rows] == [
        (2, LATENCY),
        (6, SLOW),  # For 4 to 6 ranks rather what was measured of 3 than of 8.
        (8, SLOW),
        (16, LATENCY),
    ]


def test_policy_text():
    model = CostModel(SLOW, seed=2)
    results = Search(model, 5, random.Random(2), clock=model.clock).run(["allreduce"], 4)
    lines = text_of(rows_of(results, 4), "2 cores, CPU", "shm").splitlines()
    assert lines[:3] == ["tasuki policy 1", "machine 2 cores, CPU", "transport shm"]
    assert lines[-1] == "end"
    assert lines[-2].startswith("allreduce 4 any bandwidth - ")


def rows_by(algorithm: str) -> list[PolicyRow]:
    return [PolicyRow("allreduce", 4, None, Candidate(algorithm), "")]


def test_rows_of_hosts_come_first_and_others_stay():
    here = text_of(rows_by("ring"), "CPU", "mpi")
    two_hosts = NodeRange(2, 2, 2)
    both = text_of(rows_by("two_level"), "CPU", "mpi", nodes=two_hosts, earlier=here)
    lines = [line for line in both.splitlines() if not line.startswith("#")]
    assert [" ".join(line.split()[:4]) for line in lines[3:-1]] == [
        "nodes 2 2 2",
        "allreduce 4 any two_level",
        "nodes 1 any any",
        "allreduce 4 any ring",
    ]
    again = text_of(rows_by("binomial"), "CPU", "mpi", earlier=both)
    assert parts_of(again, lines[:3])[two_hosts] == parts_of(both, lines[:3])[two_hosts]
    assert " binomial " in again and " ring " not in again


def test_hosts_with_fewer_ranks_come_first():
    text = ""
    ranges = [NodeRange(2, 4, 2), NodeRange(2, 2, None), NodeRange(2, 2, 2), NodeRange(2, 2, 1)]
    for nodes in ranges:
        text = text_of(rows_by("ring"), "CPU", "mpi", nodes=nodes, earlier=text)
    said = [line for line in text.splitlines() if line.startswith("nodes")]
    assert said == ["nodes 2 2 1", "nodes 2 2 2", "nodes 2 2 any", "nodes 2 4 2"]


def test_edited_lines_about_nodes_are_read_as_jobs_read_them():
    head = ["tasuki policy 1", "machine here", "transport mpi"]
    lines = [*head, "  ", "nodes any 4 2", "barrier 4 any ring -", "end", "nodes"]
    assert parts_of("\n".join(lines), head) == {NodeRange(1, 4, 2): ["barrier 4 any ring -"]}


@pytest.mark.parametrize(
    "line",
    [
        "nodes", "nodes 2 2", "nodes 2 two 2", "nodes -1 2 2", "nodes 0 2 2", "nodes 2 2 0",
        "nodes 4 2 any", "nodes 2 4 2 in the laboratory",
    ],
)  # fmt: skip
def test_wrong_lines_about_nodes_are_refused_before_measuring(line):
    with pytest.raises(CommandError, match=f"the policy there has the line {line}. Remedy: as in"):
        require_known_nodes(f"tasuki policy 1\n{line}\nend\n")


def test_rows_of_other_collectives_and_ranks_stay():
    rows = [
        PolicyRow(collective, ranks, None, Candidate("ring"), "")
        for collective in ("barrier", "allreduce")
        for ranks in (2, 8)
    ]
    earlier = text_of(rows, "CPU", "shm")
    text = text_of(rows_by("binomial"), "CPU", "shm", earlier=earlier)
    again = text_of(rows_by("linear"), "CPU", "shm", earlier=text)
    lines = [" ".join(line.split()[:4]) for line in again.splitlines()]
    assert lines[lines.index("barrier 2 any ring") : -1] == [
        "barrier 2 any ring",
        "barrier 8 any ring",
        "allreduce 2 any ring",
        "allreduce 4 any linear",
        "allreduce 8 any ring",
    ]


@pytest.mark.skipif(find_program("tasuki_measure") is None, reason="not built")
def test_a_file_with_rows_for_more_ranks_gets_some_for_fewer(tasuki, tmp_path):
    path = tmp_path / "policy"
    machine = _ask(tasuki, MACHINE)["machine"]
    write(path, text_of([PolicyRow("barrier", 8, None, Candidate("ring"), "")], machine, "shm"))
    ended = tasuki("tune", "-n", "2", "--budget", "1s", "--collective", "barrier", "--output", path)
    assert ended.returncode == 0, ended.stderr
    rows = [line.split()[:4] for line in path.read_text().splitlines() if line[:7] == "barrier"]
    assert [row[1] for row in rows] == ["2", "8"] and rows[1][3] == "ring"


def test_results_hold_where_the_job_was():
    hosts = tune_place("a:3,b:1", None, None)
    assert hosts.range_of(JobNodes(2, 3)) == NodeRange(2, 2, 3)
    assert tune_place("a:4", None, None).range_of(JobNodes(1, 4)) == NodeRange(1, 1)
    assert tune_place(None, [2, 3], "mpi").range_of(JobNodes(1, 3)) == NodeRange(1, 1)
    assert tune_place(None, [2], None).range_of(JobNodes(1, 2)) == NodeRange()


def test_two_names_of_one_host_are_refused():
    hosts = tune_place("a:2,b:2", None, None).hosts
    require_nodes("tune", hosts, JobNodes(2, 2))
    said = (
        "--hosts a:2,b:2: 2 names of 1 host, or of hosts with the same boot id. Remedy: name each"
    )
    with pytest.raises(CommandError, match=said):
        require_nodes("tune", hosts, JobNodes(1, 4))


def test_ranks_of_a_host_need_not_share_memory():
    require_nodes("tune", (), JobNodes(1, 4))
    require_nodes("tune", tune_place("a:2,b:2", None, None).hosts, JobNodes(4, 1))


def test_the_fullest_host_says_whether_ranks_share_cores():
    cores = len(cores_allowed())
    found = Result(Cell("scan", cores + 2, 4), SLOW, SLOW, {SLOW: Time(1.0, 1.0, 1.0, 5)})
    place = tune_place(f"a:{cores + 1},b:1", None, None)
    (row,) = command._json_rows([found], place, "tune", "tasuki")
    assert row["oversubscribed"] and row["hosts"] == 2


def test_a_host_named_twice_is_refused(tasuki):
    ended = tasuki("tune", "--hosts", "a:2,a:2")
    assert ended.returncode == 2
    assert "--hosts a:2,a:2: the same host twice. Remedy: name each host once" in ended.stderr


@pytest.mark.parametrize("machine, transport", [("another", "mpi"), ("CPU", "ucx")])
def test_rows_of_another_machine_or_transport_do_not_stay(machine, transport):
    earlier = text_of(rows_by("two_level"), machine, transport, nodes=NodeRange(2, 2, 2))
    text = text_of(rows_by("ring"), "CPU", "mpi", earlier=earlier)
    assert "nodes" not in text and "two_level" not in text


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--hosts", "a:2,b:2", "-n", "4"], "leave -n out"),
        (["--hosts", "a:2,b:2", "--transport", "shm"], "leave --transport out"),
        (["--hosts", "a"], "one rank has no collectives"),
        (["--hosts", "a:2,b:2", "--library", "--emit", "tasuki"], "leave --emit out"),
        (["--hosts", "-a"], "is no host"),
    ],
)
def test_what_hosts_do_not_go_with(tasuki, options, said):
    ended = tasuki("tune", *options)
    assert ended.returncode == 2
    assert said in ended.stderr


def test_an_unwritable_policy_is_an_error(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(CommandError, match="--output"):
        write(tmp_path / "file" / "policy", "text")


@pytest.mark.parametrize(("text", "ranks"), [("2..4", [2, 3, 4]), ("8,2", [2, 8]), ("5", [5])])
def test_ranks_are_read(text, ranks):
    assert parse_ranks(text) == ranks


@pytest.mark.parametrize("text", ["", "0..2", "4..2", "two", "2..100"])
def test_other_ranks_are_refused(text):
    with pytest.raises(CommandError, match="-n"):
        parse_ranks(text)


def test_the_collectives_are_those_of_the_library():
    table = (REPOSITORY / "src" / "coll" / "collective.cpp").read_text()
    names = re.findall(r'\{Collective::\w+, "(\w+)"', table)
    assert sorted(names) == sorted(ALL_COLLECTIVES)


@pytest.mark.skipif(find_program("tasuki_measure") is None, reason="not built")
def test_every_collective_can_be_tuned(tasuki, tmp_path):
    tuned = tasuki(
        "tune", "-n", "3", "--budget", "1", "--json", "--output", tmp_path / "policy",
        timeout_s=300,
    )  # fmt: skip
    assert tuned.returncode == 0, tuned.stderr
    rows = json.loads(tuned.stdout)["results"]
    assert {row["collective"] for row in rows} == set(ALL_COLLECTIVES)
    radixes = {row["parameters"] for row in rows if row["algorithm"] == "knomial"}
    assert any("radix=2" in one for one in radixes)


@pytest.mark.skipif(find_program("tasuki_measure") is None, reason="not built")
def test_tuning_this_machine(tasuki, tmp_path):
    path = tmp_path / "policy"
    tuned = tasuki(
        "tune", "-n", "2", "--budget", "2", "--collective", "allreduce", "--json",
        "--output", path,
    )  # fmt: skip
    assert tuned.returncode == 0, tuned.stderr
    rows = json.loads(tuned.stdout)["results"]
    chosen = [row for row in rows if row["chosen"]]
    assert len(chosen) == len({row["message_bytes"] for row in rows})
    assert {row["algorithm"] for row in rows} > {"ring", "recursive_doubling", "staged"}
    assert all(row["oversubscribed"] == (len(cores_allowed()) < 2) for row in rows)
    if path.exists():  # Something was better than the built-in policy.
        assert path.read_text().startswith("tasuki policy 1\n")
        tasuki.environment["TASUKI_POLICY"] = str(path)
        assert _ask(tasuki, MACHINE)["ranks"] == 2


@pytest.mark.skipif(find_program("tasuki_measure") is None, reason="not built")
def test_jobs_do_as_the_policy_says(tasuki, tmp_path):
    path = tmp_path / "policy"
    ring = PolicyRow("allreduce", 2, 1000, Candidate("ring"), "for a test")
    write(path, text_of([ring], _ask(tasuki, MACHINE)["machine"], "shm"))
    tasuki.environment["TASUKI_POLICY"] = str(path)
    assert _ask(tasuki, listing(1000))["chosen"] == "ring"
    assert _ask(tasuki, listing(1000))["reason"] == "for a test"
    assert _ask(tasuki, listing(1004))["chosen"] != "ring"
    tasuki.environment["TASUKI_POLICY"] = "default"
    assert _ask(tasuki, listing(1000))["chosen"] != "ring"


@pytest.mark.skipif(find_program("tasuki_measure") is None, reason="not built")
def test_the_usual_policy_is_found_and_passed_over_if_it_is_of_another_machine(tasuki, tmp_path):
    tasuki.environment["XDG_CONFIG_HOME"] = str(tmp_path)
    machine = _ask(tasuki, MACHINE)["machine"]
    path = tmp_path / "tasuki" / "policy-shm"
    ring = PolicyRow("allreduce", 2, None, Candidate("ring"), "")
    write(path, text_of([ring], machine, "shm"))
    assert _ask(tasuki, LIST)["chosen"] == "ring"
    write(path, text_of([ring], "another", "shm"))
    ended = tasuki("run", "-n", "2", find_program("tasuki_measure"), input=LIST)
    assert json.loads(ended.stdout)["chosen"] != "ring"
    assert "measured on another machine" in ended.stderr
    assert "built-in policy is used" in ended.stderr


@pytest.mark.skipif(find_program("tasuki_measure") is None, reason="not built")
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("rubbish", "does not begin with 'tasuki policy 1'"),
        ("tasuki policy 1\nmachine another\ntransport shm\nend\n", "measured on another machine"),
        ("tasuki policy 1\nallreduce 2 any rings -\nend\n", "none called 'rings'"),
        ("tasuki policy 1\nallreduce 2 any ring -\n", "cut short"),
    ],
)
def test_bad_policies_end_the_job_with_the_reason(tasuki, tmp_path, text, said):
    path = tmp_path / "policy"
    path.write_text(text)
    tasuki.environment["TASUKI_POLICY"] = str(path)
    ended = tasuki("run", "-n", "3", find_program("tasuki_measure"))
    assert ended.returncode != 0
    assert said in ended.stderr
    assert ended.stderr.count(said) == 1


@pytest.mark.skipif(find_program("tasuki_measure") is None, reason="not built")
def test_a_folder_in_the_place_of_the_usual_policy_ends_no_job(tasuki, tmp_path):
    tasuki.environment["XDG_CONFIG_HOME"] = str(tmp_path)
    (tmp_path / "tasuki" / "policy-shm").mkdir(parents=True)
    ended = tasuki("run", "-n", "2", find_program("tasuki_measure"), input=LIST)
    assert ended.returncode == 0, ended.stderr
    assert ended.stderr.count("is no regular file; the built-in policy is used") == 1


@pytest.mark.parametrize("more", [(), ("--library", "--emit", "ompi-classic", "--mpi", "ompi")])
@pytest.mark.parametrize("output", ["/dev/full", "/proc/policy", "/etc/hostname/policy"])
def test_an_output_that_cannot_be_written_is_refused_first(tasuki, tmp_path, output, more):
    tasuki.environment["PATH"] = str(tmp_path)  # Neither an MPI nor anything else is there.
    ended = tasuki("tune", "-n", "2", "--budget", "600", "--output", output, *more)
    assert ended.returncode == 2
    assert f"tasuki: tune: {output} cannot be written: " in ended.stderr
    assert "Remedy: name another file with --output" in ended.stderr
    assert ended.seconds < 300  # Nothing has been measured.


@pytest.mark.parametrize("seconds", ["inf", "nan", "-1", "1e7", "1" + "0" * 400])
def test_endless_durations_are_refused(tasuki, seconds):
    for words in (("tune", "--budget"), ("reproduce", "collectives", "--cell-seconds")):
        ended = tasuki(*words, seconds)
        assert ended.returncode == 2, ended.stdout
        assert words[-1] in ended.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ("bench", "collectives", "-n", "0"),
            "tasuki: bench collectives: -n 0 is no list or range",
        ),
        (("bench", "collectives", "-s", "3"), "tasuki: bench collectives: -s 3 is no size"),
        (("reproduce", "collectives", "--size", "3"), "reproduce collectives: --size 3 is no"),
        (("reproduce", "collectives", "--road-ranks", "0"), "--road-ranks 0 is no list or range"),
    ],
)
def test_errors_name_the_command_that_was_typed(tasuki, arguments, said):
    ended = tasuki(*arguments)
    assert ended.returncode == 2
    assert said in ended.stderr


def test_unknown_collective_is_refused(tasuki):
    ended = tasuki("tune", "--collective", "alltoallw")
    assert ended.returncode == 2
    assert "nothing to choose for alltoallw" in ended.stderr
    assert "alltoallv" in ended.stderr


@pytest.mark.skipif(find_program("tasuki_measure") is None, reason="not built")
def test_a_collective_whose_sizes_some_do_not_know_gets_one_row(tasuki, tmp_path):
    path = tmp_path / "policy"
    tuned = tasuki(
        "tune", "-n", "2", "--budget", "1", "--collective", "alltoallv", "--output", path
    )
    assert tuned.returncode == 0, tuned.stderr
    shown = [line for line in tuned.stdout.splitlines() if "alltoallv" in line and "any" in line]
    assert len(shown) == 1, tuned.stdout


def listing(message_bytes):
    request = {"command": "list", "collective": "allreduce", "message_bytes": message_bytes}
    return json.dumps(request) + "\n"


def _ask(tasuki, line):
    """What the measuring program answers on two ranks."""
    ended = tasuki("run", "-n", "2", find_program("tasuki_measure"), input=line)
    assert ended.returncode == 0, ended.stderr
    return json.loads(ended.stdout)
