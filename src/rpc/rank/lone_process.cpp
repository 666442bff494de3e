#include "rpc/rank/lone_process.hpp"

#include <fmt/format.h>

#include <string>
#include <tasuki/detail/base/settings.hpp>

#include "base/started_processes.hpp"

namespace tasuki::rpc {
namespace {

constexpr const char* claim = "but this process says that it is the only one";
constexpr const char* without_mpi =
    "a program without MPI has to pass its rank and the number of ranks to serve_calls";
constexpr const char* of_another_mpi =
    "start the ranks by the mpiexec of the program's MPI (--launcher, or --mpi of tasuki run), or "
    "make the program for the MPI of the launcher (Compiler of the interface; in Python, mpi4py)";
constexpr const char* not_by_mpiexec =
    "let a program of MPI be started by mpiexec or \"tasuki run --transport mpi\" (--launch mpi of "
    "tasuki idl build, --launcher of tasuki serve)";

std::string with_claim(const std::string& started) { return fmt::format("{}, {}", started, claim); }

std::string remedy_by(const char* of_mpi) { return fmt::format("{}; {}", of_mpi, without_mpi); }

}  // namespace

std::optional<LoneProcess> LoneProcess::find() {
  if (const auto started = base::started_processes()) {
    return LoneProcess(started->index, with_claim(describe(*started)),
                       remedy_by(started->by_slurm ? base::linked_slurm_remedy : of_another_mpi));
  }
  if (!base::has_tasuki_run_started()) return {};
  const auto count = base::setting::size.integer();
  if (count <= 1) return {};
  return LoneProcess(static_cast<int>(base::setting::rank.integer()),
                     with_claim(fmt::format("tasuki run has started {} ranks without MPI", count)),
                     remedy_by(not_by_mpiexec));
}

void LoneProcess::end_unless_first(const std::string& happened) const {
  const auto own = fault_.at("happened").get<std::string>();
  if (happened == own && index_ != 0) base::end_unheard();
}

}  // namespace tasuki::rpc
