#!/usr/bin/env python3
"""Starts a command on another host of the laboratory and ends as it does, as rsh and ssh do.

    agent.py [OPTIONS OF SSH] HOST COMMAND...           the shell of that host gets the words
    agent.py --here FOLDER HOST COMMAND...              in this folder and environment
    agent.py --request JSON HOST                        asks the host for something else

Thread-safety: one thread.
"""

import json
import os
import signal
import socket
import sys
from pathlib import Path

FOLDER = Path("/run/tasuki-laboratory")
PASSED_ON = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGUSR1)
UNREACHABLE = 255  # As of ssh.
OPTIONS_WITH_VALUE = ("-l", "-o", "-p", "-i")


def connect(host: str) -> socket.socket:
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    try:
        connection.connect(str(FOLDER / host))
    except OSError:
        sys.stderr.write(f"agent: {host}: there is no such host\n")
        sys.exit(UNREACHABLE)
    return connection


def answer_of(connection: socket.socket) -> int:
    answer = connection.recv(64)
    return int(answer) if answer else UNREACHABLE


def main() -> int:
    words = sys.argv[1:]
    if words[:1] == ["--request"]:
        connection = connect(words[2])
        connection.send(words[1].encode())
        answer_of(connection)
        return 0
    here = words[:1] == ["--here"]
    folder = words[1] if here else None
    host, *command = words[2:] if here else without_options(words)
    request = {
        "command": command if here else ["sh", "-c", " ".join(command)],
        "environment": dict(os.environ) if here else None,
        "folder": folder,
    }
    connection = connect(host)
    for number in PASSED_ON:
        signal.signal(
            number, lambda number, _: connection.send(json.dumps({"signal": number}).encode())
        )
    socket.send_fds(connection, [json.dumps(request).encode()], [0, 1, 2])
    return answer_of(connection)


def without_options(words: list[str]) -> list[str]:
    while words and words[0].startswith("-"):
        words = words[2:] if words[0] in OPTIONS_WITH_VALUE else words[1:]
    return words


if __name__ == "__main__":
    sys.exit(main())
