// How the ranks of a job find each other before a network joins them: each tells all others what it
// has to say, as often as it takes.
//
// Implemented by who has started the ranks. Used by the ucx transport at start and stop.
// Collective: all ranks make the same calls in the same order. Thread-safety: none.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace tasuki::transport::ucx {

class Wireup {
 public:
  virtual ~Wireup() = default;

  virtual int rank() const noexcept = 0;
  virtual int size() const noexcept = 0;
  /// Returns: what each rank has given. Throws tasuki::error.
  virtual std::vector<std::vector<std::byte>> allgather(std::span<const std::byte> own) = 0;
  /// All ranks have started: from here on they may take any time, as in a debugger.
  virtual void lift_time_limit() noexcept = 0;
  /// The rank has done its part of the job; without it the job fails when the rank ends.
  virtual void finish() noexcept = 0;
};

}  // namespace tasuki::transport::ucx
