// A call with all that it needs, to be made now or in a session.
//
// Made by the interfaces for C. Thread-safety: a value; the arrays
// are the caller's.
#pragma once

#include <functional>
#include <string>

#include "rpc/client/call_fault.hpp"
#include "rpc/sessions/call_arguments.hpp"
#include "rpc/sessions/client_pool.hpp"
#include "rpc/sessions/routine_name.hpp"
#include "rpc/sessions/session_table.hpp"

namespace tasuki::rpc {

/// The connection to the server has ended during a call.
class ConnectionLost : public CallFault {
 public:
  explicit ConnectionLost(const CallFault& fault) : CallFault(fault) {}
};

class RoutineCall {
 public:
  /// Requires: `found` is among the client's routines.
  /// `object` is by what the ranks know the one whose method it is.
  RoutineCall(ClientPool::Taken client, const FoundRoutine& found, CallArguments arguments,
              std::string object = "");

  /// Returns when the results are in the caller's arrays. Throws ConnectionLost; tasuki::error if
  /// the call fails.
  CallReport operator()() const;
  /// The same in a session, which has the client until the call is done, and whose thread then
  /// gives the report to `keep`.
  static SessionWork in_session(RoutineCall call,
                                std::function<void(int session, CallReport report)> keep = {});

 private:
  ClientPool::Taken client_;
  std::string module_;
  std::string routine_;
  CallArguments arguments_;
  std::string object_;
};

}  // namespace tasuki::rpc
