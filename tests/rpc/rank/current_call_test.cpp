#include "rpc/rank/current_call.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <thread>

#include "rpc/rank/played_rank.hpp"
#include "rpc/rank/run_routine.hpp"
#include "rpc/wire/happened.hpp"

namespace tasuki::rpc {
namespace {

const CurrentCall* seen = nullptr;

class CurrentCallTest : public PlayedRank {
 protected:
  /// What goes wrong with a routine that does that.
  std::string run(void (*routine)(void* const*)) {
    return happened_in([&] { run_routine({"f", routine}, memory_, 7); });
  }

  const Routine routine_{"f", "", {}};
  BlockMemory blocks_;
  CallMemory memory_{routine_, nlohmann::json::object(), {}, {}, blocks_};
};

TEST_F(CurrentCallTest, IsThereWhileTheRoutineRuns) {
  EXPECT_EQ(CurrentCall::get(), nullptr);
  EXPECT_EQ(run([](void* const*) {
              std::jthread([] { seen = CurrentCall::get(); });
              EXPECT_NE(seen, nullptr);
              EXPECT_EQ(CurrentCall::get(), seen);
              EXPECT_EQ(CurrentCall::get()->object(), 7);
            }),
            "");
  EXPECT_EQ(CurrentCall::get(), nullptr);
}

TEST_F(CurrentCallTest, TheFirstReasonOfAFailureIsKept) {
  EXPECT_EQ(run([](void* const*) {
              CurrentCall::get()->fail("the first");
              std::jthread([] { CurrentCall::get()->fail("the second"); });
            }),
            "the first");
  EXPECT_EQ(CurrentCall::get(), nullptr);
}

TEST_F(CurrentCallTest, AnExceptionFailsTheCall) {
  EXPECT_EQ(run([](void* const*) { throw std::runtime_error("no columns"); }), "no columns");
}

TEST_F(CurrentCallTest, FunctionsOfTheClientAreCalledByTheThreadOfTheRoutineAlone) {
  EXPECT_EQ(run([](void* const*) { CurrentCall::get()->call_back("g", nullptr); }),
            "there is no client whose functions can be called here");
  CallbackCaller callbacks(routine_, {{"scalars", nlohmann::json::object()}}, 0, rank_end_);
  const RoutineEntry entry{
      "f", [](void* const*) { std::jthread([] { CurrentCall::get()->call_back("g", nullptr); }); }};
  EXPECT_EQ(happened_in([&] { run_routine(entry, memory_, 0, &callbacks); }),
            "g is called by another thread than the routine's");
  const RoutineEntry other{"f", [](void* const*) { CurrentCall::get()->call_back("h", nullptr); }};
  EXPECT_EQ(happened_in([&] { run_routine(other, memory_, 0, &callbacks); }),
            "f has no callback h");
}

}  // namespace
}  // namespace tasuki::rpc
