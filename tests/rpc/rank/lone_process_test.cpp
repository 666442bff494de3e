#include "rpc/rank/lone_process.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <string>

namespace tasuki::rpc {
namespace {

constexpr const char* to_serve_calls = "pass its rank and the number of ranks to serve_calls";

/// What the launcher has told a process, for one test.
class LoneProcessTest : public testing::Test {
 protected:
  ~LoneProcessTest() override {
    for (const auto& [name, value] : variables_) ::unsetenv(name.c_str());
  }
  void tell(const std::map<std::string, std::string>& variables) {
    variables_ = variables;
    for (const auto& [name, value] : variables_) ::setenv(name.c_str(), value.c_str(), 1);
  }
  static std::string text(const char* field) {
    return LoneProcess::find().value().fault().at(field);
  }

 private:
  std::map<std::string, std::string> variables_;
};

TEST_F(LoneProcessTest, AProcessThatWasStartedAloneIsNone) {
  EXPECT_FALSE(LoneProcess::find());
  tell({{"OMPI_COMM_WORLD_SIZE", "1"}, {"OMPI_COMM_WORLD_RANK", "0"}});
  EXPECT_FALSE(LoneProcess::find());
}

TEST_F(LoneProcessTest, OfAnMpiexecItIsToldHowManyThereAre) {
  tell({{"PMI_SIZE", "3"}, {"PMI_RANK", "0"}});
  EXPECT_EQ(text("happened"),
            "the launcher (mpich) has started 3 ranks, but this process says that it is the only"
            " one");
  EXPECT_NE(text("remedy").find("mpiexec of the program's MPI"), std::string::npos);
  EXPECT_NE(text("remedy").find(to_serve_calls), std::string::npos);
}

TEST_F(LoneProcessTest, OfSrunTheRemedyIsItsOption) {
  tell({{"SLURM_STEP_NUM_TASKS", "3"}, {"SLURM_PROCID", "0"}});
  EXPECT_NE(text("remedy").find("srun --mpi=pmix"), std::string::npos);
  EXPECT_NE(text("remedy").find(to_serve_calls), std::string::npos);
}

TEST_F(LoneProcessTest, OfTasukiRunTheRemedyIsWhatStartsMpi) {
  for (const char* const by : {"TASUKI_JOB_FD", "TASUKI_WIREUP"}) {  // Over shm, and over UCX.
    tell({{by, "9"}, {"TASUKI_SIZE", "3"}, {"TASUKI_RANK", "0"}});
    EXPECT_EQ(text("happened"),
              "tasuki run has started 3 ranks without MPI, but this process says that it is the"
              " only one");
    EXPECT_NE(text("remedy").find("tasuki run --transport mpi"), std::string::npos);
    EXPECT_NE(text("remedy").find("--launch mpi of tasuki idl build"), std::string::npos);
    EXPECT_NE(text("remedy").find(to_serve_calls), std::string::npos);
    ::unsetenv(by);
  }
}

TEST_F(LoneProcessTest, OnlyTheFirstOneIsHeard) {
  tell({{"OMPI_COMM_WORLD_SIZE", "2"}, {"OMPI_COMM_WORLD_RANK", "0"}});
  LoneProcess::find()->end_unless_first(text("happened"));
  tell({{"OMPI_COMM_WORLD_SIZE", "2"}, {"OMPI_COMM_WORLD_RANK", "1"}});
  EXPECT_EXIT(LoneProcess::find()->end_unless_first(text("happened")), testing::ExitedWithCode(69),
              "^$");
}

TEST_F(LoneProcessTest, EachIsHeardOfAnotherFault) {
  tell({{"OMPI_COMM_WORLD_SIZE", "2"}, {"OMPI_COMM_WORLD_RANK", "1"}});
  LoneProcess::find()->end_unless_first("rank 0 has joined before");  // It returns.
}

}  // namespace
}  // namespace tasuki::rpc
