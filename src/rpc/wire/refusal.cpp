#include "rpc/wire/refusal.hpp"

#include <string>

#include "rpc/wire/frame.hpp"
#include "rpc/wire/named_error.hpp"

namespace tasuki::rpc {

nlohmann::json refusal_of(const error& fault) {
  nlohmann::json message = {{"message", "refused"},
                            {"operation", fault.operation()},
                            {"happened", fault.happened()},
                            {"remedy", fault.remedy()}};
  if (const auto* named = dynamic_cast<const NamedError*>(&fault)) message["kind"] = named->kind();
  return message;
}

void throw_refusal(const nlohmann::json& message) {
  const auto operation = field_of<std::string>(message, "operation");
  const auto happened = field_of<std::string>(message, "happened");
  const auto remedy = field_of<std::string>(message, "remedy");
  if (!message.contains("kind")) throw error(operation, happened, remedy);
  throw NamedError(field_of<std::string>(message, "kind"), operation, happened, remedy);
}

}  // namespace tasuki::rpc
