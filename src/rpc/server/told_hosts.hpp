// What Tasuki's launcher and ranks print of hosts that have vanished, among all else that they and
// the routines print.
//
// Fed by PrintedLines, for the clients whose calls fail. Thread-safety: none.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tasuki::rpc {

class ToldHosts {
 public:
  /// `own` is the name of this host.
  explicit ToldHosts(std::string own) : own_(std::move(own)) {}

  /// Takes note of a line as in "tasuki: rank 0: host b with ranks 2-3 has vanished: ...". Ranks of
  /// a host that was cut off tell that this one has vanished: such a line does not count.
  void take(std::string_view line);
  /// Returns: all hosts that were told of, as in "host b with ranks 2-3 has vanished; host c with
  /// rank 4 cannot be reached any more"; "" if there are none.
  std::string text() const;

 private:
  struct Told {
    std::string host;      ///< With its ranks.
    std::string happened;  ///< With a space before.
  };

  const std::string own_;
  std::vector<Told> told_;
};

}  // namespace tasuki::rpc
