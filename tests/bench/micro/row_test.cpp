#include <gtest/gtest.h>

#include "micro/row.hpp"

namespace tasuki::bench {
namespace {

const Subject subject{"put_8B", "ns", "cache line one way"};

std::vector<Sample> samples(std::size_t count, double before_ns, double after_ns) {
  return std::vector<Sample>(count, Sample{70, 50, before_ns, after_ns});
}

TEST(row, levels_are_reported_apart) {
  std::vector<Sample> mixed = samples(samples_of_level_least, 50, 52);
  const std::vector<Sample> far = samples(samples_of_level_least, 250, 240);
  mixed.insert(mixed.end(), far.begin(), far.end());
  const std::vector<Row> rows = rows_of(subject, mixed);
  ASSERT_EQ(rows.size(), 2);
  EXPECT_EQ(rows[0].level, "far");
  EXPECT_EQ(rows[1].level, "near");
  EXPECT_DOUBLE_EQ(rows[1].value, 70);
  EXPECT_DOUBLE_EQ(rows[1].ratio, 1.4);
  EXPECT_DOUBLE_EQ(rows[1].cache_line_ns, 51);
}

TEST(row, samples_without_baseline_have_none) {
  const std::vector<Sample> alone(samples_of_level_least, Sample{70, 0, 50, 50});
  EXPECT_EQ(rows_of(subject, alone).at(0).baseline_name, "");
}

TEST(row, gives_its_size_in_json_where_there_is_one) {
  const std::vector<Sample> alone(samples_of_level_least, Sample{70, 0, 50, 50});
  EXPECT_FALSE(to_json(rows_of(subject, alone).at(0)).contains("size_bytes"));
  const Subject sized{"bulk_put_4KB", "GB/s", "memcpy", 4096};
  EXPECT_EQ(to_json(rows_of(sized, alone).at(0)).at("size_bytes"), 4096);
}

TEST(row, a_level_seen_by_accident_is_no_row) {
  std::vector<Sample> mixed = samples(samples_of_level_least, 50, 50);
  mixed.push_back(samples(1, 250, 250).front());
  ASSERT_EQ(rows_of(subject, mixed).size(), 1);
}

TEST(row, says_that_it_could_not_be_measured_and_why) {
  std::vector<Sample> jumping = samples(28, 50, 250);
  for (const Sample& sample : samples(2, 50, 50)) jumping.push_back(sample);
  const std::vector<Row> rows = rows_of(subject, jumping);
  ASSERT_EQ(rows.size(), 1);
  const apps::Json row = to_json(rows[0]);
  EXPECT_EQ(row["name"], "put_8B");
  for (const char* field : {"value", "level", "cache_line_ns"}) {
    EXPECT_TRUE(row.at(field).is_null()) << field;
  }
  EXPECT_EQ(row["repetitions"], 0);
  EXPECT_EQ(row["missing"],
            "the cache-line time before and after agreed for 2 of 30 samples, 5 of one level are "
            "needed: try again when nothing else runs");
}

TEST(row, has_a_baseline_in_json_where_there_is_one) {
  Row row;
  row.name = "put_8B";
  row.value = 60;
  EXPECT_FALSE(to_json(row).contains("baseline"));
  row.baseline_name = "cache line";
  row.baseline_value = 58;
  row.ratio = 1.03;
  EXPECT_EQ(to_json(row)["baseline"], "cache line");
  EXPECT_EQ(to_json(row)["baseline_value"], 58);
  EXPECT_EQ(to_json(row)["ratio"], 1.03);
}

}  // namespace
}  // namespace tasuki::bench
