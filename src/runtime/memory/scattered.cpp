#include <algorithm>
#include <cstdint>
#include <tasuki/call.hpp>
#include <tasuki/detail/runtime/memory/scattered.hpp>
#include <tasuki/when_all.hpp>
#include <vector>

#include "runtime/memory/heap_check.hpp"
#include "runtime/memory/puts.hpp"

namespace tasuki::runtime {
namespace {

/// Stores the blocks where this process can, or lets the kernel do it. Returns: are they there?
bool put_at_once(Rank& self, RemoteAddress to, const std::byte* from, const Scattered& blocks,
                 const char* operation) {
  if (std::byte* const there = local_view(self, to, blocks.extent_bytes(), operation)) {
    blocks.copy_there(there, from);
    return true;
  }
  for (std::size_t i = 0; i < blocks.count; ++i) {
    if (!self.transport.memory().put_private(
            to.rank, to.address + blocks.remote_offset(i),
            {from + i * blocks.local_stride_bytes, blocks.block_bytes})) {
      return false;
    }
  }
  return true;
}

bool get_at_once(Rank& self, RemoteAddress from, std::byte* into, const Scattered& blocks) {
  constexpr const char* operation = "remote read";
  if (const std::byte* there = local_view(self, from, blocks.extent_bytes(), operation)) {
    blocks.copy_here(into, there);
    return true;
  }
  for (std::size_t i = 0; i < blocks.count; ++i) {
    if (!self.transport.memory().get_private(
            from.rank, from.address + blocks.remote_offset(i),
            {into + i * blocks.local_stride_bytes, blocks.block_bytes})) {
      return false;
    }
  }
  return true;
}

struct Wanted {
  std::uintptr_t address;
  std::size_t block_bytes;
  std::size_t count;
  std::size_t step_bytes;
};

/// On the rank that has the blocks. Without indices they are at a stride.
/// Returns: the blocks, side by side.
std::vector<std::byte> read_blocks(Wanted wanted, std::vector<std::size_t> indices) {
  const Scattered blocks{wanted.block_bytes, wanted.count, wanted.step_bytes, wanted.block_bytes,
                         indices.empty() ? nullptr : indices.data()};
  constexpr const char* operation = "remote read";
  Rank& self = Rank::current();
  check_live(self, {self.rank, wanted.address}, blocks.extent_bytes(), operation);
  touching(self.waits.served().caller_rank, wanted.address, blocks.extent_bytes(), operation);
  std::vector<std::byte> data(wanted.count * wanted.block_bytes);
  blocks.copy_here(data.data(), reinterpret_cast<const std::byte*>(wanted.address));
  return data;
}

/// Asks for `count` blocks from number `first` on.
Future<void> ask_for_blocks(RemoteAddress from, std::byte* into, const Scattered& blocks,
                            std::size_t first, std::size_t count) {
  Wanted wanted{from.address, blocks.block_bytes, count, blocks.remote_step_bytes};
  std::vector<std::size_t> indices;
  if (blocks.indices != nullptr) {
    indices.assign(blocks.indices + first, blocks.indices + first + count);
  } else {
    wanted.address += blocks.remote_offset(first);
  }
  const Scattered packed{blocks.block_bytes, count, blocks.block_bytes, blocks.local_stride_bytes};
  return tasuki::ainvoke(from.rank, read_blocks, wanted, indices)
      .then([packed, into = into + first * blocks.local_stride_bytes](
                const std::vector<std::byte>& data) { packed.copy_here(into, data.data()); });
}

}  // namespace

std::size_t Scattered::extent_bytes() const noexcept {
  const std::size_t last =
      indices == nullptr ? count - 1 : *std::max_element(indices, indices + count);
  std::size_t bytes = 0;
  if (__builtin_mul_overflow(last, remote_step_bytes, &bytes) ||
      __builtin_add_overflow(bytes, block_bytes, &bytes)) {
    return SIZE_MAX;
  }
  return bytes;
}

void Scattered::copy_there(std::byte* there, const std::byte* here) const noexcept {
  for (std::size_t i = 0; i < count; ++i) {
    base::copy_bytes(there + remote_offset(i), here + i * local_stride_bytes, block_bytes);
  }
}

void Scattered::copy_here(std::byte* here, const std::byte* there) const noexcept {
  for (std::size_t i = 0; i < count; ++i) {
    base::copy_bytes(here + i * local_stride_bytes, there + remote_offset(i), block_bytes);
  }
}

void put_scattered(Rank& self, RemoteAddress to, const std::byte* from, const Scattered& blocks) {
  if (blocks.is_empty() || put_at_once(self, to, from, blocks, "remote write")) return;
  self.puts->send_scattered(to, from, blocks, {}, {});
}

Future<void> put_scattered_async(Rank& self, RemoteAddress to, const std::byte* from,
                                 const Scattered& blocks) {
  if (blocks.is_empty() || put_at_once(self, to, from, blocks, "remote write")) {
    return ready_future();
  }
  if (Puts::packs(blocks)) {
    return ask<void>({fiber::WaitKind::transfer, to.rank}, [&](ReplyToken token) {
      self.puts->send_scattered(to, from, blocks, {}, token);
    });
  }
  std::vector<Future<void>> all;
  all.reserve(blocks.count);
  for (std::size_t i = 0; i < blocks.count; ++i) {
    all.push_back(put_async(self, {to.rank, to.address + blocks.remote_offset(i)},
                            {from + i * blocks.local_stride_bytes, blocks.block_bytes}));
  }
  return when_all(std::move(all));
}

void put_scattered_signal(Rank& self, RemoteAddress to, const std::byte* from,
                          const Scattered& blocks, RemoteAddress signal_at,
                          std::uint64_t increment) {
  constexpr const char* operation = "remote write with signal";
  static_cast<void>(find_signal(self, to, signal_at));  // before anything is written
  if (blocks.is_empty() || put_at_once(self, to, from, blocks, operation)) {
    return put_signal(self, to, {}, signal_at, increment);
  }
  self.puts->send_scattered(to, from, blocks, {signal_at.address, increment}, {});
}

Future<void> get_scattered_async(Rank& self, RemoteAddress from, std::byte* into,
                                 const Scattered& blocks) {
  if (blocks.is_empty() || get_at_once(self, from, into, blocks)) return ready_future();
  std::vector<Future<void>> all;
  if (!Puts::packs(blocks)) {
    all.reserve(blocks.count);
    for (std::size_t i = 0; i < blocks.count; ++i) {
      all.push_back(get_async(self, {from.rank, from.address + blocks.remote_offset(i)},
                              {into + i * blocks.local_stride_bytes, blocks.block_bytes}));
    }
    return when_all(std::move(all));
  }
  // Half of a message, so that neither the question nor the answer is too long for one.
  const std::size_t most_bytes = self.sender.largest_record_bytes() / 2;
  const std::size_t most_count = most_bytes / std::max(blocks.block_bytes, sizeof(std::size_t));
  for (std::size_t first = 0; first < blocks.count; first += most_count) {
    all.push_back(
        ask_for_blocks(from, into, blocks, first, std::min(most_count, blocks.count - first)));
  }
  return when_all(std::move(all));
}

}  // namespace tasuki::runtime
