// What one rank receives: takes messages in, record by record, and bulk data whose handlers have
// been waiting for them, and runs the handlers on the poller's stack.
//
// Driven by the poller. A handler that waits takes the stack away, so a message may be left half
// done; the next poller goes on with it. Thread-safety: none; the rank's own thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <tasuki/detail/runtime/calls/record.hpp>
#include <tasuki/detail/transport/transport.hpp>

#include "runtime/calls/admission.hpp"
#include "runtime/calls/early_receives.hpp"
#include "runtime/calls/payload_memory.hpp"
#include "runtime/recording/recorder.hpp"

namespace tasuki::runtime {

/// A bulk message whose announcement is being handled.
struct BulkArrival {
  std::size_t bytes = 0;
  std::uint64_t token = 0;
};

/// What a delivery is: a message that has come as bulk data, or what is left to do for one.
enum class Delivered : std::uint8_t { message, rest };

class Dispatcher {
 public:
  explicit Dispatcher(Rank& self);
  Dispatcher(const Dispatcher&) = delete;
  Dispatcher& operator=(const Dispatcher&) = delete;

  /// Runs what has arrived: at most one message, then the bulk data that are here. Sets
  /// `did_something` if there was anything.
  /// Returns: false as soon as a handler has waited, so that the caller is not the poller now.
  bool run(bool& did_something);
  /// Runs `handler` from the poller with a payload that arrived as bulk data: the whole message, or
  /// the rest of the work for one whose handler has run.
  void deliver_later(int source, Handler handler, Payload payload, Delivered delivered);
  /// For payloads that arrive as bulk data.
  PayloadMemory& payload_memory() noexcept { return payload_memory_; }
  EarlyReceives& early_receives() noexcept { return early_receives_; }

  // ---- for handlers and reports ---------------------------------------------------------------
  /// The bulk message whose announcement the running handler is handling.
  const BulkArrival& bulk_arrival() const noexcept { return bulk_arrival_; }
  /// Keeps the memory of the running handler's record as long as the result lives. Returns: nullptr
  /// if `at` lies in no such memory, because the record came in a message.
  std::shared_ptr<const void> keep_payload(const std::byte* at);
  std::uint64_t records_handled() const noexcept { return records_handled_; }
  /// Of the record whose handler runs on the poller's stack; 0: none. For signal handlers, too: it
  /// is found in the message when somebody asks, so that no call pays for it.
  std::size_t running_record_bytes() const noexcept;
  /// The running handler is not the program's own activity.
  void forget_record() noexcept {
    --records_handled_;
    if (recorder_ != nullptr) [[unlikely]]
      recorder_->forget_message();
  }
  /// As Admission's.
  std::int64_t held_off_for_us() { return admission_.held_off_for_us(); }
  /// nullptr: the program is not profiled.
  Recorder* recorder() const noexcept { return recorder_.get(); }

 private:
  struct Batch {
    transport::Arrival arrival;
    const std::byte* cursor = nullptr;
    const std::byte* end = nullptr;
    bool active = false;
  };
  /// A record that arrived as bulk data and waits for the poller to run it.
  struct Delivery {
    int source;
    Handler handler;
    Payload payload;
    Delivered delivered;
    std::shared_ptr<const void> kept;  ///< What the payload is in, if somebody keeps it.
  };

  void take_in();
  bool run_batch();
  template <bool is_recorded>
  bool run_records();
  bool run_deliveries();

  Rank& self_;
  transport::Arrivals& arrivals_;
  std::unique_ptr<Recorder> recorder_;
  Admission admission_;
  Batch batch_;
  BulkArrival bulk_arrival_;
  std::deque<std::unique_ptr<Delivery>> deliveries_;
  Delivery* running_delivery_ = nullptr;  ///< Whose handler runs, and has not waited.
  PayloadMemory payload_memory_;
  EarlyReceives early_receives_;
  std::uint64_t records_handled_ = 0;
};

}  // namespace tasuki::runtime
