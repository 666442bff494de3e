// A client of a server: asks which routines there are, and calls them with arrays of the caller.
//
// The front end says which rank takes which block, and then client and ranks communicate directly.
// The C interface and Python's client are made of it. Thread-safety: one thread at a time for each
// client.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "rpc/client/array_argument.hpp"
#include "rpc/interface/module.hpp"
#include "rpc/wire/socket.hpp"

namespace tasuki::rpc {

class Client {
 public:
  /// Throws tasuki::error if no server of Tasuki answers there.
  explicit Client(const Endpoint& server);

  const std::vector<Module>& modules() const noexcept { return modules_; }

  /// Calls a routine and returns when its results are in the arrays, of which there is one for each
  /// array parameter, in order. Returns: the report of the front end. Throws tasuki::error that
  /// names the argument at fault, or the rank that failed.
  nlohmann::json call(const std::string& module, const std::string& routine,
                      const nlohmann::json& scalars, const std::vector<ArrayArgument>& arrays);

 private:
  const Routine& find(const std::string& module, const std::string& routine) const;
  /// The answer; a refusal is thrown as tasuki::error.
  nlohmann::json receive();

  Socket server_;
  std::vector<Module> modules_;
};

}  // namespace tasuki::rpc
