// How the ranks of a measuring program hear the requests: rank 0 reads them, all answer, rank 0
// prints the answer. Called by the mains of the programs. Thread-safety: main thread only.
#pragma once

#include <cstddef>
#include <functional>
#include <span>

#include "measure/request.hpp"

namespace tasuki::measure {

/// The bytes of rank 0 to all ranks. Collective.
using Broadcast = std::function<void(std::span<std::byte>)>;
/// Answers a request other than `end`. Collective.
using AnswerRequest = std::function<apps::Json(const Request&)>;

/// Answers the lines on standard input of rank 0 until `end` (some launchers do not pass on the end
/// of the input) or their end. Collective.
void serve(int rank, const Broadcast& broadcast, const AnswerRequest& answer);

}  // namespace tasuki::measure
