#!/bin/sh
# end_after_result.sh SECONDS COMMAND...: ends COMMAND so long after it has printed its result, a
# line of JSON, if it has not ended by itself.
#
# MPICH over UCX's TCP may wait in MPI_Finalize for ever: ranks that are in the barrier of its
# launcher answer no others, which still take leave of them (github.com/pmodels/mpich/pull/6596).
seconds=$1
shift
folder=$(mktemp -d)
trap 'kill $command 2>/dev/null; rm -r "$folder"' EXIT
trap 'exit 143' TERM
"$@" >"$folder/result" &
command=$!
until grep -q '^{.*}$' "$folder/result" || ! kill -0 $command 2>/dev/null; do sleep 0.02; done
{
  sleep "$seconds"
  touch "$folder/late"
  kill $command
} >/dev/null 2>&1 &
ending=$!
wait $command
status=$?
kill $ending 2>/dev/null
cat "$folder/result"
# Of a command that had to be ended the result says whether it is right.
test -e "$folder/late" && grep -q '"verified":true' "$folder/result" && exit 0
exit $status
