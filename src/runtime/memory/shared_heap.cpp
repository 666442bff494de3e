#include "runtime/memory/shared_heap.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tasuki/detail/base/settings.hpp>
#include <tasuki/error.hpp>
#include <tasuki/heap.hpp>

#include "runtime/memory/heap_check.hpp"

namespace tasuki::runtime {
namespace {

// Growing by at least this much keeps the number of growths small without making a rank at rest
// heavy: memory is taken only when it is touched.
constexpr std::size_t smallest_growth_bytes = 1 << 20;
// Room for the allocator's own records beside a block of the wanted size.
constexpr std::size_t allocator_overhead_bytes = 4096;

/// Stands right before each block that users get.
struct BlockHeader {
  static constexpr std::uint64_t live_mark = 0x7461'7375'6b69'0001;
  std::uint64_t mark;
  std::uint64_t count;
  std::uint64_t bytes;
  void* start;  ///< Of the allocator's self block.
};

BlockHeader& header_of(void* address) { return *(static_cast<BlockHeader*>(address) - 1); }

}  // namespace

void* SharedHeap::allocate(std::size_t bytes, std::size_t alignment) {
  const std::size_t wanted_bytes = std::max<std::size_t>(bytes, 1);
  if (buffer_ == nullptr) grow(wanted_bytes + alignment);
  void* block = buffer_->allocate_aligned(wanted_bytes, alignment, std::nothrow);
  if (block == nullptr) {
    grow(wanted_bytes + alignment);
    block = buffer_->allocate_aligned(wanted_bytes, alignment);
  }
  return block;
}

void SharedHeap::deallocate(void* address) { buffer_->deallocate(address); }

bool SharedHeap::contains(const void* address) const noexcept {
  const auto& segment = memory_.heap();
  const auto* at = static_cast<const std::byte*>(address);
  return at >= segment.base + shadow_bytes_ && at < segment.base + segment.committed_bytes;
}

std::uintptr_t SharedHeap::reserve_shadow() {
  // Half of the heap at most, so that a small one stays usable.
  if (heap_shadow_bytes > memory_.heap().reserved_bytes / 2) return 0;
  if (!memory_.grow_heap(heap_shadow_bytes)) return 0;
  shadow_bytes_ = heap_shadow_bytes;
  return reinterpret_cast<std::uintptr_t>(memory_.heap().base);
}

void SharedHeap::throw_no_room(std::size_t wanted_bytes, std::size_t used_bytes,
                               std::size_t needed_bytes) const {
  const std::size_t most_bytes = memory_.heap().reserved_bytes;
  const bool is_at_its_limit = needed_bytes > most_bytes;
  throw error(
      "allocating in the shared heap",
      fmt::format("{} bytes are wanted, {} are in use, {}", wanted_bytes, used_bytes,
                  is_at_its_limit ? fmt::format("and the heap may grow to {} bytes", most_bytes)
                                  : "and the machine, or what holds the job's memory, has no more"),
      is_at_its_limit
          ? fmt::format("free what is not needed, or raise {}", base::setting::heap_max_bytes.name)
          : fmt::format("free what is not needed, start fewer ranks, or lift the limit: the "
                        "machine's memory, a control group's, or with {}=devshm the size of "
                        "/dev/shm",
                        base::setting::shm_backing.name));
}

void SharedHeap::grow(std::size_t wanted_bytes) {
  const std::size_t before_bytes = buffer_ == nullptr ? 0 : buffer_->get_size();
  const transport::HeapSegment& segment = memory_.heap();
  const auto commit = [&](std::size_t growth_bytes) {
    const std::size_t needed_bytes = shadow_bytes_ + before_bytes + growth_bytes;
    return segment.committed_bytes >= needed_bytes ||
           memory_.grow_heap(needed_bytes - segment.committed_bytes);
  };
  const std::size_t least_bytes = wanted_bytes + allocator_overhead_bytes;
  std::size_t growth_bytes = std::max({least_bytes, smallest_growth_bytes, before_bytes / 2});
  if (!commit(growth_bytes)) {
    growth_bytes = least_bytes;  // near the limit there may be no more
    if (!commit(growth_bytes)) {
      throw_no_room(wanted_bytes, before_bytes, shadow_bytes_ + before_bytes + growth_bytes);
    }
  }
  // The allocator keeps offsets, so growing in place keeps every address valid.
  if (buffer_ == nullptr) {
    buffer_ = std::make_unique<Buffer>(boost::interprocess::create_only,
                                       segment.base + shadow_bytes_, growth_bytes);
  } else {
    buffer_->grow(growth_bytes);
  }
}

void* heap_allocate(std::size_t bytes, std::size_t alignment, std::size_t count) {
  Rank& self = Rank::current();
  const std::size_t aligned = std::max({alignment, alignof(BlockHeader), heap_granule_bytes});
  const std::size_t before_bytes = std::max(aligned, sizeof(BlockHeader));
  auto* start = static_cast<std::byte*>(self.heap->allocate(before_bytes + bytes, aligned));
  void* address = start + before_bytes;
  header_of(address) = {BlockHeader::live_mark, count, bytes, start};
  mark_live(self, address, bytes, true);
  return address;
}

std::size_t heap_count(void* address) {
  if (!Rank::current().heap->contains(static_cast<BlockHeader*>(address) - 1) ||
      header_of(address).mark != BlockHeader::live_mark) {
    throw error("delete_",
                "this pointer is not an object made by new_ or new_array, or was deleted",
                "delete each object once, through the pointer that made it");
  }
  return header_of(address).count;
}

void heap_free(void* address) {
  Rank& self = Rank::current();
  BlockHeader& header = header_of(address);
  header.mark = 0;
  mark_live(self, address, header.bytes, false);
  self.heap->deallocate(header.start);
}

}  // namespace tasuki::runtime
