// Remote memory access on plain bytes: what GlobalPtr's typed operations come down to.
//
// Each function takes the quickest way there is: a copy where this process can address the target,
// the kernel's single copy for private memory on this node, messages otherwise.
//
// Thread-safety: from the rank's own thread only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <tasuki/detail/base/copy_bytes.hpp>
#include <tasuki/detail/fiber/served_memory.hpp>
#include <tasuki/detail/runtime/calls/rank.hpp>
#include <tasuki/detail/runtime/memory/peer_mappings.hpp>
#include <tasuki/future.hpp>

namespace tasuki::runtime {

/// A memory location of some rank, in that rank's own address space.
struct RemoteAddress {
  int rank = -1;
  std::uintptr_t address = 0;
};

[[noreturn]] void throw_null(const char* operation);

/// Where this process can address the memory itself, or nullptr. `operation` is what errors name.
/// Throws tasuki::error: a null pointer, a rank that does not exist; in debug builds also memory
/// that was freed.
std::byte* find_local_view(Rank& self, RemoteAddress at, std::size_t bytes, const char* operation);
/// Is it known already? Then `here` is set. Debug builds know nothing, to check everything.
template <Access access>
bool known_view([[maybe_unused]] RemoteAddress at, [[maybe_unused]] std::size_t bytes,
                [[maybe_unused]] std::byte*& here) noexcept {
#ifdef TASUKI_DEBUG
  return false;
#else
  return PeerMappings::known<access>(at.rank, at.address, bytes, here);
#endif
}
inline std::byte* local_view(Rank& self, RemoteAddress at, std::size_t bytes,
                             const char* operation) {
  std::byte* here = nullptr;
  if (known_view<Access::reading>(at, bytes, here) && here != nullptr) return here;
  return find_local_view(self, at, bytes, operation);
}

/// Before this rank's memory is touched for `rank`: what a fault there is explained by.
inline void touching(int rank, std::uintptr_t first, std::size_t bytes,
                     const char* operation) noexcept {
  fiber::served_memory = {first, bytes, rank, operation};
}
/// The same for the rank whose call is running.
template <class T>
void touching(const T* object, const char* operation) {
  touching(Waits::current().served().caller_rank, reinterpret_cast<std::uintptr_t>(object),
           sizeof(T), operation);
}

/// Before this rank's memory is changed by what `source` has sent without waiting for an answer: in
/// debug builds memory that is not live ends the job.
void begin_write(Rank& self, int source, std::uintptr_t first, std::size_t bytes,
                 const char* operation);
/// Lets the next `fence` wait for the record that was sent to `rank` last, which changes memory.
void count_write_record(Rank& self, int rank);

/// `put` to memory that is not known to be addressable here.
void put_elsewhere(RemoteAddress to, std::span<const std::byte> data);
/// Copies `data` to `to`; returns when `data` may be reused. Visible there at the latest when
/// `fence` returns. Without data the address does not matter.
inline void put(RemoteAddress to, std::span<const std::byte> data) {
  std::byte* here = nullptr;
  if (known_view<Access::writing>(to, data.size(), here)) [[likely]] {
    base::copy_bytes(here, data.data(), data.size());
    return;
  }
  put_elsewhere(to, data);
}
/// The same; the future is ready when the data are visible at the target. `data` must stay
/// unchanged until then.
Future<void> put_async(Rank& self, RemoteAddress to, std::span<const std::byte> data);
/// `get_async` from memory that is not known to be addressable here.
Future<void> get_async_elsewhere(Rank& self, RemoteAddress from, std::span<std::byte> into);
/// Copies from `from`; the future is ready when the data are in `into`.
inline Future<void> get_async(Rank& self, RemoteAddress from, std::span<std::byte> into) {
  std::byte* here = nullptr;
  if (known_view<Access::reading>(from, into.size(), here)) [[likely]] {
    base::copy_bytes(into.data(), here, into.size());
    return ready_future();
  }
  return get_async_elsewhere(self, from, into);
}
/// `get` from memory that is not known to be addressable here.
void get_elsewhere(RemoteAddress from, std::span<std::byte> into);
/// Copies from `from`. Without room for data the address does not matter.
inline void get(RemoteAddress from, std::span<std::byte> into) {
  std::byte* here = nullptr;
  if (known_view<Access::reading>(from, into.size(), here)) [[likely]] {
    base::copy_bytes(into.data(), here, into.size());
    return;
  }
  get_elsewhere(from, into);
}

/// Where this process can address the counter `signal_at` of data for `to`, or nullptr.
/// Throws tasuki::error if it is null or of another rank than the data.
std::byte* find_signal(Rank& self, RemoteAddress to, RemoteAddress signal_at);
/// Copies `data`, then adds `increment` to the 8-byte counter `signal_at` of the same rank, so that
/// whoever sees the counter sees the data. Returns when `data` may be reused.
void put_signal(Rank& self, RemoteAddress to, std::span<const std::byte> data,
                RemoteAddress signal_at, std::uint64_t increment);
/// Waits until the counter of this rank has reached `value` (modulo wrap-around).
void wait_signal(Rank& self, const std::uint64_t* signal, std::uint64_t value);

/// Waits until all puts of this rank are visible at their targets, by whatever way they went; what
/// this rank reads afterwards was there later than that.
void fence(Rank& self);

}  // namespace tasuki::runtime
