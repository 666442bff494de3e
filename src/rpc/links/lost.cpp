#include "rpc/links/lost.hpp"

#include <string>

#include "rpc/wire/frame.hpp"

namespace tasuki::rpc {

using nlohmann::json;

void check_not_refused(const std::vector<json>& answers) {
  for (const json& one : answers) {
    if (field_of<std::string>(one, "message") != "refused") continue;
    throw Lost(field_of<std::string>(one, "kind"), field_of<std::string>(one, "operation"),
               field_of<std::string>(one, "happened"), field_of<std::string>(one, "remedy"));
  }
}

}  // namespace tasuki::rpc
