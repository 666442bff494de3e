// The recorder of one process: where the wrappers of MPI functions write what the program calls.
//
// The shim's `Call` begins and ends an event for each call of the program. Calls that MPI makes of
// itself while the program is in a call are not recorded. Without TASUKI_PROFILE_FOLDER the
// recorder is off and a call costs a comparison.
//
// Thread-safety: `begin` and `end` from any thread, unless MPI_Init provided a lower level than
// MPI_THREAD_MULTIPLE: then as the program may call MPI. Tables: while holding `lock()`.
#pragma once

#include "events/event_file.hpp"
#include "events/ticks.hpp"
#include "mpi/record/call_sites.hpp"
#include "mpi/record/communicators.hpp"
#include "mpi/record/requests.hpp"

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

namespace tasuki::mpi::record {

class Recorder {
 public:
  /// Opens the event file that the settings ask for; without one, the recorder stays off.
  void start(std::span<const events::FunctionName> functions);

  bool is_on() const noexcept { return file_ != nullptr; }
  /// Whether MPI can be used, so that its calls are recorded.
  bool is_recording() const noexcept { return is_recording_; }
  void record(bool is_recording) noexcept { is_recording_ = is_recording; }
  events::EventFile& file() noexcept { return *file_; }
  Communicators& communicators() noexcept { return communicators_; }
  Requests& requests() noexcept { return requests_; }
  /// Ranks in MPI_COMM_WORLD of the processes of windows that were asked about.
  std::unordered_map<Word, std::vector<std::int32_t>>& windows() noexcept { return windows_; }

  /// The tables' lock; held only where several threads call MPI.
  std::unique_lock<std::mutex> lock() {
    return is_shared_ ? std::unique_lock(mutex_) : std::unique_lock<std::mutex>();
  }
  void share_between_threads(bool is_shared) noexcept;

  /// Begins an event of `function`, called from `site`. Returns where its fields belong: in the
  /// file or, when that is full, in `spare`.
  /// Requires: is_on().
  events::Event& begin(std::uint16_t function, const void* address, events::Event& spare) noexcept {
    events::Event* event = file_->append();
    if (event == nullptr) [[unlikely]] {
      spare = events::Event{};
      event = &spare;
    }
    event->function = function;
    event->site = site_of(address);
    event->communicator = events::no_communicator;
    event->destination = events::no_rank;
    event->source = events::no_rank;
    event->thread = thread_number();
    event->enter_ticks = events::ticks_now();
    return *event;
  }

  /// Ends it.
  void end(events::Event& event, const events::Event& spare) noexcept {
    event.leave_ticks = events::ticks_now();
    if (&event == &spare) [[unlikely]]
      count_only(event);
  }

  /// The number of the function that stands for a message inside a collective.
  std::uint16_t collective_message() const noexcept { return collective_message_; }

  /// Adds an event that is no call: a request that completed or was started.
  void add(const events::Event& event) noexcept {
    if (events::Event* const room = file_->append()) *room = event;
  }

  std::uint16_t thread_number() noexcept;

  /// The number of an algorithm of collectives in the file.
  std::uint16_t number_of_algorithm(const char* name) noexcept;

 private:
  std::uint32_t site_of(const void* address) noexcept {
    if (const auto site = sites_.find(address)) [[likely]]
      return *site;
    return add_site(address);
  }
  std::uint32_t add_site(const void* address) noexcept;
  void count_only(const events::Event& event) noexcept;

  bool is_recording_ = false;
  std::uint16_t collective_message_ = 0;
  bool is_shared_ = true;
  std::mutex mutex_;
  std::unique_ptr<events::EventFile> file_;
  CallSites sites_;
  Communicators communicators_;
  Requests requests_;
  std::unordered_map<Word, std::vector<std::int32_t>> windows_;
  std::unordered_map<const char*, std::uint16_t> algorithms_;
};

/// The recorder of this process.
Recorder& recorder() noexcept;

}  // namespace tasuki::mpi::record
