// The file to which one rank writes its events, mapped into the rank's memory.
//
// Whoever records the calls of a process makes one. The kernel keeps what is stored in it, whatever
// becomes of the process. A process that forks does not write for its child.
//
// A file system that is full ends a process that stores into a mapped file (SIGBUS). So the file
// asks the kernel for memory piece by piece, and where there is no more it records no more.
//
// Thread-safety: `append` from any thread unless `share_between_threads(false)` was called, then
// from one; the tables by one thread at a time.
#pragma once

#include "events/event.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <string>
#include <string_view>

namespace tasuki::events {

/// A function of the list, as generated.
struct FunctionName {
  const char* name;
  std::uint8_t kind;
};

class EventFile {
 public:
  /// Makes the file in `folder`. Throws tasuki::error if it cannot.
  EventFile(const std::string& folder, std::uint64_t event_capacity,
            std::span<const FunctionName> functions, Recorded recorded);
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
    if (index < event_room_.load(std::memory_order_relaxed)) [[likely]]
      return &events_[index];
    return append_to_new_piece(index);
  }
  /// Counts a call that found no room, by its function.
  void count(const Event& event) noexcept;
  /// Notes what the clock of events and CLOCK_MONOTONIC are now: their rate comes from the longest
  /// interval that the file knows.
  void read_clocks() noexcept;
  void share_between_threads(bool is_shared) noexcept { is_shared_ = is_shared; }

  /// The number of a new function. When the table is full, that of all for which it has no room.
  std::uint16_t add_function(std::string_view name, Kind kind) noexcept;
  /// The number of the call site at `address`; looks up its module.
  std::uint32_t add_site(const void* address);
  /// The index of a new communicator, or no_communicator if the table is full.
  std::uint16_t add_communicator(const CommunicatorEntry& entry) noexcept;

 private:
  void make_file(const std::string& folder, const std::string& host, const Header& laid_out);
  void write_names(std::span<const FunctionName> functions, const std::string& host);
  Event* append_to_new_piece(std::uint64_t index) noexcept;
  template <typename Entry>
  bool has_room(std::uint32_t& room, Entry* entries, std::uint32_t index,
                std::uint32_t capacity) noexcept;
  std::uint32_t module_of(const void* address);

  std::size_t function_capacity_;
  std::string path_;
  std::size_t bytes_ = 0;
  Header* header_ = nullptr;
  FunctionEntry* functions_ = nullptr;
  SiteEntry* sites_ = nullptr;
  ModuleEntry* modules_ = nullptr;
  CommunicatorEntry* communicators_ = nullptr;
  Event* events_ = nullptr;
  // Entries for which there is memory.
  std::uint32_t site_room_ = 0;
  std::uint32_t module_room_ = 0;
  std::uint32_t communicator_room_ = 0;
  std::mutex growth_;
  std::atomic<std::uint64_t> event_room_ = 0;  ///< Events for which there is memory.
  bool is_shared_ = true;
};

/// Copies `text` into a field of a file, cut to its room and ended by a zero.
template <std::size_t Room>
void copy_text(char (&field)[Room], std::string_view text) noexcept {
  const std::size_t length = text.copy(field, Room - 1);
  field[length] = '\0';
}

}  // namespace tasuki::events
