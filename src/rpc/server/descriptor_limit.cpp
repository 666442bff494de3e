#include "rpc/server/descriptor_limit.hpp"

#include <sys/resource.h>

#include <algorithm>

namespace tasuki::rpc {
namespace {

/// Threads have other limits, too: those of a control group, and of the maps of a process.
constexpr rlim_t usual_most = 4096;

rlimit limit_of(__rlimit_resource resource) noexcept {
  rlimit limit{};
  getrlimit(resource, &limit);
  return limit;
}

/// The limit of descriptors that the process was started with.
const rlimit& first_limit() noexcept {
  static const rlimit limit = limit_of(RLIMIT_NOFILE);
  return limit;
}

}  // namespace

void raise_descriptor_limit() noexcept {
  rlimit raised = first_limit();
  raised.rlim_cur = raised.rlim_max;
  setrlimit(RLIMIT_NOFILE, &raised);
}

void restore_descriptor_limit(pid_t program) noexcept {
  prlimit(program, RLIMIT_NOFILE, &first_limit(), nullptr);
}

std::int64_t usual_connections_most() noexcept {
  const rlim_t permitted =
      std::min(limit_of(RLIMIT_NOFILE).rlim_cur, limit_of(RLIMIT_NPROC).rlim_cur);
  return static_cast<std::int64_t>(std::clamp<rlim_t>(permitted / 2, 1, usual_most));
}

}  // namespace tasuki::rpc
