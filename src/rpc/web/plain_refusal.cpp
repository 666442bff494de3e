#include "rpc/web/plain_refusal.hpp"

#include <fmt/format.h>

#include <optional>

#include "rpc/web/request_guard.hpp"

namespace tasuki::rpc {

HttpResponse refuse_plain(const HttpRequest& request, const std::string& own_host) {
  std::optional<HttpResponse> refused = guard_request(request, {own_host, false});
  if (!refused) {
    const std::string url = fmt::format("https://{}/", request.header("host"));
    refused = refuse_request(400, fmt::format("This server speaks TLS alone; ask {}", url));
    const bool is_for_page = request.path == "/" && changes_nothing(request.method);
    if (is_for_page) {
      refused->status = 307;
      refused->headers = {{"Location", url}, {"Cache-Control", "no-store"}};
    }
  }
  refused->is_last = true;
  return *refused;
}

}  // namespace tasuki::rpc
