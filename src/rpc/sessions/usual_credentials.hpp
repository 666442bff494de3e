// With what credentials programs call that are given some, or else have them from settings.
//
// Used by the interfaces for C, C++ and Fortran. Thread-safety: any thread, as long as nobody calls
// setenv.
#pragma once

#include <string>

#include "rpc/client/credentials.hpp"

namespace tasuki::rpc {

/// What a program has been told; what is empty is taken from the settings.
struct CredentialOptions {
  std::string token = {};
  std::string token_file = {};
  std::string ca_file = {};
};

/// Throws tasuki::error if there is no such file, or others may read a token in it.
///     credentials_of({});  // those of the settings TASUKI_TOKEN, TASUKI_TOKEN_FILE,
///     TASUKI_CA_FILE
Credentials credentials_of(const CredentialOptions& options);

}  // namespace tasuki::rpc
