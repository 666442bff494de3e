// With what a rank ends that the library ends: docs/guide/running.md tells users. Thread-safety:
// constants.
#pragma once

namespace tasuki::base::exit_code {

inline constexpr int not_started = 69;    ///< tasuki::run could not begin, or was misused.
inline constexpr int failed = 70;         ///< An exception left a rank, or a rank died.
inline constexpr int wrong_call = 71;     ///< What nobody waits for failed: a call or a write.
inline constexpr int deadlocked = 72;     ///< All ranks wait for each other.
inline constexpr int host_vanished = 73;  ///< A host of the job gives no sign of life.

}  // namespace tasuki::base::exit_code
