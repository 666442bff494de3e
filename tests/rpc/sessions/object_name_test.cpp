#include "rpc/sessions/object_name.hpp"

#include <gtest/gtest.h>

#include <tasuki/error.hpp>

namespace tasuki::rpc {
namespace {

TEST(ObjectNameTest, ItsTextIsReadAsTheSameName) {
  const ObjectName name{"stats", "Counter", "12ab"};
  EXPECT_EQ(name.text(), "stats/Counter/12ab");
  EXPECT_EQ(name.method("add"), "Counter.add");
  const ObjectName read = object_name(name.text());
  EXPECT_EQ(read.module, "stats");
  EXPECT_EQ(read.class_name, "Counter");
  EXPECT_EQ(read.id, "12ab");
}

TEST(ObjectNameTest, OtherTextsNameNoObject) {
  for (const char* text : {"", "stats", "stats/Counter"}) EXPECT_THROW(object_name(text), error);
}

}  // namespace
}  // namespace tasuki::rpc
