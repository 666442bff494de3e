// Remote memory access on plain bytes: what GlobalPtr's typed operations come down to.
//
// Each function takes the quickest way there is: a copy where this process can address the target,
// the kernel's single copy for private memory on this node, messages otherwise.
//
// Thread-safety: from the rank's own thread only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <tasuki/runtime/future.hpp>
#include <tasuki/runtime/world.hpp>

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
std::byte* find_local_view(World& world, RemoteAddress at, std::size_t bytes,
                           const char* operation);
inline std::byte* local_view(World& world, RemoteAddress at, std::size_t bytes,
                             const char* operation) {
#ifndef TASUKI_DEBUG
  if (std::byte* here = world.known_mapping(at.rank, at.address, bytes)) return here;
#endif
  return find_local_view(world, at, bytes, operation);
}

/// Puts to memory that this process cannot address.
void put_elsewhere(World& world, RemoteAddress to, std::span<const std::byte> data);
/// Copies `data` to `to`; returns when `data` may be reused. Visible there at the latest when
/// `fence` returns.
inline void put(World& world, RemoteAddress to, std::span<const std::byte> data) {
  if (std::byte* here = local_view(world, to, data.size(), "remote write")) [[likely]] {
    std::memcpy(here, data.data(), data.size());
    return;
  }
  put_elsewhere(world, to, data);
}
/// The same; the future is ready when the data are visible at the target. `data` must stay
/// unchanged until then.
Future<void> put_async(World& world, RemoteAddress to, std::span<const std::byte> data);
/// Copies from `from`; the future is ready when the data are in `into`.
Future<void> get_async(World& world, RemoteAddress from, std::span<std::byte> into);
inline void get(World& world, RemoteAddress from, std::span<std::byte> into) {
  if (const std::byte* here = local_view(world, from, into.size(), "remote read")) [[likely]] {
    std::memcpy(into.data(), here, into.size());
    return;
  }
  get_async(world, from, into).get();
}

/// Rows of `block_bytes`, `stride_bytes` apart (each on its side), `count` of them.
struct Strided {
  std::size_t block_bytes = 0;
  std::size_t count = 0;
  std::size_t remote_stride_bytes = 0;
  std::size_t local_stride_bytes = 0;
};
void put_strided(World& world, RemoteAddress to, const std::byte* from, const Strided& layout);
void get_strided(World& world, RemoteAddress from, std::byte* to, const Strided& layout);

/// Copies `data`, then adds `increment` to the 8-byte counter `signal_at` of the same rank, so that
/// whoever sees the counter sees the data. Returns when `data` may be reused.
void put_signal(World& world, RemoteAddress to, std::span<const std::byte> data,
                RemoteAddress signal_at, std::uint64_t increment);
/// Waits until the counter of this rank has reached `value` (modulo wrap-around).
void wait_signal(World& world, const std::uint64_t* signal, std::uint64_t value);

}  // namespace tasuki::runtime
