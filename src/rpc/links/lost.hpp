// The error of a call that needs something which the ranks keep for clients: it is not there, not
// any more, or there is no room for it.
//
// Thrown on every rank alike, which then go on, and by clients when they are told. The C interface
// tells its kinds from other errors. Thread-safety: a value.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "rpc/wire/named_error.hpp"

namespace tasuki::rpc {

class Lost : public NamedError {
 public:
  using NamedError::NamedError;
};

/// Throws Lost if the ranks have refused the call: all of them, as they keep the same.
void check_not_refused(const std::vector<nlohmann::json>& answers);

}  // namespace tasuki::rpc
