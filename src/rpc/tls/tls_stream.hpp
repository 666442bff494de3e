// One end of an encrypted connection, on a descriptor that belongs to somebody else.
//
// Owned by Socket. No call waits: each says for what to wait before it is tried again.
// Thread-safety: one thread sends while another one receives; OpenSSL is locked meanwhile.
#pragma once

#include <sys/types.h>
#include <sys/uio.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "rpc/tls/tls_context.hpp"

struct ssl_st;

namespace tasuki::rpc {

struct KnownSecret;

class TlsStream {
 public:
  /// The end that connects, which wants a certificate of `host`. Requires, as for the others: the
  /// descriptor does not block, and outlives this.
  static std::unique_ptr<TlsStream> to_server(int descriptor, const TlsContext& context,
                                              const std::string& host);
  /// The end that connects and proves that it knows the secret.
  static std::unique_ptr<TlsStream> by_secret(int descriptor, const std::string& secret);
  /// The end to which others connect.
  static std::unique_ptr<TlsStream> accepted(int descriptor, const TlsContext& context);
  ~TlsStream();
  TlsStream(const TlsStream&) = delete;
  TlsStream& operator=(const TlsStream&) = delete;

  /// Goes on with the negotiation. Returns: for which events of `poll` to wait; 0 once it has
  /// ended. Throws tasuki::error, which names the peer, if that does not prove who it is.
  short shake_hands(const std::string& peer);

  /// Like `recv` and `sendmsg` of a descriptor that does not block: -1 and `errno` EAGAIN if
  /// nothing could be moved, and then `events` are what to wait for.
  ssize_t receive(void* data, std::size_t bytes, short& events) noexcept;
  ssize_t send(std::span<const iovec> pieces, short& events) noexcept;
  /// Is there something to receive that the descriptor does not tell of? Not if it is a part of a
  /// record, and the rest is still to come.
  bool has_ahead() const noexcept;

 private:
  enum class Role : std::uint8_t { to_server, by_secret, accepted };

  TlsStream(int descriptor, TlsContext context, Role role);
  [[noreturn]] void refuse(const std::string& peer, int kind, int fault) const;
  ssize_t outcome(int result, std::size_t bytes, short& events) noexcept;
  /// What is sent together: a long piece, or short ones that are copied.
  std::span<const std::byte> next_record(std::span<const iovec> pieces) noexcept;

  TlsContext context_;
  Role role_;
  std::unique_ptr<KnownSecret> secret_;
  mutable std::mutex mutex_;
  std::unique_ptr<ssl_st, void (*)(ssl_st*)> connection_;  ///< Guarded by mutex_.
  bool needs_more_ = false;                                ///< To receive anything; guarded too.
  std::vector<std::byte> record_;                          ///< Of the thread that sends.
};

}  // namespace tasuki::rpc
