// What a server that speaks TLS alone answers to a request that is not encrypted.
//
// Asked by the front end. Thread-safety: pure functions.
#pragma once

#include <string>

#include "rpc/web/http_message.hpp"

namespace tasuki::rpc {

/// Returns: a refusal that names the address to ask; who has opened the page in a browser is sent
/// there. A script is told, so that nobody overlooks that its token has travelled unencrypted.
/// `own_host` is as in guard_request.
HttpResponse refuse_plain(const HttpRequest& request, const std::string& own_host);

}  // namespace tasuki::rpc
