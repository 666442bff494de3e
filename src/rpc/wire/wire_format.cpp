#include "rpc/wire/wire_format.hpp"

#include <string>
#include <tasuki/error.hpp>

#include "rpc/wire/frame.hpp"

namespace tasuki::rpc {

WireFormat wire_format_in(const nlohmann::json& message, const char* field) {
  if (!message.contains(field)) return WireFormat::native;
  if (const auto found = wire_format_of(field_of<std::string>(message, field))) return *found;
  throw error("receive arrays", "they are in no form that is known here",
              "let server and client use versions of Tasuki that know each other");
}

}  // namespace tasuki::rpc
