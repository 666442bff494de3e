// The shared heap of a rank inside the job's memory file: an address range that becomes memory
// as it grows.
//
// Thread-safety: none; used by the rank's own thread.
#pragma once

#include <tasuki/detail/transport/transport.hpp>

#include <cstddef>

#include "transport/shm/job_file.hpp"

namespace tasuki::transport::shm {

class GrowingHeap {
 public:
  GrowingHeap(JobFile& file, int rank) noexcept;

  const HeapSegment& segment() const noexcept { return segment_; }
  /// Commits at least `bytes` more; false if the reserve or the memory is used up.
  bool grow(std::size_t bytes) noexcept;

 private:
  JobFile& file_;
  std::size_t offset_;
  HeapSegment segment_;
};

}  // namespace tasuki::transport::shm
