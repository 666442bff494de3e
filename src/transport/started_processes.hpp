// Processes that another launcher than `tasuki run` has started together: mpirun, mpiexec or srun.
// If nothing joins them, each of them would be a job of one rank, and nobody would be told.
//
// Called when a transport is opened or started. Thread-safety: none while the environment changes.
#pragma once

#include <optional>
#include <string>

namespace tasuki::transport {

/// As the launcher has told this process.
struct StartedProcesses {
  const char* launcher;    ///< In words.
  int count = 0;           ///< With this one.
  int index = 0;           ///< Of this one.
  bool by_slurm = false;   ///< By srun, whatever it set up to join them.
  bool is_joined = false;  ///< Something is there by which an MPI can join them.
};

/// Nothing if this process was started alone, or by `tasuki run`.
std::optional<StartedProcesses> started_processes();

/// How srun is told to join the processes that it starts.
extern const char* const slurm_remedy;

/// What has happened: who has started how many processes. Part of a message.
std::string describe(const StartedProcesses& started);

/// These processes have not become one job. Throws tasuki::error in the first of them. The others
/// end with exit_code::not_started and print nothing, so that one error is seen and not a hundred.
[[noreturn]] void refuse_unjoined(const StartedProcesses& started, const char* operation,
                                  const std::string& happened, const std::string& remedy);

/// Throws or ends as `refuse_unjoined` does if nothing joins the processes that srun has started.
void require_joined_if_several();

}  // namespace tasuki::transport
