#include "rpc/tls/tls_secret.hpp"

#include <array>
#include <tasuki/error.hpp>

#include "rpc/tls/digest.hpp"

namespace tasuki::rpc {
namespace {

/// Where a connection has its secret.
int secret_index() {
  static const int index = SSL_get_ex_new_index(0, nullptr, nullptr, nullptr, nullptr);
  return index;
}

/// Returns: the cipher of all sessions, whose digest is SHA-256.
const SSL_CIPHER* cipher_of(SSL* connection) {
  constexpr std::array<unsigned char, 2> aes_128_gcm_sha256 = {0x13, 0x01};
  return SSL_CIPHER_find(connection, aes_128_gcm_sha256.data());
}

}  // namespace

std::string identity_of(std::string_view secret) {
  return sha256_text("tasuki identity " + std::string(secret));
}

SSL_SESSION* session_of(SSL* connection, std::string_view secret) {
  // One digest for the key and another one for the identity, which travels.
  const std::string key = sha256("tasuki key " + std::string(secret));
  SSL_SESSION* const session = SSL_SESSION_new();
  const bool is_made =
      session != nullptr &&
      SSL_SESSION_set1_master_key(session, reinterpret_cast<const unsigned char*>(key.data()),
                                  key.size()) == 1 &&
      SSL_SESSION_set_cipher(session, cipher_of(connection)) == 1 &&
      SSL_SESSION_set_protocol_version(session, TLS1_3_VERSION) == 1;
  if (!is_made) {
    SSL_SESSION_free(session);
    return nullptr;
  }
  return session;
}

void set_secret(SSL* connection, KnownSecret* secret) {
  SSL_set_ex_data(connection, secret_index(), secret);
}

int use_session(SSL* connection, const EVP_MD* digest, const unsigned char** identity,
                std::size_t* identity_bytes, SSL_SESSION** session) {
  const auto* const known =
      static_cast<const KnownSecret*>(SSL_get_ex_data(connection, secret_index()));
  *session = nullptr;
  // OpenSSL asks again once it knows the digest of the cipher that was chosen.
  if (digest != nullptr && EVP_MD_is_a(digest, "SHA256") != 1) return 1;
  *session = session_of(connection, known->secret);
  *identity = reinterpret_cast<const unsigned char*>(known->identity.data());
  *identity_bytes = known->identity.size();
  return *session == nullptr ? 0 : 1;
}

}  // namespace tasuki::rpc
