#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/rank_test.hpp"

namespace tasuki::test {
namespace {

using SpawnTest = RankTest;

TEST_F(SpawnTest, a_fiber_gives_its_result) {
  auto sum = spawn([](int a, int b) { return a + b; }, 1, 2);
  static_assert(std::is_same_v<decltype(sum), Future<int>>);
  EXPECT_FALSE(sum.ready());
  EXPECT_EQ(sum.get(), 3);
  spawn([] {}).get();
}

TEST_F(SpawnTest, arguments_and_captures_may_be_of_any_type) {
  std::string text = "here";
  auto box = std::make_unique<int>(7);
  auto joined = spawn([&text](std::unique_ptr<int> number,
                              std::string* more) { return text + std::to_string(*number) + *more; },
                      std::move(box), &text);
  EXPECT_EQ(joined.get(), "here7here");
}

TEST_F(SpawnTest, fibers_wait_for_each_other) {
  Sync<int> ping;
  Sync<int> pong;
  auto echo = spawn([&] {
    for (int i = 0; i < 100; ++i) pong.write(ping.read() + 1);
  });
  auto last = spawn([&] {
    int value = 0;
    for (int i = 0; i < 100; ++i) {
      ping.write(value);
      value = pong.read();
    }
    return value;
  });
  EXPECT_EQ(last.get(), 100);
  echo.get();
}

TEST_F(SpawnTest, exceptions_come_back) {
  auto failing = spawn([]() -> int { throw std::out_of_range("too far"); });
  EXPECT_THROW(failing.get(), std::out_of_range);
  auto empty = spawn([] { return Future<int>(); });
  EXPECT_TRUE(contains(error_of([&] { empty.get(); }), "this future is empty"));
}

TEST_F(SpawnTest, a_returned_future_is_unwrapped) {
  auto far = spawn(
      [](int x) {
        return ainvoke(
            next_rank(), [](int y) { return 2 * y; }, x);
      },
      4);
  EXPECT_EQ(far.get(), 8);
}

TEST_F(SpawnTest, quiesce_waits_for_spawned_fibers) {
  int done_count = 0;
  for (int i = 0; i < 20; ++i) {
    auto dropped = spawn([&] {
      invoke(next_rank(), [] {});
      ++done_count;
    });
  }
  quiesce();
  EXPECT_EQ(done_count, 20);
}

TEST_F(SpawnTest, the_caller_is_known_in_called_functions_alone) {
  EXPECT_EQ(invoke(next_rank(), [] { return caller(); }), rank());
  const auto after_waiting = [] {
    const int before = caller();
    invoke(next_rank(), [] { yield(); });
    return caller() == before ? before : -1;
  };
  EXPECT_EQ(invoke(next_rank(), after_waiting), rank());
  EXPECT_TRUE(contains(error_of([] { caller(); }), "no other function has been called here"));
  auto spawned = spawn([] { return error_of([] { caller(); }); });
  EXPECT_TRUE(contains(spawned.get(), "no other function has been called here"));
  auto continued = ainvoke(next_rank(), [] {}).then([] { return error_of([] { caller(); }); });
  EXPECT_TRUE(contains(continued.get(), "no other function has been called here"));
  // One that a called function runs does not change whose call that is.
  const auto fulfils = [] {
    Promise<int> promise;
    auto next = promise.future().then([](int x) { return x; });
    promise.set_value(1);
    return caller() + next.get();
  };
  EXPECT_EQ(invoke(next_rank(), fulfils), rank() + 1);
}

}  // namespace
}  // namespace tasuki::test
