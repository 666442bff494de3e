#include "rpc/wire/rank_seconds.hpp"

#include <algorithm>

#include "rpc/wire/frame.hpp"

namespace tasuki::rpc {
namespace {

double part_of(const nlohmann::json& seconds, const char* name) {
  return seconds.contains(name) ? field_of<double>(seconds, name) : 0;
}

}  // namespace

nlohmann::json to_json(const RankSeconds& seconds) {
  return {{"receive", seconds.receive},
          {"compute", seconds.compute},
          {"send", seconds.send},
          {"cpu", seconds.cpu}};
}

nlohmann::json report_of(const RankSeconds& seconds) {
  return {{"seconds",
           {{"receive", seconds.receive}, {"compute", seconds.compute}, {"send", seconds.send}}},
          {"threads", threads_of(seconds)}};
}

RankSeconds rank_seconds_from(const nlohmann::json& seconds) {
  return {part_of(seconds, "receive"), part_of(seconds, "compute"), part_of(seconds, "send"),
          part_of(seconds, "cpu")};
}

double threads_of(const RankSeconds& seconds) noexcept {
  return seconds.compute > 0 ? std::max(1.0, seconds.cpu / seconds.compute) : 1.0;
}

}  // namespace tasuki::rpc
