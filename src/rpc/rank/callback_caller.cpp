#include "rpc/rank/callback_caller.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <tasuki/error.hpp>

#include "rpc/links/callback_arrays.hpp"
#include "rpc/wire/await_message.hpp"
#include "rpc/wire/frame.hpp"

namespace tasuki::rpc {

using nlohmann::json;

CallbackCaller::CallbackCaller(const Routine& routine, const json& message, int rank,
                               Socket& client)
    : routine_(routine),
      integers_(routine.callbacks.empty()
                    ? Integers{}
                    : integers_of(routine, field_of<json>(message, "scalars"))),
      wire_(wire_format_in(message, message.contains("callback_wire") ? "callback_wire" : "wire")),
      rank_(rank),
      client_(client) {}

void CallbackCaller::call(std::string_view name, void* const* arguments) {
  const std::string operation = fmt::format("call {} of the client", name);
  const auto found = std::ranges::find(routine_.callbacks, name, &Callback::name);
  if (found == routine_.callbacks.end()) {
    throw error(operation, fmt::format("{} has no callback {}", routine_.name, name),
                "call those that the interface names");
  }
  if (rank_ != 0) {
    throw error(
        operation,
        fmt::format("rank {} has called {}, and only rank 0 may call functions of the client",
                    rank_, name),
        "call it on rank 0, and let that tell the others");
  }
  CallbackArrays arrays(*found, integers_, arguments);
  send_frame(client_, {{"message", "callback"},
                       {"name", name},
                       {"bytes", arrays.wire_bytes(wire_, &Parameter::is_sent)}});
  arrays.send(client_, wire_, &Parameter::is_sent);
  await_message(client_);
  const json answer = receive_frame(client_);
  if (field_of<std::string>(answer, "message") != "returned") refuse_field("message");
  arrays.receive(client_, wire_, &Parameter::is_returned);
}

}  // namespace tasuki::rpc
