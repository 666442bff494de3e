// The error of a transfer whose peer has moved next to nothing for longer than the time limit.
//
// Thrown by Socket; who has set the limit knows by which option others can change it.
// Thread-safety: a value.
#pragma once

#include <tasuki/error.hpp>

namespace tasuki::rpc {

class TooSlow : public error {
 public:
  using error::error;
};

}  // namespace tasuki::rpc
