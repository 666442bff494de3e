// What became of the predictions of a rank, for reports.
//
// Counted by whoever acts on predictions: the MPI interposer, the runtime. Thread-safety: values.
#pragma once

#include <cstdint>

namespace tasuki::predict {

struct Counters {
  std::int64_t idle = 0;       ///< Times that a receive had to wait for its message.
  std::int64_t predicted = 0;  ///< Of these, those in which something was done ahead.
  std::int64_t hit = 0;        ///< Of these, those whose message was as predicted.
  std::int64_t miss = 0;       ///< And those whose message was not.
  std::int64_t redone = 0;     ///< Steps that were done again, one for each wrong field.
  std::int64_t committed = 0;  ///< Steps done ahead whose result was used.

  /// Notes that the message has come for which `steps_count` steps were done ahead, of which those
  /// of `wrong_count` fields are done again.
  constexpr void count(std::int64_t steps_count, std::int64_t wrong_count) {
    ++predicted;
    ++(wrong_count == 0 ? hit : miss);
    redone += wrong_count;
    committed += steps_count - wrong_count;
  }

  constexpr Counters& operator+=(const Counters& other) {
    idle += other.idle;
    predicted += other.predicted;
    hit += other.hit;
    miss += other.miss;
    redone += other.redone;
    committed += other.committed;
    return *this;
  }
};

}  // namespace tasuki::predict
