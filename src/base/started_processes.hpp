// Processes that another launcher than `tasuki run` has started together: mpirun, mpiexec or srun.
// If nothing joins them, each of them would be a job of one rank, and nobody would be told.
//
// Called when a transport is opened or started, and when a rank joins a server. Thread-safety: none
// while the environment changes.
#pragma once

#include <optional>
#include <string>

namespace tasuki::base {

/// As the launcher has told this process.
struct StartedProcesses {
  const char* launcher;    ///< In words.
  int count = 0;           ///< With this one.
  int index = 0;           ///< Of this one.
  bool by_slurm = false;   ///< By srun, whatever it set up to join them.
  bool is_joined = false;  ///< Something is there by which an MPI can join them.
};

/// Whether `tasuki run` has, by other means than an mpiexec.
bool has_tasuki_run_started();

/// Nothing if this process was started alone, or by `tasuki run`.
std::optional<StartedProcesses> started_processes();

/// How srun is told to join the processes that it starts.
std::string slurm_remedy();
/// The same for programs that are linked with an MPI, so that there is none to choose.
extern const char* const linked_slurm_remedy;

/// What has happened: who has started how many processes. Part of a message.
std::string describe(const StartedProcesses& started);

/// Ends this process after a moment with exit_code::not_started. It prints nothing: another one,
/// which a launcher would end with the first that fails, says what is wrong.
[[noreturn]] void end_unheard();

/// These processes have not become one job. Throws tasuki::error in the first of them. The others
/// end with exit_code::not_started and print nothing, so that one error is seen and not a hundred.
[[noreturn]] void refuse_unjoined(const StartedProcesses& started, const char* operation,
                                  const std::string& happened, const std::string& remedy);

}  // namespace tasuki::base
