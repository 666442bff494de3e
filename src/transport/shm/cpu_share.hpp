// How much of the cores' time a set of processes had: what tells a machine that is busy with this
// job's own ranks from one that others use as well.
//
// Used by the idle policy. Thread-safety: none; used by the rank's own thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <ctime>
#include <vector>

namespace tasuki::transport::shm {

class CpuShare {
 public:
  /// Of no processes: always 0.
  CpuShare() = default;
  /// Each process that is added stands for `weight` of its kind.
  explicit CpuShare(std::size_t cores_count, double weight = 1)
      : cores_count_(cores_count), weight_(weight) {}

  /// From now on the process counts; one whose clock the kernel does not show never does.
  void add(int pid);
  /// Their share, from 0 to 1, of the time of all the cores between the last call and this one.
  double since_last_call();

 private:
  std::int64_t cpu_ns() const noexcept;

  std::size_t cores_count_ = 1;
  double weight_ = 1;
  std::vector<clockid_t> clocks_;
  std::int64_t last_cpu_ns_ = 0;
  std::int64_t last_ns_ = 0;
};

}  // namespace tasuki::transport::shm
