#include "rpc/web/metrics_text.hpp"

#include <fmt/format.h>

#include <iterator>

namespace tasuki::rpc {
namespace {

std::string escape(std::string_view value) {
  std::string escaped;
  for (const char letter : value) {
    if (letter == '\\' || letter == '"') escaped += '\\';
    if (letter == '\n') {
      escaped += "\\n";
    } else {
      escaped += letter;
    }
  }
  return escaped;
}

}  // namespace

void MetricsText::begin(std::string_view name, std::string_view type, std::string_view help) {
  name_ = name;
  fmt::format_to(std::back_inserter(text_), "# HELP {0} {1}\n# TYPE {0} {2}\n", name, help, type);
}

void MetricsText::add(double value, const Labels& labels, std::string_view suffix) {
  add_text(fmt::format("{}", value), labels, suffix);
}

void MetricsText::add(std::int64_t value, const Labels& labels, std::string_view suffix) {
  add_text(fmt::format("{}", value), labels, suffix);
}

void MetricsText::add_text(std::string_view value, const Labels& labels, std::string_view suffix) {
  std::string described;
  for (const auto& [name, label] : labels) {
    fmt::format_to(std::back_inserter(described), "{}{}=\"{}\"", described.empty() ? "" : ",", name,
                   escape(label));
  }
  const bool has_labels = !labels.empty();
  fmt::format_to(std::back_inserter(text_), "{}{}{}{}{} {}\n", name_, suffix, has_labels ? "{" : "",
                 described, has_labels ? "}" : "", value);
}

}  // namespace tasuki::rpc
