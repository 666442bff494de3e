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

TEST(UnjoinedProcesses, of_srun_are_refused_if_nothing_joins_them) {
  const Environment environment({{"SLURM_STEP_NUM_TASKS", "4"}, {"SLURM_PROCID", "0"}});
  const std::string expected =
      "tasuki: opening the transport: srun has started 4 ranks, but nothing joins them into one "
      "job. Remedy: use srun --mpi=pmix for Open MPI, --mpi=pmi2 for MPICH";
  const std::string said = failure();
  EXPECT_EQ(said.substr(0, expected.size()), expected);
  EXPECT_NE(said.find("For 4 jobs of one rank each: srun tasuki run"), std::string::npos) << said;
}

TEST(UnjoinedProcesses, that_are_not_the_first_end_without_a_word) {
  const Environment environment({{"SLURM_STEP_NUM_TASKS", "4"}, {"SLURM_PROCID", "3"}});
  EXPECT_EXIT(open_transport(), testing::ExitedWithCode(69), "^$");
}

TEST(UnjoinedProcesses, of_srun_may_be_one) {
  const Environment environment({{"SLURM_STEP_NUM_TASKS", "1"}, {"SLURM_PROCID", "0"}});
  EXPECT_EQ(failure(), "");
}

TEST(UnjoinedProcesses, that_nothing_joins_get_the_remedy_of_the_transport_they_ask_for) {
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

TEST(UnjoinedProcesses, are_not_joined_by_shared_memory) {
  const Environment environment(
      {{"PMI_SIZE", "4"}, {"PMI_RANK", "0"}, {"TASUKI_TRANSPORT", "shm"}});
  const std::string said = failure();
  EXPECT_NE(said.find("the launcher (mpich) has started 4 ranks, whom shared memory does not join"),
            std::string::npos)
      << said;
}

}  // namespace
}  // namespace tasuki::transport
