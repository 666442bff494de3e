// What one rank sends: records, gathered into messages, and bulk data, to each rank in the order in
// which they were sent.
//
// What finds no room in the transport waits in a backlog for each rank; whoever has sent it then
// waits as a fiber, if it may. A rank that owes others too much, or has too many calls under way,
// lets answers come in before it fills a further message.
// docs/design/aggregation-and-termination.md says why. Called by all that sends; the poller moves
// backlogs and flushes.
//
// Thread-safety: none; the rank's own thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <tasuki/detail/runtime/calls/code_address.hpp>
#include <tasuki/detail/runtime/calls/load.hpp>
#include <tasuki/detail/runtime/calls/record.hpp>
#include <tasuki/detail/runtime/calls/traffic.hpp>
#include <tasuki/detail/runtime/waiting/waits.hpp>
#include <tasuki/detail/transport/transport.hpp>
#include <type_traits>
#include <utility>
#include <vector>

namespace tasuki::runtime {

class Backlog;
class Clearances;
class PayloadMemory;
struct LargeRecord;

/// What is being filled for one rank: an acquired slot of the lane to it.
struct Outbox {
  /// Requires: nothing is open. Returns: is there room?
  bool acquire(std::size_t bytes) {
    begin = cursor = lane->acquire(bytes);
    end = begin == nullptr ? nullptr : begin + bytes;
    return begin != nullptr;
  }
  void commit() {
    if (cursor != begin) ++messages_count;
    lane->commit(static_cast<std::size_t>(cursor - begin));
    begin = cursor = end = nullptr;
  }

  transport::Lane* lane = nullptr;
  std::byte* begin = nullptr;
  std::byte* cursor = nullptr;
  std::byte* end = nullptr;
  std::uint64_t messages_count = 0;  ///< Sent so far, with announcements of bulk data.
};

/// A record to which items may be added as long as it is the last one of an open message.
struct GrowingRecord {
  std::byte* begin = nullptr;
  std::byte* end = nullptr;
  std::uint64_t message_number = 0;  ///< Among those to its rank.
};

/// What a record is for. Nobody waits for room to answer: then only what calls are made for needs a
/// stack, and two ranks that answer each other's calls cannot both be waiting.
enum class RecordPurpose : std::uint8_t {
  call,
  post,          ///< A call without an answer, as programs make many one after the other.
  awaited_call,  ///< Whose caller waits for its end: what it sends stays where it is.
  answer,
};

/// What writes a payload. It writes into memory that the receiver reads, and what is left there by
/// one that threw would be taken for a message; so whatever may fail is done before.
template <class Fill>
concept FillsPayload = std::is_nothrow_invocable_v<Fill&, Writer&>;

/// Writes a payload; a reference to a callable, valid during the call it is passed to.
class FillReference {
 public:
  template <FillsPayload Fill>
  explicit FillReference(Fill& fill)
      : object_(&fill),
        call_([](void* object, Writer& writer) { (*static_cast<Fill*>(object))(writer); }) {}
  void operator()(Writer& writer) const noexcept { call_(object_, writer); }

 private:
  void* object_;
  void (*call_)(void*, Writer&);
};

/// A record whose payload is to be written, by code that does not throw, before anything else is
/// sent.
struct OpenRecord {
  std::byte* payload;
  bool is_sent_when_written = true;  ///< Else there is more to do, for want of room.
};

/// A part of a record's payload that lies somewhere else.
struct PlacedData {
  std::size_t offset = 0;  ///< In the payload.
  std::span<const std::byte> data;
};

class Sender final : public Unsent {
 public:
  /// `traffic` is that of this rank.
  Sender(transport::Transport& transport, Waits& waits, Traffic& traffic);
  ~Sender();
  Sender(const Sender&) = delete;
  Sender& operator=(const Sender&) = delete;

  /// How code is named in what is sent and received.
  ModuleTable& modules() noexcept { return modules_; }

  /// Adds a record for `handler` to what is being sent to `rank`; `fill(Writer&)` writes exactly
  /// `payload_bytes`. It leaves with the next flush. Without room it goes into the backlog; who has
  /// sent it then waits, unless it is an answer or a handler that the poller runs.
  template <RecordPurpose purpose = RecordPurpose::call, FillsPayload Fill>
  void send_record(int rank, Handler handler, std::size_t payload_bytes, Fill&& fill) {
    const OpenRecord record = begin_record(rank, handler, payload_bytes, purpose);
    Writer writer(record.payload);
    fill(writer);
    end_record(rank, record);
  }
  /// The same in two steps, of which calls of all types have the slow parts in common.
  OpenRecord begin_record(int rank, Handler handler, std::size_t payload_bytes,
                          RecordPurpose purpose);
  /// The same inlined, where the size and the handler are known: a post takes 7 ns instead of 9
  /// (`tasuki bench kernels --kernel histogram_by_post`). In calls and answers, too, it would take
  /// the compiler 7 ms longer for each call of a further type (`bench/compile/compile_time.py`).
  OpenRecord begin_record_inline(int rank, Handler handler, std::size_t payload_bytes,
                                 RecordPurpose purpose) {
    if (std::byte* const payload = begin_record_at_once(rank, handler, payload_bytes)) [[likely]] {
      return {payload};
    }
    return begin_record_slowly(rank, handler, payload_bytes, purpose);
  }
  /// As suits the purpose.
  template <RecordPurpose purpose>
  OpenRecord begin_record_for(int rank, Handler handler, std::size_t payload_bytes) {
    if constexpr (purpose == RecordPurpose::post) {
      return begin_record_inline(rank, handler, payload_bytes, purpose);
    } else {
      return begin_record(rank, handler, payload_bytes, purpose);
    }
  }
  /// Sends a record of two words, as most calls and answers are: the same code for all types.
  void send_two_words(int rank, Handler handler, std::uint64_t first, std::uint64_t second,
                      RecordPurpose purpose);
  void end_record(int rank, const OpenRecord& record) {
    if (!record.is_sent_when_written) [[unlikely]]
      end_record_slowly(rank);
  }
  /// As send_record. Returns: the record, for `grow`; its handler reads as many items as there are.
  template <RecordPurpose purpose = RecordPurpose::call, FillsPayload Fill>
  GrowingRecord send_growing(int rank, Handler handler, std::size_t payload_bytes, Fill&& fill) {
    const std::uint64_t offset = modules_.main_offset(reinterpret_cast<std::uintptr_t>(handler));
    const std::size_t bytes = record_word_bytes + round_to_word(payload_bytes);
    const Outbox& box = outboxes_[static_cast<std::size_t>(rank)];
    std::byte* const begin = box.cursor;
    const bool is_at_once =
        offset < modules_.main_bytes() && static_cast<std::size_t>(box.end - box.cursor) >= bytes;
    send_record<purpose>(rank, handler, payload_bytes, std::forward<Fill>(fill));
    // One that goes slowly may be anywhere by now.
    return is_at_once ? GrowingRecord{begin, box.cursor, box.messages_count} : GrowingRecord{};
  }
  /// Makes a record that was sent to `rank` longer by `bytes`, a multiple of words. Returns: where
  /// to write them at once; nullptr if it has left, others follow it, or there is no room.
  std::byte* grow(int rank, GrowingRecord& record, std::size_t bytes) noexcept {
    Outbox& box = outboxes_[static_cast<std::size_t>(rank)];
    const bool is_last = record.end == box.cursor && record.message_number == box.messages_count;
    if (!is_last || static_cast<std::size_t>(box.end - box.cursor) < bytes) return nullptr;
    RecordHeader header;
    std::memcpy(&header, record.begin, sizeof header);
    header.word += bytes / record_word_bytes;
    std::memcpy(record.begin, &header, sizeof header);
    std::byte* const added = box.cursor;
    box.cursor = record.end = added + bytes;
    return added;
  }
  /// May `data_bytes` of a record be sent from where they are? Not if it fits a message, nor if the
  /// target has posted a receive for all of it, which is faster.
  bool may_send_in_place(int rank, std::size_t payload_bytes,
                         std::size_t data_bytes) const noexcept;
  /// As send_record, with a part of the payload from where it is; `fill` writes what is before and
  /// behind it. Waits as a fiber until the data have left. Requires: may_send_in_place.
  void send_in_place(int rank, Handler handler, std::size_t payload_bytes, const PlacedData& placed,
                     FillReference fill);
  /// Announces `data` with a record for `handler` as its header; `completion` as in
  /// Lane::send_bulk. Waits as a fiber for room.
  void send_bulk(int rank, Handler handler, std::size_t payload_bytes, FillReference fill,
                 std::span<const std::byte> data, transport::Completion* completion);
  /// Lane::send_to_posted. Waits as a fiber for room.
  void send_to_posted(int rank, int posted_receive, std::span<const std::byte> data,
                      transport::Completion* completion);
  void flush(int rank);
  void flush() override;
  /// Payload that a record may have to fill what is open for `rank` to its end; if that is less
  /// than `least_bytes`, to fill the next slot. Requires: `least_bytes` fits a slot.
  std::size_t payload_room_bytes(int rank, std::size_t least_bytes) const noexcept;
  /// Of a record that fills a message of short records alone.
  std::size_t message_payload_bytes() const noexcept {
    return aggregate_bytes_ / record_word_bytes * record_word_bytes - 2 * record_word_bytes;
  }
  /// Longer records travel as bulk data.
  std::size_t largest_record_bytes() const noexcept { return largest_record_bytes_; }

  /// What other ranks allow this one to send unannounced.
  Clearances& clearances() noexcept { return *clearances_; }

  // ---- backlogs -------------------------------------------------------------------------------
  bool has_backlog() const noexcept { return backlogged_count_ != 0; }
  /// Fills slots from the backlogs. Returns: was there room for any? Requires: no slot is open.
  bool move_backlogs();
  /// Waits until there is no backlog, and sends what is open.
  void send_backlogs();
  /// What this rank has taken on.
  const Load& load() const noexcept { return load_; }

 private:
  std::size_t slot_bytes_for(std::size_t record_bytes) const noexcept {
    return record_bytes > aggregate_bytes_ ? largest_record_bytes_ : aggregate_bytes_;
  }
  Outbox& outbox(int rank) noexcept { return outboxes_[static_cast<std::size_t>(rank)]; }
  Backlog& backlog(int rank) noexcept;
  bool open_outbox(int rank, std::size_t bytes);
  bool open_slot(int rank, std::size_t bytes);
  /// Returns: where to write the payload; nullptr if that takes more than a few stores.
  std::byte* begin_record_at_once(int rank, Handler handler, std::size_t payload_bytes) noexcept {
    const std::uint64_t offset = modules_.main_offset(reinterpret_cast<std::uintptr_t>(handler));
    const std::size_t bytes = record_word_bytes + round_to_word(payload_bytes);
    Outbox& box = outboxes_[static_cast<std::size_t>(rank)];
    if (offset >= modules_.main_bytes() || static_cast<std::size_t>(box.end - box.cursor) < bytes)
        [[unlikely]] {
      return nullptr;
    }
    std::byte* const at = box.cursor;
    Writer(at).write(RecordHeader::make(bytes, false, offset));
    box.cursor = at + bytes;
    return at + record_word_bytes;
  }
  // As begin_record, so that it is a jump from there.
  OpenRecord begin_record_slowly(int rank, Handler handler, std::size_t payload_bytes,
                                 RecordPurpose purpose);
  void send_two_words_slowly(int rank, Handler handler, std::uint64_t first, std::uint64_t second,
                             RecordPurpose purpose);
  void end_record_slowly(int rank);
  void send_large_record(int rank, std::unique_ptr<LargeRecord> record);
  void send_unannounced(int rank, int posted_receive, CodeAddress code, std::span<std::byte> data,
                        transport::Completion* completion);
  std::byte* append_to_backlog(int rank, std::size_t bytes);
  bool is_flood_of_handler(std::size_t bytes);
  void yield_to_answers();
  void wait_for_room(int rank, std::size_t slot_bytes);
  bool wait_for_bulk_room(int rank, std::size_t header_bytes);
  bool move_backlog(int rank);

  Waits& waits_;
  Traffic& traffic_;
  ModuleTable modules_;
  std::vector<Outbox> outboxes_;  ///< By rank.
  std::size_t aggregate_bytes_;   ///< Size of the messages that short records fill.
  std::size_t largest_record_bytes_;
  std::vector<Backlog> backlogs_;          ///< By rank.
  std::size_t backlogged_count_ = 0;       ///< Ranks whose backlog is not empty.
  std::size_t handler_backlog_bytes_ = 0;  ///< What the handler of the last record put there.
  std::uint64_t handler_record_ = 0;       ///< Its number, as Dispatcher counts.
  Load load_;
  std::unique_ptr<PayloadMemory> record_memory_;  ///< For long records.
  std::unique_ptr<LargeRecord> open_record_;      ///< Is being written; nullptr: no long one is.
  std::unique_ptr<Clearances> clearances_;
};

}  // namespace tasuki::runtime
