// The files of one call, open in the client: those that are sent, and those that results are
// written to.
//
// Used by Client. Nothing but the named files is written. Thread-safety: one thread.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "rpc/interface/module.hpp"
#include "rpc/links/exchange.hpp"

namespace tasuki::rpc {

class FileArguments {
 public:
  /// `names` has the name of a file for each parameter that is one. Files for results are made if
  /// they are not there. Throws tasuki::error that names the argument if one is missing, is no
  /// regular file, or cannot be opened.
  FileArguments(const Routine& routine, const std::map<std::string, std::string>& names);
  /// Files that it has made are removed unless results have been written to them.
  ~FileArguments();
  FileArguments(const FileArguments&) = delete;
  FileArguments& operator=(const FileArguments&) = delete;

  /// Of all that are sent; at most INT64_MAX.
  std::int64_t sent_bytes() const noexcept;
  /// With `files`, the sizes of those that are sent, in the message.
  void place(Exchange& exchange) const;
  /// The results have been written.
  void keep() noexcept { made_.clear(); }

 private:
  FileArguments() = default;
  void open_one(const Routine& routine, const Parameter& parameter, const std::string& name);

  std::vector<int> descriptors_;
  std::vector<PlacedFile> sent_;
  std::vector<PlacedFile> returned_;
  std::vector<std::string> made_;
};

}  // namespace tasuki::rpc
