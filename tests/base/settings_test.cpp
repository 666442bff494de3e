#include <gtest/gtest.h>
#include <tasuki/detail/base/settings.hpp>
#include <tasuki/error.hpp>

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

TEST_F(SettingsTest, HelpSaysTheRange) {
  EXPECT_TRUE(setting::aggregate_bytes.full_help().ends_with(" From 512 to 64M."))
      << setting::aggregate_bytes.full_help();
  EXPECT_TRUE(setting::fiber_cap.full_help().ends_with(" From 1 to 1048576."));
  EXPECT_TRUE(setting::hang_after.full_help().ends_with(" From 0 to 1000000000."));
  EXPECT_EQ(setting::loopback_seed.full_help(), setting::loopback_seed.help) << "any will do";
  EXPECT_EQ(setting::cma.full_help(), setting::cma.help);
}

TEST_F(SettingsTest, DefaultsAreInTheirRange) {
  for (const Setting* setting : all_settings()) {
    if (*setting->default_text == '\0') continue;
    if (setting->type == SettingType::integer) {
      EXPECT_NO_THROW(setting->integer()) << setting->name;
    } else if (setting->type == SettingType::seconds) {
      EXPECT_NO_THROW(setting->seconds()) << setting->name;
    }
  }
}

TEST_F(SettingsTest, ValuesOutsideTheRangeAreRefusedWithIt) {
  struct Case {
    const Setting* setting;
    const char* accepted;
    const char* refused;
    const char* range;
  };
  const Case cases[] = {
      {&setting::aggregate_bytes, "512", "511", "from 512 to 64M"},
      {&setting::aggregate_bytes, "64M", "65M", "from 512 to 64M"},
      {&setting::stack_bytes, "1G", "1000000000000000000", "from 16K to 1G"},
      {&setting::stack_bytes, "16K", "0", "from 16K to 1G"},
      {&setting::heap_max_bytes, "65536G", "65537G", "from 1 to 65536G"},
      {&setting::fiber_cap, "1", "0", "from 1 to 1048576"},
      {&setting::fiber_cap, "1M", "10000000000000000000000", "from 1 to 1048576"},
      {&setting::ring_bytes, "16K", "8K", "from 16K to 1G"},
      {&setting::spin_us, "0", "9223372036854775807", "from 0 to 3600000000"},
      {&setting::loopback_ranks, "33", "0", "from 1 to 4096"},
      {&setting::start_timeout, "1e9", "1.1e9", "from 0 to 1000000000"},
      {&setting::rank, "7", "4294967296", "from 0 to 2147483646"},
  };
  for (const Case& one : cases) {
    setenv(one.setting->name, one.accepted, 1);
    EXPECT_NO_THROW(check_environment()) << one.setting->name << " " << one.accepted;
    setenv(one.setting->name, one.refused, 1);
    try {
      check_environment();
      ADD_FAILURE() << one.setting->name << " accepts " << one.refused;
    } catch (const error& e) {
      EXPECT_NE(std::string(e.what()).find(one.setting->name), std::string::npos) << e.what();
      EXPECT_NE(e.remedy().find(one.range), std::string::npos) << e.what();
    }
    unsetenv(one.setting->name);
  }
}

}  // namespace
}  // namespace tasuki::base
