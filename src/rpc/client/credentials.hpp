// What a client says of itself to a server.
//
// Given to Client; the interfaces for users make it from options and settings. Thread-safety: a
// value.
#pragma once

#include <string>

namespace tasuki::rpc {

struct Credentials {
  std::string token = {};  ///< Empty if the client has none.
  /// Has it been named for this server? Else it comes from a setting, and may be for others.
  bool is_token_given = false;
  std::string ca_file = {};  ///< Of authorities for servers' certificates; empty: the system's.
};

}  // namespace tasuki::rpc
