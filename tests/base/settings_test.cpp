#include <gtest/gtest.h>
#include <tasuki/base/error.hpp>
#include <tasuki/base/settings.hpp>

#include <cstdlib>
#include <set>
#include <string>

namespace tasuki::base {
namespace {

class SettingsTest : public testing::Test {
 protected:
  void TearDown() override {
    for (const Setting* setting : all_settings()) unsetenv(setting->name);
    unsetenv("TASUKI_RING_BITES");
  }
};

TEST_F(SettingsTest, DefaultsAreWellFormed) { EXPECT_NO_THROW(check_environment()); }

TEST_F(SettingsTest, EveryNameIsDeclaredOnce) {
  std::set<std::string> names;
  for (const Setting* setting : all_settings()) {
    EXPECT_TRUE(names.insert(setting->name).second) << setting->name;
    EXPECT_TRUE(std::string(setting->help).ends_with('.')) << setting->name;
  }
}

TEST_F(SettingsTest, EnvironmentOverridesDefaultAndSuffixesScale) {
  EXPECT_EQ(setting::ring_bytes.integer(), 64 * 1024);
  setenv("TASUKI_RING_BYTES", "2M", 1);
  EXPECT_EQ(setting::ring_bytes.integer(), 2 * 1024 * 1024);
}

TEST_F(SettingsTest, UnknownNameSuggestsTheNearest) {
  setenv("TASUKI_RING_BITES", "1", 1);
  try {
    check_environment();
    FAIL() << "accepted";
  } catch (const error& e) {
    EXPECT_NE(e.remedy().find("TASUKI_RING_BYTES"), std::string::npos) << e.what();
  }
}

TEST_F(SettingsTest, MalformedValuesAreRefused) {
  for (const char* value : {"x", "-1", "1Q", "99999999999G"}) {
    setenv("TASUKI_RING_BYTES", value, 1);
    EXPECT_THROW(check_environment(), error) << value;
  }
  unsetenv("TASUKI_RING_BYTES");
  for (const char* value : {"inf", "1e300", "nan", "2000000000"}) {
    setenv("TASUKI_HANG_AFTER", value, 1);
    EXPECT_THROW(check_environment(), error) << value;
  }
  unsetenv("TASUKI_HANG_AFTER");
  setenv("TASUKI_CMA", "maybe", 1);
  EXPECT_THROW(check_environment(), error);
}

TEST_F(SettingsTest, TooSmallValuesAreRefusedAndHelpSaysSo) {
  EXPECT_NE(setting::aggregate_bytes.full_help().find("At least 512."), std::string::npos);
  setenv("TASUKI_AGGREGATE_BYTES", "512", 1);
  EXPECT_NO_THROW(check_environment());
  setenv("TASUKI_AGGREGATE_BYTES", "511", 1);
  try {
    check_environment();
    FAIL() << "accepted";
  } catch (const error& e) {
    EXPECT_NE(e.remedy().find("at least 512"), std::string::npos) << e.what();
  }
}

}  // namespace
}  // namespace tasuki::base
