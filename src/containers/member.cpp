#include <tasuki/detail/containers/member.hpp>

#include <string>
#include <tasuki/collectives.hpp>
#include <tasuki/error.hpp>
#include <tasuki/run.hpp>
#include <tasuki/team_calls.hpp>

#include "runtime/waiting/continuations.hpp"

namespace tasuki::containers {

Member::Member(const char* kind, void* object, const Team& team)
    : kind_(kind), team_(team), rank_(team.rank()), name_(enter_object(object)) {
  const std::vector<ObjectName> names = allgather(name_, team_);
  peers_.reserve(names.size());
  for (int i = 0; i < team_.size(); ++i) {
    peers_.push_back({team_.world_rank(i), names[static_cast<std::size_t>(i)]});
  }
  barrier(team_);  // What the first call runs may call others.
}

// Once the job is over nobody asks for the object; of a static one the table of names is gone then.
Member::~Member() {
  if (runtime::Rank::current_or_null() == nullptr) return;
  remove_object(name_);
  while (!deferred_.empty()) take_first()->go_on();  // Each reports that the object is gone.
}

void Member::complete(const char* operation) {
  require_no_iteration(operation);
  quiesce(team_);
}

void Member::wait_for_all() const { barrier(team_); }

void Member::defer(std::unique_ptr<Deferred> operation) {
  runtime::Rank& self = runtime::Rank::current();
  operation->set_member(*this);
  deferred_.push_back(std::move(operation));
  ++self.traffic.with(self.rank).begun;
}

// The fiber that has iterated goes on when those that need not wait have run.
void Member::end_iteration() noexcept {
  --iterations_count_;
  if (iterations_count_ != 0 || deferred_.empty()) return;
  start_first();
  runtime::Waits::current().yield();
}

void Member::start_first() noexcept {
  Deferred& first = *deferred_.front();
  if (!first.is_alone()) return;  // The poller has it already.
  runtime::ContinuationLink one;
  one.insert_before(first);
  runtime::Waits::current().continuations().leave_to_poller(one);
}

// Each starts the one behind it before it runs, for it may wait.
void Member::run_first() noexcept {
  if (iterations_count_ != 0) return;  // The end of that iteration starts it again.
  const std::unique_ptr<Deferred> first = take_first();
  if (!deferred_.empty()) start_first();
  first->go_on();
  runtime::Rank& self = runtime::Rank::current();
  ++self.traffic.with(self.rank).done;
}

std::unique_ptr<Deferred> Member::take_first() noexcept {
  std::unique_ptr<Deferred> first = std::move(deferred_.front());
  first->unlink();
  deferred_.pop_front();
  return first;
}

runtime::FutureCore* Deferred::run() {
  member_->run_first();
  return nullptr;
}

void Member::require_no_iteration(const char* operation) const {
  if (iterations_count_ == 0) [[likely]] {
    return;
  }
  throw error(std::string(kind_) + "::" + operation,
              "it was called by a function that an iteration over this container runs",
              "call it after the iteration, or use an operation named async_, which waits for the "
              "end of the iteration");
}

void Member::require_own(int owner, const char* operation) const {
  if (owner == rank_) [[likely]] {
    return;
  }
  throw error(std::string(kind_) + "::" + operation,
              "the key belongs to rank " + std::to_string(owner) + " of the team, not to rank " +
                  std::to_string(rank_),
              "use an operation named async_, or ask owner(key) first");
}

}  // namespace tasuki::containers
