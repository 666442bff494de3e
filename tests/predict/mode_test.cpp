#include <gtest/gtest.h>
#include <tasuki/detail/predict/mode.hpp>
#include <tasuki/error.hpp>

#include <cstdlib>
#include <string>

namespace tasuki::predict {
namespace {

TEST(Mode, IsFoundByItsName) {
  for (const Mode mode : {Mode::off, Mode::guarded, Mode::always, Mode::fixed}) {
    EXPECT_EQ(mode_named(name_of(mode)), mode);
  }
}

TEST(Mode, IsWhatTheEnvironmentSays) {
  ::unsetenv("TASUKI_PREDICT");
  EXPECT_EQ(wanted_mode(Mode::off), Mode::off);
  EXPECT_EQ(wanted_mode(Mode::guarded), Mode::guarded);
  for (const Mode mode : {Mode::off, Mode::guarded, Mode::always, Mode::fixed}) {
    ::setenv("TASUKI_PREDICT", name_of(mode), 1);
    EXPECT_EQ(wanted_mode(Mode::off), mode);
  }
}

TEST(Mode, AnyOtherInTheEnvironmentIsRefusedWithThoseThereAre) {
  ::setenv("TASUKI_PREDICT", "sometimes", 1);
  try {
    wanted_mode(Mode::off);
    FAIL() << "no error";
  } catch (const error& failure) {
    const std::string text = failure.what();
    EXPECT_NE(text.find("sometimes"), std::string::npos) << text;
    EXPECT_NE(text.find("always or fixed"), std::string::npos) << text;
  }
}

TEST(Mode, AnUnknownNameSaysWhichThereAre) {
  try {
    mode_named("sometimes");
    FAIL() << "there is no such mode";
  } catch (const error& e) {
    const std::string text = e.what();
    EXPECT_NE(text.find("TASUKI_PREDICT"), std::string::npos) << text;
    EXPECT_NE(text.find("sometimes is none of its values"), std::string::npos) << text;
    EXPECT_NE(text.find("off, guarded, always or fixed"), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace tasuki::predict
