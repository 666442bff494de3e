// Exceptions that are being handled, or thrown, while their fiber yields.
#include <gtest/gtest.h>

#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

#include "fiber/harness.hpp"

namespace tasuki::fiber {
namespace {

std::string rethrown_text() {
  try {
    throw;
  } catch (const std::exception& exception) {
    return exception.what();
  }
}

TEST(Exceptions, AFiberMayYieldInsideACatchBlock) {
  Harness harness;
  std::vector<std::string> caught;
  harness.run([&] {
    for (int i = 0; i < 8; ++i) {
      harness.spawn([&, i] {
        const std::string mine = "fiber " + std::to_string(i);
        try {
          throw std::runtime_error(mine);
        } catch (const std::runtime_error& exception) {
          for (int turn = 0; turn <= i; ++turn) harness.scheduler.yield();
          EXPECT_EQ(exception.what(), mine);
          caught.push_back(rethrown_text());
        }
        EXPECT_EQ(std::current_exception(), nullptr);
      });
    }
    harness.drain();
  });
  ASSERT_EQ(caught.size(), 8u);
  for (int i = 0; i < 8; ++i) EXPECT_EQ(caught[i], "fiber " + std::to_string(i));
}

TEST(Exceptions, AHandlerMayBlockInsideACatchBlock) {
  Harness harness;
  harness.run([&] {
    std::vector<Fiber*> blocked;
    std::vector<std::string> caught;
    for (int i = 0; i < 3; ++i) {
      harness.arrive([&, i] {
        try {
          throw std::runtime_error("handler " + std::to_string(i));
        } catch (const std::runtime_error&) {
          blocked.push_back(harness.scheduler.current());
          harness.suspend();
          caught.push_back(rethrown_text());
        }
      });
    }
    harness.arrive([&] { EXPECT_EQ(std::current_exception(), nullptr); });
    harness.scheduler.yield();
    ASSERT_EQ(blocked.size(), 3u);
    // Woken in an order in which a shared stack of caught exceptions would be wrong.
    for (const int index : {1, 0, 2}) harness.scheduler.make_ready(blocked[index]);
    harness.drain();
    EXPECT_EQ(caught, (std::vector<std::string>{"handler 1", "handler 0", "handler 2"}));
  });
}

TEST(Exceptions, NestedCatchBlocksSurvive) {
  Harness harness;
  harness.run([&] {
    const auto body = [&](const std::string& name) {
      try {
        throw std::runtime_error(name + " outer");
      } catch (...) {
        harness.scheduler.yield();
        try {
          throw std::runtime_error(name + " inner");
        } catch (...) {
          harness.scheduler.yield();
          EXPECT_EQ(rethrown_text(), name + " inner");
        }
        harness.scheduler.yield();
        EXPECT_EQ(rethrown_text(), name + " outer");
      }
    };
    harness.spawn([&] { body("first"); });
    harness.spawn([&] { body("second"); });
    harness.scheduler.yield();
    body("main");
    harness.drain();
  });
}

/// Yields while an exception unwinds its frame.
struct YieldsInDestructor {
  Harness& harness;
  int& uncaught_count;
  ~YieldsInDestructor() {
    EXPECT_TRUE(harness.scheduler.is_unwinding());
    harness.scheduler.yield();
    uncaught_count = std::uncaught_exceptions();
    EXPECT_TRUE(harness.scheduler.is_unwinding());
  }
};

TEST(Exceptions, AFiberMayYieldWhileAnExceptionPasses) {
  Harness harness;
  harness.run([&] {
    int during = -1;
    int beside = -1;
    bool ended = false;
    harness.spawn([&] {
      try {
        const YieldsInDestructor guard{harness, during};
        throw std::runtime_error("passing");
      } catch (const std::runtime_error& exception) {
        EXPECT_STREQ(exception.what(), "passing");
      }
      EXPECT_EQ(std::uncaught_exceptions(), 0);
      EXPECT_FALSE(harness.scheduler.is_unwinding());
      ended = true;
    });
    harness.spawn([&] {
      beside = std::uncaught_exceptions();
      EXPECT_FALSE(harness.scheduler.is_unwinding());
    });
    harness.drain();
    EXPECT_TRUE(ended);
    EXPECT_EQ(during, 1);
    EXPECT_EQ(beside, 0);
  });
}

TEST(Exceptions, RunRestoresWhatItsCallerHandles) {
  try {
    throw std::runtime_error("before run");
  } catch (...) {
    Harness harness;
    harness.run([&] {
      EXPECT_EQ(rethrown_text(), "before run");
      harness.spawn([] { EXPECT_EQ(std::current_exception(), nullptr); });
      harness.drain();
    });
    EXPECT_EQ(rethrown_text(), "before run");
  }
}

}  // namespace
}  // namespace tasuki::fiber
