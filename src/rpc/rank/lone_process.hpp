// A process that was started with others, and serves calls as if it were alone. Its MPI knows of no
// other: the launcher is that of another MPI, or sets up nothing by which processes are joined. Or
// it has no MPI, and its main function does not tell its rank.
//
// Made by a rank that knows of no other when it joins a server, which alone can tell whether it
// should. Thread-safety: none while the environment changes.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace tasuki::rpc {

class LoneProcess {
 public:
  /// Nothing if this process was started alone.
  static std::optional<LoneProcess> find();

  /// What a server answers whose module has more ranks: fields `happened` and `remedy`.
  const nlohmann::json& fault() const noexcept { return fault_; }
  /// The server does not let it in, because of what has `happened`. If that is fault(), it returns
  /// in the first of the processes alone, so that the error is seen once; the others end.
  void end_unless_first(const std::string& happened) const;

 private:
  LoneProcess(int index, const std::string& happened, const std::string& remedy)
      : index_(index), fault_({{"happened", happened}, {"remedy", remedy}}) {}

  int index_;
  nlohmann::json fault_;
};

}  // namespace tasuki::rpc
