#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <tasuki/call.hpp>
#include <tasuki/detail/base/assert.hpp>
#include <tasuki/detail/base/clock.hpp>
#include <tasuki/detail/base/settings.hpp>
#include <tasuki/detail/runtime/world/world.hpp>
#include <tasuki/error.hpp>
#include <tasuki/future.hpp>
#include <thread>

#include "runtime/calls/backlog.hpp"
#include "runtime/collectives/collectives.hpp"
#include "runtime/collectives/policy.hpp"
#include "runtime/memory/bulk.hpp"
#include "runtime/memory/dist_objects.hpp"
#include "runtime/memory/heap.hpp"
#include "runtime/memory/heap_check.hpp"
#include "runtime/memory/puts.hpp"
#include "runtime/waiting/continuations.hpp"
#include "runtime/world/hang_report.hpp"
#include "runtime/world/quiescence.hpp"

namespace tasuki::runtime {
namespace {

// Timers are looked at whenever the rank is idle, and under load every so many steps: a step that
// carries messages takes about 1 us, so a time limit is noticed within about 0.1 ms.
constexpr std::uint64_t steps_between_checks = 64;
constexpr int failure_exit_code = 70;
constexpr std::int64_t longest_wait_us = 100'000;
/// As long as the mpi transport sleeps at most.
constexpr std::int64_t mpi_poll_interval_us = 50;

// A message that may bring more fibers than the cap is taken in only after so many steps without
// one, twice as many for each cap of fibers. While the rank is idle a step takes about 0.5 us and
// gives other processes their turn.
constexpr std::uint64_t steps_held_off = 1000;

fiber::SchedulerOptions scheduler_options() {
  fiber::SchedulerOptions options;
  options.stack_bytes = static_cast<std::size_t>(base::setting::stack_bytes.integer());
  return options;
}

/// Size of the messages that aggregation fills: as asked for, else what suits the transport.
std::size_t slot_bytes(const transport::Capabilities& capabilities) {
  const base::Setting& asked = base::setting::aggregate_bytes;
  const bool is_free = !asked.is_set() && capabilities.message_best_bytes != 0;
  const std::size_t wanted_bytes =
      is_free ? capabilities.message_best_bytes : static_cast<std::size_t>(asked.integer());
  return std::clamp(wanted_bytes, static_cast<std::size_t>(asked.range.least),
                    capabilities.message_max_bytes);
}

}  // namespace

/// A record that arrived as bulk data and waits for the poller to run it.
struct World::Delivery {
  int source;
  Handler handler;
  std::unique_ptr<std::byte[]> payload;
  std::size_t bytes;
};

constinit thread_local World* World::current_ = nullptr;
constinit thread_local World::KnownMappings World::known_;

void World::set_current(World* world) noexcept {
  current_ = world;
  known_ = {};
  if (world == nullptr) return;
  known_ = {world->mapped_.data(), static_cast<unsigned>(world->mapped_.size())};
}

World::World(std::unique_ptr<transport::Transport> transport) : World(*transport) {
  owned_transport_ = std::move(transport);
}

World::World(transport::Transport& transport)
    : transport_(&transport),
      scheduler_(scheduler_options(), {this,
                                       [](void* self) {
                                         // What calls throw is sent back or ends the job where it
                                         // is caught; what comes here concerns this rank itself
                                         // (code of a library it has not loaded, say).
                                         try {
                                           return static_cast<World*>(self)->step();
                                         } catch (...) {
                                           static_cast<World*>(self)->fail();
                                         }
                                       },
                                       [](void* self, std::uint64_t idle_count) {
                                         static_cast<World*>(self)->idle(idle_count);
                                       }}) {
  transport_->start();
  rank_ = transport_->rank();
  size_ = transport_->size();
  base::set_rank_for_messages(rank_);
  const auto ranks = static_cast<std::size_t>(size_);
  outboxes_.resize(ranks);
  mapped_.resize(ranks);
  backlogs_.resize(ranks);
  open_outboxes_.reserve(ranks);
  const transport::Capabilities& capabilities = transport_->capabilities();
  aggregate_bytes_ = slot_bytes(capabilities);
  // Longer ones travel as bulk data.
  largest_record_bytes_ = std::min(capabilities.message_max_bytes, RecordHeader::most_bytes);
  fiber_cap_ = static_cast<std::size_t>(base::setting::fiber_cap.integer());
  set_current(this);
  continuations_ = std::make_unique<Continuations>();
  collectives_ = std::make_unique<Collectives>(*this);
  dist_objects_ = std::make_unique<DistObjects>();
  heap_ = std::make_unique<Heap>(*transport_);
  puts_ = std::make_unique<Puts>(*this);
  quiescence_ = std::make_unique<Quiescence>(*this);
  hang_report_ = std::make_unique<HangReport>(*this);
}

World::~World() {
  if (current_ == this) set_current(nullptr);
}

void World::throw_no_world() {
  throw error("calling Tasuki",
              "this thread does not run a rank (it is another thread of the program, or "
              "tasuki::run has not started or is over)",
              "call Tasuki only from the function given to tasuki::run and from what it calls on "
              "the same thread; other threads may compute but must hand their results to it");
}

void World::throw_rank_out_of_range(int rank, const char* operation) const {
  throw error(operation, fmt::format("rank {} does not exist; there are {} ranks", rank, size_),
              fmt::format("use a rank from 0 to {}", size_ - 1));
}

int World::run(int (*main)(void*), void* argument) {
  struct Job {
    World* world;
    int (*main)(void*);
    void* argument;
    int exit_code;
  } job{this, main, argument, 0};
  set_current(this);
  scheduler_.run(
      [](void* untyped) {
        auto& it = *static_cast<Job*>(untyped);
        try {
          start_heap_check(*it.world);
          it.world->collectives_->begin();
          adopt_policy(*it.world);
          it.exit_code = it.main(it.argument);
          it.world->collectives_->finish();
          it.world->shutting_down_ = true;
          it.world->quiescence_->close();
          it.world->send_backlogs();
        } catch (...) {
          it.world->fail();
        }
      },
      &job);
  transport_->stop();
  set_current(nullptr);
  return job.exit_code;
}

void World::end_job(int exit_code) noexcept {
  transport_->abort_job(exit_code);
  std::abort();  // not reached; compilers do not see that a virtual function does not return
}

void World::fail() {
  try {
    throw;
  } catch (const error& e) {
    base::report(e.what());
  } catch (const std::exception& e) {
    base::report(fmt::format("the program threw: {}. Remedy: catch it in the program", e.what()));
  } catch (...) {
    base::report("the program threw something that is no std::exception. Remedy: catch it there");
  }
  end_job(failure_exit_code);
}

// ---- serving
// --------------------------------------------------------------------------------------

void World::deliver_later(int source, Handler handler, std::unique_ptr<std::byte[]> payload,
                          std::size_t bytes) {
  hang_report_->transfer_begins();
  deliveries_.push_back(
      std::make_unique<Delivery>(Delivery{source, handler, std::move(payload), bytes}));
}

void World::dispatch(int source, const std::byte* record, std::size_t bytes) {
  RecordHeader header;
  std::memcpy(&header, record, sizeof header);
  Reader reader(record + record_word_bytes, record + bytes);
  std::uintptr_t code = 0;
  if (!header.has_module()) [[likely]] {
    code = modules_.from_main_offset(header.offset());
  } else {
    const auto module = reader.read<std::uint64_t>();
    code = modules_.decode({module, header.offset()});
  }
  reinterpret_cast<Handler>(code)(*this, source, reader);
}

bool World::run_batch() {
  const int source = batch_.arrival.source;
  while (batch_.cursor != batch_.end) {
    const std::byte* record = batch_.cursor;
    RecordHeader header;
    std::memcpy(&header, record, sizeof header);
    const std::size_t bytes = header.bytes();
    TASUKI_DEBUG_ASSERT(bytes != 0 &&
                        bytes <= static_cast<std::size_t>(batch_.end - batch_.cursor));
    batch_.cursor += bytes;
    ++records_handled_;
    __builtin_prefetch(record + 512);
    dispatch(source, record, bytes);
    if (!scheduler_.is_poller()) return false;
  }
  batch_.active = false;
  transport_->release(batch_.arrival);
  return true;
}

bool World::run_deliveries() {
  while (!deliveries_.empty()) {
    // Kept on this stack: if the handler is promoted the payload goes with it.
    const std::unique_ptr<Delivery> delivery = std::move(deliveries_.front());
    deliveries_.pop_front();
    hang_report_->transfer_ends();
    ++records_handled_;
    Reader reader(delivery->payload.get(), delivery->payload.get() + delivery->bytes);
    delivery->handler(*this, delivery->source, reader);
    if (!scheduler_.is_poller()) return false;
  }
  return true;
}

/// Above the cap calls wait as messages while anything else goes on: fibers that are ready, called
/// functions and answers for whose room a peer only has to read. But what these wait for may be
/// behind, or the peer may be in the same state; so the cap is exceeded, slowly, and at once if
/// everybody waits for messages. A message that brought nothing (but answers, say) lets in the
/// next.
bool World::may_exceed_cap() {
  const std::size_t live_count = scheduler_.live_count();
  const bool others_go_on = scheduler_.anything_ready() || calls_waiting_for_room_count_ != 0 ||
                            backlog_bytes_ > backlog_most_bytes;
  const bool brought_more =
      live_count > live_at_last_arrival_ || backlog_bytes_ > backlog_bytes_at_last_arrival_;
  // In simulated time steps take none, so that more of them would not help.
  const std::size_t doublings = transport_->capabilities().simulated_time
                                    ? 0
                                    : std::min(live_count / fiber_cap_, overload_most);
  if (others_go_on && brought_more && held_off_steps_count_ < steps_held_off << doublings) {
    ++held_off_steps_count_;
    return false;
  }
  held_off_steps_count_ = 0;
  live_at_last_arrival_ = live_count;
  backlog_bytes_at_last_arrival_ = backlog_bytes_;
  return true;
}

bool World::step() {
  bool did_something = false;
  if (!batch_.active) {
    if (is_full() && !may_exceed_cap()) {
      transport_->progress();
    } else if (transport_->poll(batch_.arrival)) {
      batch_.active = true;
      batch_.cursor = batch_.arrival.bytes.data();
      batch_.end = batch_.cursor + batch_.arrival.bytes.size();
      bulk_arrival_ = {batch_.arrival.bulk_bytes, batch_.arrival.bulk_token};
    }
  }
  if (batch_.active) {
    did_something = true;
    if (!run_batch()) return true;
  }
  if (!deliveries_.empty()) {
    did_something = true;
    if (!run_deliveries()) return true;
  }
  MpiRequests& mpi_requests = collectives_->mpi_requests();
  if (!mpi_requests.empty() && mpi_requests.progress()) {
    did_something = true;
    if (!scheduler_.is_poller()) return true;
  }
  if (continuations_->is_any_left()) {
    did_something = true;
    if (!continuations_->run_left(scheduler_)) return true;
  }
  flush();
  if (backlogged_count_ != 0) did_something |= move_backlogs();
  if (watches_ != nullptr) check_watches();
  if (++steps_since_checks_ >= steps_between_checks) {
    steps_since_checks_ = 0;
    hang_report_->on_busy();
    if (!timers_.empty()) fire_timers();
  }
  return did_something;
}

void World::idle(std::uint64_t idle_count) {
  if (!timers_.empty()) {
    fire_timers();
    if (scheduler_.anything_ready()) return;
  }
  std::int64_t most_us = longest_wait_us;
  if (!timers_.empty()) {
    const std::int64_t left_ns = timers_.begin()->deadline_ns - base::now_ns();
    most_us = std::clamp<std::int64_t>(left_ns / 1000, 0, most_us);
  }
  if (backlogged_count_ != 0) most_us = std::min<std::int64_t>(most_us, 1000);
  // The MPI library wakes nobody.
  if (!collectives_->mpi_requests().empty()) {
    most_us = std::min(most_us, mpi_poll_interval_us);
  }
  hang_report_->on_idle(idle_count);
  // What waits unread would end the transport's wait at once.
  if (is_full()) std::this_thread::yield();
  transport_->wait(idle_count, most_us);
}

// ---- waiting
// --------------------------------------------------------------------------------------

std::byte* World::find_mapping(int rank, std::uintptr_t address, std::size_t bytes) {
  std::byte* here = transport_->map(rank, address, bytes);
  if (here == nullptr) return nullptr;
  MappedRange& range = mapped_[static_cast<std::size_t>(rank)];
  const bool first_time = range.bytes == 0;
  const std::uintptr_t first = first_time ? address : std::min(range.first, address);
  const std::uintptr_t end = std::max(range.first + range.bytes, address + bytes);
  range.first = first;
  range.bytes = end - first;
  range.offset = reinterpret_cast<std::uintptr_t>(here) - address;
  return here;
}

// Others know already whom to wake, so from here on there is no way back.
void World::suspend() noexcept {
  try {
    flush();
  } catch (...) {
    fail();
  }
  continuations_->before_switch();
  if (scheduler_.is_poller()) scheduler_.set_activity(serving_);
  scheduler_.suspend();
}

void World::yield() {
  flush();
  continuations_->before_switch();
  if (scheduler_.is_poller()) scheduler_.set_activity(serving_);
  scheduler_.yield();
}

void World::wait_for(Watch& watch, const fiber::WaitReason& reason) {
  if (watch.ready(&watch)) return;
  watch.waiter = scheduler_.current();
  watch.next = watches_;
  watches_ = &watch;
  suspend(reason);
}

void World::check_watches() {
  for (Watch** link = &watches_; *link != nullptr;) {
    Watch* watch = *link;
    if (watch->ready(watch)) {
      *link = watch->next;
      scheduler_.make_ready(watch->waiter);
    } else {
      link = &watch->next;
    }
  }
}

void World::add_timer(std::int64_t deadline_ns, WaitNode* node) {
  timers_.insert({deadline_ns, node});
}

void World::remove_timer(std::int64_t deadline_ns, WaitNode* node) noexcept {
  timers_.erase({deadline_ns, node});
}

void World::fire_timers() {
  const std::int64_t now_ns = base::now_ns();
  while (!timers_.empty() && timers_.begin()->deadline_ns <= now_ns) {
    WaitNode* node = timers_.begin()->node;
    timers_.erase(timers_.begin());
    // Not linked any more: the future was fulfilled in the meantime and has made the fiber ready.
    if (!node->linked) continue;
    node->timed_out = true;
    scheduler_.make_ready(static_cast<fiber::Fiber*>(node->fiber));
  }
}

}  // namespace tasuki::runtime
