#include "rpc/server/served_module.hpp"

namespace tasuki::rpc {

std::vector<ServedModule> served_modules_from(const nlohmann::json& modules) {
  std::vector<ServedModule> made;
  for (const nlohmann::json& one : modules) {
    made.push_back({one.at("interface"), one.at("command"), one.at("ranks"),
                    one.at("keep_limit_bytes"), one.at("is_warm"), one.at("documentation"),
                    one.at("version"), one.at("signature")});
  }
  return made;
}

}  // namespace tasuki::rpc
