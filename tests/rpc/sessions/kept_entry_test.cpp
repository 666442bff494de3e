#include "rpc/sessions/kept_entry.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <tasuki/error.hpp>

namespace tasuki::rpc {
namespace {

using nlohmann::json;

/// As docs/formats/server-api.md says.
json array_row() {
  return {{"name", "secret"},
          {"kind", "array"},
          {"module", "linpack"},
          {"routine", "solve"},
          {"argument", "A"},
          {"type", "float64"},
          {"shape", {2, 3}},
          {"bytes", 48},
          {"user", "ann"},
          {"client", {{"host", "127.0.0.1"}, {"number", 4}}},
          {"seconds", {{"age", 3.5}, {"unused", 1.5}, {"left", 58.5}}},
          {"is_being_freed", true}};
}

TEST(KeptEntryTest, AnArrayHasATypeAndExtents) {
  const std::vector<KeptEntry> entries = kept_entries(json::array({array_row()}));
  ASSERT_EQ(entries.size(), 1U);
  const KeptEntry& one = entries[0];
  EXPECT_EQ(one.name, "secret");
  EXPECT_EQ(one.module, "linpack");
  EXPECT_EQ(one.what, "solve.A");
  EXPECT_EQ(one.type, "float64");
  EXPECT_EQ(one.extents, (std::vector<std::int64_t>{2, 3}));
  EXPECT_EQ(one.bytes, 48);
  EXPECT_EQ(one.user, "ann");
  EXPECT_EQ(one.client, "127.0.0.1");
  EXPECT_EQ(one.age_s, 3.5);
  EXPECT_EQ(one.unused_s, 1.5);
  EXPECT_EQ(one.left_s, 58.5);
  EXPECT_TRUE(one.is_being_freed);
}

TEST(KeptEntryTest, AnObjectHasAClassAndMayLiveForEver) {
  json row = array_row();
  for (const char* field : {"routine", "argument", "type", "shape"}) row.erase(field);
  row["kind"] = "object";
  row["class"] = "Counter";
  row["seconds"]["left"] = nullptr;
  row["is_being_freed"] = false;
  const std::vector<KeptEntry> entries = kept_entries(json::array({row}));
  ASSERT_EQ(entries.size(), 1U);
  EXPECT_EQ(entries[0].what, "Counter");
  EXPECT_FALSE(entries[0].type);
  EXPECT_TRUE(std::isinf(entries[0].left_s));
  EXPECT_FALSE(entries[0].is_being_freed);
}

TEST(KeptEntryTest, WhatTheServerDoesNotTellIsAnError) {
  EXPECT_TRUE(kept_entries(json::array()).empty());
  const json whole = array_row();
  for (const auto& field : whole.items()) {
    json row = array_row();
    row.erase(field.key());
    EXPECT_THROW(kept_entries(json::array({row})), error) << field.key();
  }
}

}  // namespace
}  // namespace tasuki::rpc
