// Reads ways of UCX ("tcp/eth0") out of what UCX prints about itself: UCX 1.13 tells them by no
// other function.
//
// Used by ucx_ways.cpp. Pure. Thread-safety: any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tasuki::transport::ucx {

/// All of a context, of the lines "resource 1  :  md 1  dev 1  flags -- tcp/eth0".
std::vector<std::string> ways_of_context(std::string_view printed);
/// Those that an endpoint uses, of the lines "lane[0]:  2:tcp/eth0.0 md[1] -> ...", where 2 is the
/// index of the resource and the last 0 that of the path.
std::vector<std::string> ways_of_endpoint(std::string_view printed);
/// "tcp/eth0" -> "eth0". Several ways may use one device; it is there once.
std::vector<std::string> devices_of(const std::vector<std::string>& ways);
/// Is this the port of a network adapter that UCX drives itself, as in "mlx5_0:1"?
bool is_adapter(std::string_view device);
/// Is one of the ways by an adapter? (A second address of an interface, "tcp/eth0:1", is none.)
bool has_adapter(const std::vector<std::string>& ways);
bool has_tcp(const std::vector<std::string>& ways);

}  // namespace tasuki::transport::ucx
