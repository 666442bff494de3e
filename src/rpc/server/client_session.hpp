// Serves one client of the front end: says what there is, and leases modules.
//
// Used on the thread of the client's connection. Thread-safety: that thread alone; the modules may
// be shared.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "rpc/server/audit_log.hpp"
#include "rpc/server/call_log.hpp"
#include "rpc/server/kept_table.hpp"
#include "rpc/server/module_table.hpp"
#include "rpc/server/passages.hpp"
#include "rpc/server/server_control.hpp"
#include "rpc/server/staged_calls.hpp"
#include "rpc/server/staging_room.hpp"
#include "rpc/server/user.hpp"
#include "rpc/server/users.hpp"
#include "rpc/wire/socket.hpp"

namespace tasuki::rpc {

/// What all clients of a front end share.
struct ServerParts {
  ModuleTable& modules;
  const Users& users;
  Passages& passages;
  CallLog& log;
  AuditLog& audit;
  const KeptTable& kept;
  ServerControl& control;
  StagingRoom& staging_room;
};

class ClientSession {
 public:
  /// `number` tells clients apart. Requires: all outlive it.
  ClientSession(Socket& client, std::int64_t number, std::shared_ptr<const User> user,
                const ServerParts& server)
      : client_(client), number_(number), user_(std::move(user)), server_(server) {}
  /// Ends the client's leases.
  ~ClientSession();
  ClientSession(const ClientSession&) = delete;
  ClientSession& operator=(const ClientSession&) = delete;

  /// Returns: the answer to a message of the client; errors are answers, too.
  nlohmann::json answer(const nlohmann::json& message);

 private:
  nlohmann::json interfaces() const;
  nlohmann::json kept();
  /// The ranks tell of what they keep some time after the client has been answered.
  void await_news();
  /// Frees what any client of the user has left.
  nlohmann::json discard(const nlohmann::json& message);
  nlohmann::json lease(const nlohmann::json& message);
  /// Of a module that is offered now. Throws Retired if it is not any more.
  nlohmann::json lease_of(const RankGroup& module, const nlohmann::json& message);
  /// Returns: who the user is now. Throws NamedError if it is none any more.
  std::shared_ptr<const User> current_user() const;
  /// Throws NamedError if the user is none any more, or the client has another interface.
  void check_knowledge(RoutineProcesses& module, const nlohmann::json& message);
  nlohmann::json settle(const nlohmann::json& message);
  /// Lets the front end be the client's way to the ranks.
  void relay(nlohmann::json& leased);
  /// Lets the front end be to the client what a single rank would be.
  void stage(nlohmann::json& leased, const RankGroup& module, Staging staging);
  /// For the log file.
  nlohmann::json description() const;
  /// Who asks for what in a message of the client.
  CallOrigin origin_of(const nlohmann::json& message) const;
  void add_passage(const std::string& ticket, Passages::Passage passage);
  void forget_tickets();
  /// Of the module's groups of ranks the one that the client has had, else the least busy one.
  RankGroup find(const std::string& name) const;

  Socket& client_;
  std::int64_t number_;
  std::shared_ptr<const User> user_;
  const ServerParts server_;
  struct Lease {
    RankGroup module;
    std::int64_t number = 0;
  };
  std::map<std::string, Lease> leases_;  ///< The last of each module, by the module's name.
  std::vector<std::string> tickets_;     ///< Of passages that may still be asked for.
  bool has_spoken_ = false;
  std::set<RankGroup> used_;  ///< Whose ranks may keep arrays.
};

}  // namespace tasuki::rpc
