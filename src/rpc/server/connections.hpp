// The connections of a front end, each served by a thread of its own.
//
// Thread-safety: one thread adds and ends them; any thread may ask how many there are.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <thread>

#include "rpc/wire/socket.hpp"

namespace tasuki::rpc {

class Connections {
 public:
  using Serve = std::function<void(const std::shared_ptr<Socket>&)>;

  Connections() = default;
  /// As end().
  ~Connections() { end(); }
  Connections(const Connections&) = delete;
  Connections& operator=(const Connections&) = delete;

  /// Calls `serve` on a thread. Requires: it throws nothing, and returns once the socket is shut
  /// down.
  void add(Socket socket, const Serve& serve);
  /// Closes the connections whose `serve` has returned.
  void forget_ended();
  /// Those that are served now.
  std::int64_t count() const noexcept { return count_; }
  /// Shuts all connections down and waits for their threads.
  void end();

 private:
  struct Connection {
    std::shared_ptr<Socket> socket;
    std::atomic<bool> is_over = false;
    std::thread thread = {};
  };

  std::list<Connection> all_;
  std::atomic<std::int64_t> count_ = 0;
};

}  // namespace tasuki::rpc
