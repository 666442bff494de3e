#include "runtime/world/idle_report.hpp"

#include <fmt/format.h>

#include <tasuki/detail/base/appended_line.hpp>
#include <tasuki/detail/base/settings.hpp>
#include <tasuki/detail/runtime/calls/rank.hpp>

#include "runtime/calls/dispatcher.hpp"

namespace tasuki::runtime {

std::string idle_report_line(const Rank& self, const IdleWork& work) {
  const predict::Counters& early = self.dispatcher->early_receives().counters();
  predict::Counters counters = work.counters();
  counters += early;
  return fmt::format(
      "{{\"rank\": {}, \"ranks\": {}, \"mode\": \"{}\", \"receives\": {}, \"idle\": {}, "
      "\"predicted\": {}, \"hit\": {}, \"miss\": {}, \"redone\": {{\"result\": {}, "
      "\"receive\": {}}}, \"committed\": {}}}\n",
      self.rank, self.size, name_of(work.mode()), self.transport.counters().receives, counters.idle,
      counters.predicted, counters.hit, counters.miss, work.counters().redone, early.redone,
      counters.committed);
}

void append_idle_report(const Rank& self, const IdleWork& work) {
  if (!base::setting::predict_report.is_set()) return;
  base::append_line(base::setting::predict_report.text(), idle_report_line(self, work));
}

}  // namespace tasuki::runtime
