// The data of one call: to each rank its blocks, and from each rank its results, over a connection
// of its own.
//
// Used by Client. Thread-safety: `run` uses a thread for each rank; one run at a time.
#pragma once

#include <exception>
#include <string>
#include <vector>

#include "rpc/client/array_argument.hpp"
#include "rpc/wire/socket.hpp"

namespace tasuki::rpc {

/// Where a rank waits for the call's data, and what lets the client in, once.
struct RankAddress {
  Endpoint endpoint;
  std::string ticket;
};

class Handoff {
 public:
  /// Requires: check() of the arrays has passed; they stay where they are.
  Handoff(const Routine& routine, CallLayout layout, const std::vector<ArrayArgument>& arrays);

  /// Returns when every rank has sent its results or failed: the first rank's error, if any.
  std::exception_ptr run(const std::vector<RankAddress>& ranks) const;

 private:
  void run_with(int rank, const RankAddress& address) const;

  const Routine& routine_;
  CallLayout layout_;
  std::vector<const ArrayArgument*> arrays_;  ///< Of each parameter; nullptr for scalars.
};

}  // namespace tasuki::rpc
