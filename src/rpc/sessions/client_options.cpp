#include "rpc/sessions/client_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string_view>
#include <tasuki/detail/base/settings.hpp>
#include <tasuki/error.hpp>
#include <vector>

namespace tasuki::rpc {
namespace {

std::string operation_of(const base::Setting& setting) {
  return fmt::format("read {}", setting.name);
}

}  // namespace

TransferMode named_mode(const std::string& name, const std::string& operation) {
  if (const auto found = mode_of(name)) return *found;
  std::vector<std::string_view> names;
  for (const TransferModeTraits& one : transfer_modes) names.push_back(one.name);
  throw error(operation, fmt::format("there is no mode {}", name),
              fmt::format("choose one of {}", fmt::join(names, ", ")));
}

WireFormat named_wire_format(const std::string& name, const std::string& operation) {
  if (const auto found = wire_format_of(name)) return *found;
  throw error(operation, fmt::format("there is no wire format {}", name), "choose native or xdr");
}

void apply(const ClientOptions& options, Client& client) {
  const base::Setting& mode = base::setting::rpc_mode;
  const base::Setting& wire = base::setting::rpc_wire;
  client.set_mode(options.mode ? *options.mode : named_mode(mode.text(), operation_of(mode)));
  client.set_wire_format(options.wire ? *options.wire
                                      : named_wire_format(wire.text(), operation_of(wire)));
}

}  // namespace tasuki::rpc
