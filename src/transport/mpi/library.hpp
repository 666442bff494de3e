// Which MPI library this process works with, and its plug-in.
//
// Called when the mpi transport is opened and by `tasuki info`. The choice: TASUKI_MPI, else the
// MPI that the program is linked with, else the one whose launcher started the process, else the
// first plug-in that can be loaded.
//
// Thread-safety: none.
#pragma once

#include <string>

#include "transport/mpi/functions.hpp"

namespace tasuki::transport::mpi {

/// Loads the plug-in (once) and keeps it. Throws tasuki::error: unknown name, no such plug-in, or
/// its MPI cannot be loaded.
const Functions& load_library();

/// "" if load_library will find a plug-in, else why not.
std::string library_unavailable_because();

/// Throws tasuki::error if a launcher of another MPI has started this process: each rank would be a
/// job by itself.
void check_launcher(const Functions& functions, const Job& job);

/// Throws tasuki::error: what the MPI error `code` means.
[[noreturn]] void report_failure(const Functions& functions, int code, const char* operation);

/// Throws tasuki::error if `code` is an MPI error.
inline void check(const Functions& functions, int code, const char* operation) {
  if (code != 0) [[unlikely]]
    report_failure(functions, code, operation);
}

}  // namespace tasuki::transport::mpi
