#include <gtest/gtest.h>
#include <tasuki/client.h>
#include <tasuki/ninf.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "rpc/plugin/routine_server.hpp"

namespace tasuki::rpc {
namespace {

/// A program's arguments, as its main function has them.
class ProgramArguments {
 public:
  explicit ProgramArguments(std::vector<std::string> texts) : texts_(std::move(texts)) {
    for (std::string& one : texts_) pointers_.push_back(one.data());
    pointers_.push_back(nullptr);
  }
  /// Returns: those that are left, a blank behind each.
  std::string parsed() {
    const int count = Ninf_parse_arg(static_cast<int>(texts_.size()), pointers_.data());
    std::string left;
    for (int i = 0; i < count; ++i) left.append(pointers_[i]).append(" ");
    EXPECT_EQ(pointers_[count], nullptr);
    return left;
  }

 private:
  std::vector<std::string> texts_;
  std::vector<char*> pointers_;
};

class NinfTest : public testing::Test {
 protected:
  NinfTest() { setenv("TASUKI_RPC_MODE", "hand-off", 1); }

  RoutineServer server_;
  const std::string f_ = server_.url() + "/m/f";
};

TEST_F(NinfTest, ACallReturnsWhatHasBecomeOfIt) {
  EXPECT_EQ(Ninf_call(f_.c_str(), std::int32_t{7}), NINF_OK);
  EXPECT_EQ(Ninf_error(), NINF_OK);
  EXPECT_EQ(Ninf_call(f_.c_str(), std::int32_t{-7}), NINF_ERROR);
  EXPECT_EQ(Ninf_error(), NINF_ERROR);
  EXPECT_NE(std::string(tasuki_client_error_text()).find("n is negative"), std::string::npos);
  EXPECT_EQ(Ninf_call(f_.c_str(), std::int32_t{7}), NINF_OK);
  EXPECT_EQ(Ninf_error(), NINF_OK);
}

TEST_F(NinfTest, WithoutANameOrARoutineNothingIsCalled) {
  EXPECT_EQ(Ninf_call(nullptr), NINF_ERROR);
  EXPECT_NE(std::string(tasuki_client_error_text()).find("its name is NULL"), std::string::npos);
  EXPECT_EQ(Ninf_call((server_.url() + "/m/g").c_str()), NINF_ERROR);
  EXPECT_EQ(Ninf_call_async(nullptr), NINF_ERROR);
}

TEST_F(NinfTest, TheServerIsThatOfTheProgramsArguments) {
  const std::string url = server_.url();
  const std::string port = url.substr(url.rfind(':') + 1);
  ProgramArguments arguments({"program", "-server", "127.0.0.1", "input", "-port", port, "-v"});
  EXPECT_EQ(arguments.parsed(), "program input -v ");
  EXPECT_EQ(Ninf_call("f", std::int32_t{7}), NINF_OK) << tasuki_client_error_text();
  ProgramArguments others({"program", "-v", "-port"});  // The last one has no value.
  EXPECT_EQ(others.parsed(), "program -v -port ");
}

TEST_F(NinfTest, ASessionEndsWellOrWithItsError) {
  const int good = Ninf_call_async(f_.c_str(), std::int32_t{7});
  const int bad = Ninf_call_async(f_.c_str(), std::int32_t{-7});
  ASSERT_GT(good, 0);
  ASSERT_GT(bad, 0);
  EXPECT_EQ(Ninf_wait(good), NINF_OK);
  EXPECT_EQ(Ninf_wait(bad), NINF_ERROR);
  EXPECT_EQ(Ninf_probe(bad), 1);
  EXPECT_EQ(Ninf_cancel(bad), NINF_OK);  // It has ended: nothing is left to be done.
}

TEST_F(NinfTest, WhoWaitsForOneGetsEachOnceAndThenNone) {
  std::array<int, 2> sessions{};
  for (int& one : sessions) one = Ninf_call_async(f_.c_str(), std::int32_t{7});
  const int first = Ninf_wait_or(sessions.data(), 2);
  const int second = Ninf_wait_any();
  EXPECT_NE(first, second);
  EXPECT_EQ(first + second, sessions[0] + sessions[1]);
  EXPECT_EQ(Ninf_wait_any(), NINF_ERROR);
  EXPECT_NE(std::string(tasuki_client_error_text()).find("there is none"), std::string::npos);
}

TEST_F(NinfTest, OneFailureOfAllIsAFailure) {
  Ninf_call_async(f_.c_str(), std::int32_t{7});
  Ninf_call_async(f_.c_str(), std::int32_t{-7});
  EXPECT_EQ(Ninf_wait_all(), NINF_ERROR);
  EXPECT_EQ(Ninf_wait_all(), NINF_OK);  // Nobody waits for these twice.
}

TEST_F(NinfTest, SessionsThatAreNotThereAreErrors) {
  const int none = 1'000'000;
  EXPECT_EQ(Ninf_wait(none), NINF_ERROR);
  EXPECT_NE(std::string(tasuki_client_error_text()).find("there is no session 1000000"),
            std::string::npos);
  EXPECT_EQ(Ninf_wait_and(&none, 1), NINF_ERROR);
  EXPECT_EQ(Ninf_wait_or(&none, 1), NINF_ERROR);
  EXPECT_EQ(Ninf_probe(none), NINF_ERROR);
  EXPECT_EQ(Ninf_cancel(none), NINF_ERROR);
  EXPECT_EQ(Ninf_cancel_all(), NINF_OK);
}

TEST_F(NinfTest, TheErrorIsPrintedBehindAText) {
  Ninf_call(nullptr);
  testing::internal::CaptureStderr();
  Ninf_perror("program");
  const std::string printed = testing::internal::GetCapturedStderr();
  EXPECT_EQ(printed, "program: " + std::string(tasuki_client_error_text()) + "\n");
}

}  // namespace
}  // namespace tasuki::rpc
