#include "base/started_processes.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdlib>
#include <string_view>
#include <tasuki/detail/base/exit_code.hpp>
#include <tasuki/detail/base/launcher_settings.hpp>
#include <tasuki/detail/base/settings.hpp>
#include <tasuki/error.hpp>
#include <thread>

namespace tasuki::base {
namespace {

/// The variables by which a launcher tells how many processes it has started, and which this is.
struct Variables {
  const char* launcher;
  const char* count;
  const char* index;
};

constexpr Variables by_srun{"srun", "SLURM_STEP_NUM_TASKS", "SLURM_PROCID"};

// Within a step of Slurm, mpirun and mpiexec may have started the process: what they say counts.
// SLURM_NTASKS does not, which a batch script has too, although it is one process.
constexpr std::array all_variables = {
    Variables{"the launcher (ompi)", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"},
    Variables{"the launcher (mpich)", "PMI_SIZE", "PMI_RANK"},
    by_srun,
};

/// A process that has nothing to say waits before it ends: a launcher that ends the job when the
/// first process fails would end the one that says what is wrong.
constexpr std::chrono::seconds until_it_is_said{2};

int number_in(const char* variable) {
  const char* const text = std::getenv(variable);
  return text == nullptr ? 0 : static_cast<int>(std::strtol(text, nullptr, 10));
}

/// PMI-1, PMI-2 and PMIx all leave variables with this beginning.
bool has_process_manager() {
  for (char** variable = ::environ; *variable != nullptr; ++variable) {
    if (std::string_view(*variable).starts_with("PMI")) return true;
  }
  return std::getenv("OMPI_COMM_WORLD_SIZE") != nullptr;
}

}  // namespace

const char* const linked_slurm_remedy =
    "use srun --mpi=pmix for Open MPI, --mpi=pmi2 for MPICH (srun --mpi=list shows what this Slurm "
    "has)";

std::string slurm_remedy() {
  return fmt::format("{}, and TASUKI_MPI to choose between them", linked_slurm_remedy);
}

// Over shm and over UCX.
bool has_tasuki_run_started() { return setting::job_fd.is_set() || setting::wireup.is_set(); }

std::optional<StartedProcesses> started_processes() {
  if (has_tasuki_run_started()) return std::nullopt;
  for (const Variables& variables : all_variables) {
    if (std::getenv(variables.count) == nullptr) continue;
    const int count = number_in(variables.count);
    if (count <= 1) return std::nullopt;
    // Over PMI-2, srun tells what mpiexec tells.
    const bool by_slurm = number_in(by_srun.count) == count;
    return StartedProcesses{by_slurm ? by_srun.launcher : variables.launcher, count,
                            number_in(variables.index), by_slurm, has_process_manager()};
  }
  return std::nullopt;
}

std::string describe(const StartedProcesses& started) {
  return fmt::format("{} has started {} ranks", started.launcher, started.count);
}

void end_unheard() {
  std::this_thread::sleep_for(until_it_is_said);
  std::_Exit(exit_code::not_started);
}

void refuse_unjoined(const StartedProcesses& started, const char* operation,
                     const std::string& happened, const std::string& remedy) {
  if (started.index == 0) throw error(operation, happened, remedy);
  end_unheard();
}

}  // namespace tasuki::base
