// The error of a call that a client has made, which says whether the call may have run.
//
// Thrown by Client for what happens once it has turned to a server; the interfaces for users pass
// it on. Errors of arguments are others: such calls have not run. Thread-safety: a value.
#pragma once

#include <fmt/format.h>

#include <exception>
#include <string>
#include <tasuki/error.hpp>

#include "rpc/wire/named_error.hpp"

namespace tasuki::rpc {

/// Other libraries throw if this process has no memory left, or the server has sent wrong JSON.
inline error as_error(const std::exception& fault) {
  if (const auto* const own = dynamic_cast<const error*>(&fault)) return *own;
  return {"call", fault.what(), "give this process more memory, or call a server of Tasuki's"};
}

class CallFault : public NamedError {
 public:
  /// `fault` is what happened, to whose text it adds whether the call may have run.
  CallFault(const error& fault, bool may_have_run)
      : NamedError(kind_of(fault), fault.operation(),
                   fmt::format("{}; {}", fault.happened(),
                               may_have_run ? "the call may have run" : "the call has not run"),
                   fault.remedy()),
        may_have_run_(may_have_run) {}

  bool may_have_run() const noexcept { return may_have_run_; }

 private:
  bool may_have_run_;
};

}  // namespace tasuki::rpc
