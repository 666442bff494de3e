#include <gtest/gtest.h>
#include <tasuki/detail/predict/mode.hpp>
#include <tasuki/error.hpp>

#include <string>

namespace tasuki::predict {
namespace {

TEST(Mode, IsFoundByItsName) {
  for (const Mode mode : {Mode::off, Mode::guarded, Mode::always, Mode::fixed}) {
    EXPECT_EQ(mode_named(name_of(mode)), mode);
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
