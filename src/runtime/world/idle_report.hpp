// The line that a rank appends at the end of the job to the file that TASUKI_PREDICT_REPORT names:
// what became of its predictions (docs/formats/prediction-report.md).
//
// Called by World. Thread-safety: none; the rank's own thread.
#pragma once

#include <string>
#include <tasuki/detail/runtime/world/idle_work.hpp>

namespace tasuki::runtime {

struct Rank;

/// With the end of the line.
std::string idle_report_line(const Rank& self, const IdleWork& work);
/// Does nothing if the setting names no file.
void append_idle_report(const Rank& self, const IdleWork& work);

}  // namespace tasuki::runtime
