#include "rpc/server/told_hosts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>

namespace tasuki::rpc {
namespace {

constexpr std::string_view digits = "0123456789";
constexpr std::string_view has_vanished = " has vanished";
constexpr std::string_view have_vanished = " have vanished";
constexpr std::string_view is_unreachable = " cannot be reached any more";
/// Watchers tell no more of a host's name.
constexpr std::size_t told_name_bytes = 47;
/// More than an error can name; whatever a routine prints, the memory for it is bounded.
constexpr std::size_t hosts_most = 64;

/// Removes the word from the begin of the text. Returns: was it there?
bool take_word(std::string_view& text, std::string_view word) {
  if (!text.starts_with(word)) return false;
  text.remove_prefix(word.size());
  return true;
}

/// As in "rank 0: ", which ranks say and launchers do not.
void skip_speaker(std::string_view& text) {
  std::string_view rest = text;
  if (!take_word(rest, "rank ")) return;
  rest.remove_prefix(std::min(rest.find_first_not_of(digits), rest.size()));
  if (take_word(rest, ": ")) text = rest;
}

/// Returns: the name of the host in a text as "host b with ranks 2-3, 6"; "" of any other text.
std::string_view name_in(std::string_view host) {
  if (!take_word(host, "host ")) return {};
  const std::string_view name = host.substr(0, host.find(' '));
  host.remove_prefix(name.size());
  if (!take_word(host, " with ranks ") && !take_word(host, " with rank ")) return {};
  const bool are_ranks = !host.empty() && digits.find(host.front()) != digits.npos &&
                         host.find_first_not_of("0123456789-, ") == std::string_view::npos;
  return are_ranks ? name : std::string_view();
}

std::vector<std::string_view> split(std::string_view text) {
  std::vector<std::string_view> parts;
  constexpr std::string_view between = "; ";
  for (auto end = text.find(between); end != text.npos; end = text.find(between)) {
    parts.push_back(text.substr(0, end));
    text.remove_prefix(end + between.size());
  }
  parts.push_back(text);
  return parts;
}

bool is_name_of(std::string_view name, const std::string& host) {
  return name == host || (name.size() >= told_name_bytes && host.starts_with(name));
}

}  // namespace

void ToldHosts::take(std::string_view line) {
  if (!take_word(line, "tasuki: ")) return;
  skip_speaker(line);
  for (const std::string_view happened : {has_vanished, have_vanished, is_unreachable}) {
    const std::size_t at = line.find(happened);
    if (at == line.npos) continue;
    const std::string_view rest = line.substr(at + happened.size());
    if (!rest.empty() && rest.front() != ':' && rest.front() != '.') continue;
    const std::vector<std::string_view> hosts = split(line.substr(0, at));
    const auto is_wrong = [this](std::string_view host) {
      const std::string_view name = name_in(host);
      return name.empty() || is_name_of(name, own_);
    };
    if (std::ranges::any_of(hosts, is_wrong)) continue;
    for (const std::string_view host : hosts) {
      const bool is_known = std::ranges::any_of(told_, [&](auto& one) { return one.host == host; });
      if (is_known || told_.size() == hosts_most) continue;
      told_.push_back(
          {std::string(host), std::string(happened == have_vanished ? has_vanished : happened)});
    }
    return;
  }
}

std::string ToldHosts::text() const {
  std::vector<std::string> hosts;
  for (const Told& one : told_) hosts.push_back(one.host + one.happened);
  return fmt::format("{}", fmt::join(hosts, "; "));
}

}  // namespace tasuki::rpc
