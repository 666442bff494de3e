#include "rpc/tls/tls_context.hpp"

#include <fmt/format.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>

#include <system_error>
#include <tasuki/error.hpp>
#include <utility>

#include "rpc/tls/tls_secret.hpp"

namespace tasuki::rpc {
namespace {

/// Several records are received by one system call.
constexpr std::size_t read_buffer_bytes = std::size_t{64} << 10;

/// Is it the error of a file without any text of PEM?
bool is_no_pem(unsigned long fault) {
  const int reason = ERR_GET_REASON(fault);
  return (ERR_GET_LIB(fault) == ERR_LIB_PEM && reason == PEM_R_NO_START_LINE) ||
         (ERR_GET_LIB(fault) == ERR_LIB_OSSL_DECODER && reason == ERR_R_UNSUPPORTED);
}

/// Why a file could not be used in which something is expected.
std::string reason_for(const char* expected) {
  std::string reason = "it cannot be read";
  bool is_known = false;  // What is said first is more than "system lib" or "PEM lib", the last.
  while (const unsigned long fault = ERR_get_error()) {
    if (is_known) continue;
    is_known = ERR_SYSTEM_ERROR(fault) || is_no_pem(fault);
    if (ERR_SYSTEM_ERROR(fault)) {
      reason = std::generic_category().message(ERR_GET_REASON(fault));
    } else if (is_no_pem(fault)) {
      reason = fmt::format("it has no {} in PEM format", expected);
    } else if (const char* const said = ERR_reason_error_string(fault)) {
      reason = said;
    }
  }
  return reason;
}

int find_session(SSL* connection, const unsigned char* identity, std::size_t identity_bytes,
                 SSL_SESSION** session) {
  *session = nullptr;
  const auto* const find =
      static_cast<const TlsContext::FindSecret*>(SSL_CTX_get_app_data(SSL_get_SSL_CTX(connection)));
  const auto secret = (*find)({reinterpret_cast<const char*>(identity), identity_bytes});
  if (secret) *session = session_of(connection, *secret);
  return 1;  // Without a session the negotiation goes on, to fail if there is no certificate.
}

}  // namespace

TlsContext::TlsContext(bool is_server)
    : context_(SSL_CTX_new(is_server ? TLS_server_method() : TLS_client_method()), SSL_CTX_free) {
  if (!context_) throw error("encrypt a connection", "there is no memory", "end other programs");
  SSL_CTX_set_min_proto_version(get(), TLS1_3_VERSION);
  SSL_CTX_set_mode(get(), SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER |
                              SSL_MODE_RELEASE_BUFFERS);
  // The system encrypts where it can.
  SSL_CTX_set_options(get(), SSL_OP_ENABLE_KTLS);
  SSL_CTX_set_session_cache_mode(get(), SSL_SESS_CACHE_OFF);
  SSL_CTX_set_num_tickets(get(), 0);
  SSL_CTX_set_read_ahead(get(), 1);
  SSL_CTX_set_default_read_buffer_len(get(), read_buffer_bytes);
}

TlsContext TlsContext::for_clients(const std::string& ca_file) {
  TlsContext made(false);
  SSL_CTX_set_verify(made.get(), SSL_VERIFY_PEER, nullptr);
  ERR_clear_error();
  if (ca_file.empty()) {
    SSL_CTX_set_default_verify_paths(made.get());
  } else if (SSL_CTX_load_verify_file(made.get(), ca_file.c_str()) != 1) {
    throw error("read certificates of authorities",
                fmt::format("{}: {}", ca_file, reason_for("certificate")),
                "give a PEM file that exists and can be read");
  }
  return made;
}

TlsContext TlsContext::for_secrets() {
  TlsContext made(false);
  // The one whose digest is that of the keys.
  SSL_CTX_set_ciphersuites(made.get(), "TLS_AES_128_GCM_SHA256");
  // No certificate can take the place of the secret.
  SSL_CTX_set_verify(made.get(), SSL_VERIFY_PEER, nullptr);
  SSL_CTX_set_psk_use_session_callback(made.get(), use_session);
  return made;
}

TlsContext TlsContext::for_listeners(FindSecret find) {
  TlsContext made(true);
  made.find_ = std::make_shared<FindSecret>(std::move(find));
  SSL_CTX_set_app_data(made.get(), made.find_.get());
  SSL_CTX_set_psk_find_session_callback(made.get(), find_session);
  return made;
}

TlsContext TlsContext::for_servers(const std::string& certificate_file, const std::string& key_file,
                                   FindSecret find) {
  TlsContext made = for_listeners(std::move(find));
  ERR_clear_error();
  if (SSL_CTX_use_certificate_chain_file(made.get(), certificate_file.c_str()) != 1) {
    throw error("read the server's certificate",
                fmt::format("{}: {}", certificate_file, reason_for("certificate")),
                "give a PEM file with the certificate, and those between it and its authority");
  }
  if (SSL_CTX_use_PrivateKey_file(made.get(), key_file.c_str(), SSL_FILETYPE_PEM) != 1) {
    throw error("read the server's key", fmt::format("{}: {}", key_file, reason_for("private key")),
                "give the PEM file of the certificate's key");
  }
  return made;
}

}  // namespace tasuki::rpc
