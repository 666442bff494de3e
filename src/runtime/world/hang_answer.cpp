#include "runtime/world/hang_answer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tasuki/call.hpp>
#include <tasuki/detail/runtime/calls/code_address.hpp>
#include <tasuki/detail/runtime/world/thread_works.hpp>

#include "base/rank_runs.hpp"
#include "runtime/calls/dispatcher.hpp"
#include "runtime/collectives/rank_collectives.hpp"
#include "runtime/waiting/continuations.hpp"
#include "runtime/world/quiescence.hpp"

namespace tasuki::runtime {
namespace {

std::string describe_doing(const fiber::Activity& activity, bool main_has_ended) {
  if (activity.caller_rank >= 0) {
    const std::string name =
        *activity.label != '\0' ? activity.label : function_name(activity.function);
    return fmt::format("{} called by rank {}", name, activity.caller_rank);
  }
  std::string name = *activity.label != '\0' ? activity.label : "main";
  if (activity.function != 0) name += ' ' + function_name(activity.function);
  return main_has_ended ? name + ", which has returned," : name;
}

/// Only the first few runs of a long list.
std::string list_ranks(const std::vector<int>& ranks) {
  constexpr std::size_t most_runs = 16;
  return base::rank_runs(ranks, most_runs);
}

/// "the other ranks in barrier", with the ranks named unless they are all there are.
std::string describe_collective(const Rank& self, const fiber::WaitReason& reason) {
  const char* name = static_cast<const char*>(reason.object);
  const auto* team = reinterpret_cast<const TeamState*>(reason.call_id);
  if (team == nullptr || team->ranks.size() == static_cast<std::size_t>(self.size)) {
    return fmt::format("the other ranks in {}", name);
  }
  return fmt::format("the other ranks of the team of ranks {} in {}", list_ranks(team->ranks),
                     name);
}

/// By its name where it has one that is not its symbol.
std::string called_function(const fiber::WaitReason& reason) {
  return reason.object != nullptr ? static_cast<const char*>(reason.object)
                                  : function_name(reason.function);
}

std::string describe_quiesce(const fiber::WaitReason& reason) {
  const auto* team = reinterpret_cast<const TeamState*>(reason.call_id);
  if (team == nullptr) return fiber::describe(reason.kind);
  return fmt::format("all calls among the ranks {} of a team to be done", list_ranks(team->ranks));
}

std::string describe_wait(const Rank& self, const fiber::WaitReason& reason) {
  using fiber::WaitKind;
  switch (reason.kind) {
    case WaitKind::reply:
      return fmt::format("the result of {} on rank {}", called_function(reason), reason.rank);
    case WaitKind::sync_read:
      return fmt::format("a value in the Sync at {} (its writer is not known)", reason.object);
    case WaitKind::collective:
      return describe_collective(self, reason);
    case WaitKind::quiesce:
      return describe_quiesce(reason);
    default:
      return reason.rank < 0
                 ? std::string(fiber::describe(reason.kind))
                 : fmt::format("{} (rank {})", fiber::describe(reason.kind), reason.rank);
  }
}

struct Collected {
  const Rank* self;
  bool main_has_ended;
  std::vector<WaitingFiber>* fibers;
};

std::vector<WaitingFiber> waiting_fibers(const Rank& self, bool main_has_ended) {
  std::vector<WaitingFiber> fibers;
  Collected collected{&self, main_has_ended, &fibers};
  self.waits.scheduler().for_each_waiting(
      [](void* context, const fiber::Activity& activity, const fiber::WaitReason& own_reason) {
        auto& to = *static_cast<Collected*>(context);
        const fiber::WaitReason& reason = fiber::last_reason(own_reason);
        if (reason.kind == fiber::WaitKind::none || reason.kind == fiber::WaitKind::yielded) return;
        const bool waits_for_end = activity.caller_rank < 0 && to.main_has_ended;
        to.fibers->push_back(
            {to.self->rank, activity.caller_rank, activity.call_id,
             static_cast<std::uint8_t>(reason.kind), reason.rank, reason.call_id,
             describe_doing(activity, to.main_has_ended),
             waits_for_end ? "the end of the job" : describe_wait(*to.self, reason)});
      },
      &collected);
  const auto& coroutines = self.waits.coroutines();
  for (const SuspendedCoroutine* one = coroutines.first(); one != nullptr;
       one = coroutines.after(*one)) {
    const fiber::Activity& activity = one->activity;
    const fiber::WaitReason& reason = fiber::last_reason(*one->reason);
    const bool is_called = activity.caller_rank >= 0;
    fibers.push_back({self.rank, activity.caller_rank, activity.call_id,
                      static_cast<std::uint8_t>(reason.kind), reason.rank, reason.call_id,
                      is_called ? describe_doing(activity, main_has_ended)
                                : function_name(one->own_reason->function),
                      describe_wait(self, reason)});
  }
  return fibers;
}

/// What all waiting fibers wait for, call by call.
class Chains {
 public:
  explicit Chains(const std::vector<WaitingFiber>& fibers) : fibers_(fibers) {
    for (const WaitingFiber& fiber : fibers) {
      next_.push_back(find_awaited(fiber));
      is_awaited_.push_back(false);
    }
    for (const std::size_t next : next_) {
      if (next != none) is_awaited_[next] = true;
    }
    is_told_ = std::vector<bool>(fibers.size(), false);
  }

  /// Each cycle once with what leads into it, then the other chains.
  std::string text() {
    std::string cycles;
    std::string others;
    for (std::size_t i = 0; i < fibers_.size(); ++i) {
      if (!is_awaited_[i]) follow(i, cycles, others);
    }
    // What is left is awaited by others only in a circle.
    for (std::size_t i = 0; i < fibers_.size(); ++i) {
      if (!is_told_[i]) follow(i, cycles, others);
    }
    if (!others.empty()) others.insert(0, "what waits for what:\n");
    return cycles + others;
  }

 private:
  static constexpr auto none = static_cast<std::size_t>(-1);

  std::size_t find_awaited(const WaitingFiber& fiber) const {
    if (fiber.kind != static_cast<std::uint8_t>(fiber::WaitKind::reply)) return none;
    const auto found = std::find_if(fibers_.begin(), fibers_.end(), [&](const WaitingFiber& other) {
      return other.rank == fiber.awaited_rank && other.caller_rank == fiber.rank &&
             other.call_id == fiber.awaited_call_id;
    });
    return found == fibers_.end() ? none : static_cast<std::size_t>(found - fibers_.begin());
  }

  /// Appends the chain that starts at `at` to the text it belongs to, up to what has been told.
  void follow(std::size_t at, std::string& cycles, std::string& others) {
    std::string chain;
    std::vector<std::size_t> path;
    while (at != none && !is_told_[at]) {
      const WaitingFiber& fiber = fibers_[at];
      chain +=
          fmt::format("  rank {}: {} waits for {}\n", fiber.rank, fiber.doing, fiber.waiting_for);
      is_told_[at] = true;
      path.push_back(at);
      at = next_[at];
    }
    if (std::find(path.begin(), path.end(), at) != path.end()) {
      cycles += "these calls wait for each other:\n" + chain;
    } else {
      others += chain;
    }
  }

  const std::vector<WaitingFiber>& fibers_;
  std::vector<std::size_t> next_;  ///< The fiber that the one of this index waits for, or `none`.
  std::vector<bool> is_awaited_;
  std::vector<bool> is_told_;
};

}  // namespace

std::uint64_t arrivals_count(const Rank& self) {
  return self.dispatcher->records_handled() + self.collectives->mpi_requests().completed_count();
}

HangAnswer hang_answer_of(Rank& self) {
  const bool main_has_ended = self.quiescence->is_closing();
  HangAnswer answer;
  answer.rank = self.rank;
  answer.fibers = waiting_fibers(self, main_has_ended);
  answer.idle = !self.waits.scheduler().anything_ready() &&
                !self.waits.continuations().is_any_left() && self.waits.timers().empty() &&
                self.traffic.bulk_under_way_count == 0 && self.thread_works->running_count() == 0 &&
                !self.thread_works->is_any();
  // Switches as well as records: flags in shared memory wake fibers without any record. A rank that
  // was idle at two queries with no switch between has not moved.
  answer.activity = arrivals_count(self) + self.waits.scheduler().switch_count();
  answer.unfinished_requests = self.collectives->mpi_requests().describe();
  answer.unfinished_requests.rank = self.rank;
  answer.has_waiting = !main_has_ended || answer.fibers.size() > 1;
  return answer;
}

std::string explain_hang(const std::vector<HangAnswer>& answers, int ranks) {
  std::string text;
  std::vector<bool> answered(static_cast<std::size_t>(ranks), false);
  std::vector<WaitingFiber> all;
  for (const HangAnswer& answer : answers) {
    answered[static_cast<std::size_t>(answer.rank)] = true;
    all.insert(all.end(), answer.fibers.begin(), answer.fibers.end());
  }
  for (int rank = 0; rank < ranks; ++rank) {
    if (answered[static_cast<std::size_t>(rank)]) continue;
    text += fmt::format(
        "rank {} does not answer: it computes without calling Tasuki, or is stopped. Remedy: call "
        "tasuki::yield() in long loops\n",
        rank);
  }
  text += Chains(all).text();
  return text.empty() ? "no fiber waits\n" : text;
}

}  // namespace tasuki::runtime
