// Numbers of call sites: from a return address to its index in the event file.
//
// The recorder asks it at each call of a program. A site is found in a hash table of addresses
// without a lock; a new one is added under the caller's lock.
//
// Thread-safety: `find` from any thread; `add` from one at a time.
#pragma once

#include "mpi/record/hash.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace tasuki::mpi::record {

class CallSites {
 public:
  std::optional<std::uint32_t> find(const void* address) const noexcept {
    for (std::size_t i = slot_of(address), tried = 0; tried < probes; ++tried) {
      const void* const there = slots_[i].address.load(std::memory_order_acquire);
      if (there == address) return slots_[i].site;
      if (there == nullptr) return std::nullopt;
      i = (i + 1) % capacity;
    }
    return std::nullopt;
  }

  /// Returns whether there was room. Without, each call from that site is looked up anew.
  bool add(const void* address, std::uint32_t site) noexcept {
    for (std::size_t i = slot_of(address), tried = 0; tried < probes; ++tried) {
      if (slots_[i].address.load(std::memory_order_relaxed) == nullptr) {
        slots_[i].site = site;
        slots_[i].address.store(address, std::memory_order_release);
        return true;
      }
      i = (i + 1) % capacity;
    }
    return false;
  }

 private:
  static constexpr int capacity_bits = 12;
  static constexpr std::size_t capacity = std::size_t{1} << capacity_bits;
  static constexpr std::size_t probes = 64;

  struct Slot {
    std::atomic<const void*> address = nullptr;
    std::uint32_t site = 0;
  };

  static std::size_t slot_of(const void* address) noexcept {
    return hash_of(reinterpret_cast<std::uint64_t>(address), capacity_bits);
  }

  std::array<Slot, capacity> slots_{};
};

}  // namespace tasuki::mpi::record
