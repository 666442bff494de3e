// The error of a call that has failed where it was served, as the answer says.
//
// Thrown by connections to ranks; unlike a connection that ends, it says that the call was begun.
// Thread-safety: a value.
#pragma once

#include <nlohmann/json.hpp>
#include <tasuki/error.hpp>

namespace tasuki::rpc {

class FailedCall : public error {
 public:
  using error::error;
};

/// The message that tells a client of it.
inline nlohmann::json failure_of(const error& fault) {
  return {{"message", "failed"}, {"happened", fault.happened()}, {"remedy", fault.remedy()}};
}

}  // namespace tasuki::rpc
