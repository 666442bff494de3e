// The world: one rank's runtime, that is its transport, its scheduler, what it is sending and what
// it is serving. Users call the free functions of the other headers; those find the rank's world
// through `World::current()`.
//
// Thread-safety: none. A world belongs to the thread that runs the rank; `current()` throws on any
// other thread.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <set>
#include <tasuki/detail/fiber/scheduler.hpp>
#include <tasuki/detail/fiber/served_memory.hpp>
#include <tasuki/detail/runtime/calls/code_address.hpp>
#include <tasuki/detail/runtime/calls/record.hpp>
#include <tasuki/detail/transport/transport.hpp>
#include <type_traits>
#include <vector>

namespace tasuki::runtime {

class Backlog;
class Collectives;
class Continuations;
class DistObjects;
class HangReport;
class Heap;
class Puts;
class Quiescence;
struct WaitNode;

/// What is being filled for one rank: an acquired slot of the transport.
struct Outbox {
  std::byte* begin = nullptr;
  std::byte* cursor = nullptr;
  std::byte* end = nullptr;
};

/// A condition on memory that the poller checks on behalf of a waiting fiber. Lives on that fiber's
/// stack.
struct Watch {
  bool (*ready)(const Watch* self) = nullptr;
  fiber::Fiber* waiter = nullptr;
  Watch* next = nullptr;
};

/// The part of a rank's heap that this process is known to address. The heap's memory is
/// contiguous, so whatever lies between two addressable places is addressable too.
struct MappedRange {
  std::uintptr_t first = 0;
  std::uintptr_t bytes = 0;
  std::uintptr_t offset = 0;  ///< From that rank's addresses to this process's (modulo 2^64).
};

/// Calls made and calls done by this rank; equal sums over all ranks mean that nothing is under
/// way.
struct CallCounts {
  std::uint64_t sent = 0;
  std::uint64_t done = 0;
  std::uint64_t awaited = 0;  ///< Of this rank, whose answer is not here.
};

/// What this rank has begun for others and seen done of its own kind: equal sums over all ranks
/// mean that none is under way.
struct TrafficCounts {
  std::uint64_t begun = 0;
  std::uint64_t done = 0;
};

/// A bulk message whose announcement is being handled.
struct BulkArrival {
  std::size_t bytes = 0;
  std::uint64_t token = 0;
};

/// What a record is for. Nobody waits for room to answer: then only what calls are made for needs a
/// stack, and two ranks that answer each other's calls cannot both be waiting.
enum class RecordPurpose : std::uint8_t { call, answer };

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

/// What a rank is about to do with another's memory.
enum class Access : std::uint8_t { reading, writing };

class World {
 public:
  /// Takes the transport over and starts it. Collective.
  explicit World(std::unique_ptr<transport::Transport> transport);
  /// For transports that somebody else owns (loopback).
  explicit World(transport::Transport& transport);
  ~World();
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  /// The world of the calling thread. Throws tasuki::error if it has none.
  static World& current() {
    if (current_ == nullptr) [[unlikely]] {
      throw_no_world();
    }
    return *current_;
  }
  static World* current_or_null() noexcept { return current_; }
  static void set_current(World* world) noexcept;

  /// Runs `main(argument)` as the first fiber, serves calls whenever it waits, and ends with a
  /// collective `quiesce`. Collective. An exception from `main` ends the job.
  /// Returns: what `main` returned.
  int run(int (*main)(void*), void* argument);

  int rank() const noexcept { return rank_; }
  int size() const noexcept { return size_; }
  transport::Transport& transport() noexcept { return *transport_; }
  fiber::Scheduler& scheduler() noexcept { return scheduler_; }
  ModuleTable& modules() noexcept { return modules_; }
  CallCounts& calls() noexcept { return calls_; }
  /// Reads and writes of other ranks' memory by messages, and what they bring with them.
  TrafficCounts& transfers() noexcept { return transfers_; }
  /// Records of the library's own that nobody waits for.
  TrafficCounts& service_records() noexcept { return service_records_; }
  Collectives& collectives() noexcept { return *collectives_; }
  DistObjects& dist_objects() noexcept { return *dist_objects_; }
  Heap& heap() noexcept { return *heap_; }
  Quiescence& quiescence() noexcept { return *quiescence_; }
  Continuations& continuations() noexcept { return *continuations_; }

  /// Throws tasuki::error unless 0 <= rank < size.
  void check_rank(int rank, const char* operation) const {
    if (static_cast<unsigned>(rank) >= static_cast<unsigned>(size_)) [[unlikely]] {
      throw_rank_out_of_range(rank, operation);
    }
  }

  // ---- sending ------------------------------------------------------------------------------
  /// Adds a record for `handler` to what is being sent to `rank`; `fill(Writer&)` writes exactly
  /// `payload_bytes`. It leaves with the next flush. Without room it goes into the backlog; who has
  /// sent it then waits, unless it is an answer or a handler that the poller runs.
  template <RecordPurpose purpose = RecordPurpose::call, FillsPayload Fill>
  void send_record(int rank, Handler handler, std::size_t payload_bytes, Fill&& fill) {
    const std::uint64_t offset = modules_.main_offset(reinterpret_cast<std::uintptr_t>(handler));
    const std::size_t bytes = record_word_bytes + round_to_word(payload_bytes);
    Outbox& box = outboxes_[static_cast<std::size_t>(rank)];
    if (offset < modules_.main_bytes() && static_cast<std::size_t>(box.end - box.cursor) >= bytes)
        [[likely]] {
      Writer writer(box.cursor);
      writer.write(RecordHeader::make(bytes, false, offset));
      fill(writer);
      box.cursor += bytes;
      return;
    }
    send_record_slowly(rank, handler, purpose, payload_bytes, FillReference(fill));
  }
  /// Announces `data` with a record for `handler` as its header; `completion` as in
  /// Transport::send_bulk. Waits as a fiber for room.
  void send_bulk(int rank, Handler handler, std::size_t payload_bytes, FillReference fill,
                 std::span<const std::byte> data, transport::Completion* completion);
  /// Transport::send_to_posted. Waits as a fiber for room.
  void send_to_posted(int rank, int posted_receive, std::span<const std::byte> data,
                      transport::Completion* completion);
  void flush(int rank);
  void flush();
  /// Payload that a record may have to fill what is open for `rank` to its end; if that is less
  /// than `least_bytes`, to fill the next slot. Requires: `least_bytes` fits a slot.
  std::size_t payload_room_bytes(int rank, std::size_t least_bytes) const noexcept;
  std::size_t largest_record_bytes() const noexcept { return largest_record_bytes_; }

  // ---- serving --------------------------------------------------------------------------------
  /// The bulk message whose announcement the running handler is handling.
  const BulkArrival& bulk_arrival() const noexcept { return bulk_arrival_; }
  /// Tells the hang report what the running handler is (kept when it is promoted).
  void serving(int caller, std::uintptr_t function, std::uint64_t call_id) noexcept {
    serving_ = {caller, function, call_id, ""};
  }
  /// Before this rank's memory is touched for `rank`: what a fault there is explained by.
  static void touching(int rank, std::uintptr_t first, std::size_t bytes,
                       const char* operation) noexcept {
    fiber::served_memory = {first, bytes, rank, operation};
  }
  /// The same for the rank whose call is running.
  template <class T>
  void touching(const T* object, const char* operation) const noexcept {
    touching(serving_.caller_rank, reinterpret_cast<std::uintptr_t>(object), sizeof(T), operation);
  }
  /// Runs `handler` from the poller with a payload that arrived as bulk data.
  void deliver_later(int source, Handler handler, std::unique_ptr<std::byte[]> payload,
                     std::size_t bytes);

  // ---- waiting --------------------------------------------------------------------------------
  /// Sends what is pending, then waits until somebody makes the running fiber ready. What fails
  /// meanwhile ends the job.
  void suspend(const fiber::WaitReason& reason) noexcept {
    scheduler_.note_reason(reason);
    suspend();
  }
  void yield();
  /// Waits until `watch.ready` holds; checked by the poller.
  void wait_for(Watch& watch, const fiber::WaitReason& reason);
  /// The same for `ready()`.
  template <class Ready>
  void wait_until(const Ready& ready, const fiber::WaitReason& reason) {
    struct ReadyWatch : Watch {
      const Ready* condition;
    };
    ReadyWatch watch;
    watch.condition = &ready;
    watch.ready = [](const Watch* self) {
      return (*static_cast<const ReadyWatch*>(self)->condition)();
    };
    wait_for(watch, reason);
  }
  /// Wakes `node` at `deadline_ns` unless it was unlinked before.
  void add_timer(std::int64_t deadline_ns, WaitNode* node);
  /// `deadline_ns` is that of `add_timer`. The timer may have fired.
  void remove_timer(std::int64_t deadline_ns, WaitNode* node) noexcept;

  // ---- memory of other ranks --------------------------------------------------------------------
  /// Does the current world know, without asking the transport, how to address
  /// `[address, address + bytes)` of `rank`? If so, `here` is where. Any arguments are allowed.
  template <Access access>
  static bool known_mapping(int rank, std::uintptr_t address, std::size_t bytes,
                            std::byte*& here) noexcept {
    if (static_cast<unsigned>(rank) >= known_.rank_count) return false;
    const MappedRange& range = known_.ranges[static_cast<unsigned>(rank)];
    const std::uintptr_t place = address - range.first;
    // One branch for both conditions: this stands before remote writes of a few nanoseconds.
    const bool outside = (place > range.bytes) | (bytes > range.bytes - place);
    if (outside) return false;
    if constexpr (access == Access::reading) {
      here = reinterpret_cast<std::byte*>(address + range.offset);
      return true;
    }
    here = reinterpret_cast<std::byte*>(address);
    // A branch, not a sum: the write does not wait until the offset has been loaded. Reads overlap
    // with each other anyway, and small ones only lose by it (4 B in a loop: 1.05 ns with the sum,
    // 1.9 with the branch; `tasuki bench micro --only bulk_get_4B`).
    if (range.offset != 0) [[unlikely]] {
      std::uintptr_t offset = range.offset;
      asm volatile("" : "+r"(offset));  // compilers would add 0 without a branch
      here += offset;
    }
    return true;
  }
  /// Asks the transport, and remembers. Requires: the rank exists.
  std::byte* find_mapping(int rank, std::uintptr_t address, std::size_t bytes);

  Puts& puts() noexcept { return *puts_; }
  /// Waits until all puts of this rank are visible at their targets, by whatever way they went;
  /// what this rank reads afterwards was there later than that.
  void fence();

  /// Ends the whole job; why has been reported.
  [[noreturn]] void end_job(int exit_code) noexcept;

  // ---- what the hang report asks --------------------------------------------------------------
  bool shutting_down() const noexcept { return shutting_down_; }
  bool has_timers() const noexcept { return !timers_.empty(); }
  std::uint64_t records_handled() const noexcept { return records_handled_; }
  /// The running handler is not the program's own activity.
  void forget_record() noexcept { --records_handled_; }
  HangReport& hang_report() noexcept { return *hang_report_; }

 private:
  /// Above so many bytes of records without room, calls wait as messages: many times what channels
  /// hold, because an answer may be many times as long as its call.
  static constexpr std::size_t backlog_most_bytes = 4 << 20;

  static constexpr std::size_t owed_most_bytes = 64 * 1024;
  /// Delays double with the overload so many times.
  static constexpr std::size_t overload_most = 10;

  struct Batch {
    transport::Arrival arrival;
    const std::byte* cursor = nullptr;
    const std::byte* end = nullptr;
    bool active = false;
  };
  /// In the order of the deadlines.
  struct Timer {
    std::int64_t deadline_ns;
    WaitNode* node;
    auto operator<=>(const Timer&) const = default;
  };
  struct Delivery;
  class RoomWait;

  /// For the reason that is noted.
  void suspend() noexcept;
  bool step();
  void idle(std::uint64_t idle_count);
  bool run_batch();
  bool run_deliveries();
  void dispatch(int source, const std::byte* record, std::size_t bytes);
  std::size_t slot_bytes_for(std::size_t record_bytes) const noexcept {
    return record_bytes > aggregate_bytes_ ? largest_record_bytes_ : aggregate_bytes_;
  }
  bool open_outbox(int rank, std::size_t bytes);
  bool open_slot(int rank, std::size_t bytes);
  void send_record_slowly(int rank, Handler handler, RecordPurpose purpose,
                          std::size_t payload_bytes, FillReference fill);
  void send_large_record(int rank, CodeAddress code, std::size_t payload_bytes, FillReference fill);
  void append_to_backlog(int rank, std::size_t bytes, CodeAddress code, FillReference fill);
  void yield_to_answers();
  void wait_for_room(int rank, std::size_t slot_bytes);
  bool wait_for_bulk_room(int rank, std::size_t header_bytes);
  bool move_backlogs();
  bool move_backlog(int rank);
  void send_backlogs();
  bool is_full() const noexcept {
    return scheduler_.live_count() >= fiber_cap_ || backlog_bytes_ > backlog_most_bytes;
  }
  /// Does it owe others more than a channel holds, or have as many fibers (here, or for its calls
  /// elsewhere) as the cap allows?
  bool is_overloaded() const noexcept {
    return backlog_bytes_ > owed_most_bytes ||
           scheduler_.live_count() + calls_.awaited >= fiber_cap_;
  }
  bool may_exceed_cap();
  void check_watches();
  void fire_timers();
  /// Reports the exception being handled and ends the job.
  [[noreturn]] void fail();
  [[noreturn]] static void throw_no_world();
  [[noreturn]] void throw_rank_out_of_range(int rank, const char* operation) const;

  static constinit thread_local World* current_ __attribute__((tls_model("initial-exec")));
  /// The current world's `mapped_`, without the way through the world: each load on the way to the
  /// address of a remote write delays the write (16 B in a loop: 1.5 ns with four loads, 1.1 with
  /// two; `tasuki bench micro --only bulk_put_16B`).
  struct KnownMappings {
    const MappedRange* ranges = nullptr;
    unsigned rank_count = 0;
  };
  static constinit thread_local KnownMappings known_ __attribute__((tls_model("initial-exec")));

  std::unique_ptr<transport::Transport> owned_transport_;
  transport::Transport* transport_;
  int rank_ = 0;
  int size_ = 1;
  ModuleTable modules_;
  std::vector<Outbox> outboxes_;
  std::vector<int> open_outboxes_;
  std::size_t aggregate_bytes_ = 0;
  std::size_t largest_record_bytes_ = 0;
  CallCounts calls_;
  TrafficCounts transfers_;
  TrafficCounts service_records_;
  Batch batch_;
  BulkArrival bulk_arrival_;
  fiber::Activity serving_;
  Watch* watches_ = nullptr;
  std::set<Timer> timers_;
  std::uint64_t steps_since_checks_ = 0;
  std::deque<std::unique_ptr<Delivery>> deliveries_;
  std::vector<Backlog> backlogs_;                 ///< By rank.
  std::size_t backlogged_count_ = 0;              ///< Ranks whose backlog is not empty.
  std::size_t backlog_bytes_ = 0;                 ///< Of records for all ranks.
  std::size_t calls_waiting_for_room_count_ = 0;  ///< Called functions that wait as fibers.
  std::vector<MappedRange> mapped_;               ///< By rank.
  std::size_t fiber_cap_ = 0;
  // Above the cap, when a message was last taken in:
  std::size_t live_at_last_arrival_ = 0;
  std::size_t backlog_bytes_at_last_arrival_ = 0;
  std::uint64_t held_off_steps_count_ = 0;  ///< Since then.
  std::uint64_t records_handled_ = 0;
  bool shutting_down_ = false;
  fiber::Scheduler scheduler_;
  std::unique_ptr<Continuations> continuations_;
  std::unique_ptr<Collectives> collectives_;
  std::unique_ptr<DistObjects> dist_objects_;
  std::unique_ptr<Heap> heap_;
  std::unique_ptr<Puts> puts_;
  std::unique_ptr<Quiescence> quiescence_;
  std::unique_ptr<HangReport> hang_report_;
};

}  // namespace tasuki::runtime
