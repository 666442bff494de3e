// Errors of Tasuki: what failed, on which rank, in which operation, and what to do about it.
//
// Expected failures (bad input, a peer that is gone, a full heap) are thrown as `tasuki::error`
// or a type derived from it by the first function that knows them; everybody else lets them
// pass. Broken invariants are not errors of the user: see detail/base/assert.hpp.
//
// Thread-safety: values; `rank_for_messages` is per thread.
#pragma once

#include <stdexcept>
#include <string>

namespace tasuki {

/// An expected failure. `what()` reads
/// "tasuki: rank R: OPERATION: WHAT HAPPENED. Remedy: REMEDY".
///     try {
///       tasuki::invoke(tasuki::size(), [] {});  // there is no such rank
///     } catch (const tasuki::error& e) {
///       std::printf("rank %d: %s: %s\n", e.rank(), e.operation().c_str(), e.happened().c_str());
///       std::puts(e.remedy().c_str());
///     }
class error : public std::runtime_error {
 public:
  error(std::string operation, std::string happened, std::string remedy);

  int rank() const noexcept { return rank_; }  ///< Rank that noticed it; -1 before start.
  const std::string& operation() const noexcept { return operation_; }
  const std::string& happened() const noexcept { return happened_; }
  const std::string& remedy() const noexcept { return remedy_; }

 private:
  int rank_;
  std::string operation_;
  std::string happened_;
  std::string remedy_;
};

namespace base {

/// The rank that messages of this thread name; -1 until the transport has started.
int rank_for_messages() noexcept;
void set_rank_for_messages(int rank) noexcept;

/// Prints `text` on standard error as one write, prefixed "tasuki: rank R: ".
void report(const std::string& text) noexcept;

/// Prints like `report` and ends the process with exit code 70 without running destructors.
[[noreturn]] void die(const std::string& text) noexcept;

}  // namespace base
}  // namespace tasuki
