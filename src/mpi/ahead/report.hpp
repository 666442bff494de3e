// What a rank received, how long it waited, and what became of its predictions.
//
// The reporting keeps one for the process and writes its line (docs/formats/prediction-report.md).
//
// Thread-safety: none.
#pragma once

#include <tasuki/detail/predict/counters.hpp>
#include <tasuki/detail/predict/message.hpp>
#include <tasuki/detail/predict/mode.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace tasuki::mpi::ahead {

class Report {
 public:
  /// Bucket i of the waits are those of 2^i up to 2^(i+1) - 1 ns, the first also those of 0.
  static constexpr std::size_t buckets_count = 40;

  void count_receive() noexcept { ++receives_count_; }
  void add_wait(std::int64_t wait_ns) noexcept;
  predict::Counters& counters() noexcept { return counters_; }
  /// A step for a message that was done ahead by a wrong value of this field, and done again.
  void count_redone(predict::Field field) noexcept { ++redone_[static_cast<std::size_t>(field)]; }

  /// As the file has it, with the end of the line.
  std::string line(int rank, int ranks_count, predict::Mode mode, double cpu_s) const;

 private:
  std::int64_t receives_count_ = 0;
  predict::Counters counters_;
  std::array<std::int64_t, predict::fields_count> redone_{};
  std::int64_t waits_count_ = 0;
  std::int64_t waits_total_ns_ = 0;
  std::array<std::int64_t, buckets_count> waits_log2_{};
};

}  // namespace tasuki::mpi::ahead
