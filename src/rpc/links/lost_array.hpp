// The error of a call that names an array which is not on the ranks, or not any more.
//
// Thrown by clients; the C interface tells it from other errors. Thread-safety: a value.
#pragma once

#include <nlohmann/json.hpp>
#include <tasuki/error.hpp>
#include <vector>

namespace tasuki::rpc {

class LostArray : public error {
 public:
  using error::error;
};

/// Throws LostArray if the ranks have refused the call: all of them, as they keep the same arrays.
void check_not_refused(const std::vector<nlohmann::json>& answers);

}  // namespace tasuki::rpc
