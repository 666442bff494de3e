// Who asks for the ranks of a module, and what each rank is told when they are leased.
//
// Made for a client's session, used by a module's processes. Thread-safety: a value.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "rpc/server/call_record.hpp"
#include "rpc/server/user.hpp"
#include "rpc/wire/socket.hpp"

namespace tasuki::rpc {

struct LeaseRequest {
  CallOrigin origin;
  std::shared_ptr<const User> user;
  std::optional<Endpoint> call_back = {};  ///< Where it waits for the ranks, if it does.
  bool is_staged = false;                  ///< Its arrays pass through the front end.
  /// Who `user` is now, asked again when it gets the ranks. Throws NamedError if the user is none
  /// any more.
  std::function<std::shared_ptr<const User>()> current_user = {};
};

/// What the front end says of the lease.
struct LeaseTerms {
  std::int64_t number = 0;
  std::int64_t call_most_bytes = 0;
  double client_most_s = 0;  ///< The client may do next to nothing, and hold up the ranks.
  std::vector<std::int64_t> gone_clients = {};  ///< Since the lease before.
};

/// Returns: the message to a rank (docs/formats/wire.md) without its ticket.
nlohmann::json lease_order(const LeaseRequest& request, const LeaseTerms& terms);

}  // namespace tasuki::rpc
