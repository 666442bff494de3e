#include "rpc/server/server_options.hpp"

namespace tasuki::rpc {

ServerOptions server_options_from(const nlohmann::json& options) {
  return {options.at("log_file")};
}

}  // namespace tasuki::rpc
