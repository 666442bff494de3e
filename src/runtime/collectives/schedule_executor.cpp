#include "runtime/collectives/schedule_executor.hpp"

#include <cstdint>
#include <exception>
#include <optional>
#include <tasuki/detail/coll/algorithm.hpp>
#include <utility>
#include <variant>
#include <vector>

#include "runtime/collectives/awaited_collective.hpp"
#include "runtime/collectives/collective_failure.hpp"
#include "runtime/collectives/message_operation.hpp"
#include "runtime/collectives/started_collective.hpp"
#include "runtime/waiting/counted.hpp"

namespace tasuki::runtime {
namespace {

/// Scratch of a blocking collective. Little lies on its fiber's stack. More is allocated each time,
/// for the allocator keeps it at hand: to keep it here instead is not seen beside an allreduce of 8
/// bytes to 32 MiB (recursive_doubling and rabenseifner, 2 ranks on shm, Xeon Sapphire Rapids: 0.6
/// ns of 212 at 8 bytes, less than the noise above).
class Scratch {
 public:
  explicit Scratch(std::size_t bytes)
      : more_(bytes <= sizeof few_ ? nullptr : std::make_unique_for_overwrite<std::byte[]>(bytes)) {
  }
  std::byte* data() { return more_ == nullptr ? few_ : more_.get(); }

 private:
  alignas(std::max_align_t) std::byte few_[256];
  std::unique_ptr<std::byte[]> more_;
};

coll::Buffers buffers_of(const CollectiveCall& call, std::byte* scratch) {
  return {static_cast<const std::byte*>(call.input), static_cast<std::byte*>(call.output), scratch,
          call.shape.element_bytes, call.op.apply == nullptr ? nullptr : &call.op};
}

}  // namespace

/// One that somebody has a future of.
class ScheduleExecutor::Started final : public StartedCollective {
 public:
  Started(ScheduleExecutor& executor, std::shared_ptr<TeamState> team, CollectiveCall what)
      : StartedCollective(*team, std::move(what)),
        executor_(executor),
        under_way_(executor.under_way_count_),
        team_(std::move(team)) {
    done = [](transport::Completion* completion) {
      static_cast<Started*>(completion)->schedule_done();
    };
  }

  void begin(const Plan::ByMessages& way) {
    prepare(call, way.schedule, team_->next_operation++);
    go_on();
  }

  void begin(const Plan::AfterSizeExchange& way) {
    choice_ = way.choice;
    sizes_.resize(
        coll::exchanged_sizes_count(*choice_->algorithm, call.shape, choice_->parameters));
    CollectiveCall exchange(call.collective);
    exchange.shape.element_bytes = sizeof(std::size_t);
    exchange.input = call.shape.send_counts.data();
    exchange.output = sizes_.data();
    // Both numbers now: other collectives may begin before the second schedule does.
    prepare(exchange, way.exchange, team_->next_operation++);
    number_after_ = team_->next_operation++;
    go_on();
  }

 private:
  void prepare(const CollectiveCall& what, std::shared_ptr<const coll::Schedule> schedule,
               std::uint32_t number) {
    schedule_ = std::move(schedule);
    scratch_ = std::make_unique_for_overwrite<std::byte[]>(schedule_->scratch_count *
                                                           what.shape.element_bytes);
    operation_.emplace(executor_.channel_, *team_, *schedule_, buffers_of(what, scratch_.get()),
                       what.collective, number, *this);
  }

  /// This may be deleted when it returns.
  void go_on() {
    Rank& self = executor_.self_;
    executor_.channel_.advance(*operation_);
    // What the other ranks wait for must not lie here while this rank computes.
    self.sender.flush();
  }

  void schedule_done() {
    std::unique_ptr<Started> self(this);
    const auto choice = std::exchange(choice_, nullptr);
    if (choice == nullptr) {
      team_->note_complete(call, operation_->number);
      promise.set_value();
      return;
    }
    try {
      prepare(call,
              std::make_shared<const coll::Schedule>(coll::make_schedule_after(
                  *choice->algorithm, call.shape, sizes_, choice->parameters)),
              number_after_);
    } catch (...) {
      promise.set_failure(std::current_exception());
      return;
    }
    self.release()->go_on();
  }

  ScheduleExecutor& executor_;
  const Counted under_way_;
  std::shared_ptr<TeamState> team_;
  std::shared_ptr<const coll::Choice> choice_;  ///< While sizes are exchanged.
  std::vector<std::size_t> sizes_;              ///< What the exchange tells this rank.
  std::uint32_t number_after_ = 0;              ///< Of the collective, while sizes are exchanged.
  std::shared_ptr<const coll::Schedule> schedule_;
  std::unique_ptr<std::byte[]> scratch_;
  std::optional<MessageOperation> operation_;  ///< Of that schedule.
};

template <class Way>
Future<void> ScheduleExecutor::start(std::shared_ptr<TeamState> team, CollectiveCall call,
                                     const Way& way) {
  auto* const started = new Started(*this, std::move(team), std::move(call));
  Future<void> future = started->promise.future();
  started->begin(way);
  return future;
}

template Future<void> ScheduleExecutor::start(std::shared_ptr<TeamState>, CollectiveCall,
                                              const Plan::ByMessages&);
template Future<void> ScheduleExecutor::start(std::shared_ptr<TeamState>, CollectiveCall,
                                              const Plan::AfterSizeExchange&);

void ScheduleExecutor::run(TeamState& team, const CollectiveCall& call, Plan& plan,
                           const coll::Schedule& schedule) {
  Scratch scratch(schedule.scratch_count * call.shape.element_bytes);
  AwaitedCollective awaited(requests_);
  MessageOperation operation(channel_, team, schedule, buffers_of(call, scratch.data()),
                             call.collective, team.next_operation++, awaited);
  ++plan.users_count;
  channel_.advance(operation);
  must_succeed([&] { self_.sender.flush(); });
  const MpiTransfer& told = operation;
  awaited.wait(told, team.reason_of(call));
  team.note_complete(call, operation.number);
  --plan.users_count;
}

}  // namespace tasuki::runtime
