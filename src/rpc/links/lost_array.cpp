#include "rpc/links/lost_array.hpp"

#include <string>

#include "rpc/wire/frame.hpp"

namespace tasuki::rpc {

void check_not_refused(const std::vector<nlohmann::json>& answers) {
  for (const nlohmann::json& one : answers) {
    if (field_of<std::string>(one, "message") != "refused") continue;
    throw LostArray("use an array on the ranks", field_of<std::string>(one, "happened"),
                    field_of<std::string>(one, "remedy"));
  }
}

}  // namespace tasuki::rpc
