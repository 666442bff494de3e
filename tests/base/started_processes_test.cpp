#include "base/started_processes.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <string>
#include <utility>

namespace tasuki::base {
namespace {

/// The environment of a test, of which nothing stays.
class Environment {
 public:
  explicit Environment(std::map<std::string, std::string> variables)
      : variables_(std::move(variables)) {
    for (const auto& [name, value] : variables_) ::setenv(name.c_str(), value.c_str(), 1);
  }
  ~Environment() {
    for (const auto& [name, value] : variables_) ::unsetenv(name.c_str());
  }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

 private:
  std::map<std::string, std::string> variables_;
};

TEST(StartedProcesses, are_none_of_a_program_alone) { EXPECT_FALSE(started_processes()); }

TEST(StartedProcesses, are_not_what_a_batch_script_starts) {
  const Environment environment({{"SLURM_NTASKS", "4"}, {"SLURM_PROCID", "0"}});
  EXPECT_FALSE(started_processes());
}

TEST(StartedProcesses, of_an_mpirun_within_srun_are_those_of_mpirun) {
  const Environment environment({{"SLURM_STEP_NUM_TASKS", "2"},
                                 {"OMPI_COMM_WORLD_SIZE", "6"},
                                 {"OMPI_COMM_WORLD_RANK", "5"}});
  const auto started = started_processes();
  ASSERT_TRUE(started);
  EXPECT_EQ(started->count, 6);
  EXPECT_EQ(started->index, 5);
  EXPECT_FALSE(started->by_slurm);
  EXPECT_TRUE(started->is_joined);
}

TEST(StartedProcesses, are_joined_by_pmix) {
  const Environment environment(
      {{"SLURM_STEP_NUM_TASKS", "4"}, {"SLURM_PROCID", "2"}, {"PMIX_RANK", "2"}});
  const auto started = started_processes();
  ASSERT_TRUE(started);
  EXPECT_TRUE(started->by_slurm);
  EXPECT_TRUE(started->is_joined);
}

TEST(StartedProcesses, of_tasuki_run_are_its_own) {
  const Environment environment({{"SLURM_STEP_NUM_TASKS", "4"}, {"TASUKI_JOB_FD", "9"}});
  EXPECT_FALSE(started_processes());
}

}  // namespace
}  // namespace tasuki::base
