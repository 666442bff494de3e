// The files of one call on a rank: temporary copies of what the client has sent, and room for what
// the routine writes. They are gone with the call, or with the process.
//
// Thread-safety: none; the rank's own thread.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "rpc/interface/module.hpp"
#include "rpc/wire/private_file.hpp"
#include "rpc/wire/socket.hpp"

namespace tasuki::rpc {

class CallFiles {
 public:
  /// Returns: the name by which the routine opens the file of the parameter.
  std::string add(const Parameter& parameter);
  /// Of those that are sent, which follow the blocks; `sizes` says how many bytes each has.
  void receive(Socket& client, const nlohmann::json& sizes) const;
  /// How many bytes each has that is returned, by its name.
  nlohmann::json result_sizes() const;
  /// Of those that are returned, after the blocks, as many bytes as `sizes` says.
  void send(Socket& client, const nlohmann::json& sizes) const;

 private:
  struct Argument {
    const Parameter& parameter;
    PrivateFile file;
  };
  std::vector<Argument> arguments_;
};

}  // namespace tasuki::rpc
