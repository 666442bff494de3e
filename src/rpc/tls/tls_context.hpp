// How one side of encrypted connections proves who it is, and what it asks of the other.
//
// Front ends have a certificate. Where both ends know a secret already, which is a ticket or the
// key of a rank, it takes the place of certificates: an end that does not know it cannot connect,
// and the secret itself never travels. TLS 1.3 alone is spoken. Thread-safety: any thread.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

struct ssl_ctx_st;

namespace tasuki::rpc {

class TlsContext {
 public:
  /// Returns: the secret of an identity; nothing if there is none. Any thread.
  using FindSecret = std::function<std::optional<std::string>(std::string_view identity)>;

  /// For who connects and verifies the other's certificate: by the authorities in `ca_file`, or
  /// those of the system if it is empty. Throws tasuki::error if there is no such file.
  static TlsContext for_clients(const std::string& ca_file);
  /// For who connects, and knows a secret.
  static TlsContext for_secrets();
  /// For who is connected to by those who know secrets.
  static TlsContext for_listeners(FindSecret find);
  /// The same with a certificate for those who know none. Throws tasuki::error if a file is not
  /// there or not of its kind, or they do not belong together.
  static TlsContext for_servers(const std::string& certificate_file, const std::string& key_file,
                                FindSecret find);

  ssl_ctx_st* get() const noexcept { return context_.get(); }

 private:
  explicit TlsContext(bool is_server);

  std::shared_ptr<ssl_ctx_st> context_;
  std::shared_ptr<FindSecret> find_;
};

}  // namespace tasuki::rpc
