#include <fmt/format.h>

#include <tasuki/call.hpp>
#include <tasuki/detail/runtime/calls/rank.hpp>
#include <tasuki/error.hpp>

#include "runtime/calls/signal_report.hpp"

namespace tasuki::runtime {
namespace {

/// Returns: the number of the rank that has come up.
int start(transport::Transport& transport) {
  transport.start();
  base::set_rank_for_messages(transport.rank());
  return transport.rank();
}

}  // namespace

constinit thread_local Rank* Rank::current_ = nullptr;

Rank::Rank(transport::Transport& its_transport, const fiber::PollerHooks& poller)
    : transport(its_transport),
      waits(its_transport, poller),
      rank(start(its_transport)),
      size(its_transport.size()),
      traffic(size),
      sender(its_transport, waits, traffic) {
  waits.set_report_unheard(&report_unheard_failure);
  fiber::signal_report = &report_signal;
}

void Rank::throw_rank_out_of_range(int other, const char* operation) const {
  throw error(operation, fmt::format("rank {} does not exist; there are {} ranks", other, size),
              fmt::format("use a rank from 0 to {}", size - 1));
}

}  // namespace tasuki::runtime
