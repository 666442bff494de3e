"""Calls of mpi4py, which takes the functions of MPI 4 where its MPI has them."""

import numpy as np
from mpi4py import MPI

world = MPI.COMM_WORLD
other = (world.rank + 1) % world.size
print(world.rank, MPI.get_vendor()[0], world.allgather({"rank": world.rank}))

values = np.full(4, world.rank, dtype="i")
received = np.empty_like(values)
requests = [world.Irecv(received, tag=7), world.Isend(values, other, tag=7)]
statuses = [MPI.Status() for _ in requests]
MPI.Request.Waitall(requests, statuses)
print(world.rank, received, statuses[0].Get_source(), statuses[0].Get_count(MPI.INT))

persistent = [world.Recv_init(received, other, 1), world.Send_init(values, other, 1)]
for _ in range(3):
    MPI.Prequest.Startall(persistent)
    MPI.Request.Waitall(persistent)
for request in persistent:
    request.Free()

duplicate = world.Dup()
request = duplicate.Iallreduce(MPI.IN_PLACE, values)
request.Wait()
print(world.rank, values)
try:
    duplicate.Send(values, world.size)
except MPI.Exception as failure:
    print(world.rank, failure.Get_error_class() == MPI.ERR_RANK)
try:
    MPI.Session.Init().Finalize()
    print("sessions")
except NotImplementedError:
    print("no sessions")
duplicate.Free()
