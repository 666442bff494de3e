// The earlier run that TASUKI_PREDICT_EARLIER names, for the waiting and the predictions.
//
// Thread-safety: none; as RecordedRun.
#pragma once

#include "mpi/ahead/recorded_run.hpp"
#include "mpi/record/communicators.hpp"

#include <cstdint>

namespace tasuki::mpi::ahead {

/// What predictions call a communicator: the lower half of its handle.
constexpr std::uint32_t number_of(record::Word communicator) noexcept {
  return static_cast<std::uint32_t>(communicator);
}

/// nullptr if there is none, or it cannot be read, of which a message tells. After MPI_Init.
RecordedRun* earlier_run();

}  // namespace tasuki::mpi::ahead
