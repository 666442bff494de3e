// Secrets that both ends of a connection know, as OpenSSL has them: as sessions to go on with.
//
// Used by TlsContext and TlsStream. Thread-safety: any thread.
#pragma once

#include <openssl/ssl.h>

#include <cstddef>
#include <string>
#include <string_view>

namespace tasuki::rpc {

/// Returns: what says which secret is meant, and tells nothing of it.
std::string identity_of(std::string_view secret);

/// Returns: a session to be freed, whose key is made from the secret; nullptr without memory.
SSL_SESSION* session_of(SSL* connection, std::string_view secret);

struct KnownSecret {
  std::string secret;
  std::string identity;
};

/// The end that connects will prove that it knows the secret. Requires: it outlives the connection.
void set_secret(SSL* connection, KnownSecret* secret);

/// For SSL_CTX_set_psk_use_session_callback.
int use_session(SSL* connection, const EVP_MD* digest, const unsigned char** identity,
                std::size_t* identity_bytes, SSL_SESSION** session);

}  // namespace tasuki::rpc
