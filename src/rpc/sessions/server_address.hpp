// Which server programs call whose users name it by an address or by a setting.
//
// Used by the interfaces for C, C++ and Fortran. Thread-safety: any thread, as long as nobody calls
// setenv.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rpc/wire/socket.hpp"

namespace tasuki::rpc {

/// As python/tasuki/rpc/address.py has it.
inline constexpr std::uint16_t default_port = 7777;

/// Reads tasuki://HOST:PORT, where the scheme and the port may be left out, or tasukis://HOST:PORT,
/// where all is encrypted. Throws tasuki::error if
/// the text is no address.
///     server_address("tasuki://localhost");  // {"localhost", 7777}
Endpoint server_address(const std::string& url);

/// Reads one or several such addresses with commas in between. Throws tasuki::error if one of them
/// is none.
///     server_addresses("tasuki://a:1,tasukis://b");  // {"a", 1}, and {"b", 7777} by TLS
std::vector<Endpoint> server_addresses(const std::string& urls);

/// What the setting TASUKI_SERVER says. Throws tasuki::error if it says nothing.
std::string usual_servers();

}  // namespace tasuki::rpc
