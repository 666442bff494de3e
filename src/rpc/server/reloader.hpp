// Does what the server is told to change, one after the other, on a thread of its own: ranks may
// take long to start, and clients go on meanwhile.
//
// Owned by the front end. Thread-safety: one thread asks and ends.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <thread>

namespace tasuki::rpc {

class Reloader {
 public:
  using Work = std::function<void(const nlohmann::json& order)>;

  /// Requires: `work` throws nothing.
  explicit Reloader(Work work);
  ~Reloader() { end(); }
  Reloader(const Reloader&) = delete;
  Reloader& operator=(const Reloader&) = delete;

  /// Works on this next. An order that has not begun by then is left out, as this one is newer.
  void ask(nlohmann::json order);
  /// Waits for the order under way, and begins no other.
  void end();

 private:
  void run();

  const Work work_;
  std::mutex mutex_;
  std::condition_variable changed_;
  // Guarded by mutex_:
  std::optional<nlohmann::json> order_;
  bool is_ending_ = false;
  std::thread thread_;
};

}  // namespace tasuki::rpc
