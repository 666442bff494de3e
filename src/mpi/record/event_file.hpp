// The file to which one rank writes its events, mapped into the rank's memory.
//
// The recorder makes one for the process. The kernel keeps what is stored in it, whatever becomes
// of the process. A process that forks does not write for its child.
//
// Thread-safety: `append` from any thread once `share_between_threads` was called, else from one;
// the tables under the recorder's lock.
#pragma once

#include "mpi/record/event.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace tasuki::mpi::record {

/// A function of the list, as generated.
struct FunctionName {
  const char* name;
  std::uint8_t kind;
};

class EventFile {
 public:
  /// Makes the file in `folder`. Throws tasuki::error if it cannot.
  EventFile(const std::string& folder, std::uint64_t event_capacity,
            std::span<const FunctionName> functions);
  ~EventFile();
  EventFile(const EventFile&) = delete;
  EventFile& operator=(const EventFile&) = delete;

  Header& header() noexcept { return *header_; }
  FunctionEntry& function(std::size_t index) noexcept { return functions_[index]; }
  const std::string& path() const noexcept { return path_; }

  /// Room for the next event, or nullptr if the file is full. The room is zero.
  Event* append() noexcept {
    std::uint64_t index = 0;
    if (is_shared_) [[unlikely]] {
      index = std::atomic_ref(header_->event_count).fetch_add(1, std::memory_order_relaxed);
    } else {
      index = header_->event_count++;
    }
    if (index % events_between_readings == 0) [[unlikely]]
      read_clocks();
    return index < header_->event_capacity ? &events_[index] : nullptr;
  }
  /// Notes what the clock of events and CLOCK_MONOTONIC are now: their rate comes from the longest
  /// interval that the file knows.
  void read_clocks() noexcept;
  void share_between_threads() noexcept { is_shared_ = true; }

  /// The number of the call site at `address`; looks up its module.
  std::uint32_t add_site(const void* address);
  /// The index of a new communicator, or no_communicator if the table is full.
  std::uint16_t add_communicator(const CommunicatorEntry& entry) noexcept;

 private:
  static constexpr std::uint64_t events_between_readings = 4096;

  std::uint32_t module_of(const void* address);

  std::string path_;
  std::size_t bytes_ = 0;
  Header* header_ = nullptr;
  FunctionEntry* functions_ = nullptr;
  SiteEntry* sites_ = nullptr;
  ModuleEntry* modules_ = nullptr;
  CommunicatorEntry* communicators_ = nullptr;
  Event* events_ = nullptr;
  bool is_shared_ = false;
};

/// Copies `text` into a field of a file, cut to its room and ended by a zero.
template <std::size_t Room>
void copy_text(char (&field)[Room], std::string_view text) noexcept {
  const std::size_t length = text.copy(field, Room - 1);
  field[length] = '\0';
}

}  // namespace tasuki::mpi::record
