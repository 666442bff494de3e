// The error of a call on an object which is not on the ranks, or not any more.
//
// Thrown by ranks. Thread-safety: a value.
#pragma once

#include <string>

#include "rpc/links/lost.hpp"

namespace tasuki::rpc {

class LostObject : public Lost {
 public:
  LostObject(const std::string& operation, const std::string& happened, const std::string& remedy)
      : Lost("lost-object", operation, happened, remedy) {}
};

}  // namespace tasuki::rpc
