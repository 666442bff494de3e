// How long something has taken, in the unit of reports. Thread-safety: safe.
#pragma once

#include <cstdint>
#include <tasuki/detail/base/clock.hpp>

namespace tasuki::rpc {

/// `start_ns` is of base::now_ns.
inline double seconds_since(std::int64_t start_ns) {
  return static_cast<double>(base::now_ns() - start_ns) * 1e-9;
}

}  // namespace tasuki::rpc
