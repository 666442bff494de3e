# examples/several_servers.py
import sys

import numpy as np
import tasuki
from tasuki.rpc.errors import CallError

servers = ["tasuki://localhost:7777", "tasuki://localhost:7778"]
server = tasuki.connect(sys.argv[1] if len(sys.argv) > 1 else servers)
solve = server.linpack.solve
for _ in sys.stdin:  # solves again for each line
    try:
        print(solve(np.eye(2), np.ones(2)), "on", solve.report["server"], flush=True)
    except CallError as fault:
        print(f"may have run: {fault.may_have_run}; {fault}", flush=True)
