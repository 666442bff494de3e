#!/bin/sh
# wire.sh RATE COMMAND...: runs COMMAND where its second rank is behind a wire.
#
# This shell has a network namespace of its own (unshare --net); a second one is joined to it by a
# pair of virtual Ethernet devices, each of which sends RATE (as in 100mbit) at most. Programs that
# COMMAND starts through behind_wire.sh find the second one by WIRE_PEER. Both namespaces end with
# the processes in them, so that nothing is left behind, however this shell ends.
set -e
rate=$1
shift

setpriv --pdeathsig KILL unshare --net sleep infinity &
peer=$!
trap 'kill $peer 2>/dev/null' EXIT
own=$(readlink /proc/self/ns/net)
until test "$(readlink /proc/$peer/ns/net)" != "$own"; do
  kill -0 $peer
  sleep 0.01
done

there() { nsenter --target $peer --net "$@"; }
ip link add tasuki0 type veth peer name tasuki1 netns $peer
ip address add 10.231.7.1/24 dev tasuki0
there ip address add 10.231.7.2/24 dev tasuki1
for device in lo tasuki0; do ip link set $device up; done
for device in lo tasuki1; do there ip link set $device up; done
tc qdisc add dev tasuki0 root tbf rate "$rate" burst 32k latency 50ms
there tc qdisc add dev tasuki1 root tbf rate "$rate" burst 32k latency 50ms

WIRE_PEER=$peer "$@"
