// What is done while a rank waits for a message: the values of TASUKI_PREDICT.
//
// The waiting, the prediction of receives and their report ask it.
//
// Thread-safety: any thread.
#pragma once

namespace tasuki::mpi::ahead {

enum class Mode {
  off,      ///< Calls wait as the MPI library does.
  guarded,  ///< What has a measured gain.
  always,   ///< Everything, in every idle time, as in the paper of predict/predictor.hpp.
  fixed,    ///< Waits spin, yield and sleep by fixed times; nothing is predicted.
};

/// As TASUKI_PREDICT names it.
const char* name_of(Mode mode) noexcept;

/// What TASUKI_PREDICT says; off where it is not set.
/// Throws tasuki::error naming the modes if it is none of them.
Mode wanted_mode();

}  // namespace tasuki::mpi::ahead
