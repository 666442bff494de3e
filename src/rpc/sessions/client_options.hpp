// By which way and in which form the arrays of a client travel, as its user names them.
//
// Used by all that makes clients: the C interface, and GridRPC and Ninf by ClientPool. What a
// program does not choose is that of the settings TASUKI_RPC_MODE and TASUKI_RPC_WIRE.
// Thread-safety: a value.
#pragma once

#include <optional>
#include <string>

#include "rpc/client/client.hpp"
#include "rpc/client/transfer_mode.hpp"
#include "rpc/wire/wire_format.hpp"

namespace tasuki::rpc {

struct ClientOptions {
  std::optional<TransferMode> mode = {};  ///< Nothing: that of the setting.
  std::optional<WireFormat> wire = {};    ///< Nothing: that of the setting.
};

/// Throws tasuki::error, about the operation, that says which modes there are.
TransferMode named_mode(const std::string& name, const std::string& operation = "choose a mode");

/// Throws tasuki::error, about the operation, that says which forms there are.
WireFormat named_wire_format(const std::string& name,
                             const std::string& operation = "choose a wire format");

/// Lets the client's calls go by these ways. Throws tasuki::error if a setting names none.
void apply(const ClientOptions& options, Client& client);

}  // namespace tasuki::rpc
