#include "transport/shm/growing_heap.hpp"

#include <sys/mman.h>

#include <algorithm>

namespace tasuki::transport::shm {
namespace {

/// Small enough that a rank at rest stays small, large enough that growing is rare.
constexpr std::size_t grow_unit_bytes = 256 * 1024;

}  // namespace

GrowingHeap::GrowingHeap(JobFile& file, int rank) noexcept
    : file_(file),
      offset_(file.layout().heap_offset(rank)),
      segment_{file.heap(rank), file.layout().heap_max_bytes(), 0} {}

bool GrowingHeap::grow(std::size_t bytes) noexcept {
  const std::size_t left = segment_.reserved_bytes - segment_.committed_bytes;
  if (bytes > left) return false;
  const std::size_t wanted =
      std::min(left, (bytes + grow_unit_bytes - 1) / grow_unit_bytes * grow_unit_bytes);
  if (file_.commit(offset_ + segment_.committed_bytes, wanted) != 0) return false;
  ::madvise(segment_.base + segment_.committed_bytes, wanted, MADV_DODUMP);
  segment_.committed_bytes += wanted;
  return true;
}

}  // namespace tasuki::transport::shm
