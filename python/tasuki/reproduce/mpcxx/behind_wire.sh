#!/bin/sh
# behind_wire.sh PROGRAM...: rank 1 of Open MPI goes to the other end of the wire; see wire.sh.
test "$OMPI_COMM_WORLD_RANK" = 1 && exec nsenter --target "$WIRE_PEER" --net "$@"
exec "$@"
