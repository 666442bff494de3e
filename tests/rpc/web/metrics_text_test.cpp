#include "rpc/web/metrics_text.hpp"

#include <gtest/gtest.h>

namespace tasuki::rpc {
namespace {

TEST(MetricsTextTest, WritesHelpTypeAndSamples) {
  MetricsText metrics;
  metrics.begin("seconds", "histogram", "How long calls take.");
  metrics.add(std::int64_t{2}, {{"routine", "solve"}, {"le", "0.1"}}, "_bucket");
  metrics.add(0.25, {{"routine", "solve"}}, "_sum");
  metrics.begin("ranks", "gauge", "Ranks.");
  metrics.add(std::int64_t{3});
  EXPECT_EQ(metrics.text(),
            "# HELP seconds How long calls take.\n"
            "# TYPE seconds histogram\n"
            "seconds_bucket{routine=\"solve\",le=\"0.1\"} 2\n"
            "seconds_sum{routine=\"solve\"} 0.25\n"
            "# HELP ranks Ranks.\n"
            "# TYPE ranks gauge\n"
            "ranks 3\n");
}

TEST(MetricsTextTest, LabelsAreEscaped) {
  MetricsText metrics;
  metrics.begin("a", "gauge", "A.");
  metrics.add(std::int64_t{1}, {{"user", "a\"b\\c\nd"}});
  EXPECT_TRUE(metrics.text().ends_with("a{user=\"a\\\"b\\\\c\\nd\"} 1\n")) << metrics.text();
}

}  // namespace
}  // namespace tasuki::rpc
