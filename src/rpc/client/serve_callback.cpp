#include "rpc/client/serve_callback.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tasuki/error.hpp>

#include "rpc/links/callback_arrays.hpp"
#include "rpc/links/callback_fault.hpp"
#include "rpc/wire/frame.hpp"

namespace tasuki::rpc {
namespace {

using nlohmann::json;

const Callback& callback_of(const Routine& routine, const json& message) {
  const auto name = field_of<std::string>(message, "name");
  const auto found = std::ranges::find(routine.callbacks, name, &Callback::name);
  if (found != routine.callbacks.end()) return *found;
  throw CallbackFault(fmt::format("call {}", routine.name),
                      fmt::format("its program calls {}, which is no callback of it", name),
                      "build the program again from its interface file");
}

}  // namespace

void check_functions(const Routine& routine, const ClientFunctions& functions) {
  const std::string operation = fmt::format("call {}", routine.name);
  for (const Callback& one : routine.callbacks) {
    const auto found = functions.find(one.name);
    if (found != functions.end() && found->second) continue;
    throw error(operation, fmt::format("the function for {} is missing", one.name), "give one");
  }
  if (functions.size() == routine.callbacks.size()) return;
  throw error(operation,
              fmt::format("{} functions are given, but it has {} callbacks", functions.size(),
                          routine.callbacks.size()),
              "give those that the interface names");
}

ServeCallback serve_callback_of(const Routine& routine, const Integers& integers, WireFormat wire,
                                const ClientFunctions& functions) {
  if (routine.callbacks.empty()) return {};
  return [&routine, &integers, wire, &functions](const json& message, Socket& rank) {
    const Callback& callback = callback_of(routine, message);
    CallbackArrays arrays(callback, integers);
    arrays.receive(rank, wire, &Parameter::is_sent);
    if (const auto happened = functions.at(callback.name)(arrays.pointers())) {
      throw CallbackFault(fmt::format("call {}", routine.name),
                          fmt::format("callback {}: {}", callback.name, *happened),
                          "correct the function that was given");
    }
    send_frame(rank, {{"message", "returned"},
                      {"bytes", arrays.wire_bytes(wire, &Parameter::is_returned)}});
    arrays.send(rank, wire, &Parameter::is_returned);
  };
}

}  // namespace tasuki::rpc
