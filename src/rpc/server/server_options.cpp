#include "rpc/server/server_options.hpp"

namespace tasuki::rpc {

ServerOptions server_options_from(const nlohmann::json& options) {
  ServerOptions made{options.at("log_file")};
  for (const nlohmann::json& one : options.at("users")) made.users.push_back(user_from_json(one));
  return made;
}

}  // namespace tasuki::rpc
