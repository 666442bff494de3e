// A path that all ranks of a test have, in a folder that is gone after it.
#pragma once

#include <optional>
#include <string>
#include <tasuki/detail/containers/exchange.hpp>
#include <vector>

#include "support/rank_test.hpp"
#include "support/temporary_folder.hpp"

namespace tasuki::test {

class SharedPath {
 public:
  SharedPath() {
    if (rank() == 0) folder_.emplace();
    const std::string mine = folder_ ? (folder_->path() / "file").string() : "";
    path_ = containers::allgather_values(std::vector{mine}, world_team()).front();
  }
  ~SharedPath() { barrier(); }
  SharedPath(const SharedPath&) = delete;
  SharedPath& operator=(const SharedPath&) = delete;

  const std::string& operator*() const noexcept { return path_; }

 private:
  std::optional<TemporaryFolder> folder_;
  std::string path_;
};

}  // namespace tasuki::test
