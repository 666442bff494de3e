// What ends a job of which a host has vanished: the report of which of its ranks this rank's fibers
// wait for.
//
// Called by the poller, busy or idle. Thread-safety: none; the rank's own thread.
#pragma once

#include <string>
#include <tasuki/detail/runtime/calls/rank.hpp>
#include <tasuki/detail/transport/vanished_hosts.hpp>
#include <vector>

#include "runtime/world/hang_answer.hpp"

namespace tasuki::runtime {

/// Does nothing as long as no host has vanished; otherwise reports and ends the job.
void end_if_hosts_have_vanished(Rank& self);

/// What a rank says of it whose fibers wait for this; "" if it does not concern the rank, and
/// another one speaks for its host.
std::string vanished_hosts_report(const transport::VanishedHosts& hosts, int rank,
                                  const std::vector<WaitingFiber>& fibers);

}  // namespace tasuki::runtime
