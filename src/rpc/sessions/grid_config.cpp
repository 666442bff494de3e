#include "rpc/sessions/grid_config.hpp"

#include <fmt/format.h>

#include <fstream>
#include <sstream>
#include <tasuki/detail/base/settings.hpp>

#include "rpc/sessions/server_address.hpp"

namespace tasuki::rpc {
namespace {

/// Throws tasuki::error if the line has no meaning; its operation is not told.
void read_line(const std::string& line, GridConfig& config) {
  std::istringstream words(line.substr(0, line.find('#')));
  std::string word, value, rest;
  if (!(words >> word)) return;
  if (!(words >> value) || words >> rest) {
    throw error("", fmt::format("'{}' has not one value", word), "write one");
  }
  if (word == "server") {
    server_addresses(value);
    if (!config.servers.empty()) config.servers += ',';
    config.servers += value;
  } else if (word == "mode") {
    config.options.mode = named_mode(value);
  } else if (word == "wire") {
    config.options.wire = named_wire_format(value);
  } else {
    throw error("", fmt::format("'{}' has no meaning", word), "write server, mode or wire");
  }
}

}  // namespace

GridConfig read_grid_config(const std::string& file) {
  std::ifstream lines(file);
  if (!lines) {
    throw NoGridConfig("initialize GridRPC", fmt::format("{} cannot be read", file),
                       "name a configuration file, or NULL for the servers of TASUKI_SERVER");
  }
  GridConfig config;
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    try {
      read_line(line, config);
    } catch (const error& fault) {
      throw error("initialize GridRPC", fmt::format("{}:{}: {}", file, number, fault.happened()),
                  fault.remedy());
    }
  }
  return config;
}

GridConfig usual_grid_config() {
  const base::Setting& server = base::setting::server;
  if (!server.is_set()) return {};
  return {server.text(), {}};
}

}  // namespace tasuki::rpc
