#include "transport/started_processes.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <string>
#include <tasuki/detail/transport/registry.hpp>
#include <tasuki/error.hpp>
#include <utility>

namespace tasuki::transport {
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

std::string failure() {
  try {
    open_transport();
  } catch (const error& failure) {
    return failure.what();
  }
  return "";
}

TEST(StartedProcesses, are_none_of_a_program_alone) { EXPECT_FALSE(started_processes()); }

TEST(StartedProcesses, of_srun_are_refused_if_nothing_joins_them) {
  const Environment environment({{"SLURM_STEP_NUM_TASKS", "4"}, {"SLURM_PROCID", "0"}});
  const std::string expected =
      "tasuki: opening the transport: srun has started 4 ranks, but nothing joins them into one "
      "job. Remedy: use srun --mpi=pmix for Open MPI, --mpi=pmi2 for MPICH";
  const std::string said = failure();
  EXPECT_EQ(said.substr(0, expected.size()), expected);
  EXPECT_NE(said.find("For 4 jobs of one rank each: srun tasuki run"), std::string::npos) << said;
}

TEST(StartedProcesses, that_are_not_the_first_end_without_a_word) {
  const Environment environment({{"SLURM_STEP_NUM_TASKS", "4"}, {"SLURM_PROCID", "3"}});
  EXPECT_EXIT(open_transport(), testing::ExitedWithCode(69), "^$");
}

TEST(StartedProcesses, of_srun_may_be_one) {
  const Environment environment({{"SLURM_STEP_NUM_TASKS", "1"}, {"SLURM_PROCID", "0"}});
  EXPECT_FALSE(started_processes());
  EXPECT_EQ(failure(), "");
}

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

TEST(StartedProcesses, that_nothing_joins_get_the_remedy_of_the_transport_they_ask_for) {
  const std::map<std::string, std::string> remedies{{"ucx", "use tasuki run --transport ucx"},
                                                    {"shm", "use tasuki run, or"}};
  for (const Descriptor& descriptor : all_transports()) {
    const auto remedy = remedies.find(descriptor.name);
    if (remedy == remedies.end() || !descriptor.unavailable_because().empty()) continue;
    const Environment environment({{"SLURM_STEP_NUM_TASKS", "4"},
                                   {"SLURM_PROCID", "0"},
                                   {"TASUKI_TRANSPORT", descriptor.name}});
    const std::string said = failure();
    EXPECT_NE(said.find(remedy->second), std::string::npos) << said;
    EXPECT_EQ(said.find("srun --mpi"), std::string::npos) << said;
  }
}

TEST(StartedProcesses, are_not_joined_by_shared_memory) {
  const Environment environment(
      {{"PMI_SIZE", "4"}, {"PMI_RANK", "0"}, {"TASUKI_TRANSPORT", "shm"}});
  const std::string said = failure();
  EXPECT_NE(said.find("the launcher (mpich) has started 4 ranks, whom shared memory does not join"),
            std::string::npos)
      << said;
}

}  // namespace
}  // namespace tasuki::transport
