// The error of a call that names an array which is not on the ranks, or not any more.
//
// Thrown by clients; the C interface tells it from other errors. Thread-safety: a value.
#pragma once

#include <tasuki/error.hpp>

namespace tasuki::rpc {

class LostArray : public error {
 public:
  using error::error;
};

}  // namespace tasuki::rpc
