#include "mpi/ahead/mode.hpp"

#include <gtest/gtest.h>
#include <tasuki/error.hpp>

#include <cstdlib>
#include <string>

namespace tasuki::mpi::ahead {
namespace {

TEST(Mode, IsWhatTheEnvironmentSays) {
  ::unsetenv("TASUKI_PREDICT");
  EXPECT_EQ(wanted_mode(), Mode::off);
  for (const Mode mode : {Mode::off, Mode::guarded, Mode::always, Mode::fixed}) {
    ::setenv("TASUKI_PREDICT", name_of(mode), 1);
    EXPECT_EQ(wanted_mode(), mode);
  }
}

TEST(Mode, AnyOtherIsRefusedWithThoseThereAre) {
  ::setenv("TASUKI_PREDICT", "sometimes", 1);
  try {
    wanted_mode();
    FAIL() << "no error";
  } catch (const error& failure) {
    const std::string text = failure.what();
    EXPECT_NE(text.find("sometimes"), std::string::npos) << text;
    EXPECT_NE(text.find("always or fixed"), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace tasuki::mpi::ahead
