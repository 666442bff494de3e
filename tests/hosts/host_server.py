"""The first process of a host: starts commands for agents, and reaps what has ended there.

`host_server.py NAME FD KEPT_FOLDER...` writes to FD when the host is ready. A request is a JSON
object with the descriptors that are to be the command's standard input, output and error:
{"command": [...], "environment": {...} or null, "folder": PATH or null}, {"signal": NUMBER} for the
command started by the same connection, {"signal_all": NUMBER} or {"end": true}. The answer is the
exit code in decimal.

Thread-safety: one thread.
"""

import contextlib
import json
import os
import selectors
import signal
import socket
import subprocess
import sys
from pathlib import Path

FOLDER = Path("/run/tasuki-laboratory")
REQUEST_BYTES = 1 << 20


def mount(*words: str) -> None:
    subprocess.run(["mount", *words], check=True)


def prepare(name: str, kept: list[str]) -> None:
    """The host's own name, names of others, /dev/shm and /tmp, where `kept` stay what they are."""
    socket.sethostname(name)
    mount("--bind", str(FOLDER / "hosts"), "/etc/hosts")
    mount("-t", "sysfs", name, "/sys")  # Network devices there are those of who mounts it.
    mount("-t", "tmpfs", "-o", "mode=1777", name, "/dev/shm")
    below = sorted({folder for folder in kept if folder.startswith("/tmp/")})
    open_before = [os.open(folder, os.O_PATH) for folder in below]
    mount("-t", "tmpfs", "-o", "mode=1777", name, "/tmp")
    for folder, fd in zip(below, open_before, strict=True):
        Path(folder).mkdir(parents=True, exist_ok=True)
        # Else mount would resolve the name, which leads to the new /tmp by now.
        bind = ["mount", "--no-canonicalize", "--bind", f"/proc/self/fd/{fd}", folder]
        subprocess.run(bind, check=True, pass_fds=(fd,))
        os.close(fd)


class HostServer:
    """Serves agents until the host ends."""

    def __init__(self, name: str) -> None:
        self._listening = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._listening.bind(str(FOLDER / name))
        self._listening.listen(64)
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._listening, selectors.EVENT_READ)
        self._agents: dict[int, socket.socket] = {}  # By the process started for it.
        ended, wake = os.pipe()
        os.set_blocking(wake, False)
        signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        self._ended = ended
        self._selector.register(ended, selectors.EVENT_READ)

    def serve(self) -> None:
        while True:
            for key, _ in self._selector.select():
                if key.fileobj is self._listening:
                    agent, _ = self._listening.accept()
                    self._selector.register(agent, selectors.EVENT_READ)
                elif key.fileobj == self._ended:
                    os.read(self._ended, 4096)
                    self._reap()
                else:
                    self._answer(key.fileobj)

    def _answer(self, agent: socket.socket) -> None:
        try:
            message, fds, _, _ = socket.recv_fds(agent, REQUEST_BYTES, 3)
        except ConnectionResetError:
            message, fds = b"", []
        if not message:
            self._forget(agent)
            return
        request = json.loads(message)
        if "command" in request:
            self._start(agent, request, fds)
        elif "signal" in request:
            for pid, owner in self._agents.items():
                if owner is agent:
                    signal_group(pid, request["signal"])
        elif "signal_all" in request:
            with contextlib.suppress(ProcessLookupError):  # There is none any more.
                os.kill(-1, request["signal_all"])
            agent.send(b"0")
        elif "end" in request:
            os._exit(0)

    def _start(self, agent: socket.socket, request: dict, fds: list[int]) -> None:
        try:
            pid = os.fork()
            if pid == 0:
                become(request, fds)
            self._agents[pid] = agent
        finally:
            for fd in fds:
                os.close(fd)

    def _forget(self, agent: socket.socket) -> None:
        """An agent that has ended takes its command along."""
        self._selector.unregister(agent)
        agent.close()
        for pid in [pid for pid, owner in self._agents.items() if owner is agent]:
            del self._agents[pid]
            signal_group(pid, signal.SIGKILL)

    def _reap(self) -> None:
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if pid == 0:
                return
            agent = self._agents.pop(pid, None)
            if agent is not None:
                code = os.waitstatus_to_exitcode(status)
                with contextlib.suppress(OSError):  # The agent may have ended meanwhile.
                    agent.send(str(code if code >= 0 else 128 - code).encode())


def signal_group(pid: int, number: int) -> None:
    """Signals the command's processes, or its one process if it has no session of its own yet."""
    try:
        os.killpg(pid, number)
    except ProcessLookupError:
        os.kill(pid, number)


def become(request: dict, fds: list[int]) -> None:
    """The process becomes the command, or ends with 127."""
    try:
        os.setsid()
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        for target, fd in enumerate(fds):
            os.dup2(fd, target)
        os.closerange(3, 1024)
        home = os.path.expanduser("~")
        os.chdir(request["folder"] or home)
        environment = request["environment"]
        if environment is None:  # What a login gives.
            environment = {
                "HOME": home,
                "PATH": "/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin",
                "SHELL": "/bin/sh",
                "USER": "root",
                "LOGNAME": "root",
            }
        os.execvpe(request["command"][0], request["command"], environment)
    except OSError as failure:
        sys.stderr.write(f"{request['command'][0]}: {failure.strerror}\n")
    finally:
        os._exit(127)


def main() -> None:
    name, told, *kept = sys.argv[1:]
    prepare(name, kept)
    server = HostServer(name)
    os.write(int(told), b"1")
    os.close(int(told))
    server.serve()


if __name__ == "__main__":
    main()
