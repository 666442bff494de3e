#include "transport/ucx/ways_text.hpp"

#include <algorithm>
#include <utility>

namespace tasuki::transport::ucx {
namespace {

std::string_view first_word(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  return text.substr(0, text.find(' '));
}

std::string_view last_word(std::string_view text) { return text.substr(text.rfind(' ') + 1); }

std::string_view behind(std::string_view text, std::string_view mark) {
  const std::size_t found = text.find(mark);
  return found == std::string_view::npos ? std::string_view() : text.substr(found + mark.size());
}

/// What `way_in` finds in the lines that contain `mark`, each once.
template <class WayIn>
std::vector<std::string> ways_in(std::string_view printed, std::string_view mark, WayIn way_in) {
  std::vector<std::string> ways;
  while (!printed.empty()) {
    const std::size_t end = std::min(printed.find('\n'), printed.size());
    const std::string_view line = printed.substr(0, end);
    printed.remove_prefix(std::min(end + 1, printed.size()));
    if (line.find(mark) == std::string_view::npos) continue;
    const std::string_view way = way_in(line);
    const bool is_new = std::find(ways.begin(), ways.end(), way) == ways.end();
    if (is_new && way.find('/') != std::string_view::npos) ways.emplace_back(way);
  }
  return ways;
}

bool is_tcp(std::string_view way) { return way.starts_with("tcp/"); }

}  // namespace

std::vector<std::string> ways_of_context(std::string_view printed) {
  return ways_in(printed, "resource ", last_word);
}

std::vector<std::string> ways_of_endpoint(std::string_view printed) {
  return ways_in(printed, "lane[", [](std::string_view line) {
    const std::string_view way = behind(first_word(behind(line, "]:")), ":");
    return way.substr(0, way.rfind('.'));
  });
}

std::vector<std::string> devices_of(const std::vector<std::string>& ways) {
  std::vector<std::string> devices;
  for (const std::string& way : ways) {
    std::string device = way.substr(way.find('/') + 1);
    const bool is_new = std::find(devices.begin(), devices.end(), device) == devices.end();
    if (is_new) devices.push_back(std::move(device));
  }
  return devices;
}

bool is_adapter(std::string_view device) { return device.find(':') != std::string_view::npos; }

bool has_adapter(const std::vector<std::string>& ways) {
  return std::ranges::any_of(
      ways, [](const std::string& way) { return !is_tcp(way) && is_adapter(way); });
}

bool has_tcp(const std::vector<std::string>& ways) { return std::ranges::any_of(ways, is_tcp); }

}  // namespace tasuki::transport::ucx
