"""Objects of classes that live on the ranks of a server."""

import gc
import os
import shutil
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import tasuki
from conftest import REPOSITORY, Command, wait_for
from demo_server import needs_server
from serving import Serving
from tasuki.base.programs import BUILD_TREE
from tasuki.rpc.errors import ArgumentError, CallError, LostObjectError, QuotaError

pytestmark = needs_server
MODES = ("auto", "hand-off", "call-back", "relay", "buffering", "original")


def served(folder: Path, *options: object) -> Serving:
    """Serves the classes of the folder routines on two ranks."""
    made = shutil.copytree(Path(__file__).with_name("routines"), folder / "routines")
    return Serving(made / "objects.idl", made / "statistics.idl", "-n", 2, *options)


@pytest.fixture(scope="module")
def serving(tmp_path_factory) -> Iterator[Serving]:
    started = served(tmp_path_factory.mktemp("served"))
    with started:
        yield started


@pytest.fixture
def server(serving: Serving):
    return tasuki.connect(serving.url)


def counts(server) -> tuple[int, int]:
    begun, ended = server.objects.counts()
    return int(begun[0]), int(ended[0])


@pytest.mark.parametrize("mode", MODES)
def test_each_object_has_a_state_of_its_own_by_any_way(serving: Serving, mode: str) -> None:
    server = tasuki.connect(serving.url, mode=mode)
    first, second = server.objects.Counter(), server.objects.Counter()
    for i in range(1, 4):  # On two ranks, each of which adds its step.
        assert first.add(i)[0] == i * (i + 1)
        assert second.add(10)[0] == 20 * i
    x = np.arange(1000.0)
    assert first.blocks(x)[0] == x.sum() + 6 and second.blocks(x)[0] == x.sum() + 30
    assert first.number()[0] != second.number()[0] != 0


def test_numbers_travel_to_methods_as_xdr_too(serving: Serving) -> None:
    counter = tasuki.connect(serving.url, wire="xdr").objects.Counter()
    assert counter.add(5)[0] == 10 and counter.blocks(np.ones(7))[0] == 12


def test_objects_of_several_clients_do_not_mix(serving: Serving) -> None:
    servers = [tasuki.connect(serving.url) for _ in range(3)]
    counters = [one.objects.Counter() for one in servers]
    for round_ in range(1, 4):
        for i, counter in enumerate(counters):
            assert counter.add(i)[0] == 2 * i * round_


def test_a_method_has_aliases_submits_and_reports(server) -> None:
    counter = server.objects.Counter()
    assert counter.increase(1)[0] == 2
    add = counter.add
    assert add.submit(1).result(timeout=600)[0] == 4
    assert len(add.report["ranks"]) == 2


def test_what_begins_ends_once(server) -> None:
    begun, ended = counts(server)
    with server.objects.Counter() as counter:
        counter.add(1)
        assert counts(server) == (begun + 1, ended)
    assert counts(server) == (begun + 1, ended + 1)
    counter.free()
    assert counts(server) == (begun + 1, ended + 1)
    with pytest.raises(LostObjectError, match="no such object of Counter: it was freed"):
        counter.add(1)
    assert server.objects.Counter().add(1)[0] == 2


def test_what_nobody_refers_to_ends(server) -> None:
    _, ended = counts(server)
    for _ in range(3):
        counter = server.objects.Counter()
        del counter
        gc.collect()
    kept = server.objects.Counter()  # Frees those before it.
    assert counts(server)[1] == ended + 3 and kept.add(0)[0] == 0


def test_objects_of_a_client_that_goes_end(serving: Serving, server) -> None:
    wait_for(lambda: not server.kept)  # Of clients before.
    _, ended = counts(server)
    other = tasuki.connect(serving.url)
    counters = [other.objects.Counter() for _ in range(3)]
    assert counters[0].add(1)[0] == 2
    del other, counters
    gc.collect()
    wait_for(lambda: counts(tasuki.connect(serving.url))[1] == ended + 3)


def test_arguments_are_those_of_initialize(server) -> None:
    vector = server.objects.Vector([1.0, 2.0])
    np.testing.assert_array_equal(vector.scale(3.0, 2), [3, 6])
    np.testing.assert_array_equal(vector.scale(0.5, 2), [1.5, 3])
    with pytest.raises(CallError, match="a vector has elements"):
        server.objects.Vector(np.zeros(0))
    with pytest.raises(ArgumentError, match="takes no arguments"):
        server.objects.Counter(3)


def test_a_method_that_fails_ends_all_objects_as_the_ranks_begin_anew(server) -> None:
    counter = server.objects.Counter()
    with pytest.raises(CallError, match="the counter is broken"):
        counter.fail()
    with pytest.raises(LostObjectError, match="the ranks were started anew"):
        counter.add(1)
    assert server.objects.Counter().add(1)[0] == 2


def test_ranks_that_have_ended_have_lost_their_objects(serving: Serving, server) -> None:
    counter = server.objects.Counter()
    rank = next(
        pid
        for pid in serving.command.processes()
        if os.readlink(f"/proc/{pid}/exe").endswith("objects_routines")
    )
    os.kill(rank, signal.SIGKILL)
    wait_for(lambda: rank not in serving.command.processes())
    with pytest.raises(LostObjectError, match="started anew"):
        while True:  # The call that notices the loss of the rank may fail otherwise.
            try:
                counter.add(1)
            except LostObjectError:
                raise
            except CallError as fault:
                assert "ended" in str(fault) or "joined" in str(fault)


def test_a_client_has_so_many_objects(serving: Serving) -> None:
    server = tasuki.connect(serving.url, mode="hand-off")
    counters = [server.statistics.Plain() for _ in range(1000)]
    with pytest.raises(QuotaError, match="1000 objects already"):
        server.statistics.Plain()
    counters.pop().free()
    assert server.statistics.Plain().next()[0] > 0
    assert tasuki.connect(serving.url).statistics.Plain().next()[0] > 0


def test_the_states_of_objects_fill_what_the_ranks_keep(tmp_path: Path) -> None:
    with served(tmp_path, "--keep-limit", 500) as server:
        counters = [server.objects.Counter(), server.objects.Counter()]
        with pytest.raises(QuotaError, match=r"its state has 176 bytes.*larger --keep-limit"):
            server.objects.Counter()
        assert [one.add(1)[0] for one in counters] == [2, 2]
        counters.pop().free()
        assert server.objects.Counter().add(1)[0] == 2


def test_a_class_in_python_has_an_instance_for_each_object(server) -> None:
    ended = server.statistics.ended()[0]
    with server.statistics.Mean() as first, server.statistics.Mean() as second:
        first.take([1.0, 2.0, 3.0])
        second.take(np.full(10, 7.0))
        first.take([6.0])
        assert first.value()[0] == 3 and second.value()[0] == 7
    assert server.statistics.ended()[0] == ended + 2
    plain, other = server.statistics.Plain(), server.statistics.Plain()
    assert plain.next()[0] + 101 == other.next()[0] + 1 == plain.next()[0] + 100


def test_an_exception_of_a_method_in_python_reaches_the_client(server) -> None:
    with pytest.raises(CallError, match=r"ValueError: nothing has come yet \(.*running.py:\d+\)"):
        server.statistics.Mean().value()


def said_by(program: str, url: str) -> list[str]:
    environment = os.environ | {"TASUKI_SERVER": url}
    path = BUILD_TREE / "bin" / program
    done = subprocess.run([path], env=environment, capture_output=True, text=True, timeout=60)
    return done.stdout.splitlines()


def test_the_examples(tmp_path: Path) -> None:
    for name in ("counter.idl", "running.idl", "running.py", "own_class.idl"):
        shutil.copy(REPOSITORY / "examples" / name, tmp_path)
    command = Command()
    own = ("--program", BUILD_TREE / "bin" / "example_own_class")
    assert command("idl", "build", tmp_path / "own_class.idl", *own).returncode == 0
    serving = Serving(tmp_path, "-n", 2)
    with serving as server:
        counter = server.stats.Counter()
        assert counter.add(3)[0] == 103
        with server.running.Mean() as mean:
            mean.take([1.0, 2.0, 6.0])
            assert mean.value()[0] == 3
        tickets = [server.tickets.Ticket() for _ in range(2)]
        assert [one.number()[0][0] for one in tickets] == [1, 2]
        assert [one.number()[1][0] for one in tickets] == [2, 2]
        assert said_by("example_object", serving.url) == ["105", "112", "lost-object"]
        said = said_by("example_object_cpp", serving.url)
        assert said[0] == "106" and "the server has no such routine" in said[1]


def test_classes_are_shown_where_routines_are(serving: Serving, server, tasuki) -> None:
    assert {"Counter", "Vector", "counts"} <= set(dir(server.objects))
    assert dir(server.objects.Counter) == ["add", "blocks", "fail", "number"]
    assert "class Counter\n    counts, and keeps" in repr(server.objects)
    assert "counter = server.objects.Counter()" in server.objects.Counter.add.__doc__
    with pytest.raises(AttributeError, match="class Counter has no method none"):
        _ = server.objects.Counter().none
    with pytest.raises(CallError, match="no object is given"):
        server.objects.Counter.add(1)
    shown = tasuki("info", serving.url)
    assert shown.returncode == 0 and "objects.Counter.add" in shown.stdout
    called = tasuki("call", serving.url, "objects.Counter.add", "by=1")
    assert called.returncode != 0 and "a shell has no object" in called.stderr.replace("\n", " ")
