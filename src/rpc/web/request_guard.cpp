#include "rpc/web/request_guard.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>

#include "rpc/wire/socket.hpp"

namespace tasuki::rpc {
namespace {

bool is_name_of_this_machine(const std::string& host) {
  return host == "localhost" || host.ends_with(".localhost") || is_loopback(host);
}

/// Did a page of another origin make the browser ask?
bool is_from_other_site(const HttpRequest& request, bool is_encrypted) {
  const std::string site = request.header("sec-fetch-site");
  if (!site.empty() && site != "same-origin" && site != "none") return true;
  const std::string origin = request.header("origin");
  if (origin.empty()) return false;
  // A page that came unencrypted may be anybody's.
  return origin != (is_encrypted ? "https://" : "http://") + request.header("host");
}

bool is_digit(char letter) { return std::isdigit(static_cast<unsigned char>(letter)) != 0; }

bool is_in_names(char letter) {
  return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '.' || letter == '-' ||
         letter == '_';
}

bool is_in_ipv6(char letter) {
  return std::isxdigit(static_cast<unsigned char>(letter)) != 0 || letter == ':' || letter == '.';
}

}  // namespace

std::optional<std::string> host_of_authority(const std::string& authority) {
  const bool is_ipv6 = authority.starts_with('[');
  const std::size_t end =
      is_ipv6 ? authority.find(']') : std::min(authority.find(':'), authority.size());
  if (end == std::string::npos) return {};
  std::string host = is_ipv6 ? authority.substr(1, end - 1) : authority.substr(0, end);
  const std::string_view rest = std::string_view(authority).substr(is_ipv6 ? end + 1 : end);
  const bool is_good_rest =
      rest.empty() || (rest.starts_with(':') && std::ranges::all_of(rest.substr(1), is_digit));
  if (host.empty() || !is_good_rest ||
      !std::ranges::all_of(host, is_ipv6 ? is_in_ipv6 : is_in_names)) {
    return {};
  }
  std::ranges::transform(host, host.begin(),
                         [](unsigned char letter) { return std::tolower(letter); });
  return host;
}

bool changes_nothing(const std::string& method) { return method == "GET" || method == "HEAD"; }

std::optional<HttpResponse> guard_request(const HttpRequest& request, const OwnAddress& own) {
  const std::optional<std::string> host = host_of_authority(request.header("host"));
  if (!host) return refuse_request(400, "the request names no host; send a Host header");
  if (is_loopback(own.host) && !is_name_of_this_machine(*host)) {
    return refuse_request(421, "this server is for this machine alone; ask it as localhost");
  }
  if (!changes_nothing(request.method) && is_from_other_site(request, own.is_encrypted)) {
    return refuse_request(403, "a page of another site has asked; use the server's own page");
  }
  return {};
}

}  // namespace tasuki::rpc
