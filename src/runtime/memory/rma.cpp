#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <limits>
#include <tasuki/call.hpp>
#include <tasuki/detail/base/full_fence.hpp>
#include <tasuki/detail/runtime/memory/rma.hpp>
#include <tasuki/error.hpp>

#include "runtime/memory/heap_check.hpp"
#include "runtime/memory/puts.hpp"
#include "runtime/memory/reads.hpp"

namespace tasuki::runtime {
namespace {

/// Where this process can write or read at once, else nullptr.
std::byte* addressable(Rank& self, RemoteAddress at, std::size_t bytes) {
  if (at.rank == self.rank) return reinterpret_cast<std::byte*>(at.address);
  return self.peer_mappings->find(at.rank, at.address, bytes);
}

/// No object is larger than what pointer differences can say, nor does one wrap around.
void check_length(RemoteAddress at, std::size_t bytes, const char* operation) {
  constexpr std::size_t most_bytes = std::numeric_limits<std::ptrdiff_t>::max();
  if (bytes <= most_bytes && at.address <= std::numeric_limits<std::uintptr_t>::max() - bytes) {
    return;
  }
  throw error(operation,
              fmt::format("rank {} has no memory of {} bytes at {:#x}", at.rank, bytes, at.address),
              "check the count: it is in elements, and unsigned, so that -1 is very many");
}

}  // namespace

void throw_null(const char* operation) {
  throw error(operation, "the global pointer is null",
              "let it point to an object first (new_, new_array, or GlobalPtr<T>(rank, address))");
}

std::byte* find_local_view(Rank& self, RemoteAddress at, std::size_t bytes, const char* operation) {
  if (at.address == 0) [[unlikely]] {
    throw_null(operation);
  }
  self.check_rank(at.rank, operation);
  check_length(at, bytes, operation);
  check_live(self, at, bytes, operation);
  return addressable(self, at, bytes);
}

void put_elsewhere(RemoteAddress to, std::span<const std::byte> data) {
  Rank& self = Rank::current();
  if (data.empty()) return;
  if (std::byte* here = find_local_view(self, to, data.size(), "remote write")) {
    std::memcpy(here, data.data(), data.size());
    return;
  }
  if (self.transport.memory().put_private(to.rank, to.address, data)) return;
  self.puts->send(to.rank, {{to.address, data.size(), {}}}, data);
}

Future<void> put_async(Rank& self, RemoteAddress to, std::span<const std::byte> data) {
  if (data.empty()) return ready_future();
  std::byte* const here = local_view(self, to, data.size(), "remote write");
  if (here != nullptr) {
    std::memcpy(here, data.data(), data.size());
    return ready_future();
  }
  if (self.transport.memory().put_private(to.rank, to.address, data)) return ready_future();
  return ask<void>({fiber::WaitKind::transfer, to.rank}, [&](ReplyToken token) {
    self.puts->send(to.rank, {{to.address, data.size(), {}}, token}, data);
  });
}

void get_elsewhere(RemoteAddress from, std::span<std::byte> into) {
  Rank& self = Rank::current();
  if (into.empty()) return;
  if (const std::byte* here = find_local_view(self, from, into.size(), "remote read")) {
    std::memcpy(into.data(), here, into.size());
    return;
  }
  get_async_elsewhere(self, from, into).get();
}

Future<void> get_async_elsewhere(Rank& self, RemoteAddress from, std::span<std::byte> into) {
  if (into.empty()) return ready_future();
  if (PeerMappings::is_elsewhere(from.rank) && from.address != 0) {
    check_length(from, into.size(), "remote read");
    return self.reads->ask(from, into);
  }
  const std::byte* const here = local_view(self, from, into.size(), "remote read");
  if (here != nullptr) {
    std::memcpy(into.data(), here, into.size());
    return ready_future();
  }
  if (self.transport.memory().get_private(from.rank, from.address, into)) return ready_future();
  return self.reads->ask(from, into);
}

std::byte* find_signal(Rank& self, RemoteAddress to, RemoteAddress signal_at) {
  constexpr const char* operation = "remote write with signal";
  if (signal_at.rank != to.rank && signal_at.address != 0) {
    throw error(
        operation,
        fmt::format("the data are for rank {}, the signal is on rank {}", to.rank, signal_at.rank),
        "use a signal on the same rank as the data");
  }
  return local_view(self, signal_at, sizeof(std::uint64_t), operation);
}

void put_signal(Rank& self, RemoteAddress to, std::span<const std::byte> data,
                RemoteAddress signal_at, std::uint64_t increment) {
  std::byte* const signal_here = find_signal(self, to, signal_at);
  const Signal signal{signal_at.address, increment};
  std::byte* data_here =
      data.empty() ? nullptr : local_view(self, to, data.size(), "remote write with signal");
  if (signal_here != nullptr && (data.empty() || data_here != nullptr ||
                                 self.transport.memory().put_private(to.rank, to.address, data))) {
    if (data_here != nullptr) std::memcpy(data_here, data.data(), data.size());
    // Else the signal follows those that are on their way.
    if (!self.puts->may_raise_signals(to.rank)) {
      return self.puts->send(to.rank, {{to.address, 0, signal}}, {});
    }
    raise_signal({reinterpret_cast<std::uintptr_t>(signal_here), increment});
    if (to.rank != self.rank) self.transport.memory().notify(to.rank);
    return;
  }
  self.puts->send(to.rank, {{to.address, data.size(), signal}}, data);
}

void wait_signal(Rank& self, const std::uint64_t* signal, std::uint64_t value) {
  // atomic_ref of const is C++26; the load itself writes nothing.
  std::atomic_ref word(const_cast<std::uint64_t&>(*signal));
  self.waits.wait_until(
      [&] {
        const std::uint64_t now = word.load(std::memory_order_acquire);
        return static_cast<std::int64_t>(now - value) >= 0;
      },
      {fiber::WaitKind::transfer});
}

void fence(Rank& self) {
  self.puts->fence();
  // Writes to memory that this process addresses were plain stores.
  base::full_fence();
}

}  // namespace tasuki::runtime
