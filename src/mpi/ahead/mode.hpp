// What is done while a rank waits for a message, as TASUKI_PREDICT says.
//
// The waiting, the prediction of receives and their report ask it.
//
// Thread-safety: any thread.
#pragma once

#include <tasuki/detail/predict/mode.hpp>

namespace tasuki::mpi::ahead {

using predict::Mode;
using predict::name_of;

/// What TASUKI_PREDICT says; off where it is not set.
/// Throws tasuki::error naming the modes if it is none of them.
Mode wanted_mode();

}  // namespace tasuki::mpi::ahead
