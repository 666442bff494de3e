// Who waits for the ranks of a module: the leases in the order in which clients have asked.
//
// Owned by the module's processes, whose mutex guards it. Thread-safety: none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <optional>

#include "rpc/server/lease_state.hpp"
#include "rpc/server/user.hpp"

namespace tasuki::rpc {

class Turns {
 public:
  void add(std::int64_t lease, std::shared_ptr<const User> user);
  /// The lease waits no more. Returns: was its turn cancelled?
  bool remove(std::int64_t lease);
  std::size_t size() const noexcept { return all_.size(); }
  bool empty() const noexcept { return all_.empty(); }
  /// Is the lease the next one? Requires: it waits.
  bool is_next(std::int64_t lease) const noexcept { return all_.front().lease == lease; }

  /// `fault` is what the client will be told. Returns: false if the lease does not wait.
  bool cancel(std::int64_t lease, const LeaseFault& fault);
  /// The same of all whose user is meant.
  void cancel_if(const std::function<bool(const User&)>& is_meant, const LeaseFault& fault);
  /// Returns: why the turn was cancelled; nothing if it was not, or is none.
  std::optional<LeaseFault> fault_of(std::int64_t lease) const;

 private:
  struct Turn {
    std::int64_t lease = 0;
    std::shared_ptr<const User> user;
    std::optional<LeaseFault> fault = {};  ///< The first one.
  };

  std::list<Turn> all_;
};

}  // namespace tasuki::rpc
