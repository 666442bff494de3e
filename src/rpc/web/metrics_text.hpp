// Writes metrics in the text format of Prometheus.
//
// Used by the front end to answer /metrics. Thread-safety: none.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tasuki::rpc {

class MetricsText {
 public:
  using Labels = std::vector<std::pair<std::string_view, std::string_view>>;

  /// The samples that follow are of this metric. `type` is counter, gauge or histogram.
  void begin(std::string_view name, std::string_view type, std::string_view help);
  /// A sample of the metric, or of one whose name is longer by `suffix`.
  void add(double value, const Labels& labels = {}, std::string_view suffix = "");
  void add(std::int64_t value, const Labels& labels = {}, std::string_view suffix = "");

  const std::string& text() const noexcept { return text_; }

 private:
  void add_text(std::string_view value, const Labels& labels, std::string_view suffix);

  std::string text_;
  std::string name_;
};

}  // namespace tasuki::rpc
