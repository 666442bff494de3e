#include "runtime/world/world.hpp"

#include <tasuki/detail/runtime/memory/peer_mappings.hpp>
#include <tasuki/detail/runtime/waiting/job_end.hpp>
#include <tasuki/detail/runtime/world/idle_work.hpp>
#include <tasuki/detail/runtime/world/thread_works.hpp>
#include <utility>

#include "runtime/calls/dispatcher.hpp"
#include "runtime/collectives/job_policy.hpp"
#include "runtime/collectives/rank_collectives.hpp"
#include "runtime/memory/dist_objects.hpp"
#include "runtime/memory/puts.hpp"
#include "runtime/memory/reads.hpp"
#include "runtime/memory/shared_heap.hpp"
#include "runtime/world/deadlock_check.hpp"
#include "runtime/world/hang_report.hpp"
#include "runtime/world/heap_bases.hpp"
#include "runtime/world/idle_report.hpp"
#include "runtime/world/quiescence.hpp"

namespace tasuki::runtime {

/// In the order of the rooms.
struct World::Parts {
  explicit Parts(Rank& self)
      : dispatcher(self),
        peer_mappings(self),
        heap(self),
        dist_objects(self),
        puts(self, heap),
        reads(self),
        collectives(self),
        thread_works(self),
        quiescence(self, collectives, thread_works),
        hang_report(self, quiescence),
        deadlock_check(self, quiescence),
        idle_work(self, IdleWork::wanted_mode()) {}

  Dispatcher dispatcher;
  PeerMappings peer_mappings;
  SharedHeap heap;
  DistObjects dist_objects;
  Puts puts;
  Reads reads;
  RankCollectives collectives;
  ThreadWorks thread_works;
  Quiescence quiescence;
  HangReport hang_report;
  DeadlockCheck deadlock_check;
  IdleWork idle_work;
};

void World::make_current(Rank* rank) noexcept {
  Waits::set_current(rank == nullptr ? nullptr : &rank->waits);
  Rank::set_current(rank);
  PeerMappings::set_current(rank == nullptr ? nullptr : rank->peer_mappings);
  const bool is_made = rank != nullptr && rank->dispatcher != nullptr;
  Recorder::set_current(is_made ? rank->dispatcher->recorder() : nullptr);
}

World::World(std::unique_ptr<transport::Transport> transport) : World(*transport) {
  owned_transport_ = std::move(transport);
}

World::World(transport::Transport& transport) : poller_(&rank_), rank_(transport, poller_.hooks()) {
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
  if (Recorder* const recorder = rank_.dispatcher->recorder()) recorder->finish();
  make_current(nullptr);
  return job.exit_code;
}

int World::run_main(int (*main)(void*), void* argument) {
  exchange_heap_bases(rank_);
  parts_->collectives.begin();
  adopt_policy(rank_);
  const int exit_code = main(argument);
  parts_->collectives.finish();
  parts_->dispatcher.early_receives().stop();
  parts_->quiescence.close();
  rank_.sender.send_backlogs();
  parts_->idle_work.finish();
  append_idle_report(rank_, parts_->idle_work);
  return exit_code;
}

}  // namespace tasuki::runtime
