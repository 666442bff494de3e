// Calls that go on while their caller does something else: GridRPC's sessions.
//
// Each has a number, and a thread of its own until it has ended. Used by the interfaces
// for C that number calls. Thread-safety: any thread, also to wait for one session with several.
#pragma once

#include <any>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <thread>
#include <vector>

namespace tasuki::rpc {

/// What a session does. Both are destroyed when it has been done.
struct SessionWork {
  /// Gets the number of its session. What it throws is the session's failure.
  std::function<void(int session)> run;
  std::function<void()> cancel;  ///< Lets `run` throw soon. Any thread. Throws nothing.
};

class SessionTable {
 public:
  SessionTable() = default;
  /// Cancels the sessions that have not ended.
  ~SessionTable();
  SessionTable(const SessionTable&) = delete;
  SessionTable& operator=(const SessionTable&) = delete;

  /// Returns: the number of the session that `work` is from now on; the first is 1. `owner` is what
  /// owner_of tells.
  int begin(SessionWork work, std::any owner = {});
  /// Has there been such a session? All that follows requires it of its numbers.
  bool has(int session) const;

  /// Waits until all have ended. Returns: those that have failed.
  std::vector<int> wait_for_all(std::span<const int> sessions);
  /// The same of all that nobody has waited for.
  std::vector<int> wait_for_all();
  /// Waits until one has ended that nobody has waited for. Returns: its number; nothing if somebody
  /// has waited for each.
  std::optional<int> wait_for_one(std::span<const int> sessions);
  /// The same of all sessions.
  std::optional<int> wait_for_one();

  bool has_ended(int session) const;
  /// Returns: one that has ended and that nobody has waited for.
  std::optional<int> ended_one(std::span<const int> sessions) const;
  /// Returns: what the session has thrown; nullptr if it has not failed, or not ended.
  std::exception_ptr failure_of(int session) const;
  /// Returns: nothing if the session has ended well and somebody has waited for it.
  std::any owner_of(int session) const;

  /// Lets the session's call fail; does nothing if it has ended.
  void cancel(int session);
  void cancel_all();

 private:
  enum class State : std::uint8_t { runs, is_done, has_ended };
  struct Session {
    SessionWork work;
    std::any owner;
    std::thread thread = {};
    bool is_cancelled = false;
    State state = State::runs;
    bool was_awaited = false;
    std::exception_ptr failure = nullptr;

    bool has_ended() const noexcept { return state == State::has_ended; }
  };

  void run(int number, Session& session);
  /// Requires: the mutex is held.
  static void cancel_now(Session& session);
  std::vector<int> not_awaited() const;
  /// Requires: the mutex is held. Returns: nullptr if it has ended well and was awaited.
  const Session* find(int session) const;
  std::optional<int> find_ended(std::span<const int> sessions) const;
  bool is_any_not_awaited(std::span<const int> sessions) const;
  /// Notes that somebody has waited for a session that has ended.
  void note_awaited(int session, std::unique_lock<std::mutex>& lock);
  /// `sessions` says of which numbers, each time that it is asked.
  template <class Sessions>
  std::optional<int> wait_for_one_of(Sessions sessions);

  mutable std::mutex mutex_;
  std::condition_variable ended_;
  int last_ = 0;
  std::map<int, Session> sessions_;  ///< But those that have ended well and were awaited.
};

}  // namespace tasuki::rpc
