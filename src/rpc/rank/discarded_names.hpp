// The names of arrays or objects that were freed because no call had used them for long, so that a
// later call is told why they are not there.
//
// Owned by those that are kept; a name is forgotten with its client. Thread-safety: none; the
// thread that runs routines.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <span>
#include <string>

namespace tasuki::rpc {

class ExpiredNames {
 public:
  void add(const std::string& name, std::int64_t owner) { owners_[name] = owner; }
  bool contains(const std::string& name) const { return owners_.contains(name); }
  void forget(std::span<const std::int64_t> gone) {
    std::erase_if(owners_, [&](const auto& one) {
      return std::ranges::find(gone, one.second) != gone.end();
    });
  }

  /// For errors.
  static constexpr const char* happened =
      "its time is over: no call has used it for as long as the server keeps it (--keep-time)";

 private:
  std::map<std::string, std::int64_t> owners_;
};

}  // namespace tasuki::rpc
