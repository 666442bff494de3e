// The ranks that the calls of a thread hold or wait for.
//
// Used by Client, which makes one for each call. While a call runs a function of the user's, its
// ranks serve nobody else: a call of that function would wait for them without an end.
// Thread-safety: the thread that makes it ends it.
#pragma once

#include <string>

namespace tasuki::rpc {

class HeldRanks {
 public:
  /// `server` is an address, the same however the server is named. Throws tasuki::error if a call
  /// of this thread has the ranks already.
  HeldRanks(const std::string& server, const std::string& module);
  ~HeldRanks();
  HeldRanks(const HeldRanks&) = delete;
  HeldRanks& operator=(const HeldRanks&) = delete;
};

}  // namespace tasuki::rpc
