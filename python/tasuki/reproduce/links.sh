#!/bin/sh
# links.sh RATES COMMAND...: runs COMMAND on the first of several hosts, each of which has a link of
# its own to a switch. RATES has the rate of each link, as in "100mbit 100mbit 10mbit".
#
# The switch is a bridge in this shell's network namespace (unshare --net); each host is a namespace
# with a pair of virtual Ethernet devices, of which both ends send the rate at most. The hosts have
# the addresses 10.231.8.1, 10.231.8.2 and so on. LINK_HOSTS has a process of each, by which nsenter
# finds them. All namespaces end with the processes in them, so that nothing is left behind, however
# this shell ends.
set -e
rates=$1
shift

own=$(readlink /proc/self/ns/net)
LINK_HOSTS=
trap 'kill $LINK_HOSTS 2>/dev/null' EXIT
ip link add switch type bridge
ip link set switch up
number=1
for rate in $rates; do
  setpriv --pdeathsig KILL unshare --net sleep infinity &
  host=$!
  LINK_HOSTS="$LINK_HOSTS $host"
  until test "$(readlink /proc/$host/ns/net)" != "$own"; do
    kill -0 $host
    sleep 0.01
  done
  ip link add port$number type veth peer name cable netns $host
  ip link set port$number master switch up
  tc qdisc add dev port$number root tbf rate "$rate" burst 32k latency 50ms
  there() { nsenter --target $host --net "$@"; }
  there ip address add 10.231.8.$number/24 dev cable
  there ip link set lo up
  there ip link set cable up
  there tc qdisc add dev cable root tbf rate "$rate" burst 32k latency 50ms
  number=$((number + 1))
done

export LINK_HOSTS
first=${LINK_HOSTS# }
setpriv --pdeathsig KILL nsenter --target "${first%% *}" --net "$@"
