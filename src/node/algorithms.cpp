#include <tasuki/detail/node/algorithms.hpp>

#include "base/processor.hpp"
#include "node/policy_rows.hpp"

namespace tasuki::node {

// Made by CMake from the list of this layer.
std::span<const coll::AlgorithmDescriptor* const> own_algorithms() noexcept;

void register_algorithms() {
  coll::add_algorithms({own_algorithms(), [] { return policy_rows(base::processor_here()); }});
}

}  // namespace tasuki::node
