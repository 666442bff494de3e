// The processes of one module's program: started, joined, given one call at a time, and started
// again after a failure.
//
// Owned by the front end. Thread-safety: any thread; each connection has one.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "rpc/interface/module.hpp"
#include "rpc/server/process_group.hpp"
#include "rpc/wire/socket.hpp"

namespace tasuki::rpc {

/// What starts the ranks of a module, and how they find the front end.
struct RoutineProgram {
  std::vector<std::string> command;
  int ranks = 1;
  Endpoint front_end = {};
  std::string key = {};  ///< Lets them join.
};

class RoutineProcesses {
 public:
  RoutineProcesses(Module module, RoutineProgram program);

  const Module& module() const noexcept { return module_; }
  const std::string& key() const noexcept { return program_.key; }
  int ranks() const noexcept { return program_.ranks; }
  /// Throws tasuki::error if there is no such program.
  void start();

  /// A process joins by this connection. Returns when the connection has ended.
  void serve(const std::shared_ptr<Socket>& connection, const nlohmann::json& join);

  /// Calls a routine for the client: waits for its turn, tells the ranks, tells the client where
  /// they are, and waits until all are done. Returns: the seconds of each part, of each rank.
  /// Throws tasuki::error if a rank fails or ends, or the client goes; then all processes are ended
  /// and started anew.
  nlohmann::json call(Socket& client, std::int64_t number, const nlohmann::json& message);

 private:
  struct Member {
    std::shared_ptr<Socket> connection;
    std::uint16_t port = 0;
    std::optional<nlohmann::json> done = {};  ///< What it said of the call.
  };
  using Lock = std::unique_lock<std::mutex>;

  /// Waits until no other call is under way and all ranks have joined.
  void lease(Lock& lock, Socket& client);
  void send_call(Lock& lock, Socket& client, const nlohmann::json& message);
  nlohmann::json await_reports(Lock& lock, Socket& client);
  /// Throws tasuki::error if the member has failed.
  void check(std::size_t rank) const;
  void restart();
  /// Waits until the predicate holds; throws tasuki::error if the client goes meanwhile.
  template <class Predicate>
  void wait(Lock& lock, Socket& client, Predicate is_true);

  const Module module_;
  const RoutineProgram program_;
  std::mutex mutex_;
  std::condition_variable changed_;
  // Guarded by mutex_:
  ProcessGroup processes_;
  std::vector<Member> members_;
  bool is_leased_ = false;
  bool has_failed_ = false;  ///< A rank or a call: the processes have to be started anew.
  std::int64_t call_ = 0;    ///< The number of the call under way, or 0.
};

}  // namespace tasuki::rpc
