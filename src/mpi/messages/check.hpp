// Errors of MPI calls that the library makes itself, as exceptions.
//
// Thread-safety: any thread.
#pragma once

#include <fmt/format.h>
#include <mpi.h>
#include <tasuki/error.hpp>

#include <array>

namespace tasuki::mpi {

/// Of a code that is not MPI_SUCCESS.
inline error error_of(int code, const char* operation) {
  std::array<char, MPI_MAX_ERROR_STRING + 1> text{};
  int length = 0;
  PMPI_Error_string(code, text.data(), &length);
  return {operation, fmt::format("MPI reports: {}", text.data()),
          "see what the MPI library or another rank has printed before"};
}

/// Throws tasuki::error if `code`, which an MPI function has returned, is an error. Requires: the
/// communicator returns errors.
inline void check(int code, const char* operation) {
  if (code != MPI_SUCCESS) throw error_of(code, operation);
}

}  // namespace tasuki::mpi
