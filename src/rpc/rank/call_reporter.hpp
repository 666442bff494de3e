// Tells the front end of the calls that a rank serves: of those that have ended, and of one that
// takes long how far it is. The front end sees nothing of them otherwise.
//
// The thread that serves calls says what happens, without a system call, as a short call must not
// take longer for it. A thread of the reporter's own sends that every 100 ms while the rank is
// leased; the end of the lease sends the rest. Thread-safety: one thread serves calls.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "rpc/rank/front_end_link.hpp"
#include "rpc/wire/call_state.hpp"
#include "rpc/wire/rank_seconds.hpp"
#include "rpc/wire/socket.hpp"

namespace tasuki::rpc {

/// What a message of a client asks for: a call, or that something is kept on the ranks or freed.
struct CallSubject {
  std::string kind;
  std::string routine = {};
  std::string kept = {};               ///< The name of what is kept or freed.
  double waited_s = 0;                 ///< Of the client, until it could send the message.
  bool is_in_memory = false;           ///< Do blocks travel by reading the other's memory?
  std::vector<std::string> used = {};  ///< The names of what is kept and the call uses.
};

/// Something that the ranks keep from now on.
struct KeptNews {
  std::string name;
  bool is_object = false;
  std::int64_t bytes = 0;     ///< On all ranks.
  nlohmann::json about = {};  ///< What it is, for people: fields of docs/formats/server-api.md.
};

class CallReporter {
 public:
  /// Requires: it outlives this.
  explicit CallReporter(FrontEndLink& front_end);
  ~CallReporter();
  CallReporter(const CallReporter&) = delete;
  CallReporter& operator=(const CallReporter&) = delete;

  void begin_lease(std::int64_t number);
  /// Sends what has not been sent.
  void end_lease();

  /// A call comes from this connection; it receives. Requires: the connection outlives the call.
  void begin(CallSubject subject, const Socket& client);
  /// All of its message has come.
  void learn(CallSubject subject);
  /// How many bytes of blocks this rank receives and sends back.
  void expect(std::int64_t received_bytes, std::int64_t sent_bytes);
  /// Bytes that were received, or will be sent, by reading memory.
  void add_read(std::int64_t bytes);
  void tell_kept(KeptNews kept);
  void tell_freed(std::string name);
  /// Returns: the seconds so far.
  RankSeconds enter(CallState state);
  /// Sends what has not been sent.
  void tell_now();
  std::int64_t lease() const;
  /// Returns: the number in the lease of the call under way.
  std::int64_t call() const;
  /// The call is over; `happened` says what went wrong.
  void end(CallState state, std::string happened = {});

 private:
  struct Call {
    std::int64_t number = 0;
    CallSubject subject = {};
    CallState state = CallState::receiving;
    std::int64_t begin_ns = 0;
    std::int64_t lap_ns = 0;
    std::int64_t lap_cpu_ns = 0;
    std::int64_t moved_before_bytes = 0;
    std::int64_t read_bytes = 0;
    std::int64_t received_bytes = 0;
    std::int64_t sent_bytes = 0;
    RankSeconds seconds = {};
    std::string happened = {};
  };
  /// Calls of one kind of which the front end is not told one by one.
  struct Others {
    std::int64_t calls_count = 0;
    std::int64_t received_bytes = 0;
    std::int64_t sent_bytes = 0;
    RankSeconds seconds = {};
  };

  void run();
  /// Sends what has not been sent. `ends_lease`: the lease ends in the same critical section in
  /// which the news is taken, as later news belongs to another lease.
  void send_news(bool ends_lease);
  /// Returns: what the front end has not been told, if anything.
  std::optional<nlohmann::json> take_news();
  nlohmann::json description_of(const Call& call) const;
  /// What has happened to what is kept.
  void add_kept_news(nlohmann::json& news);
  std::int64_t moved_bytes() const;
  void add_lap(Call& call) const;

  FrontEndLink& front_end_;
  std::mutex sending_;  ///< So that news go in order.
  mutable std::mutex mutex_;
  // Guarded by mutex_:
  std::condition_variable changed_;
  std::int64_t lease_ = 0;
  bool is_asleep_ = false;  ///< No call has come for some time.
  bool is_over_ = false;
  std::int64_t calls_count_ = 0;         ///< Of the lease, that have begun.
  std::int64_t moved_before_bytes_ = 0;  ///< Of the lease, before what moved_bytes() counts.
  const Socket* client_ = nullptr;       ///< Of the call under way.
  Call current_ = {};
  std::vector<Call> ended_ = {};
  std::map<std::string, Others> others_ = {};  ///< By kind and routine.
  std::vector<KeptNews> kept_ = {};
  std::vector<std::string> freed_ = {};
  std::set<std::string> used_ = {};  ///< By calls that have ended.
  std::thread thread_;
};

}  // namespace tasuki::rpc
