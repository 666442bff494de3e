#include "rpc/client/named_arguments.hpp"

namespace tasuki::rpc {

using nlohmann::json;

NamedArguments named_arguments(const Routine& routine, const json& scalars) {
  NamedArguments given{scalars};
  for (const Parameter& one : routine.parameters) {
    if (one.content == Content::numbers || !scalars.contains(one.name)) continue;
    json value = given.numbers[one.name];
    given.numbers.erase(one.name);
    if (one.content == Content::texts) {
      given.texts[one.name] = value.is_string() ? json::array({value}) : value;
    } else if (value.is_string()) {
      given.files[one.name] = value.get<std::string>();
    }
  }
  return given;
}

}  // namespace tasuki::rpc
