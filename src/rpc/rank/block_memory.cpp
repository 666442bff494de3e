#include "rpc/rank/block_memory.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace tasuki::rpc {
namespace {

/// As much as any vector instruction wants.
constexpr std::size_t alignment = 64;
/// Long blocks are given huge pages, where the system has them: 512 times fewer are mapped.
constexpr std::size_t huge_page_bytes = std::size_t{2} << 20;

/// The system gives fresh pages for long blocks when they are written, so that nobody waits here
/// for as long as writing zeroes takes.
void clear(void* memory, std::size_t bytes, bool is_long) noexcept {
  if (is_long) madvise(memory, bytes, MADV_HUGEPAGE);
  if (!is_long || madvise(memory, bytes, MADV_DONTNEED) != 0) std::memset(memory, 0, bytes);
}

}  // namespace

void BlockMemory::Free::operator()(void* memory) const noexcept { std::free(memory); }

BlockMemory::Piece BlockMemory::take(std::size_t bytes) {
  const bool is_long = bytes >= 2 * huge_page_bytes;
  const std::size_t unit_bytes = is_long ? huge_page_bytes : alignment;
  const std::size_t rounded_bytes =
      std::max<std::size_t>(1, (bytes + unit_bytes - 1) / unit_bytes) * unit_bytes;
  const auto found = std::ranges::find(kept_, rounded_bytes, &Piece::bytes);
  if (found != kept_.end()) {
    Piece piece = std::move(*found);
    kept_.erase(found);
    return piece;
  }
  if (is_long) kept_.clear();  // What no longer fits makes room.
  Piece made{std::unique_ptr<void, Free>(std::aligned_alloc(unit_bytes, rounded_bytes)),
             rounded_bytes};
  if (made.memory) clear(made.memory.get(), rounded_bytes, is_long);
  return made;
}

}  // namespace tasuki::rpc
