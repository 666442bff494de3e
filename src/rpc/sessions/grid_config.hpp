// The configuration file of a GridRPC program: which servers it calls, and how.
//
// Read by grpc_initialize. Each line is a word and its value, such as
// `server tasuki://localhost:7777`; what follows # is a comment. Thread-safety: a value.
#pragma once

#include <string>
#include <tasuki/error.hpp>
#include <vector>

#include "rpc/sessions/client_pool.hpp"

namespace tasuki::rpc {

/// The file cannot be read.
class NoGridConfig : public error {
 public:
  using error::error;
};

struct GridConfig {
  std::vector<std::string> servers = {};  ///< Those of default handles: the first that answers.
  ClientOptions options = {};
};

/// Throws NoGridConfig; tasuki::error that names file and line if a line says nothing known.
GridConfig read_grid_config(const std::string& file);

/// Without a file: the server that the setting TASUKI_SERVER names, or none.
GridConfig usual_grid_config();

}  // namespace tasuki::rpc
