// The names of arrays or objects that the front end has let be freed, and why, so that a later call
// is told why they are not there.
//
// Owned by those that are kept; a name is forgotten with its client. Thread-safety: none; the
// thread that runs routines.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>

#include "rpc/rank/kept_owner.hpp"

namespace tasuki::rpc {

class DiscardedNames {
 public:
  /// `happened` is why, for errors.
  void add(const std::string& name, const KeptOwner& owner, std::string happened) {
    names_[name] = {owner, std::move(happened)};
  }
  /// Returns: why it is not there; nullptr if the front end has let no such thing of the user be
  /// freed.
  const std::string* find(const std::string& name, const std::string& user) const {
    const auto found = names_.find(name);
    if (found == names_.end() || found->second.owner.user != user) return nullptr;
    return &found->second.happened;
  }
  void forget(std::span<const std::int64_t> gone) {
    std::erase_if(names_, [&](const auto& one) {
      return std::ranges::find(gone, one.second.owner.client) != gone.end();
    });
  }

 private:
  struct Discarded {
    KeptOwner owner = {};
    std::string happened;
  };
  std::map<std::string, Discarded> names_;
};

}  // namespace tasuki::rpc
