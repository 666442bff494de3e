#include "transport/ucx/tcp_settings.hpp"

#include <algorithm>
#include <cstdlib>

#include "transport/ucx/user_setting.hpp"
#include "transport/ucx/ways_text.hpp"

namespace tasuki::transport::ucx {
namespace {

/// A rank that receives from all others at once has up to two segments of each in memory: one, and
/// what has come behind it. At most this in all, unless the ranks are so many that UCX's own
/// segments are more.
constexpr std::size_t segments_most_bytes = std::size_t{64} << 20;
constexpr std::size_t segments_per_peer = 2;
/// UCX's own size, and the size from which on more brought nothing (docs/design/ucx.md).
constexpr std::size_t segment_least_bytes = std::size_t{64} << 10;
constexpr std::size_t segment_most_bytes = std::size_t{1} << 20;

struct Setting {
  std::string name;
  std::string value;
};

std::vector<Setting> settings_for(std::size_t rank_count) {
  return {
      // By itself UCX waits inside connect(), where nothing else of the rank gets on: minutes, if
      // something drops what is sent.
      {"TCP_CONN_NB", "y"},
      {"TCP_RX_SEG_SIZE", std::to_string(tcp_segment_bytes(rank_count))},
  };
}

}  // namespace

std::size_t tcp_segment_bytes(std::size_t rank_count) noexcept {
  return std::clamp(segments_most_bytes / (segments_per_peer * rank_count), segment_least_bytes,
                    segment_most_bytes);
}

TcpSettings::TcpSettings(const std::vector<std::string>& ways, std::size_t rank_count) {
  if (!has_tcp(ways)) return;
  for (const Setting& setting : settings_for(rank_count)) {
    if (is_set_by_user(setting.name)) continue;
    ::setenv(names_.emplace_back("UCX_" + setting.name).c_str(), setting.value.c_str(), 1);
  }
}

TcpSettings::~TcpSettings() {
  for (const std::string& name : names_) ::unsetenv(name.c_str());
}

}  // namespace tasuki::transport::ucx
