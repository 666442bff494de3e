#include "runtime/world/idle_report.hpp"

#include <fmt/format.h>

#include <tasuki/detail/base/appended_line.hpp>
#include <tasuki/detail/base/settings.hpp>
#include <tasuki/detail/runtime/calls/rank.hpp>

namespace tasuki::runtime {

void append_idle_report(const Rank& self, const IdleWork& work) {
  if (!base::setting::predict_report.is_set()) return;
  const predict::Counters& counters = work.counters();
  base::append_line(
      base::setting::predict_report.text(),
      fmt::format("{{\"rank\": {}, \"ranks\": {}, \"mode\": \"{}\", \"receives\": {}, "
                  "\"idle\": {}, \"predicted\": {}, \"hit\": {}, \"miss\": {}, "
                  "\"redone\": {{\"result\": {}}}, \"committed\": {}}}\n",
                  self.rank, self.size, name_of(work.mode()), self.transport.counters().receives,
                  counters.idle, counters.predicted, counters.hit, counters.miss, counters.redone,
                  counters.committed));
}

}  // namespace tasuki::runtime
