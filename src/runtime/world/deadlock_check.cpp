#include "runtime/world/deadlock_check.hpp"

#include <algorithm>
#include <tasuki/detail/base/clock.hpp>
#include <tasuki/detail/base/exit_code.hpp>
#include <tasuki/detail/runtime/waiting/job_end.hpp>
#include <tasuki/error.hpp>
#include <utility>

namespace tasuki::runtime {
namespace {

constexpr std::int64_t second_ns = 1'000'000'000;
constexpr std::int64_t query_interval_ns = second_ns;
/// A rank that does not answer so long computes; it is asked again.
constexpr std::int64_t answer_time_ns = 20 * second_ns;
// What a rank had sent before its first answer, another may not have read when it gives its second:
// it reads the query first, if it comes to that first. Its third follows a round trip later, and in
// between its poller has checked everything.
constexpr int equal_answers_of_a_deadlock = 3;
// Over MPI messages of different ranks keep no order; so long they may be on their way.
constexpr std::int64_t message_time_ns = second_ns;

std::vector<UnfinishedRequests> unfinished_requests_of(const std::vector<HangAnswer>& answers) {
  std::vector<UnfinishedRequests> of_ranks;
  for (const HangAnswer& answer : answers) of_ranks.push_back(answer.unfinished_requests);
  return of_ranks;
}

}  // namespace

bool Standstill::is_final(const std::vector<HangAnswer>& answers, std::int64_t age_ns,
                          std::int64_t now_ns) {
  if (age_ns > answer_time_ns) return false;  // Answers of so different times say nothing together.
  std::vector<std::uint64_t> activity;
  bool all_idle = true;
  bool any_waiting = false;
  for (const HangAnswer& answer : answers) {
    activity.push_back(answer.activity);
    all_idle = all_idle && answer.idle;
    any_waiting = any_waiting || answer.has_waiting;
  }
  const bool is_equal = all_idle && activity == activity_;
  if (!is_equal) unchanged_since_ns_ = now_ns;
  equal_answers_count_ = is_equal ? equal_answers_count_ + 1 : static_cast<int>(all_idle);
  activity_ = std::move(activity);
  if (equal_answers_count_ < equal_answers_of_a_deadlock || !any_waiting) return false;
  return now_ns - unchanged_since_ns_ >=
         std::max(message_time_ns, patience_ns(unfinished_requests_of(answers)));
}

void DeadlockCheck::on_idle(std::int64_t time_without_arrivals_ns, std::int64_t now_ns) {
  const bool is_quiet = time_without_arrivals_ns >= query_interval_ns;
  if (self_.rank != 0 || !is_quiet || now_ns < next_query_ns_) return;
  next_query_ns_ = now_ns + query_interval_ns;
  if (query_.is_open() && query_.age_ns(now_ns) > answer_time_ns) query_.close();
  query_.open(&handle_query);
}

void DeadlockCheck::handle_query(Rank& self, int, Reader& reader) {
  HangQuery::answer(self, reader, &handle_answer);
}

void DeadlockCheck::handle_answer(Rank& self, int, Reader& reader) {
  if (self.deadlock_check->query_.take(reader)) self.deadlock_check->conclude();
}

void DeadlockCheck::conclude() {
  std::vector<HangAnswer> answers = query_.close();
  std::sort(answers.begin(), answers.end(),
            [](const HangAnswer& a, const HangAnswer& b) { return a.rank < b.rank; });
  const std::int64_t now_ns = base::now_ns();
  if (!standstill_.is_final(answers, query_.age_ns(now_ns), now_ns)) return;
  if (const auto mismatch = length_mismatch_of(unfinished_requests_of(answers))) {
    base::die(text_of(*mismatch));
  }
  base::report("every rank is idle while fibers wait, so nothing can ever wake them: " +
               explain_hang(answers, self_.size) +
               "Remedy: follow the chain above; the job ends here");
  end_job(self_.transport, base::exit_code::deadlocked);
}

}  // namespace tasuki::runtime
