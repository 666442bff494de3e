#include "rpc/server/served_module.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace tasuki::rpc {
namespace {

using nlohmann::json;

json described() {
  return json::parse(R"([{
    "interface": {"module": "m"}, "command": ["a", "b"], "ranks": 2, "keep_limit_bytes": 7,
    "is_warm": false, "documentation": [{"name": "f"}], "version": "v", "signature": "s"
  }])");
}

TEST(ServedModuleTest, IsReadAsItIsDescribed) {
  const ServedModule made = served_modules_from(described()).at(0);
  EXPECT_EQ(made.name(), "m");
  EXPECT_EQ(made.command, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(made.ranks, 2);
  EXPECT_EQ(made.keep_limit_bytes, 7);
  EXPECT_FALSE(made.is_warm);
  EXPECT_EQ(made.documentation.size(), 1U);
  EXPECT_EQ(made.version, "v");
  EXPECT_EQ(made.signature, "s");
}

// A reload keeps the ranks of modules that are equal.
TEST(ServedModuleTest, TwoAreEqualIfAllFieldsAre) {
  const ServedModule made = served_modules_from(described()).at(0);
  EXPECT_EQ(made, served_modules_from(described()).at(0));
  json other = described();
  other[0]["version"] = "w";
  EXPECT_NE(made, served_modules_from(other).at(0));
}

TEST(ServedModuleTest, AFieldThatIsMissingIsAnError) {
  const json whole = described();
  for (const auto& [name, value] : whole[0].items()) {
    json broken = whole;
    broken[0].erase(name);
    EXPECT_THROW(served_modules_from(broken), json::exception) << name;
  }
}

}  // namespace
}  // namespace tasuki::rpc
