// Many functions of 1 KiB of code each, more than the first-level cache holds.
//
// Called by bench_idle, which fetches the code of the next one ahead. Thread-safety: any thread.
#pragma once

#include <cstddef>

namespace tasuki::bench {

inline constexpr std::size_t scattered_function_bytes = 1024;

using ScatteredFunction = int (*)(int value);

/// The one that is called with this number.
ScatteredFunction scattered_function(int number);

}  // namespace tasuki::bench
