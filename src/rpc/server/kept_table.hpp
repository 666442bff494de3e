// What clients have left on the ranks of all modules, as the ranks tell of it: whose it is, how
// many bytes it has, and when it was used.
//
// Owned by the front end, for operators, the time after which things are freed, and quotas of
// users; the processes of each module write it. Thread-safety: any thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "rpc/links/kept_quota.hpp"
#include "rpc/server/call_record.hpp"

namespace tasuki::rpc {

class KeptTable {
 public:
  using Clock = std::chrono::steady_clock;
  using Seconds = std::chrono::duration<double>;

  /// What rank 0 of a program says of its calls for a client. `program` is a name for the program
  /// that no other has. Throws tasuki::error if the message is malformed.
  void take(const std::string& program, const CallOrigin& origin, const nlohmann::json& message,
            Clock::time_point now = Clock::now());
  /// The client has gone, and the ranks free what is its.
  void forget_client(const std::string& program, std::int64_t client);
  /// The program has ended.
  void forget_program(const std::string& program);

  /// Has no call used something for so long?
  bool has_expired(const std::string& program, Seconds most,
                   Clock::time_point now = Clock::now()) const;
  /// Returns: the names of what no call has used for so long; it is not in the table any more.
  std::vector<std::string> take_expired(const std::string& program, Seconds most,
                                        Clock::time_point now = Clock::now());

  /// A client of the origin's user is about to leave something of that name, and may if the user
  /// has left at most `most_bytes` then. If so, the bytes count from now on, and `take` hears of it
  /// later. Returns: whether it may, and what the user has left before.
  KeptRoom reserve(const std::string& program, const CallOrigin& origin, const std::string& name,
                   std::int64_t bytes, std::int64_t most_bytes);
  /// Returns: of all that the user's clients have left anywhere, or are about to leave.
  std::int64_t bytes_of(const std::string& user) const;
  /// What the user's clients have left, the oldest first, as docs/formats/server-api.md says.
  /// `most_s` is for how long that is kept which no call uses, if there is a limit.
  nlohmann::json list(const std::string& user, std::optional<double> most_s,
                      Clock::time_point now = Clock::now()) const;

  /// Something of a user's that is to be freed.
  struct Unwanted {
    std::string program;
    std::string module;
    bool was_unwanted = false;  ///< Somebody has asked for that before.
  };
  /// From now on it is listed as something that is being freed. Returns: nothing if the user has
  /// left no such thing.
  std::optional<Unwanted> give_up(const std::string& user, const std::string& name);
  /// Returns: whether it was there; it is not in the table any more.
  bool remove(const std::string& program, const std::string& name);

 private:
  struct Kept {
    CallOrigin origin;
    bool is_object = false;
    std::int64_t bytes = 0;
    nlohmann::json about = {};  ///< What it is, as the ranks say.
    bool is_unwanted = false;   ///< It is being freed.
    Clock::time_point begin;
    Clock::time_point last_use;
  };

  struct Reserved {
    std::string user;
    std::int64_t bytes = 0;
  };
  /// By program and name.
  template <class Value>
  using Table = std::map<std::string, std::map<std::string, Value>>;

  /// Requires: mutex_ is held.
  std::int64_t count_bytes(const std::string& user) const;
  static nlohmann::json to_json(const std::string& name, const Kept& kept,
                                std::optional<double> most_s, Clock::time_point now);

  mutable std::mutex mutex_;
  // Guarded by mutex_:
  Table<Kept> kept_;
  Table<Reserved> reserved_;  ///< Of which the ranks have not told yet.
};

}  // namespace tasuki::rpc
