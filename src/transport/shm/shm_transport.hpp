// The shm transport: all ranks on one node, talking through shared memory only.
//
// Listed in the registry; opened by the runtime. Thread-safety: as Transport.
#pragma once

#include <tasuki/detail/transport/registry.hpp>

namespace tasuki::transport::shm {

const Descriptor& shm_descriptor();

}  // namespace tasuki::transport::shm
