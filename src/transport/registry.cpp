#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <optional>
#include <tasuki/detail/base/launcher_settings.hpp>
#include <tasuki/detail/base/settings.hpp>
#include <tasuki/detail/transport/registry.hpp>
#include <tasuki/error.hpp>

#include "base/started_processes.hpp"
#include "transport/mpi/mpi_transport.hpp"
#include "transport/shm/shm_transport.hpp"
#include "transport/ucx/ucx_descriptor.hpp"

namespace tasuki::transport {
namespace {

std::unique_ptr<Transport> open_loopback() {
  throw error("opening the transport", "loopback runs all its ranks inside one process",
              "start it through tasuki::run or tasuki::transport::LoopbackCluster");
}

const std::array transports = {
    shm::shm_descriptor(),
    mpi::mpi_descriptor(),
    ucx::ucx_descriptor(),
    Descriptor{"loopback",
               "Several ranks in one thread, deterministic, with seeded delays: for tests.",
               &always_available, &open_loopback},
};

std::string known_names() {
  std::string names;
  for (const Descriptor& descriptor : transports) {
    names += (names.empty() ? "" : ", ") + std::string(descriptor.name);
  }
  return names;
}

/// Throws or ends as `refuse_unjoined` does if nothing joins the processes that srun has started.
void require_joined_if_several() {
  const std::optional<base::StartedProcesses> started = base::started_processes();
  if (!started || started->is_joined) return;
  refuse_unjoined(*started, "opening the transport",
                  describe(*started) + ", but nothing joins them into one job",
                  fmt::format("{}. For {} jobs of one rank each: srun tasuki run -n 1 -- PROGRAM",
                              base::slurm_remedy(), started->count));
}

/// Under mpirun or srun the environment says so; `tasuki run` says so for shm.
std::string automatic_choice() {
  if (base::setting::job_fd.is_set()) return "shm";
  if (base::setting::wireup.is_set()) return "ucx";
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK", "PMI_RANK"}) {
    if (std::getenv(name) != nullptr) return "mpi";
  }
  return "shm";
}

}  // namespace

std::string always_available() { return ""; }

std::span<const Descriptor> all_transports() noexcept { return transports; }

std::unique_ptr<Transport> open_transport() {
  const std::string asked = base::setting::transport.text();
  // Other transports know better what would join their ranks.
  if (asked == "auto" || asked == "mpi") require_joined_if_several();
  const std::string name = asked == "auto" ? automatic_choice() : asked;
  for (const Descriptor& descriptor : transports) {
    if (name != descriptor.name) continue;
    const std::string reason = descriptor.unavailable_because();
    if (!reason.empty()) {
      throw error("opening the transport", fmt::format("{} cannot be used here: {}", name, reason),
                  "mend that, or choose another transport with TASUKI_TRANSPORT");
    }
    return descriptor.open();
  }
  throw error("opening the transport", fmt::format("{} is not a transport", name),
              "choose one of: auto, " + known_names());
}

}  // namespace tasuki::transport
