#include "runtime/world/hang_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tasuki/call.hpp>
#include <tasuki/detail/base/clock.hpp>
#include <tasuki/detail/base/exit_code.hpp>
#include <tasuki/detail/base/settings.hpp>
#include <tasuki/detail/runtime/calls/code_address.hpp>
#include <tasuki/detail/runtime/waiting/job_end.hpp>
#include <tasuki/error.hpp>

#include "runtime/calls/dispatcher.hpp"
#include "runtime/calls/service_record.hpp"
#include "runtime/collectives/rank_collectives.hpp"
#include "runtime/waiting/continuations.hpp"
#include "runtime/world/report_request.hpp"

namespace tasuki::runtime {
namespace {

constexpr std::int64_t second_ns = 1'000'000'000;
// Idle ranks read the clock once in so few idle rounds, because a round may be a sleep of 0.1 s
// from early on when others use the cores. Reading it takes 20 ns, which are then 5 ns a round.
constexpr std::uint64_t idle_rounds_between_checks = 4;
constexpr std::int64_t answer_time_ns = 2 * second_ns;
constexpr std::int64_t deadlock_check_after_ns = second_ns;
// What a rank had sent before its first answer, another may not have read when it gives its second:
// it reads the query first, if it comes to that first. Its third follows a round trip later, and in
// between its poller has checked everything.
constexpr int equal_answers_of_a_deadlock = 3;
// Over MPI messages of different ranks keep no order; so long they may be on their way.
constexpr std::int64_t message_time_ns = second_ns;

std::string describe_doing(const fiber::Activity& activity, bool main_has_ended) {
  if (activity.caller_rank >= 0) {
    return fmt::format("{} called by rank {}", function_name(activity.function),
                       activity.caller_rank);
  }
  const std::string name = *activity.label != '\0' ? activity.label : "main";
  return main_has_ended ? name + ", which has returned," : name;
}

/// "0-2, 5"; only the first few runs of a long list.
std::string list_ranks(const std::vector<int>& ranks) {
  constexpr int most_runs = 16;
  std::string text;
  int runs_count = 0;
  for (std::size_t first = 0; first < ranks.size();) {
    if (++runs_count > most_runs) return text + ", ...";
    std::size_t last = first;
    while (last + 1 < ranks.size() && ranks[last + 1] == ranks[last] + 1) ++last;
    if (first != 0) text += ", ";
    text += first == last ? fmt::format("{}", ranks[first])
                          : fmt::format("{}-{}", ranks[first], ranks[last]);
    first = last + 1;
  }
  return text;
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

std::string describe_wait(const Rank& self, const fiber::WaitReason& reason) {
  using fiber::WaitKind;
  switch (reason.kind) {
    case WaitKind::reply:
      return fmt::format("the result of {} on rank {}", function_name(reason.function),
                         reason.rank);
    case WaitKind::sync_read:
      return fmt::format("a value in the Sync at {} (its writer is not known)", reason.object);
    case WaitKind::collective:
      return describe_collective(self, reason);
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
      [](void* context, const fiber::Activity& activity, const fiber::WaitReason& reason) {
        auto& to = *static_cast<Collected*>(context);
        if (reason.kind == fiber::WaitKind::none || reason.kind == fiber::WaitKind::yielded) return;
        const bool waits_for_end = activity.caller_rank < 0 && to.main_has_ended;
        to.fibers->push_back(
            {to.self->rank, activity.caller_rank, activity.call_id,
             static_cast<std::uint8_t>(reason.kind), reason.rank, reason.call_id,
             describe_doing(activity, to.main_has_ended),
             waits_for_end ? "the end of the job" : describe_wait(*to.self, reason)});
      },
      &collected);
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

HangReport::HangReport(Rank& self)
    : self_(self),
      hang_after_ns_(static_cast<std::int64_t>(base::setting::hang_after.seconds() *
                                               static_cast<double>(second_ns))) {
  self.hang_report = this;
}

std::uint64_t HangReport::arrivals_count() const {
  return self_.dispatcher->records_handled() + self_.collectives->mpi_requests().completed_count();
}

HangAnswer HangReport::describe_self() const {
  HangAnswer answer;
  answer.rank = self_.rank;
  answer.fibers = waiting_fibers(self_, main_has_ended_);
  answer.idle = !self_.waits.scheduler().anything_ready() &&
                !self_.waits.continuations().is_any_left() && self_.waits.timers().empty() &&
                self_.traffic.bulk_under_way_count == 0;
  // Switches as well as records: flags in shared memory wake fibers without any record. A rank that
  // was idle at two queries with no switch between has not moved.
  answer.activity = arrivals_count() + self_.waits.scheduler().switch_count();
  answer.unfinished_requests = self_.collectives->mpi_requests().describe();
  answer.unfinished_requests.rank = self_.rank;
  answer.has_waiting = !main_has_ended_ || answer.fibers.size() > 1;
  return answer;
}

void HangReport::print_self() const {
  const HangAnswer self = describe_self();
  std::string text = fmt::format("hang report: {} waiting fibers", self.fibers.size());
  for (const WaitingFiber& fiber : self.fibers) {
    text += fmt::format("\n  {} waits for {}", fiber.doing, fiber.waiting_for);
  }
  base::report(text);
}

void HangReport::check_signal() {
  if (take_report_request()) request();
}

void HangReport::request() {
  if (is_closed_) return;
  if (self_.rank == 0) {
    open_query(Purpose::report);
  } else {
    send_service_record(self_, 0, &handle_request, std::uint8_t{0});
    self_.sender.flush();
  }
}

void HangReport::handle_request(Rank& self, int, Reader&) {
  self.dispatcher->forget_record();
  self.hang_report->open_query(Purpose::report);
  service_record_done(self);
}

void HangReport::open_query(Purpose purpose) {
  if (is_closed_) return;
  const bool more_urgent =
      query_.open && query_.purpose == Purpose::deadlock_check && purpose == Purpose::report;
  if (query_.open && !more_urgent) return;
  query_ = {true, purpose, query_.number + 1, base::now_ns(), {}};
  for (int rank = 0; rank < self_.size; ++rank) {
    send_service_record(self_, rank, &handle_query, query_.number, purpose);
  }
  self_.sender.flush();
}

void HangReport::handle_query(Rank& self, int source, Reader& reader) {
  self.dispatcher->forget_record();
  const auto number = reader.read<std::uint32_t>();
  const bool report = reader.read<Purpose>() == Purpose::report;
  if (report) self.hang_report->print_self();
  self.waits.wake_ready();  // of flags that others have raised nothing has told yet
  send_service_record(self, source, &handle_answer, number, self.hang_report->describe_self());
  service_record_done(self);
}

void HangReport::handle_answer(Rank& self, int, Reader& reader) {
  self.dispatcher->forget_record();
  Query& query = self.hang_report->query_;
  const auto number = reader.read<std::uint32_t>();
  auto answer = Codec<HangAnswer>::read(self.sender.modules(), reader);
  service_record_done(self);
  if (!query.open || number != query.number) return;
  query.answers.push_back(std::move(answer));
  if (static_cast<int>(query.answers.size()) == self.size) self.hang_report->conclude();
}

void HangReport::conclude() {
  query_.open = false;
  auto& answers = query_.answers;
  if (query_.purpose == Purpose::report) {
    base::report("hang report: " + explain_hang(answers, self_.size));
    return;
  }
  std::sort(answers.begin(), answers.end(),
            [](const HangAnswer& a, const HangAnswer& b) { return a.rank < b.rank; });
  std::vector<std::uint64_t> activity;
  std::vector<UnfinishedRequests> unfinished_requests;
  bool all_idle = static_cast<int>(answers.size()) == self_.size;
  bool any_waiting = false;
  for (const HangAnswer& answer : answers) {
    activity.push_back(answer.activity);
    unfinished_requests.push_back(answer.unfinished_requests);
    all_idle = all_idle && answer.idle;
    any_waiting = any_waiting || answer.has_waiting;
  }
  const std::int64_t now_ns = base::now_ns();
  const bool is_equal = all_idle && activity == last_activity_;
  if (!is_equal) unchanged_since_ns_ = now_ns;
  equal_answers_count_ = is_equal ? equal_answers_count_ + 1 : static_cast<int>(all_idle);
  last_activity_ = std::move(activity);
  if (equal_answers_count_ < equal_answers_of_a_deadlock || !any_waiting) return;
  const std::int64_t patient_ns = std::max(message_time_ns, patience_ns(unfinished_requests));
  if (now_ns - unchanged_since_ns_ < patient_ns) return;
  if (const auto mismatch = length_mismatch_of(unfinished_requests)) base::die(text_of(*mismatch));
  base::report("every rank is idle while fibers wait, so nothing can ever wake them: " +
               explain_hang(answers, self_.size) +
               "Remedy: follow the chain above; the job ends here");
  end_job(self_.transport, base::exit_code::deadlocked);
}

void HangReport::check_overdue(std::int64_t now_ns) {
  if (!query_.open || now_ns - query_.started_ns < answer_time_ns) return;
  if (query_.purpose == Purpose::report) {
    conclude();
  } else if (now_ns - query_.started_ns > 10 * answer_time_ns) {
    query_.open = false;  // somebody computes; ask again later
  }
}

void HangReport::on_busy() {
  check_signal();
  if (query_.open) check_overdue(base::now_ns());
}

void HangReport::on_idle(std::uint64_t idle_count) {
  check_signal();
  if (idle_count % idle_rounds_between_checks != 0) return;
  const std::int64_t now_ns = base::now_ns();
  check_overdue(now_ns);
  if (const std::uint64_t arrivals = arrivals_count(); arrivals != seen_activity_) {
    seen_activity_ = arrivals;
    idle_since_ns_ = 0;
    reported_ = false;
  }
  if (idle_since_ns_ == 0) {
    idle_since_ns_ = now_ns;
    next_check_ns_ = now_ns + deadlock_check_after_ns;
    return;
  }
  if (hang_after_ns_ != 0 && !reported_ && now_ns - idle_since_ns_ >= hang_after_ns_) {
    reported_ = true;
    request();
  }
  if (self_.rank == 0 && now_ns >= next_check_ns_) {
    next_check_ns_ = now_ns + deadlock_check_after_ns;
    open_query(Purpose::deadlock_check);
  }
}

}  // namespace tasuki::runtime
