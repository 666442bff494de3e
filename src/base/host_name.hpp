// The name of this host, as errors, files and settings name hosts.
//
// Thread-safety: safe.
#pragma once

#include <string>

namespace tasuki::base {

/// As gethostname has it, whatever TASUKI_NODE_NAME pretends.
std::string host_name();

}  // namespace tasuki::base
