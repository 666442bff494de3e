#include "rpc/sessions/server_address.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <tasuki/detail/base/settings.hpp>
#include <tasuki/error.hpp>

namespace tasuki::rpc {

Endpoint server_address(const std::string& url) {
  constexpr std::string_view plain = "tasuki://";
  constexpr std::string_view encrypted = "tasukis://";
  const bool is_encrypted = url.starts_with(encrypted);
  std::string address = is_encrypted             ? url.substr(encrypted.size())
                        : url.starts_with(plain) ? url.substr(plain.size())
                                                 : url;
  if (address.ends_with('/')) address.pop_back();
  const bool has_host = !address.empty() && !address.starts_with(':') && !address.starts_with("[]");
  if (has_host && address.find_first_of(":/") == std::string::npos) {
    return {address, default_port, is_encrypted};
  }
  if (has_host && address.find('/') == std::string::npos) {
    Endpoint found = endpoint_from(address);
    const bool is_version_6 = found.host.starts_with('[') && found.host.ends_with(']');
    if (is_version_6) found.host = found.host.substr(1, found.host.size() - 2);
    found.is_encrypted = is_encrypted;
    return found;
  }
  throw error("find a server", fmt::format("'{}' is no address", url),
              "give tasuki://HOST:PORT, or tasukis://HOST:PORT if it speaks TLS, or several with"
              " commas in between");
}

std::vector<Endpoint> server_addresses(const std::string& urls) {
  std::vector<Endpoint> found;
  std::size_t begin = 0;
  while (true) {
    const std::size_t comma = urls.find(',', begin);
    found.push_back(server_address(urls.substr(begin, comma - begin)));
    if (comma == std::string::npos) return found;
    begin = std::min(urls.find_first_not_of(' ', comma + 1), urls.size());
  }
}

std::string usual_servers() {
  const base::Setting& setting = base::setting::server;
  if (!setting.is_set()) {
    throw error("find a server", fmt::format("{} is not set", setting.name),
                fmt::format("set {}=tasuki://HOST:PORT, or name the server", setting.name));
  }
  return setting.text();
}

}  // namespace tasuki::rpc
