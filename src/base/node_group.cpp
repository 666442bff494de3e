#include "base/node_group.hpp"

#include <fmt/format.h>
#include <fnmatch.h>
#include <tasuki/detail/base/settings.hpp>
#include <tasuki/error.hpp>

#include <cctype>
#include <ranges>
#include <string>

#include "base/host_name.hpp"

namespace tasuki::base {
namespace {

std::string trimmed(std::string_view text) {
  const auto is_space = [](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; };
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return std::string(text);
}

/// With its domain or without.
bool matches(const std::string& pattern, const std::string& host) {
  const std::string short_name = host.substr(0, host.find('.'));
  return ::fnmatch(pattern.c_str(), host.c_str(), 0) == 0 ||
         ::fnmatch(pattern.c_str(), short_name.c_str(), 0) == 0;
}

std::string own_name() {
  std::string given = setting::node_name.text();
  return given.empty() ? host_name() : given;
}

}  // namespace

int node_group_of(std::string_view host, std::string_view groups) {
  if (trimmed(groups).empty()) return -1;
  int number = 0;
  for (const auto group : std::views::split(groups, ';')) {
    for (const auto pattern :
         std::views::split(std::string_view(group.begin(), group.end()), ',')) {
      const std::string_view text(pattern.begin(), pattern.end());
      if (matches(trimmed(text), std::string(host))) return number;
    }
    ++number;
  }
  throw error("finding the group of this host",
              fmt::format("{} is in none of the groups '{}'", host, groups),
              fmt::format("add it to one of them in {}, or unset that", setting::node_groups.name));
}

int own_node_group() { return node_group_of(own_name(), setting::node_groups.text()); }

}  // namespace tasuki::base
