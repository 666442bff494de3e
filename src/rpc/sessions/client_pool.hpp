// The clients that calls of one program take turns to use, so that each call under way has its own.
//
// Used by the interfaces for C that name servers by texts. A client stays connected from call to
// call. Thread-safety: any thread.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "rpc/client/client.hpp"
#include "rpc/sessions/client_options.hpp"

namespace tasuki::rpc {

class ClientPool {
 public:
  /// Where a client goes when its call has ended.
  struct GiveBack {
    ClientPool* pool;
    std::string url;
    void operator()(Client* client) const noexcept;
  };
  using Taken = std::unique_ptr<Client, GiveBack>;

  explicit ClientPool(ClientOptions options = {}) : options_(options) {}

  /// A client of the servers at `url`, which are addresses with commas in between, that nobody else
  /// uses, to be destroyed before the pool. Throws tasuki::error if no server answers there, or a
  /// setting is wrong.
  Taken take(const std::string& url);

 private:
  /// Returns: nothing if none is idle.
  std::unique_ptr<Client> take_idle(const std::string& url);
  void give_back(const std::string& url, std::unique_ptr<Client> client);

  ClientOptions options_;
  std::mutex mutex_;
  std::map<std::string, std::vector<std::unique_ptr<Client>>> idle_;  ///< By the addresses.
};

}  // namespace tasuki::rpc
