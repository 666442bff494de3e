// Where everything lies in the memory file of a job, and the structures at its beginning.
//
// The layout follows from the number of ranks on the node and two settings; all zero is the
// initial state of every part, so ranks may come in any order (docs/design/launch.md).
// Thread-safety: Layout is a value; the structures live in shared memory and say who writes what.
#pragma once

#include <sched.h>

#include <atomic>
#include <cstddef>
#include <cstdint>

#include <tasuki/detail/base/job_programs.hpp>

#include "transport/shm/doorbell.hpp"
#include "transport/shm/lifeline.hpp"
#include "transport/shm/ring.hpp"

namespace tasuki::transport::shm {

inline constexpr std::size_t page_bytes = 4096;
inline constexpr std::size_t huge_page_bytes = 2 * 1024 * 1024;

/// First page of the file. The constants are written by whoever comes first and compared by
/// all others.
struct JobHeader {
  std::atomic<std::uint64_t> magic;
  std::atomic<std::uint64_t> size;
  std::atomic<std::uint64_t> ring_bytes;
  std::atomic<std::uint64_t> heap_max_bytes;
  std::atomic<std::uint32_t> abort_code;  ///< 0, or 1 + the exit code that ends the job.
  std::atomic<std::uint32_t> cma_notice;  ///< 1 once somebody has said that it is forbidden.
  /// 0, or 1 + the index of the rank whose failure began the end of the job: the launcher reads it,
  /// because others may have ended in answer to that before it reads.
  std::atomic<std::uint32_t> first_failed;
  /// Of the ranks that have joined: those that wait for the others sleep on it.
  std::atomic<std::uint32_t> joined_count;
};
static_assert(sizeof(JobHeader) <= page_bytes);
static_assert(offsetof(JobHeader, first_failed) == 40, "as in docs/design/launch.md");

/// State of a rank, read by the launcher too.
enum class RankState : std::uint32_t { absent, joined, running, finished };

/// What a rank tells the others of its node before it joins; constant from then on but for
/// `state`, `heap_committed_bytes` and what stands behind them from `doorbell` on.
struct alignas(line_bytes) RankRecord {
  std::atomic<std::uint32_t> state;  ///< RankState; first, for the launcher.
  std::uint32_t pid;
  std::uint64_t pid_namespace;  ///< Processes of other name spaces cannot be reached by pid.
  base::ProgramIdentity program;
  std::uint64_t heap_base;  ///< The rank's own address of its heap.
  std::atomic<std::uint64_t> heap_committed_bytes;
  std::uint64_t probe_address;  ///< Private memory of the rank that holds `probe_value`.
  std::uint64_t probe_value;
  WakeOrder wake_order;
  std::byte affinity[128];  ///< The cores it may run on, a bit each; all zero: not known.
  Doorbell doorbell;
  alignas(line_bytes) Lifeline lifeline;
  std::atomic<std::uint32_t> opened_count;  ///< Of the rings that others write to this rank.
};
static_assert(sizeof(RankRecord) == 384);

/// Which layout it is: the bytes of a rank's record in 16 bits, then the letters TASUKI. The
/// launcher compares it too.
inline constexpr std::uint64_t job_magic = 0x494b'5553'4154'0000 | sizeof(RankRecord);

/// Offsets in the file, in bytes.
class Layout {
 public:
  /// Requires: size >= 1. Throws tasuki::error: a setting that cannot be.
  Layout(int size, std::size_t ring_bytes, std::size_t heap_max_bytes);
  /// As TASUKI_RING_BYTES and TASUKI_HEAP_MAX_BYTES say.
  static Layout from_settings(int size);

  int size() const noexcept { return size_; }
  std::size_t ring_bytes() const noexcept { return ring_bytes_; }
  std::size_t heap_max_bytes() const noexcept { return heap_max_bytes_; }

  std::size_t record_offset(int rank) const noexcept {
    return page_bytes + index(rank) * sizeof(RankRecord);
  }
  std::size_t scratch_offset() const noexcept;
  static constexpr std::size_t scratch_bytes_for(int size) noexcept {
    return 64 * 1024 + index(size) * page_bytes;
  }
  std::size_t scratch_bytes() const noexcept { return scratch_bytes_for(size_); }
  /// Everything that rank `reader` receives through. Its head, up to the rings, is committed by it
  /// before it joins; a ring by its writer before the first message.
  std::size_t inbox_offset(int reader) const noexcept;
  std::size_t inbox_head_bytes() const noexcept;
  std::size_t inbox_bytes() const noexcept;
  std::size_t ring_offset(int reader, int writer) const noexcept;
  std::size_t consumed_offset(int reader, int writer) const noexcept {
    return inbox_offset(reader) + index(writer) * sizeof(RingConsumed);
  }
  /// A bit for each writer that has opened its ring to `reader`, in words of 64.
  std::size_t openers_offset(int reader) const noexcept { return consumed_offset(reader, size_); }
  std::size_t openers_words() const noexcept { return (index(size_) + 63) / 64; }
  std::size_t heap_offset(int rank) const noexcept;
  std::size_t total_bytes() const noexcept { return heap_offset(size_); }

 private:
  static constexpr std::size_t index(int rank) noexcept { return static_cast<std::size_t>(rank); }

  int size_;
  std::size_t ring_bytes_;
  std::size_t heap_max_bytes_;
};

}  // namespace tasuki::transport::shm
