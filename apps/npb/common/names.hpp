// The names of apps/common, usable without a prefix in the kernels.
//
// Included by the headers of the kernels that use one of them. Thread-safety: declares nothing.
#pragma once

namespace tasuki::apps {}

namespace tasuki::npb {
using namespace apps;
}  // namespace tasuki::npb
