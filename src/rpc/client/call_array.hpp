// An array argument of a call: in the caller's memory, or already on the ranks.
//
// Used by Client. Thread-safety: a value.
#pragma once

#include <string>
#include <variant>

#include "rpc/links/exchange.hpp"

namespace tasuki::rpc {

/// An array that Client::put has left on the ranks.
struct KeptArray {
  std::string id;
};

using CallArray = std::variant<ArrayArgument, KeptArray>;

}  // namespace tasuki::rpc
