// Digests of secrets, and how secrets are compared.
//
// Used where a token is checked, and where keys of connections are made from tickets.
// Thread-safety: pure functions.
#pragma once

#include <string>
#include <string_view>

namespace tasuki::rpc {

/// Returns: the SHA-256 digest as 32 bytes.
std::string sha256(std::string_view data);
/// Returns: the same as 64 hexadecimal digits, in lower case.
std::string sha256_text(std::string_view data);
/// Returns: two hexadecimal digits for each byte, in lower case.
std::string hexadecimal(std::string_view bytes);

/// Takes the same time wherever two texts of one length differ, so that nobody can guess a secret
/// part by part.
bool is_same_secret(std::string_view one, std::string_view other) noexcept;

}  // namespace tasuki::rpc
