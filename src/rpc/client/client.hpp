// A client of a server: asks which routines there are, and calls them with arrays of the caller.
//
// The front end leases the ranks of a module to the client, and then client and ranks communicate
// directly, from call to call, until another client wants them. Of several servers the client uses
// one, and goes on to the next when that serves no more. The C interface and Python's client are
// made of it. Thread-safety: one thread at a time for each client, but for cancel, end and
// progress.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "rpc/client/call_array.hpp"
#include "rpc/client/call_report.hpp"
#include "rpc/client/client_function.hpp"
#include "rpc/client/credentials.hpp"
#include "rpc/client/keep_allowance.hpp"
#include "rpc/client/server_link.hpp"
#include "rpc/client/server_tries.hpp"
#include "rpc/client/transfer_mode.hpp"
#include "rpc/interface/call_layout.hpp"
#include "rpc/interface/module.hpp"
#include "rpc/links/rank_links.hpp"
#include "rpc/wire/socket.hpp"
#include "rpc/wire/wire_format.hpp"

namespace tasuki::rpc {

/// How far the data of a call has come: bytes sent and received, of so many in all.
struct Progress {
  std::int64_t moved_bytes = 0;
  std::int64_t total_bytes = 0;
};

class Client {
 public:
  /// Connects to the first of the servers that answers and lets it in. Throws tasuki::error that
  /// says of each why it does not, NamedError if none lets the client in. Requires: there is one.
  Client(std::vector<Endpoint> servers, Credentials credentials);

  /// For the leases to come; at first automatic.
  void set_mode(TransferMode mode) noexcept { mode_ = wanted_mode_ = mode; }
  /// For the calls to come; at first native.
  void set_wire_format(WireFormat format) noexcept { wire_ = format; }
  /// As the first server has said them.
  const std::vector<Module>& modules() const noexcept { return modules_; }

  /// False once the server has ended the connection, or the client. Does not wait. The next call
  /// connects anew.
  bool is_connected() const noexcept;
  /// That it uses, or turns to next.
  const Endpoint& server() const noexcept { return servers_[current_]; }

  /// Calls a routine and returns when its results are in the arrays, of which there is one for each
  /// array parameter, in order. Returns: the report of the call. `object` is the one whose method
  /// it is, "" of other routines. `scalars` has texts and names of files, too: a text or an array
  /// of them. Texts that come back are in the report. `functions` run on this thread.
  /// If the server serves no more, and the call has surely not run, it is made on another one.
  /// Throws tasuki::error that names the argument at fault; else CallFault: of kind "lost-array" or
  /// "lost-object" if that is not on the ranks (any more); that names the rank that failed, or says
  /// of each server why it does not serve the client.
  CallReport call(const std::string& module, const std::string& routine,
                  const nlohmann::json& scalars, const std::vector<CallArray>& arrays,
                  const std::string& object = "", const ClientFunctions& functions = {});
  /// Leaves an array on the module's ranks, as it lies there for a parameter of the routine, until
  /// it is freed or the ranks are started anew. Returns: what later calls name it by. Throws like
  /// `call`.
  std::string put(const std::string& module, const std::string& routine,
                  const std::string& parameter, const nlohmann::json& scalars,
                  const ArrayArgument& array);
  /// Makes an object of a class on the module's ranks, until it is freed or the ranks are started
  /// anew. Returns: what later calls name it by. Throws like `call`.
  std::string make(const std::string& module, const std::string& class_name);
  /// Frees an array or an object. Does nothing if it is not there.
  void free(const std::string& module, const std::string& id);
  /// Returns: what all clients of the user have left on the ranks of the server, as
  /// docs/formats/server-api.md says. Throws CallFault if the server does not answer.
  nlohmann::json kept();
  /// Frees an array or an object that any client of the user has left, after the call under way.
  /// Returns: whether it was there. Throws like `kept`.
  bool discard(const std::string& id);
  /// The call under way fails; nothing happens if there is none. Later calls connect anew, so that
  /// what the client has left on ranks is lost. Any thread.
  void cancel() noexcept;
  /// For good: the call under way fails, and so do later ones. Any thread.
  void end() noexcept;
  /// Of the call under way; nothing of nothing if there is none. Any thread.
  Progress progress() const;

 private:
  /// A routine, and what the sizes of its arrays depend on.
  struct Described {
    const Routine& routine;
    const Integers& integers;
    std::int64_t file_bytes = 0;  ///< Of all files that are sent.
  };

  /// A call, put, make or free, which cancel ends.
  class UnderWay;

  /// To the server that is the next one. Throws ServerGone.
  void connect();
  void set_server(std::unique_ptr<ServerLink> server) noexcept;
  /// What the client has over the connection ends with it.
  void disconnect() noexcept;
  void move_on() noexcept { current_ = (current_ + 1) % servers_.size(); }
  /// Connects if it is not connected. Throws ServerGone if it was, and the server has ended that.
  void require_server(const ServerTries& tries);
  /// Returns when so much time has passed, or the call was cancelled.
  void pause(ServerTries::Pause pause);
  /// A call has failed, or what `operation` says. Returns if it has surely not run, and another
  /// server shall be asked, which is the next one then; else throws CallFault.
  void turn_from_server(const std::string& operation, const error& fault, ServerTries& tries);
  /// Requires: the mutex is held.
  void interrupt() noexcept;
  const Module& find(const std::string& module) const;
  const Routine& find(const std::string& module, const std::string& routine) const;
  /// The connections to the module's ranks: those of the calls before, or of a new lease.
  RankLinks& links_to(const std::string& module);
  /// By the client's mode; if that is automatic and a rank cannot be reached, it is relay from then
  /// on.
  RankLinks connect_to(const std::string& module);
  /// Asks the front end for the module's ranks. `how` is added to the message. Returns: its answer.
  /// Throws NamedError if the routine under way is another one since the client connected.
  nlohmann::json lease(const std::string& module,
                       const nlohmann::json& how = nlohmann::json::object());
  /// The server's interfaces have changed: asks for the new ones.
  void learn_changes();
  /// Throws NamedError if the routine under way is another one since the client connected.
  void check_unchanged(const std::string& module) const;
  RankLinks connect_by_memory(const std::string& module);
  RankLinks connect_directly(const std::string& module);
  /// By connections to the front end.
  RankLinks connect_through_front_end(const std::string& module, TransferMode mode);
  /// By connections that the ranks open.
  RankLinks connect_by_call_back(const std::string& module);
  TransferMode mode_of(const RankLinks& links) const noexcept;
  bool reads_memory(const RankLinks& links) const noexcept;
  void forget_links(const std::string& module);
  struct EndOfProgress;
  void begin_progress(const RankLinks& links, std::int64_t total_bytes);
  void end_progress();
  /// Returns: what `work` returns on the first server that serves the client. Throws CallFault,
  /// about the operation if the server was silent.
  template <class Work>
  auto on_server(const std::string& operation, Work work);
  /// Returns: the server's answer to a message about what it keeps; no other server is asked then.
  nlohmann::json ask_of_kept(const std::string& operation, const nlohmann::json& message);
  /// Gives the ranks a message without arrays.
  void tell_ranks(const std::string& module, const nlohmann::json& message);
  /// Exchanges what `exchange_on` returns for a layout on the module's ranks, likewise. Returns:
  /// the answer of each rank.
  template <class ExchangeOn>
  std::vector<nlohmann::json> call_ranks(const std::string& module, const Described& described,
                                         ExchangeOn exchange_on);
  /// The same on the server to which it is connected. Throws tasuki::error, and `may_have_run_` is
  /// true then unless the call has surely not run.
  template <class ExchangeOn>
  std::vector<nlohmann::json> call_ranks_here(const std::string& module, const Described& described,
                                              ExchangeOn exchange_on);
  /// A call has failed: ends the lease. Returns: false if the call has not begun on any rank, as
  /// another client was given them. Throws tasuki::error with what the front end knows.
  bool has_begun(const std::string& module, std::int64_t call);
  /// The same, whatever the front end knows.
  void give_up(const std::string& module, std::int64_t call);

  std::vector<Endpoint> servers_;
  Credentials credentials_;
  std::size_t current_ = 0;  ///< The server that it uses, or turns to next.
  TransferMode wanted_mode_ = TransferMode::automatic;
  TransferMode mode_ = TransferMode::automatic;  ///< Of this server.
  WireFormat wire_ = WireFormat::native;
  std::vector<Module> modules_;             ///< As they were when it connected first.
  std::size_t first_server_ = 0;            ///< Of which they were.
  std::int64_t revision_ = 1;               ///< Of the server's interfaces of which it knows.
  std::set<std::string> changed_routines_;  ///< Since then: "module/routine".
  std::string routine_;                     ///< Of the call under way.
  bool may_have_run_ = false;               ///< The same, as far as is known.
  double front_end_s_ = 0;                  ///< That it has waited for the front end.
  /// What the arrays of a call of a module may need on a rank, as the front end has said.
  std::map<std::string, std::int64_t> call_most_bytes_;
  std::map<std::string, KeepAllowance> keep_allowances_;  ///< Of each module, likewise.
  std::atomic<bool> is_cancelled_ = false;  ///< The call under way; for good if `is_ended_`.
  std::condition_variable interrupted_;
  mutable std::mutex mutex_;  ///< Guards what follows, but for what is connected.
  bool is_under_way_ = false;
  bool is_ended_ = false;
  std::unique_ptr<ServerLink> server_ = nullptr;  ///< nullptr if it is not connected.
  std::map<std::string, RankLinks> links_;
  const RankLinks* calling_ = nullptr;
  std::int64_t moved_before_bytes_ = 0;
  std::int64_t total_bytes_ = 0;
};

}  // namespace tasuki::rpc
