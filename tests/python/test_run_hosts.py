"""The hosts of `tasuki run`: which ranks each gets, what is said of lists that are none, and
standard input."""

import os
import pty
import subprocess

import pytest
from tasuki.base.errors import CommandError
from tasuki.launcher.hosts import Host, parse_hosts, place_ranks, read_host_file


@pytest.mark.parametrize(
    ("text", "hosts"),
    [
        ("a", [Host("a", None)]),
        ("a:2,b:3", [Host("a", 2), Host("b", 3)]),
        ("node-1.cluster:16", [Host("node-1.cluster", 16)]),
        ("10.0.0.1:2,[fe80::1]:4", [Host("10.0.0.1", 2), Host("[fe80::1]", 4)]),
    ],
)
def test_a_list_of_hosts(text, hosts):
    assert parse_hosts(text) == hosts


@pytest.mark.parametrize("text", ["", ",", "a,", "a:", "a:x", "a:-1", "a b", "a;reboot", "-o:2"])
def test_what_is_no_list_of_hosts_is_refused(text):
    with pytest.raises(CommandError, match="is no host"):
        parse_hosts(text)


def test_a_host_without_ranks_is_refused():
    with pytest.raises(CommandError, match="host b would have no rank"):
        parse_hosts("a:1,b:0")


def test_a_file_of_hosts(tmp_path):
    file = tmp_path / "hosts"
    file.write_text("# The cluster.\na\n\nb:2\nc slots=3 max_slots=4  # the large one\n")
    assert read_host_file(str(file)) == [Host("a", None), Host("b", 2), Host("c", 3)]


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "names no host"),
        (b"# none\n", "names no host"),
        (b"a\nb c\n", "line 2: 'b c' is no host"),
        (b"\xff\xfe", "cannot be read: it is no text"),
    ],
)
def test_a_file_that_is_none_is_refused(tmp_path, content, says):
    file = tmp_path / "hosts"
    file.write_bytes(content)
    with pytest.raises(CommandError) as failure:
        read_host_file(str(file))
    assert says in str(failure.value)


def test_a_file_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(CommandError, match="cannot be read: No such file or directory"):
        read_host_file(str(tmp_path / "none"))


@pytest.mark.parametrize(
    ("text", "rank_count", "counts"),
    [
        ("a,b", None, {"a": 1, "b": 1}),
        ("a:2,b:3", None, {"a": 2, "b": 3}),
        ("a:2,b:3", 4, {"a": 2, "b": 2}),
        ("a:2,b:3", 2, {"a": 2}),
        ("a,b,c", 7, {"a": 3, "b": 2, "c": 2}),
        ("a,b,c", 2, {"a": 1, "b": 1}),
    ],
)
def test_ranks_go_to_the_first_hosts_first(text, rank_count, counts):
    placed = place_ranks(parse_hosts(text), rank_count)
    assert {host.name: host.rank_count for host in placed} == counts


def test_more_ranks_than_room_are_refused():
    with pytest.raises(CommandError, match="-n 6: the hosts have room for 5 ranks"):
        place_ranks(parse_hosts("a:2,b:3"), 6)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--hosts", "a:2", "--hostfile", "f"], "--hosts and --hostfile"),
        (["--rsh", "ssh"], "--rsh ssh, and no hosts"),
        (["--hosts", "a:2", "--transport", "shm"], "transport shm cannot reach other hosts"),
        (["--hosts", "a:2", "--tuned"], "--tuned and --hosts"),
    ],
)
def test_options_that_exclude_each_other(tasuki, options, says):
    result = tasuki("run", *options, "--", "true")
    assert result.returncode == 2
    assert says in result.stderr


HERE = ("run", "--hosts", "localhost:2", "--transport", "ucx", "--")


def test_standard_input_goes_to_rank_0(tasuki):
    text = "".join(f"line {number}\n" for number in range(100_000))
    count = "echo $TASUKI_RANK; exec cat"
    result = tasuki(*HERE, "sh", "-c", count, input=text)
    assert result.returncode == 0, result.stderr
    lines = result.stdout.splitlines()
    assert sorted(line for line in lines if "line" not in line) == ["0", "1"]
    assert [line for line in lines if "line" in line] == text.splitlines()


def test_input_that_nobody_reads_holds_nothing_up(tasuki):
    with subprocess.Popen(["yes"], stdout=subprocess.PIPE) as endless:
        with tasuki.start(*HERE, "sh", "-c", "test $TASUKI_RANK != 0 || head -n 1",
                          stdin=endless.stdout) as job:  # fmt: skip
            stdout, stderr = job.communicate(timeout=300)
        endless.kill()
    assert (job.returncode, stdout) == (0, "y\n"), stderr


def test_input_that_does_not_end_holds_nothing_up(tasuki):
    with tasuki.start(*HERE, "true", stdin=subprocess.PIPE) as job:
        assert job.wait(timeout=300) == 0


def test_a_terminal_is_not_read(tasuki):
    controller, terminal = pty.openpty()
    with tasuki.start(*HERE, "cat", stdin=terminal) as job:
        os.write(controller, b"typed\n")
        stdout, stderr = job.communicate(timeout=300)
    os.close(controller)
    os.close(terminal)
    assert (job.returncode, stdout) == (0, ""), stderr
