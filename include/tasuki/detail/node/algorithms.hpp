// The collectives in the memory of a node, for the registry of algorithms.
//
// Called by the runtime when a world begins, and by programs that name algorithms without one
// (`tasuki explain`). Thread-safety: none; before the registry is used.
#pragma once

#include <tasuki/detail/coll/registry.hpp>

namespace tasuki::node {

/// From then on coll::registry.hpp knows them, and the built-in policy has rows for them. May be
/// called again.
void register_algorithms();

}  // namespace tasuki::node
