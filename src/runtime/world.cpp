#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <tasuki/base/assert.hpp>
#include <tasuki/base/clock.hpp>
#include <tasuki/base/error.hpp>
#include <tasuki/base/settings.hpp>
#include <tasuki/runtime/call.hpp>
#include <tasuki/runtime/future.hpp>
#include <tasuki/runtime/world.hpp>

#include "runtime/bulk.hpp"
#include "runtime/collectives.hpp"
#include "runtime/dist_objects.hpp"
#include "runtime/hang_report.hpp"
#include "runtime/heap.hpp"
#include "runtime/heap_check.hpp"
#include "runtime/policy.hpp"
#include "runtime/puts.hpp"
#include "runtime/quiescence.hpp"

namespace tasuki::runtime {
namespace {

// Timers are looked at whenever the rank is idle, and under load every so many steps: a step that
// carries messages takes about 1 us, so a time limit is noticed within about 0.1 ms.
constexpr std::uint64_t steps_between_checks = 64;
constexpr int failure_exit_code = 70;
constexpr std::int64_t longest_wait_us = 100'000;

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
  return std::clamp(wanted_bytes, static_cast<std::size_t>(asked.least),
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
  room_waiters_.resize(ranks);
  open_outboxes_.reserve(ranks);
  const transport::Capabilities& capabilities = transport_->capabilities();
  aggregate_bytes_ = slot_bytes(capabilities);
  largest_record_bytes_ = capabilities.message_max_bytes;
  fiber_cap_ = static_cast<std::size_t>(base::setting::fiber_cap.integer());
  set_current(this);
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
          adopt_policy(*it.world);
          it.exit_code = it.main(it.argument);
          it.world->shutting_down_ = true;
          it.world->quiescence_->wait();
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

// ---- sending
// --------------------------------------------------------------------------------------

void World::flush(int rank) {
  Outbox& box = outboxes_[static_cast<std::size_t>(rank)];
  if (box.begin == nullptr) return;
  transport_->commit(rank, static_cast<std::size_t>(box.cursor - box.begin));
  box = {};
  std::erase(open_outboxes_, rank);
}

void World::flush() {
  for (const int rank : open_outboxes_) {
    Outbox& box = outboxes_[static_cast<std::size_t>(rank)];
    transport_->commit(rank, static_cast<std::size_t>(box.cursor - box.begin));
    box = {};
  }
  open_outboxes_.clear();
}

std::size_t World::payload_room_bytes(int rank, std::size_t least_bytes) const noexcept {
  constexpr std::size_t words_bytes = 2 * record_word_bytes;
  const Outbox& box = outboxes_[static_cast<std::size_t>(rank)];
  const auto left_bytes = static_cast<std::size_t>(box.end - box.cursor);
  const bool fits = left_bytes >= words_bytes + round_to_word(least_bytes);
  return (fits ? left_bytes : aggregate_bytes_) / record_word_bytes * record_word_bytes -
         words_bytes;
}

void World::open_outbox(int rank, std::size_t bytes) {
  Outbox& box = outboxes_[static_cast<std::size_t>(rank)];
  while (static_cast<std::size_t>(box.end - box.cursor) < bytes) {
    flush(rank);
    const std::size_t slot_bytes = slot_bytes_for(bytes);
    std::byte* slot = transport_->acquire(rank, slot_bytes);
    if (slot == nullptr) {
      wait_for_room(rank, bytes);
      continue;
    }
    box = {slot, slot, slot + slot_bytes};
    open_outboxes_.push_back(rank);
  }
}

void World::send_record_slowly(int rank, Handler handler, std::size_t payload_bytes,
                               FillReference fill) {
  const CodeAddress code = modules_.encode(reinterpret_cast<std::uintptr_t>(handler));
  const bool in_library = code.module != 0;
  const std::size_t bytes = record_word_bytes * (in_library ? 2 : 1) + round_to_word(payload_bytes);
  if (bytes > largest_record_bytes_) {
    send_large_record(rank, code, payload_bytes, fill);
    return;
  }
  open_outbox(rank, bytes);
  Outbox& box = outboxes_[static_cast<std::size_t>(rank)];
  Writer writer(box.cursor);
  writer.write(RecordHeader::make(bytes, in_library ? record_flag_module : 0, code.offset));
  if (in_library) writer.write(code.module);
  fill(writer);
  box.cursor += bytes;  // last: if fill throws, there is no record
}

namespace {

/// Owns the payload of a large record until the receiver has it.
struct LargeRecord : transport::Completion {
  std::unique_ptr<std::byte[]> payload;
};

/// Receiving side: pulls the payload, then runs the handler it is for.
struct LargeArrival : transport::Completion {
  World* world;
  int source;
  Handler handler;
  std::unique_ptr<std::byte[]> payload;
  std::size_t bytes;
};

void handle_large_record(World& world, int source, Reader& reader) {
  const auto code = reader.read<CodeAddress>();
  const BulkArrival bulk = world.bulk_arrival();
  auto* arrival = new LargeArrival;
  arrival->world = &world;
  arrival->source = source;
  arrival->handler = reinterpret_cast<Handler>(world.modules().decode(code));
  arrival->payload = std::make_unique_for_overwrite<std::byte[]>(bulk.bytes);
  arrival->bytes = bulk.bytes;
  arrival->done = [](transport::Completion* self) {
    const std::unique_ptr<LargeArrival> owned(static_cast<LargeArrival*>(self));
    owned->world->deliver_later(owned->source, owned->handler, std::move(owned->payload),
                                owned->bytes);
  };
  accept_bulk(world, bulk.token, arrival->payload.get(), arrival);
}

}  // namespace

void World::send_large_record(int rank, CodeAddress code, std::size_t payload_bytes,
                              FillReference fill) {
  auto record = std::make_unique<LargeRecord>();
  record->payload = std::make_unique_for_overwrite<std::byte[]>(payload_bytes);
  Writer writer(record->payload.get());
  fill(writer);
  record->done = [](transport::Completion* self) { delete static_cast<LargeRecord*>(self); };
  auto header = [&](Writer& to) { to.write(code); };
  const std::span<const std::byte> data(record->payload.get(), payload_bytes);
  send_bulk(rank, &handle_large_record, sizeof code, FillReference(header), data, record.release());
}

void World::send_bulk(int rank, Handler handler, std::size_t payload_bytes, FillReference fill,
                      std::span<const std::byte> data, transport::Completion* completion) {
  const CodeAddress code = modules_.encode(reinterpret_cast<std::uintptr_t>(handler));
  TASUKI_ASSERT(code.module == 0);  // handlers of bulk messages are the library's own
  std::byte header[128];
  const std::size_t bytes = record_word_bytes + round_to_word(payload_bytes);
  TASUKI_ASSERT(bytes <= sizeof header);
  Writer writer(header);
  writer.write(RecordHeader::make(bytes, 0, code.offset));
  fill(writer);
  for (;;) {
    flush(rank);
    if (transport_->send_bulk(rank, {header, bytes}, data, completion)) return;
    wait_for_bulk_room(rank, bytes);
  }
}

void World::send_to_landing(int rank, int landing, std::span<const std::byte> data,
                            transport::Completion* completion) {
  while (!transport_->send_to_landing(rank, landing, data, completion)) {
    wait_for_bulk_room(rank, record_word_bytes);
  }
}

void World::fence() { puts_->fence(); }

void World::wait_for_room(int rank, std::size_t bytes) {
  room_waiters_[static_cast<std::size_t>(rank)].push_back({scheduler_.current(), bytes});
  ++room_waiters_count_;
  suspend({fiber::WaitKind::room, rank});
}

/// For whichever of the two is missing: room for the header's message, or for what is under way.
void World::wait_for_bulk_room(int rank, std::size_t header_bytes) {
  if (transport_->has_bulk_room(rank)) return wait_for_room(rank, header_bytes);
  wait_until([&] { return transport_->has_bulk_room(rank); }, {fiber::WaitKind::room, rank});
}

void World::wake_room_waiters() {
  for (int rank = 0; rank < size_ && room_waiters_count_ != 0; ++rank) {
    auto& waiters = room_waiters_[static_cast<std::size_t>(rank)];
    if (waiters.empty()) continue;
    Outbox& box = outboxes_[static_cast<std::size_t>(rank)];
    if (box.begin == nullptr) {
      const std::size_t slot_bytes = slot_bytes_for(waiters.front().bytes);
      std::byte* slot = transport_->acquire(rank, slot_bytes);
      if (slot == nullptr) continue;
      box = {slot, slot, slot + slot_bytes};
      open_outboxes_.push_back(rank);
    }
    // As many, oldest first, as the open slot has room for; the others wait for the next one.
    std::size_t left_bytes = static_cast<std::size_t>(box.end - box.cursor);
    std::size_t woken_count = 0;
    while (woken_count < waiters.size() && waiters[woken_count].bytes <= left_bytes) {
      left_bytes -= waiters[woken_count].bytes;
      scheduler_.make_ready(waiters[woken_count].waiter);
      ++woken_count;
    }
    waiters.erase(waiters.begin(), waiters.begin() + static_cast<std::ptrdiff_t>(woken_count));
    room_waiters_count_ -= woken_count;
  }
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
  if ((header.flags() & record_flag_module) == 0) [[likely]] {
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
    deliveries_.erase(deliveries_.begin());
    hang_report_->transfer_ends();
    ++records_handled_;
    Reader reader(delivery->payload.get(), delivery->payload.get() + delivery->bytes);
    delivery->handler(*this, delivery->source, reader);
    if (!scheduler_.is_poller()) return false;
  }
  return true;
}

bool World::step() {
  bool did_something = false;
  if (!batch_.active) {
    const bool full = scheduler_.live_count() >= fiber_cap_ && scheduler_.anything_ready();
    if (full) {
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
  flush();
  if (room_waiters_count_ != 0) wake_room_waiters();
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
    const std::int64_t left_ns = timers_.front().deadline_ns - base::now_ns();
    most_us = std::clamp<std::int64_t>(left_ns / 1000, 0, most_us);
  }
  if (room_waiters_count_ != 0) most_us = std::min<std::int64_t>(most_us, 1000);
  hang_report_->on_idle(idle_count);
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

void World::suspend(const fiber::WaitReason& reason) {
  flush();
  if (scheduler_.is_poller()) scheduler_.set_activity(serving_);
  scheduler_.suspend(reason);
}

void World::yield() {
  flush();
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
  timers_.push_back({deadline_ns, node});
  std::push_heap(timers_.begin(), timers_.end(), &Timer::is_later);
}

void World::remove_timer(WaitNode* node) noexcept {
  std::erase_if(timers_, [&](const Timer& timer) { return timer.node == node; });
  std::make_heap(timers_.begin(), timers_.end(), &Timer::is_later);
}

void World::fire_timers() {
  const std::int64_t now_ns = base::now_ns();
  while (!timers_.empty() && timers_.front().deadline_ns <= now_ns) {
    std::pop_heap(timers_.begin(), timers_.end(), &Timer::is_later);
    WaitNode* node = timers_.back().node;
    timers_.pop_back();
    // Not linked any more: the future was fulfilled in the meantime and has made the fiber ready.
    if (!node->linked) continue;
    node->timed_out = true;
    scheduler_.make_ready(static_cast<fiber::Fiber*>(node->fiber));
  }
}

}  // namespace tasuki::runtime
