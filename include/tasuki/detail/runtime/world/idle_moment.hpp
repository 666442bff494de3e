// The time between two polls of an idle rank, by its number.
//
// Kept by IdleWork, compared by those who ask whether something has arrived right after it.
// Thread-safety: values.
#pragma once

#include <cstdint>

namespace tasuki::runtime {

struct IdleMoment {
  std::int64_t idle_number = 0;   ///< Of the idle time, counted from the start of the job.
  std::uint64_t polls_count = 0;  ///< Those in vain before, in this idle time.

  friend bool operator==(const IdleMoment&, const IdleMoment&) = default;
};

}  // namespace tasuki::runtime
