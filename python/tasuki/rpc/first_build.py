"""Builds routines before their first start: python -m tasuki.rpc.first_build FILE FOLDER COMMAND.

FILE is the interface file and COMMAND what starts the program, which this one becomes. The front
end starts it (demo.py).
"""

import fcntl
import os
import sys
from pathlib import Path

from tasuki.base.errors import CommandError
from tasuki.idl.build import build, registration_of
from tasuki.idl.errors import IdlError


def main(file: Path, folder: Path, command: list[str]) -> int:
    """Returns only if it cannot be built: 1."""
    folder.mkdir(parents=True, exist_ok=True)
    try:
        with open(folder / f"{file.stem}.lock", "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)  # Another one may be building it.
            if not registration_of(file, folder).exists():
                build(file, folder)
    except (CommandError, IdlError) as fault:
        print(str(fault), file=sys.stderr)
        return 1
    os.execvp(command[0], command)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:]))
