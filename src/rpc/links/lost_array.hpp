// The error of a call that names an array which is not on the ranks, or not any more.
//
// Thrown by ranks. Thread-safety: a value.
#pragma once

#include <string>

#include "rpc/links/lost.hpp"

namespace tasuki::rpc {

class LostArray : public Lost {
 public:
  LostArray(const std::string& operation, const std::string& happened, const std::string& remedy)
      : Lost("lost-array", operation, happened, remedy) {}
};

}  // namespace tasuki::rpc
