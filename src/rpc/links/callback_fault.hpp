// The error of a call whose callback has failed in the client.
//
// Thrown where the callback is served; the call is given up. Thread-safety: a value.
#pragma once

#include <tasuki/error.hpp>

namespace tasuki::rpc {

class CallbackFault : public error {
 public:
  using error::error;
};

}  // namespace tasuki::rpc
