// How long this process may make files (`ulimit -f`).
//
// Asked before a file is enlarged, as the kernel ends the process beyond it (SIGXFSZ).
// Thread-safety: any thread.
#pragma once

#include <sys/resource.h>

#include <cstdint>

namespace tasuki::base {

/// Returns: the limit in bytes, the largest number if there is none.
inline std::uint64_t file_size_limit_bytes() noexcept {
  rlimit limit{};
  const bool is_limited = ::getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
  return is_limited ? limit.rlim_cur : UINT64_MAX;
}

}  // namespace tasuki::base
