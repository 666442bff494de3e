// The error of a call that has failed at a rank before its routine has begun.
//
// The rank is as it was before. If that is so of all ranks, they go on with other leases. Thrown by
// the server of calls. Thread-safety: a value.
#pragma once

#include <tasuki/error.hpp>

namespace tasuki::rpc {

class RefusedCall : public error {
 public:
  explicit RefusedCall(const error& fault) : error(fault) {}
};

}  // namespace tasuki::rpc
