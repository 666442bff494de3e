#include "mpi/messages/library_yields.hpp"

#include <dlfcn.h>

namespace tasuki::mpi {

bool library_yields() {
  const void* const yields = ::dlsym(RTLD_DEFAULT, "opal_progress_yield_when_idle");
  return yields != nullptr && *static_cast<const bool*>(yields);
}

}  // namespace tasuki::mpi
