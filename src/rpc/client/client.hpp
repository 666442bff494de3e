// A client of a server: asks which routines there are, and calls them with arrays of the caller.
//
// The front end leases the ranks of a module to the client, and then client and ranks communicate
// directly, from call to call, until another client wants them. The C interface and Python's client
// are made of it. Thread-safety: one thread at a time for each client, but for cancel and progress.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "rpc/interface/module.hpp"
#include "rpc/links/rank_links.hpp"
#include "rpc/links/remote_call.hpp"
#include "rpc/wire/socket.hpp"

namespace tasuki::rpc {

/// How far the data of a call has come: bytes sent and received, of so many in all.
struct Progress {
  std::int64_t moved_bytes = 0;
  std::int64_t total_bytes = 0;
};

class Client {
 public:
  /// Throws tasuki::error if no server of Tasuki answers there.
  explicit Client(const Endpoint& server);

  const std::vector<Module>& modules() const noexcept { return modules_; }

  /// Calls a routine and returns when its results are in the arrays, of which there is one for each
  /// array parameter, in order. Returns: the report of the call. Throws tasuki::error that names
  /// the argument at fault, or the rank that failed.
  nlohmann::json call(const std::string& module, const std::string& routine,
                      const nlohmann::json& scalars, const std::vector<ArrayArgument>& arrays);

  /// Ends the connections: a call under way fails, and so do later ones. Any thread.
  void cancel() noexcept;
  /// Of the call under way; nothing of nothing if there is none. Any thread.
  Progress progress() const;

 private:
  /// What a call is, before it is known on how many ranks.
  struct Asked {
    const std::string& module;
    const Routine& routine;
    const nlohmann::json& scalars;
    const Integers& integers;
    const std::vector<ArrayArgument>& arrays;
  };

  const Routine& find(const std::string& module, const std::string& routine) const;
  /// The connections to the module's ranks: those of the calls before, or of a new lease.
  RankLinks& links_to(const std::string& module);
  void forget_links(const std::string& module);
  struct EndOfProgress;
  void begin_progress(const RankLinks& links, std::int64_t total_bytes);
  void end_progress();
  nlohmann::json call_ranks(RankLinks& links, const Asked& asked);
  /// A call has failed: ends the lease. Returns: false if the call has not begun on any rank, as
  /// another client was given them. Throws tasuki::error with what the front end knows.
  bool has_begun(const std::string& module, std::int64_t call);
  /// Asks the front end. Returns: the answer; a refusal is thrown as tasuki::error.
  nlohmann::json ask(const nlohmann::json& message);

  Socket server_;
  std::vector<Module> modules_;
  std::atomic<bool> is_cancelled_ = false;
  mutable std::mutex mutex_;  ///< Guards what follows, but for the links themselves.
  std::map<std::string, RankLinks> links_;
  const RankLinks* calling_ = nullptr;
  std::int64_t moved_before_bytes_ = 0;
  std::int64_t total_bytes_ = 0;
};

}  // namespace tasuki::rpc
