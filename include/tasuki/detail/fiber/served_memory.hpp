// Which memory of this rank is being touched on behalf of another, so that a fault there can be
// explained: the guard's signal handler reads it.
//
// Set by whoever serves remote reads, writes, atomics and calls of objects, before it touches the
// memory. It stays until the next, because that costs less than to take it back; a fault at the
// same place later is explained by it too.
//
// Thread-safety: one for each thread.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tasuki::fiber {

struct ServedMemory {
  std::uintptr_t first = 0;
  std::size_t bytes = 0;
  int rank = -1;  ///< On whose behalf.
  const char* operation = "";
};

inline constinit thread_local ServedMemory served_memory;

}  // namespace tasuki::fiber
