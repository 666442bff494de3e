"""The first process of a laboratory's namespaces: makes the switch and the hosts, then waits.

Thread-safety: one thread.
"""

import argparse
import os
import signal
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
FOLDER = Path("/run/tasuki-laboratory")  # In this mount namespace, and in those of the hosts.
NETWORK = "10.231.9"


def run(*command: str) -> None:
    subprocess.run(command, check=True)


def make_folder(host_count: int) -> None:
    """What hosts share: the sockets of their servers, and their names and addresses."""
    run("mount", "--make-rprivate", "/")
    FOLDER.mkdir(exist_ok=True)
    run("mount", "-t", "tmpfs", "laboratory", str(FOLDER))
    lines = [f"{NETWORK}.{index + 1} h{index}" for index in range(host_count)]
    # As on any Debian, and no more: a name that is not here does not resolve.
    text = "127.0.0.1 localhost\n::1 localhost\n" + "\n".join(lines) + "\n"
    (FOLDER / "hosts").write_text(text)


def shape(device: str, options: argparse.Namespace, enter: tuple[str, ...] = ()) -> None:
    if options.rate is not None:
        tbf = ["tbf", "rate", options.rate, "burst", options.burst, "latency", "50ms"]
        run(*enter, "tc", "qdisc", "add", "dev", device, "root", *tbf)


def start_host(index: int, options: argparse.Namespace) -> None:
    """Returns when the host answers."""
    name = f"h{index}"
    alive, told = os.pipe()
    unshare = ["unshare", "--net", "--uts", "--ipc", "--mount", "--pid", "--fork", "--kill-child"]
    server = [sys.executable, str(HERE / "host_server.py"), name, str(told), *options.keep]
    process = subprocess.Popen([*unshare, "--mount-proc", *server], pass_fds=(told,))
    os.close(told)
    link = f"port{index}"
    run("ip", "link", "add", link, "type", "veth", "peer", "name", f"cable{index}")
    if os.read(alive, 1) != b"1":
        raise SystemExit(f"laboratory: host {name} did not start")
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    run("ip", "link", "set", f"cable{index}", "netns", children[0])
    run("ip", "link", "set", link, "master", "switch", "up")
    shape(link, options)
    enter = ("nsenter", f"--target={children[0]}", "--net")
    run(*enter, "ip", "link", "set", f"cable{index}", "name", "cable")
    run(*enter, "ip", "address", "add", f"{NETWORK}.{index + 1}/24", "dev", "cable")
    run(*enter, "ip", "link", "set", "lo", "up")
    run(*enter, "ip", "link", "set", "cable", "up")
    shape("cable", options, enter)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--hosts", type=int)
    parser.add_argument("--rate")
    parser.add_argument("--burst")
    parser.add_argument("--one-core-each", action="store_true")
    parser.add_argument("--keep", action="append", default=[])
    options = parser.parse_args()
    make_folder(options.hosts)
    run("ip", "link", "set", "lo", "up")
    run("ip", "link", "add", "switch", "type", "bridge")
    run("ip", "link", "set", "switch", "up")
    cores = sorted(os.sched_getaffinity(0))
    for index in range(options.hosts):
        if options.one_core_each:
            os.sched_setaffinity(0, {cores[index % len(cores)]})  # The host inherits it.
        start_host(index, options)
    print("ready", flush=True)
    # Hosts' first processes are children of unshare, which are children of this one.
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    sys.stdin.read()


if __name__ == "__main__":
    main()
