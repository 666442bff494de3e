// How many items a rank works on before it lets others ask for some.
//
// Asking the clock after each item would take longer than many items do, so the number follows from
// how long the last ones took. Used by Bag. Thread-safety: none.
#pragma once

#include <cstdint>

namespace tasuki::containers {

class Patience {
 public:
  /// One more item is done. Returns: is it time to let others ask?
  bool is_over() noexcept { return --left_count_ <= 0; }
  /// They have asked.
  void renew() noexcept;

 private:
  std::int64_t count_ = 1;
  std::int64_t left_count_ = 1;
  std::int64_t begin_ns_ = 0;
};

}  // namespace tasuki::containers
