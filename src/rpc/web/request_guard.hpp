// Refuses what other web sites make a browser ask of a server.
//
// A site can let its own name stand for this machine's address (DNS rebinding), and can let forms
// be sent here (cross-site requests). Asked by the front end before anything else. Thread-safety:
// pure functions.
#pragma once

#include <optional>
#include <string>

#include "rpc/web/http_message.hpp"

namespace tasuki::rpc {

/// Where a request came in.
struct OwnAddress {
  std::string host;  ///< In numbers.
  bool is_encrypted = false;
};

/// Returns: a refusal, or nothing. On a loopback address only names of this machine are meant. A
/// request that changes something must come from the server's own page, or from no page.
std::optional<HttpResponse> guard_request(const HttpRequest& request, const OwnAddress& own);

/// Is it a method by which nobody changes anything?
bool changes_nothing(const std::string& method);

/// Returns: the host of "host:port", "[::1]:port" or "host"; nothing if it is none of these.
std::optional<std::string> host_of_authority(const std::string& authority);

}  // namespace tasuki::rpc
