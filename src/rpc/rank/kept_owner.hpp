// Whose an array or an object on the ranks is.
//
// A client's things end with it; all clients of its user may use them. Thread-safety: a value.
#pragma once

#include <cstdint>
#include <string>

namespace tasuki::rpc {

struct KeptOwner {
  std::int64_t client = 0;
  std::string user = {};  ///< Empty where the server knows no users.
};

}  // namespace tasuki::rpc
