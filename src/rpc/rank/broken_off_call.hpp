// The error of a call that has failed at a rank after its routine has begun, as the client's
// connection has ended.
//
// The client may have ended it because another rank has failed: then that is the reason to be told.
// Thrown by the server of calls. Thread-safety: a value.
#pragma once

#include <tasuki/error.hpp>

namespace tasuki::rpc {

class BrokenOffCall : public error {
 public:
  explicit BrokenOffCall(const error& fault) : error(fault) {}
};

}  // namespace tasuki::rpc
