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
#include <set>
#include <string>
#include <vector>

#include "rpc/client/call_array.hpp"
#include "rpc/client/call_report.hpp"
#include "rpc/client/client_function.hpp"
#include "rpc/client/credentials.hpp"
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
  /// Throws tasuki::error if no server of Tasuki answers there, and NamedError if it does not let
  /// the client in.
  Client(const Endpoint& server, const Credentials& credentials);

  /// For the leases to come; at first automatic.
  void set_mode(TransferMode mode) noexcept { mode_ = mode; }
  /// For the calls to come; at first native.
  void set_wire_format(WireFormat format) noexcept { wire_ = format; }
  const std::vector<Module>& modules() const noexcept { return modules_; }

  /// False once the server has ended the connection. Does not wait.
  bool is_connected() const noexcept { return !server_.has_ended(); }

  /// Calls a routine and returns when its results are in the arrays, of which there is one for each
  /// array parameter, in order. Returns: the report of the call. `object` is the one whose method
  /// it is, "" of other routines. Throws Lost if it or an array is not on the ranks (any more);
  /// tasuki::error that names the argument at fault, or the rank that failed. `scalars` has texts
  /// and names of files, too: a text or an array of them. Texts that come back are in the report.
  /// `functions` run on this thread.
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
  /// docs/formats/server-api.md says. Throws tasuki::error if the server does not answer.
  nlohmann::json kept();
  /// Frees an array or an object that any client of the user has left, after the call under way.
  /// Returns: whether it was there. Throws like `kept`.
  bool discard(const std::string& id);
  /// Ends the connections: a call under way fails, and so do later ones. Any thread.
  void cancel() noexcept;
  /// Of the call under way; nothing of nothing if there is none. Any thread.
  Progress progress() const;

 private:
  /// A routine, and what the sizes of its arrays depend on.
  struct Described {
    const Routine& routine;
    const Integers& integers;
  };

  void greet(const std::string& token);
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
  /// Exchanges what `exchange_on` returns for a layout on the module's ranks. Returns: the answer
  /// of each rank.
  /// Gives the ranks a message without arrays.
  void tell_ranks(const std::string& module, const nlohmann::json& message);
  template <class ExchangeOn>
  std::vector<nlohmann::json> call_ranks(const std::string& module, const Described& described,
                                         ExchangeOn exchange_on);
  /// A call has failed: ends the lease. Returns: false if the call has not begun on any rank, as
  /// another client was given them. Throws tasuki::error with what the front end knows.
  bool has_begun(const std::string& module, std::int64_t call);
  /// The same, whatever the front end knows.
  void give_up(const std::string& module, std::int64_t call);
  /// Asks the front end. Returns: the answer; a refusal is thrown as tasuki::error.
  nlohmann::json ask(const nlohmann::json& message);

  Endpoint endpoint_;
  Socket server_;
  TransferMode mode_ = TransferMode::automatic;
  WireFormat wire_ = WireFormat::native;
  std::vector<Module> modules_;             ///< As they were when it connected.
  std::int64_t revision_ = 1;               ///< Of the server's interfaces of which it knows.
  std::set<std::string> changed_routines_;  ///< Since then: "module/routine".
  std::string routine_;                     ///< Of the call under way.
  double front_end_s_ = 0;                  ///< That it has waited for the front end.
  /// What the arrays of a call of a module may need on a rank, as the front end has said.
  std::map<std::string, std::int64_t> call_most_bytes_;
  std::atomic<bool> is_cancelled_ = false;
  mutable std::mutex mutex_;  ///< Guards what follows, but for the links themselves.
  std::map<std::string, RankLinks> links_;
  const RankLinks* calling_ = nullptr;
  std::int64_t moved_before_bytes_ = 0;
  std::int64_t total_bytes_ = 0;
};

}  // namespace tasuki::rpc
