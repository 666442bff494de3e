#!/bin/sh
# behind_link.sh PROGRAM...: a rank of an MPI program goes to the host of its own; see links.sh.
#
# UCX finds the devices of a host in /sys, which a mount shows as they are where it was made.
set -- $LINK_HOSTS -- "$@"
shift "${OMPI_COMM_WORLD_RANK:-$PMI_RANK}"
host=$1
until [ "$1" = -- ]; do shift; done
shift
exec nsenter --target "$host" --net \
  unshare --mount sh -c 'mount -t sysfs none /sys && exec "$@"' "$1" "$@"
