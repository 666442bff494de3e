#include "rpc/server/user.hpp"

#include "rpc/wire/frame.hpp"

namespace tasuki::rpc {
namespace {

template <class Type>
std::optional<Type> limit_in(const nlohmann::json& described, const char* name) {
  if (!described.contains(name)) return {};
  return field_of<Type>(described, name);
}

}  // namespace

User user_from_json(const nlohmann::json& described) {
  return {field_of<std::string>(described, "name"),
          field_of<std::string>(described, "token_sha256"),
          {limit_in<std::int64_t>(described, "connections_at_once"),
           limit_in<std::int64_t>(described, "calls_at_once"),
           limit_in<std::int64_t>(described, "calls_per_minute"),
           limit_in<std::int64_t>(described, "call_memory_bytes"),
           limit_in<std::int64_t>(described, "kept_memory_bytes"),
           limit_in<double>(described, "call_time_s")}};
}

}  // namespace tasuki::rpc
