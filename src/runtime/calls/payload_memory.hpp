// Memory for the payloads of long records, kept from one record to the next.
//
// The system gives memory page by page, as each is touched first, and malloc returns much of what
// is freed to it. So a new block for each record costs more than copying the record. The dispatcher
// has one for those that arrive, the sender one for those that leave.
//
// Thread-safety: none; the rank's own thread.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <type_traits>

namespace tasuki::runtime {

struct Payload {
  /// Holds a copy of the value.
  template <class T>
  static Payload of(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    Payload payload{std::make_unique_for_overwrite<std::byte[]>(sizeof value), sizeof value,
                    sizeof value};
    std::memcpy(payload.memory.get(), &value, sizeof value);
    return payload;
  }

  std::unique_ptr<std::byte[]> memory;
  std::size_t memory_bytes = 0;
  std::size_t bytes = 0;  ///< Those that are used, from the begin.
};

class PayloadMemory {
 public:
  /// Malloc serves shorter payloads without the system. Of longer ones it may free the pages each
  /// time: it does so with 128 KiB at the end of its heap (mallopt(3), M_TRIM_THRESHOLD), which
  /// makes a call with 64 KiB take 100 us over TCP instead of 51 (`bench_long_data`).
  static constexpr std::size_t kept_least_bytes = std::size_t{16} << 10;
  /// Most of what a rank keeps; longer payloads get new memory each time. A bound on memory, not a
  /// matter of speed: what new memory costs grows as the payload does, 480 page faults for 1 MiB
  /// and 8160 for 16 MiB (`bench_idle`, a call with an argument of such a size, on the rank that
  /// keeps nothing).
  static constexpr std::size_t kept_most_bytes = std::size_t{64} << 20;
  /// Kept memory serves payloads of at least one such part of it. Likewise a bound on memory: no
  /// payload holds more than four times what it needs.
  static constexpr std::size_t unused_ratio_most = 4;

  /// Throws std::bad_alloc.
  Payload take(std::size_t payload_bytes);
  /// Keeps the memory for a later payload, or frees it. What was kept before is freed.
  void give_back(Payload payload) noexcept;

 private:
  Payload kept_;
};

}  // namespace tasuki::runtime
