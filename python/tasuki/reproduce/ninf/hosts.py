"""Who is on which host of the cluster: client, front end, and each rank on one of its own."""

import stat
from pathlib import Path

from tasuki.reproduce.links import LOCAL, RATE, host

CLIENT, FRONT_END, FIRST_RANK = range(3)  # Their hosts.
_ON_HOST = """#!/bin/sh
# Runs a rank's program on the host of the rank.
set -- $LINK_HOSTS -- "$@"
shift $((TASUKI_RANK + {first_rank}))
host=$1
until [ "$1" = -- ]; do shift; done
shift
exec nsenter --target "$host" --net "{program}" "$@"
"""


def rates_for(ranks: int) -> list[str]:
    """Of the links of all hosts."""
    return [RATE] * (FIRST_RANK + ranks)


def on_hosts_of_ranks(program: Path, folder: Path) -> Path:
    """A program in `folder` that starts `program` on the host of its rank; the program itself if
    this process is in no cluster."""
    if host(FIRST_RANK) == LOCAL:
        return program
    script = folder / program.name
    script.write_text(_ON_HOST.format(first_rank=FIRST_RANK, program=program))
    script.chmod(script.stat().st_mode | stat.S_IXUSR)
    return script
