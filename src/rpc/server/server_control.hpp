// What people do at a server besides calling: end a call, free what is left on the ranks. Users may
// do that to what is theirs.
//
// Owned by the front end, used by its page and by sessions of clients. Thread-safety: any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "rpc/server/audit_log.hpp"
#include "rpc/server/call_log.hpp"
#include "rpc/server/kept_table.hpp"
#include "rpc/server/module_table.hpp"
#include "rpc/server/user.hpp"

namespace tasuki::rpc {

/// Who asks, from where.
struct Person {
  const User& user;
  std::string host;  ///< Its address, in numbers.
};

class ServerControl {
 public:
  enum class Outcome : std::uint8_t {
    done,
    not_there,    ///< Not any more, or it has never been.
    not_allowed,  ///< It is another user's.
  };

  /// Requires: all outlive it.
  ServerControl(ModuleTable& modules, const CallLog& calls, KeptTable& kept, AuditLog& audit)
      : modules_(modules), calls_(calls), kept_(kept), audit_(audit) {}

  /// Ends the call of that number, which waits or is under way; its client is told by whom. Returns
  /// once it has ended.
  Outcome cancel(const Person& person, std::int64_t call);
  /// Frees an array or an object after the call under way. Of what others have left nobody learns
  /// whether it is there.
  Outcome free(const Person& person, const std::string& name);
  /// The same, but returns at once.
  Outcome begin_to_free(const Person& person, const std::string& name);

 private:
  std::optional<KeptTable::Unwanted> give_up(const Person& person, const std::string& name);

  ModuleTable& modules_;
  const CallLog& calls_;
  KeptTable& kept_;
  AuditLog& audit_;
};

}  // namespace tasuki::rpc
