// The sending half of World: records, bulk data, and what to do without room.
#include <algorithm>
#include <tasuki/detail/base/assert.hpp>
#include <tasuki/detail/base/full_fence.hpp>
#include <tasuki/detail/runtime/world/world.hpp>
#include <thread>

#include "runtime/calls/backlog.hpp"
#include "runtime/memory/bulk.hpp"
#include "runtime/memory/puts.hpp"

namespace tasuki::runtime {
namespace {

// An overloaded rank fills a further slot of its own calls only after so many polls, twice as many
// for each further channel or cap: so more answers are read than calls made, on all ranks alike.
constexpr std::uint64_t polls_between_slots = 32;

void write_record(std::byte* to, std::size_t bytes, CodeAddress code, FillReference fill) noexcept {
  const bool in_library = code.module != 0;
  Writer writer(to);
  writer.write(RecordHeader::make(bytes, in_library, code.offset));
  if (in_library) writer.write(code.module);
  fill(writer);
}

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
  world.forget_record();  // What it brings is counted when it is run.
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

/// Returns: false if there is no room, or others wait for it.
bool World::open_outbox(int rank, std::size_t bytes) {
  return backlogs_[static_cast<std::size_t>(rank)].empty() && open_slot(rank, bytes);
}

bool World::open_slot(int rank, std::size_t bytes) {
  flush(rank);
  const std::size_t slot_bytes = slot_bytes_for(bytes);
  std::byte* slot = transport_->acquire(rank, slot_bytes);
  if (slot == nullptr) return false;
  outboxes_[static_cast<std::size_t>(rank)] = {slot, slot, slot + slot_bytes};
  open_outboxes_.push_back(rank);
  return true;
}

void World::send_record_slowly(int rank, Handler handler, RecordPurpose purpose,
                               std::size_t payload_bytes, FillReference fill) {
  const CodeAddress code = modules_.encode(reinterpret_cast<std::uintptr_t>(handler));
  const bool in_library = code.module != 0;
  const std::size_t bytes = record_word_bytes * (in_library ? 2 : 1) + round_to_word(payload_bytes);
  if (bytes > largest_record_bytes_) {
    send_large_record(rank, code, payload_bytes, fill);
    return;
  }
  const bool may_wait = purpose == RecordPurpose::call && !scheduler_.is_poller();
  Outbox& box = outboxes_[static_cast<std::size_t>(rank)];
  const auto has_room = [&] { return static_cast<std::size_t>(box.end - box.cursor) >= bytes; };
  if (may_wait && is_overloaded() && !has_room()) yield_to_answers();
  if (has_room() || open_outbox(rank, bytes)) {
    write_record(box.cursor, bytes, code, fill);
    box.cursor += bytes;
    return;
  }
  append_to_backlog(rank, bytes, code, fill);
  const bool floods = purpose == RecordPurpose::call && backlog_bytes_ > backlog_most_bytes;
  if (may_wait || floods) wait_for_room(rank, 0);
}

void World::append_to_backlog(int rank, std::size_t bytes, CodeAddress code, FillReference fill) {
  Backlog& backlog = backlogs_[static_cast<std::size_t>(rank)];
  const bool is_first = backlog.empty();
  write_record(backlog.append(bytes), bytes, code, fill);
  backlog_bytes_ += bytes;
  if (is_first) ++backlogged_count_;
}

void World::yield_to_answers() {
  for (std::uint64_t polls_count = 0;; ++polls_count) {
    const std::size_t overload =
        backlog_bytes_ / owed_most_bytes + (scheduler_.live_count() + calls_.awaited) / fiber_cap_;
    if (overload == 0 || polls_count >= polls_between_slots << std::min(overload, overload_most)) {
      return;
    }
    // Where ranks outnumber the cores, those who answer need one.
    if (polls_count % polls_between_slots == polls_between_slots - 1) std::this_thread::yield();
    yield();
  }
}

void World::send_large_record(int rank, CodeAddress code, std::size_t payload_bytes,
                              FillReference fill) {
  auto record = std::make_unique<LargeRecord>();
  record->payload = std::make_unique_for_overwrite<std::byte[]>(payload_bytes);
  Writer writer(record->payload.get());
  fill(writer);
  record->done = [](transport::Completion* self) { delete static_cast<LargeRecord*>(self); };
  auto header = [&](Writer& to) noexcept { to.write(code); };
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
  writer.write(RecordHeader::make(bytes, false, code.offset));
  fill(writer);
  const Backlog& backlog = backlogs_[static_cast<std::size_t>(rank)];
  // Behind the records that wait for room: calls start in the order in which they were made.
  for (bool has_its_turn = backlog.empty();;) {
    flush(rank);
    if (has_its_turn && transport_->send_bulk(rank, {header, bytes}, data, completion)) return;
    has_its_turn = wait_for_bulk_room(rank, bytes) || backlog.empty();
  }
}

void World::send_to_posted(int rank, int posted_receive, std::span<const std::byte> data,
                           transport::Completion* completion) {
  while (!transport_->send_to_posted(rank, posted_receive, data, completion)) {
    wait_for_bulk_room(rank, record_word_bytes);
  }
}

void World::fence() {
  puts_->fence();
  // Writes to memory that this process addresses were plain stores.
  base::full_fence();
}

/// Counts a called function while it waits for room.
class World::RoomWait {
 public:
  explicit RoomWait(World& world)
      : world_(world),
        is_call_(world.scheduler_.is_poller() ||
                 world.scheduler_.current()->activity.caller_rank >= 0) {
    if (is_call_) ++world_.calls_waiting_for_room_count_;
  }
  ~RoomWait() {
    if (is_call_) --world_.calls_waiting_for_room_count_;
  }
  RoomWait(const RoomWait&) = delete;
  RoomWait& operator=(const RoomWait&) = delete;

 private:
  World& world_;
  bool is_call_;
};

/// Waits until the backlog so far has left and, if `slot_bytes` is not 0, a slot has so much room.
void World::wait_for_room(int rank, std::size_t slot_bytes) {
  Backlog& backlog = backlogs_[static_cast<std::size_t>(rank)];
  const bool is_first = backlog.empty();
  backlog.add_waiter(scheduler_.current(), slot_bytes);
  if (is_first) ++backlogged_count_;
  const RoomWait wait(*this);
  suspend({fiber::WaitKind::room, rank});
}

/// For whichever of the two is missing: room for the header's message, or for what is under way.
/// Returns: was it the first, so that the caller's turn in the backlog has come?
bool World::wait_for_bulk_room(int rank, std::size_t header_bytes) {
  if (transport_->has_bulk_room(rank)) {
    wait_for_room(rank, header_bytes);
    return true;
  }
  const RoomWait wait(*this);
  wait_until([&] { return transport_->has_bulk_room(rank); }, {fiber::WaitKind::room, rank});
  return false;
}

void World::send_backlogs() {
  wait_until([&] { return backlogged_count_ == 0; }, {fiber::WaitKind::room});
  flush();  // the last slot of a backlog is left open for more
}

bool World::move_backlogs() {
  bool did_something = false;
  for (int rank = 0; rank < size_ && backlogged_count_ != 0; ++rank) {
    Backlog& backlog = backlogs_[static_cast<std::size_t>(rank)];
    if (backlog.empty()) continue;
    did_something |= move_backlog(rank);
    if (backlog.empty()) --backlogged_count_;
  }
  return did_something;
}

/// Fills slots from the backlog and wakes fibers when it is their turn. Requires: no slot is open.
/// While records are left none is open afterwards, for whoever uses one would overtake them.
bool World::move_backlog(int rank) {
  Backlog& backlog = backlogs_[static_cast<std::size_t>(rank)];
  Outbox& box = outboxes_[static_cast<std::size_t>(rank)];
  bool did_something = false;
  std::size_t promised_bytes = 0;  // to fibers that send for themselves when they run
  while (!backlog.empty()) {
    const bool wakes = backlog.is_waiter_due();
    const std::size_t slot_bytes = wakes ? backlog.first_waiter().slot_bytes : 0;
    const std::size_t needed_bytes = wakes ? slot_bytes : backlog.first_record_bytes();
    if (static_cast<std::size_t>(box.end - box.cursor) < promised_bytes + needed_bytes) {
      if (promised_bytes != 0 || !open_slot(rank, needed_bytes)) break;
    }
    did_something = true;
    if (wakes) {
      promised_bytes += slot_bytes;
      scheduler_.make_ready(backlog.take_waiter().fiber);
    } else if (promised_bytes == 0) {
      const std::size_t moved_bytes =
          backlog.move_records(box.cursor, static_cast<std::size_t>(box.end - box.cursor));
      box.cursor += moved_bytes;
      backlog_bytes_ -= moved_bytes;
    } else {
      break;
    }
  }
  if (backlog.has_records()) box.end = box.cursor;
  return did_something;
}

}  // namespace tasuki::runtime
