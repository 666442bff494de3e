#include <tasuki/detail/base/launcher_settings.hpp>
#include <tasuki/detail/base/settings.hpp>
#include <tasuki/detail/base/watch_settings.hpp>

#include <fmt/format.h>
#include <unistd.h>
#include <tasuki/error.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <optional>
#include <vector>

extern char** environ;

namespace tasuki::base {
namespace {

constexpr std::array all = {
    &setting::transport,
    &setting::mpi,
    &setting::plugin_dir,
    &setting::node_shm,
    &setting::mpi_threads,
    &setting::node_name,
    &setting::node_groups,
    &setting::shm_backing,
    &setting::ring_bytes,
    &setting::heap_max_bytes,
    &setting::cma,
    &setting::spin_us,
    &setting::sleep_after_us,
    &setting::stack_bytes,
    &setting::fiber_cap,
    &setting::aggregate_bytes,
    &setting::policy,
    &setting::reproducible,
    &setting::start_timeout,
    &setting::check_memory,
    &setting::hang_after,
    &setting::peer_timeout,
    &setting::loopback_ranks,
    &setting::loopback_seed,
    &setting::rsh,
    &setting::rank,
    &setting::size,
    &setting::job_fd,
    &setting::job_file,
    &setting::launcher_pid,
    &setting::wireup,
    &setting::exit_record,
    &setting::waiting_record,
    &setting::watched_job,
    &setting::profile_folder,
    &setting::profile_events,
    &setting::tuned,
    &setting::predict_report,
    &setting::predict_earlier,
    &setting::tuned_report,
    &setting::predict,
    &setting::server,
    &setting::server_key,
    &setting::token,
    &setting::token_file,
    &setting::ca_file,
    &setting::rpc_mode,
    &setting::rpc_wire,
    &setting::server_timeout,
};

[[noreturn]] void malformed(const Setting& setting, std::string_view text,
                            std::string_view wanted) {
  throw error("reading the settings", fmt::format("{}={} is not {}", setting.name, text, wanted),
              fmt::format("set it to {} or leave it unset (default {})", wanted,
                          *setting.default_text != '\0' ? setting.default_text : "none"));
}

std::string raw_text(const Setting& setting) {
  const char* value = std::getenv(setting.name);
  return value != nullptr && *value != '\0' ? value : setting.default_text;
}

std::optional<std::int64_t> parse_integer(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc() || value < 0) return std::nullopt;
  const std::string_view suffix(end, static_cast<std::size_t>(text.data() + text.size() - end));
  int shift = 0;
  if (suffix == "K") {
    shift = 10;
  } else if (suffix == "M") {
    shift = 20;
  } else if (suffix == "G") {
    shift = 30;
  } else if (!suffix.empty()) {
    return std::nullopt;
  }
  if (value > (INT64_MAX >> shift)) return std::nullopt;
  return value << shift;
}

/// 64K rather than 65536 where it counts bytes.
std::string as_written(std::int64_t value, std::string_view unit) {
  const char* suffix = "";
  for (const char* larger : {"K", "M", "G"}) {
    if (unit != "bytes" || value == 0 || value % kibi != 0) break;
    value /= kibi;
    suffix = larger;
  }
  return fmt::format("{}{}", value, suffix);
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t substituted = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({row[j] + 1, row[j + 1] + 1, substituted});
    }
  }
  return row[b.size()];
}

const Setting& nearest(std::string_view name) {
  return **std::min_element(all.begin(), all.end(), [&](const Setting* a, const Setting* b) {
    return edit_distance(name, a->name) < edit_distance(name, b->name);
  });
}

void check_value(const Setting& setting) {
  switch (setting.type) {
    case SettingType::integer:
      if (!raw_text(setting).empty()) setting.integer();
      break;
    case SettingType::seconds:
      setting.seconds();
      break;
    case SettingType::flag:
      setting.flag();
      break;
    case SettingType::text:
      break;
  }
}

}  // namespace

bool Setting::is_set() const {
  const char* value = std::getenv(name);
  return value != nullptr && *value != '\0';
}

std::string Setting::range_text() const {
  const bool is_number = type == SettingType::integer || type == SettingType::seconds;
  if (!is_number || range.most == INT64_MAX) return "";
  return fmt::format("from {} to {}", as_written(range.least, unit), as_written(range.most, unit));
}

std::string Setting::full_help() const {
  std::string wanted = range_text();
  if (wanted.empty()) return help;
  wanted.front() = 'F';
  return fmt::format("{} {}.", help, wanted);
}

std::string Setting::text() const { return raw_text(*this); }

std::int64_t Setting::integer() const {
  const std::string raw = raw_text(*this);
  const auto value = parse_integer(raw);
  if (value && range.contains(*value)) return *value;
  const std::string ends = range_text();
  malformed(*this, raw, ends.empty() ? "a number such as 4096 or 64K" : "a number " + ends);
}

double Setting::seconds() const {
  const std::string raw = raw_text(*this);
  char* end = nullptr;
  const double value = std::strtod(raw.c_str(), &end);
  const bool is_time = end != raw.c_str() && (*end == '\0' || std::strcmp(end, "s") == 0);
  if (is_time && value >= static_cast<double>(range.least) &&
      value <= static_cast<double>(range.most)) {
    return value;
  }
  malformed(*this, raw, "a time in seconds such as 2.5, " + range_text());
}

bool Setting::flag() const {
  const std::string raw = raw_text(*this);
  for (const char* yes : {"1", "yes", "on", "true"}) {
    if (raw == yes) return true;
  }
  for (const char* no : {"0", "no", "off", "false"}) {
    if (raw == no) return false;
  }
  malformed(*this, raw, "0 or 1");
}

std::span<const Setting* const> all_settings() noexcept { return all; }

void check_environment() {
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    if (!text.starts_with("TASUKI_")) continue;
    const std::string_view name = text.substr(0, text.find('='));
    const auto known = std::find_if(all.begin(), all.end(),
                                    [&](const Setting* setting) { return name == setting->name; });
    if (known == all.end()) {
      throw error("reading the settings", fmt::format("{} is not a setting of Tasuki", name),
                  fmt::format("did you mean {}? `tasuki info` lists them all", nearest(name).name));
    }
    check_value(**known);
  }
}

}  // namespace tasuki::base
