// The front end of a server: the port at which clients ask and the ranks of routines join.
//
// It leases modules to clients. Client and ranks exchange calls and arrays directly, unless the
// client asks for a way through the front end.
// Thread-safety: one thread makes and runs it.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "rpc/server/audit_log.hpp"
#include "rpc/server/call_log.hpp"
#include "rpc/server/connections.hpp"
#include "rpc/server/entrance.hpp"
#include "rpc/server/kept_table.hpp"
#include "rpc/server/module_table.hpp"
#include "rpc/server/passages.hpp"
#include "rpc/server/reloader.hpp"
#include "rpc/server/served_module.hpp"
#include "rpc/server/server_control.hpp"
#include "rpc/server/server_options.hpp"
#include "rpc/server/server_page.hpp"
#include "rpc/server/signs_of_life.hpp"
#include "rpc/server/staging_room.hpp"
#include "rpc/wire/socket.hpp"
#include "rpc/wire/wake_up.hpp"

namespace tasuki::rpc {

/// What browsers get.
struct PageSource {
  std::string folder;   ///< With the page's files.
  std::string version;  ///< Of Tasuki.
};

class FrontEnd {
 public:
  /// Listens (port 0: at any free one) and starts the warm programs. From then on SIGINT and
  /// SIGTERM are for `run`. Throws tasuki::error if the port is taken, a program does not exist,
  /// there can be no log, or the page is not there.
  FrontEnd(const Endpoint& address, const std::vector<ServedModule>& modules,
           const ServerOptions& options, const PageSource& page);
  ~FrontEnd();
  FrontEnd(const FrontEnd&) = delete;
  FrontEnd& operator=(const FrontEnd&) = delete;

  std::uint16_t port() const noexcept { return listener_.port(); }
  /// Serves until SIGINT or SIGTERM, or until the pipe ends at whose other end the starter is.
  /// Obeys the starter's lines: {"do": "drain"}; {"do": "reload"} with the fields `modules` and
  /// `users` as at the start, and `happened`, a list of what the starter could not read. It opens
  /// the log again, too.
  void run(int starter);

 private:
  void serve(const std::shared_ptr<Socket>& connection);
  void serve_client(Socket& client, const Guest& guest);
  void join(const std::shared_ptr<Socket>& connection, const nlohmann::json& message);
  void accept();
  void obey(const std::string& line);
  void reload(const nlohmann::json& order);
  /// Ends calls, and then wakes `run` up.
  void drain();
  /// Ends programs that nobody needs, until the server ends.
  void keep_house();

  /// Finds tickets and keys of ranks by their identities.
  std::optional<std::string> secret_of(std::string_view identity);
  std::optional<TlsContext> tls_of(const ServerOptions& options);

  Listener listener_;
  int signals_;  ///< A descriptor from which SIGINT and SIGTERM are read.
  AuditLog audit_;
  CallLog log_;
  KeptTable kept_;
  std::atomic<std::int64_t> clients_count_ = 0;
  const Socket::Seconds client_most_;  ///< For a message of a client that has begun.
  Entrance entrance_;
  StagingRoom staging_room_;
  ModuleTable modules_;
  Passages passages_;
  SignsOfLife signs_of_life_;
  const std::optional<double> drain_most_s_;
  std::optional<std::chrono::steady_clock::time_point> drain_end_;
  std::atomic<bool> is_draining_ = false;
  std::atomic<bool> is_drained_ = false;
  std::atomic<bool> is_ending_ = false;
  WakeUp wake_up_;
  std::thread drainer_;
  std::thread housekeeper_;
  Reloader reloader_;
  ServerControl control_;
  Connections connections_;
  ServerPage page_;
};

}  // namespace tasuki::rpc
