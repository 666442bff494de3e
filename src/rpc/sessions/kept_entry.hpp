// What clients of a user have left on the ranks of a server, as the server tells it.
//
// Used by the C interface, from which C++ and Fortran have it. Thread-safety: a value.
#pragma once

#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace tasuki::rpc {

/// An array, or an object of a class.
struct KeptEntry {
  std::string name;  ///< What the ranks know it by.
  std::string module;
  std::string what;                   ///< The argument, as in "solve.A", or the class.
  std::optional<std::string> type;    ///< Of an array's elements; nothing: it is an object.
  std::vector<std::int64_t> extents;  ///< Of an array.
  std::int64_t bytes = 0;             ///< On all ranks together.
  std::string user;
  std::string client;  ///< The address of its client's host.
  double age_s = 0;
  double unused_s = 0;  ///< Since the last call that has used it.
  /// After which it is freed if no call uses it.
  double left_s = std::numeric_limits<double>::infinity();
  bool is_being_freed = false;
};

/// Returns: those of Client::kept. Throws tasuki::error if the server tells something else than
/// docs/formats/server-api.md says.
std::vector<KeptEntry> kept_entries(const nlohmann::json& kept);

}  // namespace tasuki::rpc
