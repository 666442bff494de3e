#include "rpc/links/lost.hpp"

#include <utility>

#include "rpc/wire/frame.hpp"

namespace tasuki::rpc {

using nlohmann::json;

Lost::Lost(std::string kind, const std::string& operation, const std::string& happened,
           const std::string& remedy)
    : error(operation, happened, remedy), kind_(std::move(kind)) {}

json refusal_of(const Lost& fault) {
  return {{"message", "refused"},
          {"kind", fault.kind()},
          {"operation", fault.operation()},
          {"happened", fault.happened()},
          {"remedy", fault.remedy()}};
}

void check_not_refused(const std::vector<json>& answers) {
  for (const json& one : answers) {
    if (field_of<std::string>(one, "message") != "refused") continue;
    throw Lost(field_of<std::string>(one, "kind"), field_of<std::string>(one, "operation"),
               field_of<std::string>(one, "happened"), field_of<std::string>(one, "remedy"));
  }
}

}  // namespace tasuki::rpc
