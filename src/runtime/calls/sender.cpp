#include <algorithm>
#include <optional>
#include <tasuki/detail/base/assert.hpp>
#include <tasuki/detail/base/settings.hpp>
#include <tasuki/detail/runtime/calls/rank.hpp>
#include <tasuki/detail/runtime/calls/sender.hpp>
#include <thread>
#include <utility>

#include <tasuki/detail/runtime/calls/load.hpp>
#include "runtime/calls/backlog.hpp"
#include "runtime/calls/bulk_records.hpp"
#include "runtime/calls/clearances.hpp"
#include "runtime/calls/dispatcher.hpp"
#include "runtime/calls/early_receives.hpp"
#include "runtime/calls/payload_memory.hpp"
#include "runtime/recording/recorder.hpp"
#include "runtime/waiting/counted.hpp"
#include "runtime/waiting/event.hpp"

namespace tasuki::runtime {

/// A record that is longer than a message. Owns the payload until the receiver has it, then deletes
/// itself.
struct LargeRecord : transport::Completion {
  LargeRecord(PayloadMemory& its_memory, CodeAddress its_code, std::size_t its_payload_bytes)
      : memory(its_memory),
        code(its_code),
        payload_bytes(its_payload_bytes),
        payload(its_memory.take(its_payload_bytes + sizeof(EarlyTrailer))) {
    done = [](transport::Completion* self) { delete static_cast<LargeRecord*>(self); };
  }
  LargeRecord(const LargeRecord&) = delete;
  LargeRecord& operator=(const LargeRecord&) = delete;
  ~LargeRecord() { memory.give_back(std::move(payload)); }

  PayloadMemory& memory;
  CodeAddress code;
  std::size_t payload_bytes;
  Payload payload;  ///< With room for a trailer.
  /// Set if the receiver does not know of it before it has arrived.
  std::optional<Counted> under_way;
};

namespace {

// An overloaded rank fills a further slot of its own calls only after so many polls, twice as many
// for each doubling: so more answers are read than calls made, on all ranks alike.
constexpr std::uint64_t polls_between_slots = 32;

/// Size of the messages that aggregation fills: as asked for, else what suits the transport.
std::size_t aggregate_bytes(const transport::Capabilities& capabilities) {
  const base::Setting& asked = base::setting::aggregate_bytes;
  const bool is_free = !asked.is_set() && capabilities.message_best_bytes != 0;
  const std::size_t wanted_bytes =
      is_free ? capabilities.message_best_bytes : static_cast<std::size_t>(asked.integer());
  return std::clamp(wanted_bytes, static_cast<std::size_t>(asked.range.least),
                    capabilities.message_max_bytes);
}

/// With the headers.
std::size_t record_bytes_for(CodeAddress code, std::size_t payload_bytes) noexcept {
  return record_word_bytes * (code.module != 0 ? 2 : 1) + round_to_word(payload_bytes);
}

/// Returns: where the payload begins.
std::byte* write_header(std::byte* to, std::size_t bytes, CodeAddress code) noexcept {
  const bool in_library = code.module != 0;
  Writer writer(to);
  writer.write(RecordHeader::make(bytes, in_library, code.offset));
  if (in_library) writer.write(code.module);
  return writer.at();
}

void note_sent(int rank, std::size_t bytes) noexcept {
  Recorder* const recorder = Recorder::current();
  if (recorder != nullptr && bytes != 0) [[unlikely]] {
    recorder->sent(rank, bytes);
  }
}

void commit(int rank, Outbox& box) {
  note_sent(rank, static_cast<std::size_t>(box.cursor - box.begin));
  box.commit();
}

/// Sends behind the records that wait for room: calls start in the order in which they were made.
/// `attempt(has_its_turn)` flushes what is open and, in its turn, sends, if there is room;
/// `wait` says whether the turn has come, as Sender::wait_for_bulk_room does.
template <class Attempt, class Wait>
void send_in_turn(const Backlog& there, Attempt attempt, Wait wait) {
  bool has_its_turn = there.empty();
  while (!attempt(has_its_turn)) has_its_turn = wait() || there.empty();
}

/// Counts a called function while it waits for room.
std::optional<Counted> count_call(fiber::Scheduler& scheduler, Load& load) {
  const bool is_call = scheduler.is_poller() || scheduler.current()->activity.caller_rank >= 0;
  if (!is_call) return std::nullopt;
  return std::make_optional<Counted>(load.calls_waiting_for_room_count);
}

}  // namespace

Sender::Sender(transport::Transport& transport, Waits& waits, Traffic& traffic)
    : waits_(waits),
      traffic_(traffic),
      outboxes_(static_cast<std::size_t>(transport.size())),
      aggregate_bytes_(aggregate_bytes(transport.capabilities())),
      largest_record_bytes_(
          std::min(transport.capabilities().message_max_bytes, RecordHeader::most_bytes)),
      backlogs_(outboxes_.size()),
      load_(waits.scheduler(), traffic),
      record_memory_(std::make_unique<PayloadMemory>()),
      clearances_(std::make_unique<Clearances>()) {
  for (std::size_t rank = 0; rank < outboxes_.size(); ++rank) {
    outboxes_[rank].lane = &transport.lane(static_cast<int>(rank));
  }
  open_ranks_.reserve(outboxes_.size());
  waits.set_unsent(*this);
}

Sender::~Sender() = default;

inline Backlog& Sender::backlog(int rank) noexcept {
  return backlogs_[static_cast<std::size_t>(rank)];
}

void Sender::flush(int rank) {
  Outbox& box = outbox(rank);
  if (box.begin == nullptr) return;
  commit(rank, box);
  std::erase(open_ranks_, rank);
}

void Sender::flush() {
  for (const int rank : open_ranks_) {
    commit(rank, outbox(rank));
  }
  open_ranks_.clear();
}

std::size_t Sender::payload_room_bytes(int rank, std::size_t least_bytes) const noexcept {
  constexpr std::size_t words_bytes = 2 * record_word_bytes;
  const Outbox& box = outboxes_[static_cast<std::size_t>(rank)];
  const auto left_bytes = static_cast<std::size_t>(box.end - box.cursor);
  const bool fits = left_bytes >= words_bytes + round_to_word(least_bytes);
  return fits ? left_bytes / record_word_bytes * record_word_bytes - words_bytes
              : message_payload_bytes();
}

/// Returns: false if there is no room, or others wait for it.
bool Sender::open_outbox(int rank, std::size_t bytes) {
  return backlog(rank).empty() && open_slot(rank, bytes);
}

bool Sender::open_slot(int rank, std::size_t bytes) {
  flush(rank);
  const std::size_t slot_bytes = slot_bytes_for(bytes);
  if (!outbox(rank).acquire(slot_bytes)) return false;
  open_ranks_.push_back(rank);
  return true;
}

OpenRecord Sender::begin_record(int rank, Handler handler, std::size_t payload_bytes,
                                RecordPurpose purpose) {
  return begin_record_inline(rank, handler, payload_bytes, purpose);
}

OpenRecord Sender::begin_record_slowly(int rank, Handler handler, std::size_t payload_bytes,
                                       RecordPurpose purpose) {
  const CodeAddress code = modules_.encode(reinterpret_cast<std::uintptr_t>(handler));
  const std::size_t bytes = record_bytes_for(code, payload_bytes);
  if (bytes > largest_record_bytes_) {
    open_record_ = std::make_unique<LargeRecord>(*record_memory_, code, payload_bytes);
    return {open_record_->payload.memory.get(), false};
  }
  const bool may_wait = purpose != RecordPurpose::answer && !waits_.scheduler().is_poller();
  Outbox& box = outbox(rank);
  const auto has_room = [&] { return static_cast<std::size_t>(box.end - box.cursor) >= bytes; };
  if (may_wait && load_.is_overloaded() && !has_room()) yield_to_answers();
  if (has_room() || open_outbox(rank, bytes)) {
    std::byte* const at = box.cursor;
    box.cursor += bytes;
    return {write_header(at, bytes, code)};
  }
  std::byte* const payload = write_header(append_to_backlog(rank, bytes), bytes, code);
  if (may_wait) return {payload, false};
  return {payload, purpose == RecordPurpose::answer || !is_flood_of_handler(bytes)};
}

void Sender::send_two_words(int rank, Handler handler, std::uint64_t first, std::uint64_t second,
                            RecordPurpose purpose) {
  std::byte* const payload = begin_record_at_once(rank, handler, 2 * record_word_bytes);
  if (payload == nullptr) [[unlikely]] {
    return send_two_words_slowly(rank, handler, first, second, purpose);
  }
  Writer(payload).write(first, second);
}

[[gnu::noinline]] void Sender::send_two_words_slowly(int rank, Handler handler, std::uint64_t first,
                                                     std::uint64_t second, RecordPurpose purpose) {
  const OpenRecord record = begin_record_slowly(rank, handler, 2 * record_word_bytes, purpose);
  Writer(record.payload).write(first, second);
  end_record(rank, record);
}

/// A fiber takes more memory than some hundred records. So a handler, which would become one, waits
/// only for what it has put into backlogs itself, however much others have.
bool Sender::is_flood_of_handler(std::size_t bytes) {
  const std::uint64_t record = Rank::current().dispatcher->records_handled();
  handler_backlog_bytes_ = record == handler_record_ ? handler_backlog_bytes_ + bytes : bytes;
  handler_record_ = record;
  return load_.is_flooded() && Load::is_flood(handler_backlog_bytes_);
}

void Sender::end_record_slowly(int rank) {
  if (open_record_ != nullptr) {
    send_large_record(rank, std::move(open_record_));
  } else {
    wait_for_room(rank, 0);
  }
}

std::byte* Sender::append_to_backlog(int rank, std::size_t bytes) {
  Backlog& there = backlog(rank);
  const bool is_first = there.empty();
  std::byte* const at = there.append(bytes);
  load_.backlog_bytes += bytes;
  if (is_first) ++backlogged_count_;
  return at;
}

void Sender::yield_to_answers() {
  for (std::uint64_t polls_count = 0;; ++polls_count) {
    if (!load_.is_overloaded()) return;
    if (polls_count >= polls_between_slots << load_.doublings_count()) return;
    // Where ranks outnumber the cores, those who answer need one.
    if (polls_count % polls_between_slots == polls_between_slots - 1) std::this_thread::yield();
    waits_.yield();
  }
}

void Sender::send_large_record(int rank, std::unique_ptr<LargeRecord> record) {
  const CodeAddress code = record->code;
  const std::span data(record->payload.memory.get(), record->payload_bytes + sizeof(EarlyTrailer));
  const int posted_receive = clearances_->use(rank, data.size());
  if (posted_receive == transport::Lane::no_posted_receive) {
    auto header = [&](Writer& to) noexcept { to.write(code); };
    send_bulk(rank, &handle_large_record, sizeof code, FillReference(header),
              data.first(record->payload_bytes), record.get());
  } else {
    record->under_way.emplace(traffic_.bulk_under_way_count);
    send_unannounced(rank, posted_receive, code, data, record.get());
  }
  [[maybe_unused]] const LargeRecord* const sent = record.release();  // it may be gone already
}

bool Sender::may_send_in_place(int rank, std::size_t payload_bytes,
                               std::size_t data_bytes) const noexcept {
  const bool fits_message =
      2 * record_word_bytes + round_to_word(payload_bytes) <= largest_record_bytes_;
  return !fits_message && payload_bytes - data_bytes <= SplitRecord::rest_most_bytes &&
         !clearances_->is_for(rank, payload_bytes + sizeof(EarlyTrailer));
}

void Sender::send_in_place(int rank, Handler handler, std::size_t payload_bytes,
                           const PlacedData& placed, FillReference fill) {
  const SplitRecord split{modules_.encode(reinterpret_cast<std::uintptr_t>(handler)), placed.offset,
                          payload_bytes - placed.data.size()};
  auto header = [&](Writer& to) noexcept {
    to.write(split);
    fill(to);
  };
  AwaitedCompletion sent;
  send_bulk(rank, &handle_split_record, sizeof split + split.rest_bytes, FillReference(header),
            placed.data, &sent);
  const Counted under_way(traffic_.bulk_under_way_count);  // however long it takes
  sent.wait({fiber::WaitKind::transfer, rank});
}

/// Says how many messages have gone ahead, because the data may overtake them.
void Sender::send_unannounced(int rank, int posted_receive, CodeAddress code,
                              std::span<std::byte> data, transport::Completion* completion) {
  const Outbox& box = outbox(rank);
  const auto attempt = [&](bool has_its_turn) {
    flush(rank);
    const EarlyTrailer trailer{code, box.messages_count};
    Writer(data.data() + data.size() - sizeof trailer).write(trailer);
    return has_its_turn && box.lane->send_to_posted(posted_receive, data, completion);
  };
  send_in_turn(backlog(rank), attempt, [&] { return wait_for_bulk_room(rank, record_word_bytes); });
  note_sent(rank, data.size());
}

void Sender::send_bulk(int rank, Handler handler, std::size_t payload_bytes, FillReference fill,
                       std::span<const std::byte> data, transport::Completion* completion) {
  const CodeAddress code = modules_.encode(reinterpret_cast<std::uintptr_t>(handler));
  std::byte header[128];
  const std::size_t bytes = record_bytes_for(code, payload_bytes);
  TASUKI_ASSERT(bytes <= sizeof header);
  Writer writer(write_header(header, bytes, code));
  fill(writer);
  Outbox& box = outbox(rank);
  const auto attempt = [&](bool has_its_turn) {
    flush(rank);
    return has_its_turn && box.lane->send_bulk({header, bytes}, data, completion);
  };
  send_in_turn(backlog(rank), attempt, [&] { return wait_for_bulk_room(rank, bytes); });
  ++box.messages_count;
  note_sent(rank, bytes + data.size());
}

void Sender::send_to_posted(int rank, int posted_receive, std::span<const std::byte> data,
                            transport::Completion* completion) {
  while (!outbox(rank).lane->send_to_posted(posted_receive, data, completion)) {
    wait_for_bulk_room(rank, record_word_bytes);
  }
  note_sent(rank, data.size());
}

/// Waits until the backlog so far has left and, if `slot_bytes` is not 0, a slot has so much room.
void Sender::wait_for_room(int rank, std::size_t slot_bytes) {
  Backlog& there = backlog(rank);
  if (there.empty()) ++backlogged_count_;
  const auto counted = count_call(waits_.scheduler(), load_);
  there.wait(waits_, slot_bytes, {fiber::WaitKind::room, rank});
}

/// For whichever of the two is missing: room for the header's message, or for what is under way.
/// Returns: was it the first, so that the caller's turn in the backlog has come?
bool Sender::wait_for_bulk_room(int rank, std::size_t header_bytes) {
  const transport::Lane& lane = *outbox(rank).lane;
  if (lane.has_bulk_room()) {
    wait_for_room(rank, header_bytes);
    return true;
  }
  const auto counted = count_call(waits_.scheduler(), load_);
  waits_.wait_until([&] { return lane.has_bulk_room(); }, {fiber::WaitKind::room, rank});
  ++load_.room_made_count;
  return false;
}

void Sender::send_backlogs() {
  waits_.wait_until([&] { return !has_backlog(); }, {fiber::WaitKind::room});
  flush();  // the last slot of a backlog is left open for more
}

bool Sender::move_backlogs() {
  bool did_something = false;
  const auto ranks_count = static_cast<int>(backlogs_.size());
  for (int rank = 0; has_backlog() && rank < ranks_count; ++rank) {
    Backlog& there = backlog(rank);
    if (there.empty()) continue;
    did_something |= move_backlog(rank);
    if (there.empty()) --backlogged_count_;
  }
  return did_something;
}

/// Fills slots from the backlog and wakes fibers when it is their turn. Requires: no slot is open.
/// While records are left none is open afterwards, for whoever uses one would overtake them.
bool Sender::move_backlog(int rank) {
  Backlog& there = backlog(rank);
  Outbox& box = outbox(rank);
  bool did_something = false;
  std::size_t promised_bytes = 0;  // to fibers that send for themselves when they run
  while (!there.empty()) {
    const bool wakes = there.is_waiter_due();
    const std::size_t slot_bytes = wakes ? there.first_waiter().slot_bytes : 0;
    const std::size_t needed_bytes = wakes ? slot_bytes : there.first_record_bytes();
    if (static_cast<std::size_t>(box.end - box.cursor) < promised_bytes + needed_bytes) {
      if (promised_bytes != 0 || !open_slot(rank, needed_bytes)) break;
      // One that reads is not to make this rank take in more for one that does not.
      if (2 * there.bytes() >= load_.backlog_bytes / backlogged_count_) ++load_.room_made_count;
    }
    did_something = true;
    if (wakes) {
      promised_bytes += slot_bytes;
      there.wake_first(waits_);
    } else if (promised_bytes == 0) {
      const std::size_t moved_bytes =
          there.move_records(box.cursor, static_cast<std::size_t>(box.end - box.cursor));
      box.cursor += moved_bytes;
      load_.backlog_bytes -= moved_bytes;
    } else {
      break;
    }
  }
  if (there.has_records()) box.end = box.cursor;
  return did_something;
}

}  // namespace tasuki::runtime
