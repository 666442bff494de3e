// Calls functions of the client for the routine that runs.
//
// Made by the server of calls for each call. Thread-safety: the thread that runs routines.
#pragma once

#include <string_view>

#include "rpc/interface/call_layout.hpp"
#include "rpc/wire/socket.hpp"
#include "rpc/wire/wire_format.hpp"

namespace tasuki::rpc {

class CallbackCaller {
 public:
  /// `message` is that of the call. Requires: the others outlive it.
  CallbackCaller(const Routine& routine, const nlohmann::json& message, int rank, Socket& client);

  /// `arguments` has a pointer to each array of the callback. Returns when the results are there.
  /// Throws tasuki::error if the routine has no such callback, this is not rank 0, or the client
  /// has gone, as it does when its function fails.
  void call(std::string_view name, void* const* arguments);

 private:
  const Routine& routine_;
  Integers integers_;
  WireFormat wire_;
  int rank_;
  Socket& client_;
};

}  // namespace tasuki::rpc
