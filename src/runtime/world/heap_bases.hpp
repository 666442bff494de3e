// Debug builds: tells all ranks where each rank's heap is, so that each can check whether what it
// accesses there is live (memory/heap_check.hpp). Release builds check nothing.
//
// Thread-safety: the rank's own thread.
#pragma once

#include <tasuki/detail/runtime/calls/rank.hpp>

namespace tasuki::runtime {

#ifdef TASUKI_DEBUG
/// Collective, before the program begins.
void exchange_heap_bases(Rank& self);
#else
inline void exchange_heap_bases(Rank&) {}
#endif

}  // namespace tasuki::runtime
