// Records of the library's own that nobody waits for: questions of the hang report, the call to a
// round of quiescence. They are counted apart from calls, so that the job does not end with one
// under way, and a question does not count as progress.
//
// Each handler counts itself as done by `service_record_done`, after what it sends itself.
//
// Thread-safety: the rank's own thread.
#pragma once

#include <tasuki/detail/runtime/calls/rank.hpp>
#include <tasuki/detail/runtime/calls/send_values.hpp>

namespace tasuki::runtime {

/// As send_values.
template <class... Ts>
void send_service_record(Rank& self, int rank, Handler handler, const Ts&... values) {
  self.traffic.service_records.begin([&] { send_values(self.sender, rank, handler, values...); });
}

inline void service_record_done(Rank& self) { ++self.traffic.service_records.done; }

}  // namespace tasuki::runtime
