// What the ranks of one program keep for clients, as far as the front end has a say in it: whether
// a user's quota allows more, and what is to be freed.
//
// Owned by the program's processes, which tell the ranks. Thread-safety: none, but for the table
// that all programs share; its owner's mutex guards it.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "rpc/links/kept_quota.hpp"
#include "rpc/server/call_record.hpp"
#include "rpc/server/kept_table.hpp"
#include "rpc/server/user.hpp"

namespace tasuki::rpc {

class ProgramKept {
 public:
  /// `program` is its name in the table, which outlives this. What no call has used for `most_s` is
  /// to be freed.
  ProgramKept(std::string program, std::optional<double> most_s, KeptTable& table)
      : program_(std::move(program)), most_s_(most_s), table_(table) {}

  /// As KeptTable::take.
  void take(const CallOrigin& origin, const nlohmann::json& message) {
    table_.take(program_, origin, message);
  }
  void forget_client(std::int64_t client) { table_.forget_client(program_, client); }
  /// The program has ended.
  void forget_all() { table_.forget_program(program_); }

  /// Of what the user's clients may leave; nothing if there is no limit.
  static std::optional<KeptQuota> quota_of(const User& user);
  /// Returns: the answer to `reserve` of rank 0, which serves a client of the user. Throws
  /// tasuki::error if the message is malformed.
  nlohmann::json room(const User& user, const CallOrigin& origin, const nlohmann::json& message);

  /// Something is to be freed; `happened` is why, for calls that name it later.
  void give_up(const std::string& name, const std::string& happened) {
    unwanted_.emplace(name, happened);
  }
  bool is_given_up(const std::string& name) const { return unwanted_.contains(name); }
  /// Is something given up, or has no call used something for so long that it is to be freed?
  bool has_unwanted() const;
  /// Returns: what the ranks are to be told, between two leases; it is not in the table any more.
  std::vector<nlohmann::json> take_discards();

 private:
  const std::string program_;
  const std::optional<double> most_s_;
  KeptTable& table_;
  std::map<std::string, std::string> unwanted_;  ///< And why.
};

}  // namespace tasuki::rpc
