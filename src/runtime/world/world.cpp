#include "runtime/world/world.hpp"

#include <algorithm>
#include <tasuki/detail/base/clock.hpp>
#include <tasuki/detail/runtime/memory/peer_mappings.hpp>
#include <tasuki/detail/runtime/waiting/job_end.hpp>
#include <thread>
#include <utility>

#include <tasuki/detail/runtime/calls/load.hpp>
#include "runtime/calls/dispatcher.hpp"
#include "runtime/collectives/collectives.hpp"
#include "runtime/collectives/policy.hpp"
#include "runtime/memory/dist_objects.hpp"
#include "runtime/memory/heap.hpp"
#include "runtime/memory/puts.hpp"
#include "runtime/waiting/continuations.hpp"
#include "runtime/world/hang_report.hpp"
#include "runtime/world/heap_bases.hpp"
#include "runtime/world/quiescence.hpp"

namespace tasuki::runtime {
namespace {

// Timers are looked at whenever the rank is idle, and under load every so many steps: a step that
// carries messages takes about 1 us, so a time limit is noticed within about 0.1 ms.
constexpr std::uint64_t steps_between_checks = 64;
constexpr std::int64_t longest_wait_us = 100'000;
/// As long as the mpi transport sleeps at most.
constexpr std::int64_t mpi_poll_interval_us = 50;

}  // namespace

/// In the order of the rooms.
struct World::Parts {
  explicit Parts(Rank& self)
      : dispatcher(self),
        peer_mappings(self),
        heap(self),
        dist_objects(self),
        puts(self),
        collectives(self),
        quiescence(self),
        hang_report(self) {}

  Dispatcher dispatcher;
  PeerMappings peer_mappings;
  Heap heap;
  DistObjects dist_objects;
  Puts puts;
  Collectives collectives;
  Quiescence quiescence;
  HangReport hang_report;
};

void World::make_current(Rank* rank) noexcept {
  Waits::set_current(rank == nullptr ? nullptr : &rank->waits);
  Rank::set_current(rank);
  PeerMappings::set_current(rank == nullptr ? nullptr : rank->peer_mappings);
}

World::World(std::unique_ptr<transport::Transport> transport) : World(*transport) {
  owned_transport_ = std::move(transport);
}

World::World(transport::Transport& transport)
    : rank_(transport, {this,
                        [](void* self) {
                          // What calls throw is sent back or ends the job where it is caught; what
                          // comes here concerns this rank itself (code of a library it has not
                          // loaded, say).
                          try {
                            return static_cast<World*>(self)->step();
                          } catch (...) {
                            end_job_by_exception(static_cast<World*>(self)->rank_.transport);
                          }
                        },
                        [](void* self, std::uint64_t idle_count) {
                          static_cast<World*>(self)->idle(idle_count);
                        }}) {
  make_current(&rank_);
  parts_ = std::make_unique<Parts>(rank_);
  make_current(&rank_);
}

World::~World() {
  if (Rank::current_or_null() == &rank_) make_current(nullptr);
}

int World::run(int (*main)(void*), void* argument) {
  struct Job {
    World* world;
    int (*main)(void*);
    void* argument;
    int exit_code;
  } job{this, main, argument, 0};
  make_current(&rank_);
  rank_.waits.scheduler().run(
      [](void* untyped) {
        auto& it = *static_cast<Job*>(untyped);
        try {
          it.exit_code = it.world->run_main(it.main, it.argument);
        } catch (...) {
          end_job_by_exception(it.world->rank_.transport);
        }
      },
      &job);
  rank_.transport.stop();
  make_current(nullptr);
  return job.exit_code;
}

int World::run_main(int (*main)(void*), void* argument) {
  exchange_heap_bases(rank_);
  parts_->collectives.begin();
  adopt_policy(rank_);
  const int exit_code = main(argument);
  parts_->collectives.finish();
  parts_->hang_report.note_end_of_main();
  parts_->quiescence.close();
  rank_.sender.send_backlogs();
  return exit_code;
}

// Inlined into the poller's hook: see Dispatcher::run_batch.
inline bool World::step() {
  Waits& waits = rank_.waits;
  bool did_something = false;
  if (!parts_->dispatcher.run(did_something)) return true;
  MpiRequests& mpi_requests = parts_->collectives.mpi_requests();
  if (!mpi_requests.empty() && mpi_requests.progress()) {
    did_something = true;
    if (!waits.scheduler().is_poller()) return true;
  }
  if (waits.continuations().is_any_left()) {
    did_something = true;
    if (!waits.continuations().run_left(waits.scheduler())) return true;
  }
  if (!rank_.sender.empty()) rank_.sender.flush();
  if (rank_.sender.has_backlog()) did_something |= rank_.sender.move_backlogs();
  waits.wake_ready();
  if (++steps_since_checks_ >= steps_between_checks) {
    steps_since_checks_ = 0;
    parts_->hang_report.on_busy();
    waits.wake_overdue();
  }
  return did_something;
}

void World::idle(std::uint64_t idle_count) {
  Waits& waits = rank_.waits;
  waits.wake_overdue();
  if (waits.scheduler().anything_ready()) return;
  std::int64_t most_us = longest_wait_us;
  if (!waits.timers().empty()) {
    const std::int64_t left_ns = waits.timers().next_deadline_ns() - base::now_ns();
    most_us = std::clamp<std::int64_t>(left_ns / 1000, 0, most_us);
  }
  if (rank_.sender.has_backlog()) most_us = std::min<std::int64_t>(most_us, 1000);
  // The MPI library wakes nobody.
  if (!parts_->collectives.mpi_requests().empty()) {
    most_us = std::min(most_us, mpi_poll_interval_us);
  }
  parts_->hang_report.on_idle(idle_count);
  // What waits unread would end the transport's wait at once.
  if (rank_.sender.load().is_full()) std::this_thread::yield();
  rank_.transport.arrivals().wait(idle_count, most_us);
}

}  // namespace tasuki::runtime
