#include "runtime/world/quiescence.hpp"

#include <algorithm>
#include <span>
#include <tasuki/call.hpp>
#include <tasuki/collectives.hpp>
#include <tasuki/detail/runtime/calls/rank.hpp>

#include "runtime/calls/service_record.hpp"
#include "runtime/collectives/rank_collectives.hpp"
#include "runtime/waiting/continuations.hpp"

namespace tasuki::runtime {

Quiescence::Counts Quiescence::counts() const noexcept {
  const CallCounts& calls = self_.traffic.calls;
  const TrafficCounts& transfers = self_.traffic.transfers;
  const TrafficCounts& service = self_.traffic.service_records;
  // Continuations make calls too; what is left to the poller is like a call to this rank.
  return {calls.sent + transfers.begun + self_.waits.continuations().unfinished_count(),
          calls.done + transfers.done, service.begun, service.done};
}

Quiescence::Counts Quiescence::sum(const Counts& mine) {
  Counts sums{};
  auto call = describe_kept_reduction<std::uint64_t>(coll::Collective::allreduce, sums.size(),
                                                     std::span<const std::uint64_t>(mine),
                                                     std::span<std::uint64_t>(sums), Sum{});
  call.label = "quiesce";
  collectives_.start(collectives_.service_team(), std::move(call)).get();
  return sums;
}

void Quiescence::wait() { settle(never_seen); }

void Quiescence::close() {
  is_closing_ = true;
  Counts before = settle(never_seen);
  is_settled_ = true;  // so that the library's own records end, too
  for (;;) {
    const Counts sums = settle(before);
    if (sums == before && service_is_done(sums)) return;
    before = sums;
    self_.waits.yield();
  }
}

Quiescence::Counts Quiescence::settle(Counts before) {
  for (;;) {
    self_.sender.flush();
    const Counts mine = counts();
    const Counts sums = sum(mine);
    ++round_;
    const bool nothing_happened = same_program(sums, before);
    if (nothing_happened && program_is_done(sums)) return sums;
    before = sums;
    if (nothing_happened) {
      wait_for_news(mine);
    } else {
      self_.waits.yield();
    }
  }
}

void Quiescence::wait_for_news(const Counts& mine) {
  const auto is_wanted = [&] { return wanted_round_ > round_; };
  self_.waits.wait_until([&] { return is_wanted() || !same_program(counts(), mine); },
                         {fiber::WaitKind::quiesce});
  if (!is_wanted()) want_round(round_ + 1);
}

void Quiescence::want_round(std::uint64_t round) {
  if (wanted_round_ >= round) return;
  wanted_round_ = round;
  if (self_.rank != 0) {
    send_service_record(self_, 0, &handle_wanted_round, round);
    return;
  }
  for (int rank = 1; rank < self_.size; ++rank) {
    send_service_record(self_, rank, &handle_wanted_round, round);
  }
}

void Quiescence::handle_wanted_round(Rank& self, int source, Reader& reader) {
  Quiescence& quiescence = *self.quiescence;
  const auto round = reader.read<std::uint64_t>();
  if (source == 0) {
    quiescence.wanted_round_ = std::max(quiescence.wanted_round_, round);
  } else {
    quiescence.want_round(round);
  }
  service_record_done(self);
}

}  // namespace tasuki::runtime

void tasuki::quiesce() { runtime::Rank::current().quiescence->wait(); }
