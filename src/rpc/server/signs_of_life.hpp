// Tells clients that wait for an answer that the front end is there: to one that is stopped, or
// whose host is, the wait would have no end.
//
// Owned by the front end; the thread that answers a client may be held up for as long as others
// have the ranks, so the signs come from a thread of its own. Thread-safety: any thread.
#pragma once

#include <chrono>
#include <condition_variable>
#include <list>
#include <mutex>
#include <optional>
#include <thread>

#include "rpc/wire/socket.hpp"

namespace tasuki::rpc {

class SignsOfLife {
 public:
  using Clock = std::chrono::steady_clock;

  SignsOfLife();
  /// Requires: nobody waits any more.
  ~SignsOfLife();
  SignsOfLife(const SignsOfLife&) = delete;
  SignsOfLife& operator=(const SignsOfLife&) = delete;

 private:
  struct Client {
    Socket* socket;
    Clock::duration interval;
    Clock::time_point due;
  };

 public:
  /// While it lives, the client gets a sign after each interval; nobody else may send it anything.
  class Waiting {
   public:
    /// Without an interval, the client gets none.
    Waiting(SignsOfLife& signs, Socket& client, std::optional<double> interval_s);
    ~Waiting();
    Waiting(const Waiting&) = delete;
    Waiting& operator=(const Waiting&) = delete;

   private:
    SignsOfLife& signs_;
    std::optional<std::list<Client>::iterator> client_ = {};
  };

 private:
  void run();

  std::mutex mutex_;
  std::condition_variable changed_;
  // Guarded by mutex_:
  std::list<Client> clients_ = {};
  Clock::time_point next_ = Clock::time_point::max();  ///< When the first of them is due.
  bool is_over_ = false;
  std::thread thread_;
};

}  // namespace tasuki::rpc
