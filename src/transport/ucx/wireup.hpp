// How the ranks of a job find each other where no network joins them yet: what all have to know,
// each tells all others; what few want to know, they ask for.
//
// Implemented by who has started the ranks. Used by the ucx transport. What is collective all ranks
// call in the same order. Thread-safety: none.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tasuki::transport::ucx {

class Wireup {
 public:
  using Sums = std::array<std::uint64_t, 2>;

  virtual ~Wireup() = default;

  virtual int rank() const noexcept = 0;
  virtual int size() const noexcept = 0;
  /// Collective. Gives all ranks what each has given, as many bytes each, at `all` by rank. Throws
  /// tasuki::error.
  virtual void allgather(std::span<const std::byte> own, std::byte* all) = 0;
  /// Collective. Returns: the sums over all ranks. Throws tasuki::error.
  virtual Sums sum(const Sums& own) = 0;
  /// Lets others ask what this rank gives. Throws tasuki::error.
  virtual void publish(std::span<const std::byte> own) = 0;
  /// Returns: what the rank has published. Waits until it has. Throws tasuki::error.
  virtual std::vector<std::byte> ask(int rank) = 0;
  /// All ranks have started: from here on they may take any time, as in a debugger.
  virtual void lift_time_limit() noexcept = 0;
  /// The rank has done its part of the job; without it the job fails when the rank ends.
  virtual void finish() noexcept = 0;
};

}  // namespace tasuki::transport::ucx
