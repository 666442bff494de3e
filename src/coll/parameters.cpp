#include <tasuki/detail/coll/parameters.hpp>

#include <fmt/format.h>
#include <tasuki/detail/base/assert.hpp>
#include <tasuki/error.hpp>

#include <algorithm>
#include <charconv>

namespace tasuki::coll {
namespace {

auto find(const std::vector<std::pair<std::string, std::int64_t>>& values, std::string_view name) {
  return std::find_if(values.begin(), values.end(),
                      [&](const auto& value) { return value.first == name; });
}

}  // namespace

Parameters Parameters::parse(std::string_view text) {
  Parameters parameters;
  while (!text.empty()) {
    const std::string_view item = text.substr(0, text.find(','));
    text.remove_prefix(std::min(text.size(), item.size() + 1));
    const std::size_t equals = item.find('=');
    std::int64_t value = 0;
    bool well_formed = equals != std::string_view::npos && equals != 0;
    if (well_formed) {
      const char* end = item.data() + item.size();
      const auto [stop, failure] = std::from_chars(item.data() + equals + 1, end, value);
      well_formed = failure == std::errc() && stop == end;
    }
    if (!well_formed) {
      throw error("reading parameters", fmt::format("'{}' is not name=number", item),
                  "write them as radix=4,segment_bytes=32768");
    }
    parameters.set(item.substr(0, equals), value);
  }
  return parameters;
}

void Parameters::set(std::string_view name, std::int64_t value) {
  const auto found = find(values_, name);
  if (found == values_.end()) {
    values_.emplace_back(name, value);
  } else {
    values_[static_cast<std::size_t>(found - values_.begin())].second = value;
  }
}

std::int64_t Parameters::get(std::string_view name) const {
  const auto found = find(values_, name);
  TASUKI_ASSERT(found != values_.end());
  return found->second;
}

bool Parameters::contains(std::string_view name) const noexcept {
  return find(values_, name) != values_.end();
}

std::string Parameters::to_text() const {
  std::string text;
  for (const auto& [name, value] : values_) {
    text += fmt::format("{}{}={}", text.empty() ? "" : ",", name, value);
  }
  return text;
}

}  // namespace tasuki::coll
