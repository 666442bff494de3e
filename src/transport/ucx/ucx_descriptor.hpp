// The ucx transport in the list of transports, also where Tasuki is built without UCX.
//
// Listed in the registry. Thread-safety: constant.
#pragma once

#include <tasuki/detail/transport/registry.hpp>

namespace tasuki::transport::ucx {

const Descriptor& ucx_descriptor();

}  // namespace tasuki::transport::ucx
