#include "rpc/sessions/usual_credentials.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <tasuki/detail/base/settings.hpp>
#include <tasuki/error.hpp>

namespace tasuki::rpc {
namespace {

constexpr const char* operation = "read a token";

std::string token_in(const std::string& file) {
  struct stat found {};
  std::ifstream stream(file);
  std::string token;
  if (stat(file.c_str(), &found) != 0 || !stream) {
    throw error(operation, fmt::format("{}: {}", file, std::strerror(errno)), "check its name");
  }
  if (S_ISDIR(found.st_mode)) {
    throw error(operation, fmt::format("{} is a folder, not a file", file), "give a file in it");
  }
  if ((found.st_mode & (S_IRWXG | S_IRWXO)) != 0) {
    throw error(operation, fmt::format("others than its owner may use {}", file),
                fmt::format("chmod 600 {}", file));
  }
  stream >> token;
  if (token.empty()) throw error(operation, fmt::format("{} is empty", file), "write it there");
  return token;
}

}  // namespace

Credentials credentials_of(const CredentialOptions& options) {
  const std::string ca_file =
      options.ca_file.empty() ? base::setting::ca_file.text() : options.ca_file;
  if (!options.token.empty()) return {options.token, true, ca_file};
  if (!options.token_file.empty()) return {token_in(options.token_file), true, ca_file};
  const std::string token = base::setting::token.text();
  const std::string token_file = base::setting::token_file.text();
  if (token.empty() && !token_file.empty()) return {token_in(token_file), false, ca_file};
  return {token, false, ca_file};
}

}  // namespace tasuki::rpc
