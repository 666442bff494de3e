// Whether the user has set a setting of UCX in the environment. Then it stays as it is.
//
// Used where the transport wants settings otherwise than UCX has them. Thread-safety: none; no
// other thread may change the environment meanwhile.
#pragma once

#include <cstdlib>
#include <string>

namespace tasuki::transport::ucx {

/// Example: is_set_by_user("RNDV_THRESH") tells of UCX_RNDV_THRESH.
inline bool is_set_by_user(const std::string& setting) {
  return std::getenv(("UCX_" + setting).c_str()) != nullptr;
}

}  // namespace tasuki::transport::ucx
