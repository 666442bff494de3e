// The MPI library that the program has loaded.
//
// The resolver asks for it at the program's first MPI call, or at its end if there was none.
//
// Thread-safety: one thread.
#pragma once

#include <dlfcn.h>

namespace tasuki::mpi::entry {

struct Library {
  const char* family = nullptr;  ///< The shim that fits; nullptr if the MPI is not known.
  void* handle = nullptr;        ///< As of dlopen; its symbols are global from now on.
  const char* name = "the program's MPI";
};

Library find_library();

/// Whether an object is part of an MPI library, by its name.
bool is_mpi_file(const Dl_info& object);

/// The name of a loaded MPI library that the program has initialized, or nullptr.
const char* initialized_mpi();

/// Whether the settings ask for anything that takes a shim.
bool is_wanted();

}  // namespace tasuki::mpi::entry
