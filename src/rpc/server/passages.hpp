// What the front end does with connections that begin with a ticket: each ticket stands for a way
// to the ranks, once.
//
// Owned by the front end; a client asks for ways with its lease. Thread-safety: any thread; each
// connection has one.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "rpc/wire/socket.hpp"

namespace tasuki::rpc {

class Passages {
 public:
  /// Serves the client's connection until it ends. May throw tasuki::error.
  using Passage = std::function<void(Socket& client)>;

  using Clock = std::chrono::steady_clock;

  /// A client comes as soon as it has its ticket: later the ticket is not known any more.
  explicit Passages(Clock::duration lifetime = std::chrono::seconds(10)) : lifetime_(lifetime) {}

  void add(const std::string& ticket, Passage passage);
  /// Nobody will come with the ticket any more.
  void remove(const std::string& ticket);
  /// Returns: the ticket of which that is the identity, if there is one.
  std::optional<std::string> find(std::string_view identity);
  /// Throws tasuki::error if the ticket is not known, and what the passage throws.
  void pass(Socket& client, const std::string& ticket);
  /// Returns once no connection is served any more.
  void await_end();

 private:
  struct Waiting {
    Passage passage;
    Clock::time_point deadline;
  };

  const Clock::duration lifetime_;
  std::mutex mutex_;
  std::condition_variable changed_;
  // Guarded by mutex_:
  std::map<std::string, Waiting> passages_;
  int served_count_ = 0;
};

}  // namespace tasuki::rpc
