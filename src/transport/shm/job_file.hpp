// The memory file of a job, mapped: control structures, rings and every rank's heap.
//
// Each rank of a node has one; who creates the file is the launcher's or the transport's business.
// Thread-safety: constant after construction, except `commit`, which any thread may call.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

#include "transport/shm/layout.hpp"

namespace tasuki::transport::shm {

/// An empty memory file without a name, closed on exec; TASUKI_SHM_BACKING says where.
/// Returns: its descriptor. Throws tasuki::error.
int create_job_file();

class JobFile {
 public:
  /// Takes `descriptor` over, enlarges the file to the layout and maps it.
  /// Throws tasuki::error: not a file that can be enlarged and mapped.
  JobFile(int descriptor, const Layout& layout);
  ~JobFile();
  JobFile(const JobFile&) = delete;
  JobFile& operator=(const JobFile&) = delete;

  int descriptor() const noexcept { return descriptor_; }
  const Layout& layout() const noexcept { return layout_; }

  /// Turns a range of the file into memory, so that touching it cannot fail later.
  /// Returns: 0 or errno (ENOSPC, ENOMEM: there is no more).
  int commit(std::size_t offset, std::size_t bytes) noexcept;

  std::byte* at(std::size_t offset) const noexcept { return base_ + offset; }
  JobHeader& header() const noexcept { return *reinterpret_cast<JobHeader*>(base_); }
  RankRecord& record(int rank) const noexcept {
    return *reinterpret_cast<RankRecord*>(at(layout_.record_offset(rank)));
  }
  RingMemory ring(int reader, int writer) const noexcept;
  std::span<std::atomic<std::uint64_t>> openers(int reader) const noexcept;
  std::byte* heap(int rank) const noexcept { return at(layout_.heap_offset(rank)); }

 private:
  int descriptor_;
  Layout layout_;
  std::byte* reserved_ = nullptr;  ///< Address space taken; `base_` is aligned inside of it.
  std::byte* base_ = nullptr;
};

}  // namespace tasuki::transport::shm
