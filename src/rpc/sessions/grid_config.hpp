// The configuration file of a GridRPC program: which servers it calls, and how.
//
// Read by grpc_initialize. Each line is a word and its value, such as
// `server tasuki://localhost:7777`; what follows # is a comment. Thread-safety: a value.
#pragma once

#include <string>
#include <tasuki/error.hpp>

#include "rpc/sessions/client_pool.hpp"

namespace tasuki::rpc {

/// The file cannot be read.
class NoGridConfig : public error {
 public:
  using error::error;
};

struct GridConfig {
  /// Addresses of those of default handles, with commas in between: the first that answers.
  std::string servers = {};
  ClientOptions options = {};
};

/// Throws NoGridConfig; tasuki::error that names file and line if a line says nothing known.
GridConfig read_grid_config(const std::string& file);

/// Without a file: the servers that the setting TASUKI_SERVER names, or none.
GridConfig usual_grid_config();

}  // namespace tasuki::rpc
