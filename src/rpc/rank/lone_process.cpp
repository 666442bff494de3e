#include "rpc/rank/lone_process.hpp"

#include <fmt/format.h>

#include <string>
#include <tasuki/detail/base/launcher_settings.hpp>
#include <tasuki/detail/base/settings.hpp>

#include "base/started_processes.hpp"

namespace tasuki::rpc {
namespace {

constexpr const char* unknown = "but the program's MPI knows of this one only";

}  // namespace

std::optional<LoneProcess> LoneProcess::find() {
  if (const auto started = base::started_processes()) {
    return LoneProcess(
        started->index, fmt::format("{}, {}", describe(*started), unknown),
        started->by_slurm
            ? base::linked_slurm_remedy
            : "start the ranks by the mpiexec of that MPI (--launcher, or --mpi of tasuki run), or"
              " let the Compiler statement of the interface name the mpicc of the launcher's MPI");
  }
  if (!base::setting::job_fd.is_set()) return {};
  const auto count = base::setting::size.integer();
  if (count <= 1) return {};
  return LoneProcess(
      static_cast<int>(base::setting::rank.integer()),
      fmt::format("tasuki run has started {} ranks without MPI, {}", count, unknown),
      "give the server --launcher \"tasuki run --transport mpi\", or leave --launcher out");
}

void LoneProcess::end_unless_first() const {
  if (index_ != 0) base::end_unheard();
}

}  // namespace tasuki::rpc
