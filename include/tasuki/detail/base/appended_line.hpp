// A line that each rank of a job appends to one file.
//
// Reports of ranks are written so. Thread-safety: any thread, any process.
#pragma once

#include <string>

namespace tasuki::base {

/// Appends `line`, which has its end, as a whole, however many processes do it at once. Makes the
/// file if there is none. Where it cannot be written a message says so, and the program runs on.
void append_line(const std::string& path, const std::string& line) noexcept;

}  // namespace tasuki::base
