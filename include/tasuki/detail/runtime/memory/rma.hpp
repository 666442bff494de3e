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
#include <tasuki/detail/runtime/world/world.hpp>
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
std::byte* find_local_view(World& world, RemoteAddress at, std::size_t bytes,
                           const char* operation);
/// Is it known already? Then `here` is set. Debug builds know nothing, to check everything.
template <Access access>
bool known_view([[maybe_unused]] RemoteAddress at, [[maybe_unused]] std::size_t bytes,
                [[maybe_unused]] std::byte*& here) noexcept {
#ifdef TASUKI_DEBUG
  return false;
#else
  return World::known_mapping<access>(at.rank, at.address, bytes, here);
#endif
}
inline std::byte* local_view(World& world, RemoteAddress at, std::size_t bytes,
                             const char* operation) {
  std::byte* here = nullptr;
  if (known_view<Access::reading>(at, bytes, here) && here != nullptr) return here;
  return find_local_view(world, at, bytes, operation);
}

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
Future<void> put_async(World& world, RemoteAddress to, std::span<const std::byte> data);
/// Copies from `from`; the future is ready when the data are in `into`.
Future<void> get_async(World& world, RemoteAddress from, std::span<std::byte> into);
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

/// Rows of `block_bytes`, `stride_bytes` apart (each on its side), `count` of them.
struct Strided {
  std::size_t block_bytes = 0;
  std::size_t count = 0;
  std::size_t remote_stride_bytes = 0;
  std::size_t local_stride_bytes = 0;
};
void put_strided(RemoteAddress to, const std::byte* from, const Strided& layout);
void get_strided(World& world, RemoteAddress from, std::byte* to, const Strided& layout);

/// Copies `data`, then adds `increment` to the 8-byte counter `signal_at` of the same rank, so that
/// whoever sees the counter sees the data. Returns when `data` may be reused.
void put_signal(World& world, RemoteAddress to, std::span<const std::byte> data,
                RemoteAddress signal_at, std::uint64_t increment);
/// Waits until the counter of this rank has reached `value` (modulo wrap-around).
void wait_signal(World& world, const std::uint64_t* signal, std::uint64_t value);

}  // namespace tasuki::runtime
