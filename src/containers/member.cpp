#include <tasuki/detail/containers/member.hpp>

#include <string>
#include <tasuki/collectives.hpp>
#include <tasuki/error.hpp>
#include <tasuki/run.hpp>
#include <tasuki/team_calls.hpp>

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

void Member::complete(const char* operation) {
  require_no_iteration(operation);
  quiesce(team_);
}

void Member::wait_for_all() const { barrier(team_); }

void Member::defer(std::unique_ptr<Deferred> operation) {
  runtime::Rank& self = runtime::Rank::current();
  deferred_.push_back(std::move(operation));
  ++self.traffic.with(self.rank).begun;
}

void Member::end_iteration() noexcept {
  runtime::Rank& self = runtime::Rank::current();
  --iterations_count_;
  while (iterations_count_ == 0 && !deferred_.empty()) {
    const std::unique_ptr<Deferred> next = std::move(deferred_.front());
    deferred_.pop_front();
    next->go_on();
    ++self.traffic.with(self.rank).done;
  }
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
