// How the ranks of a job find each other where no network joins them yet: what all have to know,
// each tells all others; what few want to know, they ask for.
//
// Implemented by who has started the ranks. Used by the ucx transport. What is collective all ranks
// call in the same order. Thread-safety: none.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tasuki::transport::ucx {

class Wireup {
 public:
  using Sums = std::array<std::uint64_t, 2>;
  /// What a rank has published.
  struct Published {
    int rank;
    std::vector<std::byte> bytes;
  };

  virtual ~Wireup() = default;

  virtual int rank() const noexcept = 0;
  virtual int size() const noexcept = 0;
  /// Collective. Gives all ranks what each has given, as many bytes each, at `all` by rank. Throws
  /// tasuki::error.
  virtual void allgather(std::span<const std::byte> own, std::byte* all) = 0;
  /// Collective. Returns: the sums over all ranks. Calls `meanwhile` again and again until all have
  /// given theirs: another rank may first need what this one has sent. That may call `take_answer`
  /// and `await_word_about`. Throws tasuki::error.
  virtual Sums sum(const Sums& own, const std::function<void()>& meanwhile) = 0;
  /// Lets others ask what this rank gives. Throws tasuki::error.
  virtual void publish(std::span<const std::byte> own) = 0;
  /// Asks what the rank has published; `take_answer` tells, when it has. Does not wait. Throws
  /// tasuki::error.
  virtual void ask(int rank) = 0;
  /// Returns: the next answer, in any order, if one has come. Does not wait. Throws tasuki::error.
  virtual std::optional<Published> take_answer() = 0;
  /// Says that the rank cannot be reached. Of ranks that find something so only the first is to
  /// report it: waits until the launcher lets this one do so, or ends it; in the end it may anyway.
  /// Returns: the name of that rank's host, "" if it is not known.
  virtual std::string await_word_about(int rank) noexcept = 0;
  /// All ranks have started: from here on they may take any time, as in a debugger.
  virtual void lift_time_limit() noexcept = 0;
  /// The rank has done its part of the job; without it the job fails when the rank ends.
  virtual void finish() noexcept = 0;
};

}  // namespace tasuki::transport::ucx
