// How a program of one process ends with an error: it says which, and tells it by its exit code.
//
// Called by mains; those of ranks have tasuki_program.hpp and mpi_program.hpp. Thread-safety: main
// thread only.
#pragma once

#include <exception>
#include <tasuki/error.hpp>

#include "common/usage_error.hpp"

namespace tasuki::apps {

/// Returns: the exit code, which is what `body` returns; 2, after a line on standard error, if it
/// throws; 0 if it throws the help that the user has asked for.
template <class Body>
int reporting_errors(Body body) {
  try {
    return body();
  } catch (const usage_error& failure) {
    failure.print();
    return failure.exit_code();
  } catch (const std::exception& failure) {
    base::report(failure.what());
    return 2;
  }
}

}  // namespace tasuki::apps
